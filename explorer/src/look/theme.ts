// The colours of the page: the system's, light or dark.

import { button, h, onPrint, replace } from "./dom";
import { keep, kept } from "./keeping";

const KEY = "hlta-theme";
const NAMES = { "": "system", light: "light", dark: "dark" };
const NEXT = { "": "light", light: "dark", dark: "" } as const;

type Theme = keyof typeof NAMES;

const root = document.documentElement;

function current(): Theme {
  return (root.dataset.theme ?? "") as Theme;
}

/** The button that goes from the system's colours to light ones to dark ones. The browser keeps the
 * choice; `redraw` draws what does not follow styles by itself. */
export function themeButton(redraw: () => void): HTMLElement {
  const before = kept(KEY);
  if (before === "light" || before === "dark") root.dataset.theme = before;
  const label = h("span.word");
  const tell = (): void => replace(label, `Colours: ${NAMES[current()]}`);
  const press = (): void => {
    const chosen = NEXT[current()];
    if (chosen) root.dataset.theme = chosen;
    else delete root.dataset.theme;
    keep(KEY, chosen);
    tell();
    redraw();
  };
  tell();
  return button(label, press, { class: "theme" });
}

/** Calls `redraw` when the system's colours change, and around printing, which is always light. */
export function watchTheme(redraw: () => void): void {
  onPrint((printing) => {
    root.toggleAttribute("data-printing", printing);
    redraw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

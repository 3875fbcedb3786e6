// The colours of the page: the system's, light or dark.

import { button, h, onPrint, replace } from "./dom";
import { keep, kept } from "./keeping";

const KEY = "hlta-theme";
const NAMES = { "": "system", light: "light", dark: "dark" };
const NEXT = { "": "light", light: "dark", dark: "" } as const;

type Theme = keyof typeof NAMES;

const root = document.documentElement;

/** The button that goes from the system's colours to light ones to dark ones. The browser keeps the
 * choice; `redraw` draws what does not follow styles by itself. */
export function themeButton(redraw: () => void): HTMLElement {
  let theme = kept(KEY) as Theme;
  if (!Object.hasOwn(NAMES, theme)) theme = "";
  const label = h("span.word");
  const press = (): void => {
    theme = NEXT[theme];
    keep(KEY, theme);
    show();
    redraw();
  };
  const element = button(label, press, { class: "theme" });
  const show = (): void => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    replace(label, `Colours: ${NAMES[theme]}`);
    element.setAttribute("aria-label", label.textContent); // where there is no room for it
  };
  show();
  return element;
}

/** Calls `redraw` when the system's colours change, and around printing, which is always light. */
export function watchTheme(redraw: () => void): void {
  onPrint((printing) => {
    root.toggleAttribute("data-printing", printing);
    redraw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

// Buttons that show a drawing instead of a word.

import { button, s } from "./dom";

/** Four corners: the whole is brought into view. */
export const FIT = "M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5";

export const LINES = "M2.5 4h11M2.5 8h11M2.5 12h11";

/** A button with lines on a square of 16 pixels, and a name for those who do not see it. */
export function icon(path: string, name: string, press: () => void): HTMLButtonElement {
  const lines = { fill: "none", stroke: "currentColor", "stroke-width": 1.5 };
  const ends = { "stroke-linecap": "round", "stroke-linejoin": "round" };
  const drawing = s("svg", { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, [
    s("path", { d: path, ...lines, ...ends }),
  ]);
  return button(drawing, press, { "aria-label": name, title: name });
}

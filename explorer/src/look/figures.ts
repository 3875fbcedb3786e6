// Whether exact odds and probabilities are shown beside the words that tell them.

import { h } from "./dom";
import { keep, kept } from "./keeping";

const KEY = "hlta-figures";

const root = document.documentElement;

/** The box that shows or hides all elements of the class "figure". The browser keeps the choice. */
export function figuresBox(): HTMLElement {
  root.toggleAttribute("data-figures", kept(KEY) === "shown");
  const change = (): void => {
    root.toggleAttribute("data-figures", box.checked);
    keep(KEY, box.checked ? "shown" : "");
  };
  const checked = root.hasAttribute("data-figures");
  const box = h("input", { type: "checkbox", checked, onchange: change });
  return h("label", { class: "figures" }, box, "Show figures");
}

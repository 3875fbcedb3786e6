// Whether exact odds and probabilities are shown beside the words that tell them.

import { h } from "./dom";

const KEY = "hlta-figures";

const root = document.documentElement;

/** The box that shows or hides all elements of the class "figure". The browser keeps the choice. */
export function figuresBox(): HTMLElement {
  try {
    root.toggleAttribute("data-figures", localStorage.getItem(KEY) === "shown");
  } catch {
    // No storage: as it was chosen since the page was opened.
  }
  const change = (): void => {
    root.toggleAttribute("data-figures", box.checked);
    try {
      localStorage.setItem(KEY, box.checked ? "shown" : "");
    } catch {
      // Then it is forgotten.
    }
  };
  const checked = root.hasAttribute("data-figures");
  const box = h("input", { type: "checkbox", checked, onchange: change });
  return h("label", { class: "figures" }, box, "Show figures");
}

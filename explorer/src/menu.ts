// The menu of what can be saved.

import type { Page } from "./data";
import { button, h } from "./dom";
import { saveTopics } from "./exporting";

/** The menu "Export"; `save` is called for a picture. */
export function exportMenu(page: Page, save: (kind: "svg" | "png") => void): HTMLElement {
  const menu = h(
    "details",
    { class: "menu" },
    h("summary", {}, "Export"),
    h(
      "div",
      { class: "items" },
      button("Topics as CSV", () => saveTopics("csv", page)),
      button("Topics as JSON", () => saveTopics("json", page)),
      button("Picture as SVG", () => save("svg")),
      button("Picture as PNG", () => save("png")),
    ),
  );
  addEventListener("click", (event) => {
    if (!(event.target as Element).closest(".menu > summary")) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      menu.open = false;
      menu.querySelector("summary")!.focus();
    }
  });
  return menu;
}

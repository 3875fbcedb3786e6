// Menus that open below their names.

import { h } from "../look/dom";

/** A menu, the element for its items, and its name. It closes after a click elsewhere and, unless
 * it `stays`, after one on a button in it. */
export function dropDown(
  text: string,
  stays: boolean,
): [menu: HTMLDetailsElement, items: HTMLElement, name: HTMLElement] {
  const name = h("summary", text);
  const items = h("div", { class: stays ? "items wide" : "items" });
  const menu = h("details.menu", name, items);
  menu.addEventListener("toggle", () => {
    items.classList.remove("up");
    if (!menu.open) return;
    const { bottom, height } = items.getBoundingClientRect();
    items.classList.toggle("up", bottom > innerHeight && height < name.getBoundingClientRect().top);
    const close = (event: Event): void => {
      const inside = event.composedPath();
      const own = inside.includes(menu);
      const pressed = own && !stays && inside.some((one) => one instanceof HTMLButtonElement);
      if ((!own || pressed) && !inside.includes(name)) menu.open = false;
      if (!menu.open) removeEventListener("click", close);
    };
    addEventListener("click", close);
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) {
      menu.open = false;
      event.preventDefault(); // Escape closes nothing else
      name.focus();
    }
  });
  return [menu, items, name];
}

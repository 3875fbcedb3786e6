// Tooltips of elements under the mouse, with the focus, or tapped by a finger.

import { h } from "./dom";

const GAP = 6; // pixels between an element and its tooltip

const texts = new WeakMap<Element, () => string>();

/** Gives an element a tooltip; `text` is called when it is shown. */
export function withTip<E extends Element>(element: E, text: () => string): E {
  element.setAttribute("data-tip", "");
  texts.set(element, text);
  return element;
}

/** Shows the tooltips of elements within a container; Escape hides them. */
export function showTips(container: HTMLElement): void {
  const tip = h("div.tip", { role: "tooltip", id: "tip", hidden: true });
  let of: HTMLElement | null = null;
  const hide = (): void => {
    of?.removeAttribute("aria-describedby");
    of = null;
    tip.remove();
  };
  const show = ({ target }: Event): void => {
    const element = (target as Element).closest<HTMLElement>("[data-tip]");
    if (element === of) return;
    hide();
    if (!element) return;
    of = element;
    tip.textContent = texts.get(element)!();
    tip.hidden = false;
    element.setAttribute("aria-describedby", tip.id);
    container.closest("main")!.append(tip); // all content should be within a landmark
    place(tip, element);
  };
  for (const event of ["mouseover", "focusin", "click"]) container.addEventListener(event, show);
  container.addEventListener("mouseleave", hide);
  container.addEventListener("focusout", hide);
  container.addEventListener("scroll", hide, { capture: true });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !of) return;
    hide();
    event.preventDefault(); // Escape closes nothing else
  });
}

/** Puts a tip below an element, or above it where there is no room. */
function place(tip: HTMLElement, element: HTMLElement): void {
  const [line] = element.getClientRects();
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(line.left, innerWidth - width - GAP));
  const below = line.bottom + GAP;
  const top = below + height > innerHeight ? line.top - height - GAP : below;
  tip.style.setProperty("left", `${left}px`);
  tip.style.setProperty("top", `${top}px`);
}

// What is said of an element where the mouse rests on it, the keyboard is on it, or a finger taps it.

import { h } from "./dom";

const GAP = 6; // pixels between an element and what is said of it

const texts = new WeakMap<Element, () => string>();

/** An element of which something is said; the words are found when they are shown. */
export function withTip<E extends Element>(element: E, text: () => string): E {
  element.setAttribute("data-tip", "");
  texts.set(element, text);
  return element;
}

/** Shows what is said of elements within a container; Escape hides it. */
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
    container.closest("main")!.append(tip); // a landmark, as all content should be in one
    place(tip, element);
  };
  for (const event of ["mouseover", "focusin", "click"]) container.addEventListener(event, show);
  container.addEventListener("mouseleave", hide);
  container.addEventListener("focusout", hide);
  container.addEventListener("scroll", hide, { capture: true });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !of) return;
    hide();
    event.preventDefault(); // it closes nothing else
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

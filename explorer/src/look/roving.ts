// Many elements that are one stop for the Tab key: the arrow keys go from one to the next.

/** Makes elements of a container one stop. Keys that move are not heard outside of it. */
export function rove(container: HTMLElement, selector: string): void {
  const elements = Array.from(container.querySelectorAll<HTMLElement>(selector));
  elements.forEach((element, k) => {
    element.tabIndex = k ? -1 : 0;
  });
  container.addEventListener("keydown", (event) => {
    const at = elements.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: elements.length - 1 };
    const next = to[event.key as keyof typeof to];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const element = elements[Math.max(0, Math.min(elements.length - 1, next))];
    elements[at].tabIndex = -1;
    element.tabIndex = 0;
    element.focus();
  });
}

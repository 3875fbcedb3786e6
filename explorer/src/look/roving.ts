// Roving focus: many elements are one stop for the Tab key, and arrow keys move between them.

type Stop = HTMLElement | SVGElement;

const BESIDE = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
const BELOW = { ArrowDown: 1, ArrowUp: -1, ArrowLeft: 0, ArrowRight: 0 };

/** Makes elements of a container one stop. `keys` says by how many elements each key moves; the
 * event of such a key does not leave the container. */
export function rove(
  container: Stop,
  stops: readonly Stop[],
  keys: Readonly<Record<string, number>> = BESIDE,
): void {
  let [current] = stops; // the one that Tab leads to
  for (const stop of stops) stop.tabIndex = stop === current ? 0 : -1;
  container.addEventListener("focusin", ({ target }) => {
    if (!stops.includes(target as Stop)) return;
    current.tabIndex = -1;
    current = target as Stop;
    current.tabIndex = 0;
  });
  container.addEventListener("keydown", (event) => {
    const { key, target } = event as KeyboardEvent;
    const at = stops.indexOf(target as Stop);
    if (at < 0 || !Object.hasOwn(keys, key)) return;
    event.preventDefault();
    event.stopPropagation();
    stops[Math.max(0, Math.min(stops.length - 1, at + keys[key]))].focus();
  });
}

/** Makes marks of a drawing, which are below each other, one stop; Enter or space presses one. */
export function letWalk(drawing: SVGElement, marks: readonly SVGElement[]): void {
  drawing.setAttribute("role", "group");
  rove(drawing, marks, BELOW);
  drawing.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    (event.target as Element).dispatchEvent(new MouseEvent("click"));
  });
}

// The line between two panes, which can be moved.

import { h } from "../look/dom";
import { LEAST } from "./layout";

const STEP = 0.04; // of an arrow key

/** A line between the two children of `room` that it stands between: by hand or with the keys, it
 * gives the first one a share. A double click calls `reset`. */
export function divider(
  room: HTMLElement,
  first: HTMLElement,
  move: (share: number) => void,
  reset: () => void,
): HTMLElement {
  const isDown = (): boolean => getComputedStyle(room).flexDirection === "column";
  const side = (element: Element): number => {
    const { width, height } = element.getBoundingClientRect();
    return isDown() ? height : width;
  };
  const share = (): number => side(first) / Math.max(side(room), 1);
  const line = h("div", {
    class: "divider",
    role: "separator",
    tabindex: 0,
    title: "Drag to resize; double-click to reset",
    "aria-label": "Size of the picture",
    "aria-controls": first.id,
    "aria-valuemin": 100 * LEAST,
    "aria-valuemax": 100 * (1 - LEAST),
    ondblclick: reset,
    onpointerdown: (event: PointerEvent) => {
      if (event.button === 0) line.setPointerCapture(event.pointerId);
    },
    onpointermove: ({ pointerId, clientX, clientY }: PointerEvent) => {
      if (!line.hasPointerCapture(pointerId)) return;
      const { left, top } = room.getBoundingClientRect();
      move((isDown() ? clientY - top : clientX - left) / Math.max(side(room), 1));
    },
    onkeydown: (event: KeyboardEvent) => {
      const [less, more] = isDown() ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
      const steps = { [less]: -1, [more]: 1, Home: -1 / STEP, End: 1 / STEP };
      if (!Object.hasOwn(steps, event.key)) return;
      event.preventDefault();
      move(share() + STEP * steps[event.key]);
    },
  });
  new ResizeObserver(() => {
    line.setAttribute("aria-orientation", isDown() ? "horizontal" : "vertical");
    line.setAttribute("aria-valuenow", String(Math.round(100 * share())));
  }).observe(first);
  return line;
}

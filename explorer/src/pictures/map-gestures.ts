// Gestures on the map, by pointer, wheel and keys.

import { keyOf } from "../look/dom";
import type { Eye } from "./map-eye";
import type { Point } from "./map-view";

const STILL = 4; // pixels that a click may move
const STEP = 60; // pixels, of an arrow key
const TIMES = 1.5; // of the keys + and -

/** What gestures do besides moving the eye. Points are in pixels of the element. */
export interface Hands {
  hover(at: Point | null): void;
  tap(at: Point, touch: boolean): void;
  outlines(): boolean; // whether a drag draws an outline now
  outline(drawn: readonly Point[], done: boolean): void;
  cancel(): void;
}

/** Listens to an element; keys count where `keys` has the focus. */
export function listen(element: HTMLElement, keys: HTMLElement, eye: Eye, hands: Hands): void {
  const down = new Map<number, Point>();
  let began: Point | null = null; // where a click would be
  let line: Point[] | null = null; // an outline that is being drawn
  const at = (event: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const drop = (event: PointerEvent): void => {
    down.delete(event.pointerId);
    began = null;
    line = null;
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const place = at(event);
    down.set(event.pointerId, place);
    began = down.size === 1 && onPicture(event) ? place : null;
    line = began && (event.shiftKey || hands.outlines()) ? [place] : null;
    if (line) event.preventDefault(); // no text is selected
  });
  element.addEventListener("pointermove", (event) => {
    const place = at(event);
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") hands.hover(onPicture(event) ? place : null);
      return;
    }
    if (line) {
      element.setPointerCapture(event.pointerId);
      line.push(place);
      hands.outline(line, false);
    } else if (down.size === 2) {
      const other = [...down].find(([id]) => id !== event.pointerId)![1];
      const [middle, old] = [between(place, other), between(before, other)];
      eye.move(middle[0] - old[0], middle[1] - old[1]);
      eye.enlarge(distance(place, other) / Math.max(distance(before, other), 1), middle);
      began = null;
    } else {
      if (began && distance(began, place) < STILL) return;
      if (began) element.setPointerCapture(event.pointerId);
      began = null;
      eye.move(place[0] - before[0], place[1] - before[1]);
    }
    down.set(event.pointerId, place);
  });
  element.addEventListener("pointerup", (event) => {
    if (line && line.length > 2) hands.outline(line, true);
    else if (began) hands.tap(began, event.pointerType !== "mouse");
    drop(event);
  });
  element.addEventListener("pointercancel", (event) => {
    if (line) hands.cancel();
    drop(event);
  });
  element.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") hands.hover(null); // a finger leaves with every tap
  });
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const much = Math.min(Math.max(event.deltaY * lines, -240), 240);
      eye.enlarge(Math.exp(-much * (event.ctrlKey ? 0.01 : 0.002)), at(event));
    },
    { passive: false },
  );
  keys.addEventListener("keydown", (event) => {
    const act = keyed(keyOf(event), eye);
    if (!act) return;
    event.preventDefault();
    act();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hands.cancel();
  });
}

function keyed(key: string, eye: Eye): (() => void) | undefined {
  const acts: Record<string, () => void> = {
    ArrowLeft: () => eye.move(STEP, 0),
    ArrowRight: () => eye.move(-STEP, 0),
    ArrowUp: () => eye.move(0, STEP),
    ArrowDown: () => eye.move(0, -STEP),
    "+": () => eye.enlarge(TIMES, null),
    "=": () => eye.enlarge(TIMES, null),
    "-": () => eye.enlarge(1 / TIMES, null),
    "0": () => eye.goHome(true),
  };
  return Object.hasOwn(acts, key) ? acts[key] : undefined;
}

function onPicture(event: Event): boolean {
  return !(event.target as Element).closest("button");
}

function between([x0, y0]: Point, [x1, y1]: Point): Point {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

function distance([x0, y0]: Point, [x1, y1]: Point): number {
  return Math.hypot(x1 - x0, y1 - y0);
}

// A small picture of the whole, with a frame around the part in sight.

import "./minimap.css";
import { h } from "../look/dom";
import type { Box, Point } from "./map-view";

const LEAST = 40; // pixels of a side, however narrow the whole is
const SEEN = 6; // pixels of the frame's sides, at least

/** How large the small picture of a whole is that takes `most` pixels. */
export function miniSize(width: number, height: number, most: Point): Point {
  const scale = Math.min(most[0] / width, most[1] / height);
  return [Math.max(LEAST, scale * width), Math.max(LEAST, scale * height)];
}

/** Where a box is within a whole, in shares of its width and height. */
export function sharesOf([left, top, right, bottom]: Box, whole: Box): Box {
  const [width, height] = [whole[2] - whole[0], whole[3] - whole[1]];
  const across = (x: number): number => (x - whole[0]) / width;
  const down = (y: number): number => (y - whole[1]) / height;
  return [across(left), down(top), across(right), down(bottom)];
}

/** The frame, in shares: what is in sight as far as there is something, and never too small to see. */
export function frameOf(seen: Box, [width, height]: Point): Box {
  const [left, right] = side(seen[0], seen[2], SEEN / width);
  const [top, bottom] = side(seen[1], seen[3], SEEN / height);
  return [left, top, right, bottom];
}

function side(from: number, to: number, least: number): [number, number] {
  const clamped = (share: number): number => Math.min(Math.max(share, 0), 1);
  const grown = Math.max(0, least - (clamped(to) - clamped(from))) / 2;
  const begin = Math.min(clamped(clamped(from) - grown), 1 - least);
  return [begin, Math.max(clamped(clamped(to) + grown), begin + least)];
}

/** The small picture, which moves what is in sight. It is for hands: keys move the picture itself. */
export class Minimap {
  private readonly frame = h("i");
  readonly element: HTMLElement;
  private seen: Box = [0, 0, 1, 1];
  private grip: Point = [0, 0]; // from the pointer to the middle of what is in sight

  /** Shows a drawing in at most so many pixels; `go` brings a place, in shares of the whole, into the middle. */
  constructor(
    drawing: Element,
    private readonly most: Point,
    private readonly go: (place: Point) => void,
  ) {
    this.element = h(
      "div",
      {
        class: "minimap",
        "aria-hidden": "true",
        onpointerdown: (event: PointerEvent) => this.take(event),
        onpointermove: (event: PointerEvent) => {
          event.stopPropagation();
          if (this.element.hasPointerCapture(event.pointerId)) this.move(event);
        },
        onpointerup: (event: PointerEvent) => event.stopPropagation(),
      },
      drawing,
      this.frame,
    );
    this.element.hidden = true;
  }

  /** Takes the size of the whole, and what of it is in sight, in shares. */
  show(width: number, height: number, seen: Box): void {
    const [across, down] = miniSize(width, height, this.most);
    const [left, top, right, bottom] = frameOf(seen, [across, down]);
    const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
    this.seen = seen;
    this.element.hidden = seen[0] <= 0 && seen[1] <= 0 && seen[2] >= 1 && seen[3] >= 1;
    Object.assign(this.element.style, { width: `${across}px`, height: `${down}px` });
    Object.assign(this.frame.style, {
      left: percent(left),
      top: percent(top),
      width: percent(right - left),
      height: percent(bottom - top),
    });
  }

  private take(event: PointerEvent): void {
    event.stopPropagation();
    if (event.button !== 0) return;
    event.preventDefault(); // no text is selected
    this.element.setPointerCapture(event.pointerId);
    const [left, top, right, bottom] = this.seen;
    const [x, y] = this.at(event);
    const inside = event.target === this.frame;
    this.grip = inside ? [(left + right) / 2 - x, (top + bottom) / 2 - y] : [0, 0];
    this.move(event);
  }

  private move(event: PointerEvent): void {
    const [x, y] = this.at(event);
    this.go([x + this.grip[0], y + this.grip[1]]);
  }

  private at({ clientX, clientY }: PointerEvent): Point {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height];
  }
}

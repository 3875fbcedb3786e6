// What part of the map is in sight: how its points become pixels, how the view moves, and the
// outline that a person draws.

import { SIDE } from "../page/documents";

/** The size of a picture, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a picture shows: a point of the map is at the pixel (x + scale · its x, y + scale · its y). */
export interface View extends Size {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** A view, and that of all documents. */
export interface Sheet {
  readonly view: View;
  readonly home: View;
}

/** How many times as large as the whole map something is. */
export function timesOf({ view, home }: Sheet): number {
  return view.scale / home.scale;
}

export type Box = readonly [left: number, top: number, right: number, bottom: number];

export type Point = readonly [x: number, y: number];

const CLOSEST = 400; // times as large as the whole map
const FARTHEST = 0.5;

/** The view in which a box of the map fills the picture but for its margin. */
export function fitting(box: Box, size: Size, margin: number): View {
  const [left, top, right, bottom] = box;
  const room = (side: number): number => Math.max(side - 2 * margin, side / 3, 1);
  const [across, down] = [Math.max(right - left, 1), Math.max(bottom - top, 1)];
  const scale = Math.min(room(size.width) / across, room(size.height) / down);
  return around([(left + right) / 2, (top + bottom) / 2], scale, size);
}

export function around([x, y]: Point, scale: number, { width, height }: Size): View {
  return { scale, x: width / 2 - scale * x, y: height / 2 - scale * y, width, height };
}

export function centreOf({ width, height }: Size): Point {
  return [width / 2, height / 2];
}

export function pointAt(view: View, [x, y]: Point): Point {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

export function pixelOf(view: View, [x, y]: Point): Point {
  return [view.x + view.scale * x, view.y + view.scale * y];
}

/** What part of the map is in view. */
export function inSight(view: View): Box {
  const [[left, top], [right, bottom]] = [
    pointAt(view, [0, 0]),
    pointAt(view, [view.width, view.height]),
  ];
  return [left, top, right, bottom];
}

export function moved(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** The view enlarged by a factor; what is at the pixel stays there. */
export function enlarged(view: View, times: number, [x, y]: Point): View {
  const scale = view.scale * times;
  return { ...view, scale, x: x - (x - view.x) * times, y: y - (y - view.y) * times };
}

/** The nearest view whose scale is neither too large nor too small relative to `home`, the view of
 * all documents, and that has a point of the map in its middle. */
export function within(view: View, home: View): View {
  const scale = clamped(view.scale, FARTHEST * home.scale, CLOSEST * home.scale);
  const [x, y] = pointAt(view, centreOf(view));
  return around([clamped(x, 0, SIDE), clamped(y, 0, SIDE)], scale, home);
}

/** The view on the way from one to another, at t from 0 to 1: the logarithm of the scale changes
 * evenly, as if a camera came nearer. */
export function between(from: View, to: View, t: number): View {
  const scale = from.scale * (to.scale / from.scale) ** t;
  const same = Math.abs(Math.log(to.scale / from.scale)) < 1e-3;
  const share = same ? t : (scale - from.scale) / (to.scale - from.scale);
  return { ...to, scale, x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
}

/** The box around those points that lie in the middle of a set: all but a share at each edge. */
export function middleOf(
  x: Uint16Array,
  y: Uint16Array,
  mask: Uint8Array | null,
  share: number,
): Box | null {
  const [[left, right], [top, bottom]] = [x, y].map((values) => {
    const sorted = values.filter((_, k) => !mask || mask[k]).sort();
    const out = Math.floor(share * sorted.length);
    return [sorted[out], sorted[sorted.length - 1 - out]];
  });
  return left === undefined ? null : [left, top, right, bottom];
}

/** Whether a box shows in a view, and is not so small there that nobody would see it. */
export function isSeen(box: Box, view: View): boolean {
  const { width, height } = view;
  const [left, top] = pixelOf(view, [box[0], box[1]]);
  const [right, bottom] = pixelOf(view, [box[2], box[3]]);
  const inside = left >= 0 && top >= 0 && right <= width && bottom <= height;
  return inside && Math.max((right - left) / width, (bottom - top) / height) > 0.25;
}

export function clamped(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

export const MOST_CORNERS = 60; // corners of an area, at most: addresses hold them

const LEAST_TOLERANCE = 16; // of the map's units

/** The corners of an area around what was drawn: whole numbers x, y, x, y, … within the map; none
 * if it encloses nothing. */
export function cornersOf(drawn: readonly Point[]): number[] {
  let corners = simplified(drawn, LEAST_TOLERANCE);
  for (let tolerance = 2 * LEAST_TOLERANCE; corners.length > MOST_CORNERS; tolerance *= 1.5) {
    corners = simplified(drawn, tolerance);
  }
  // Beyond the edge, so that points on it are inside.
  const inside = (value: number): number => clamped(Math.round(value), 0, SIDE + 1);
  return corners.length < 3 ? [] : corners.flatMap(([x, y]) => [inside(x), inside(y)]);
}

export function rectangle([left, top, right, bottom]: Box): number[] {
  return cornersOf([
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]);
}

/** A line without the points that are within the tolerance of the line that is left. */
export function simplified(line: readonly Point[], tolerance: number): Point[] {
  if (line.length < 3) return [...line];
  const [first, last] = [line[0], line[line.length - 1]];
  let [farthest, most] = [0, tolerance];
  for (let k = 1; k < line.length - 1; k++) {
    const distance = fromLine(line[k], first, last);
    if (distance > most) [farthest, most] = [k, distance];
  }
  if (!farthest) return [first, last];
  const before = simplified(line.slice(0, farthest + 1), tolerance);
  return [...before.slice(0, -1), ...simplified(line.slice(farthest), tolerance)];
}

function fromLine([x, y]: Point, [x0, y0]: Point, [x1, y1]: Point): number {
  const length = (x1 - x0) ** 2 + (y1 - y0) ** 2;
  const along = length ? ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length : 0;
  const t = clamped(along, 0, 1);
  return Math.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0));
}

// The outline that a person draws around documents, with as many corners as it takes.

import { SIDE } from "../page/documents";
import type { Box, Point } from "./map-view";

export const MOST_CORNERS = 60; // corners of an area, at most: addresses hold them

const LEAST_TOLERANCE = 16; // of the map's units

/** The corners of an area around what was drawn: whole numbers x, y, x, y, … within the map; none
 * if it encloses nothing. */
export function cornersOf(drawn: readonly Point[]): number[] {
  let corners = simplified(drawn, LEAST_TOLERANCE);
  for (let tolerance = 2 * LEAST_TOLERANCE; corners.length > MOST_CORNERS; tolerance *= 1.5) {
    corners = simplified(drawn, tolerance);
  }
  const inside = (value: number): number => Math.min(Math.max(Math.round(value), 0), SIDE + 1); // edges, too
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

/** The points of a line without those that lie within the tolerance of a line without them. */
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
  const t = Math.min(Math.max(along, 0), 1);
  return Math.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0));
}

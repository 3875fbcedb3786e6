// What is drawn over the points: rings around documents, and outlines of areas.

import { replace, s } from "../look/dom";
import { type Point, pixelOf, type View } from "./map-view";

/** Marks, in coordinates of the map except the outline that is being drawn. */
export interface Marks {
  readonly rings: readonly [at: Point, kind: "hovered" | "selected"][];
  readonly areas: readonly (readonly number[])[]; // x, y, x, y, …
  readonly drawn: readonly Point[]; // in pixels
}

/** Draws the marks in a view; rings are a little larger than points, which have that radius. */
export function drawMarks(into: SVGSVGElement, marks: Marks, view: View, radius: number): void {
  replace(into, [
    marks.areas.map((corners) => polygon(pixels(corners, view), "area")),
    marks.drawn.length > 1 && polygon(marks.drawn, "drawn"),
    marks.rings.map(([at, kind]) => {
      const [cx, cy] = pixelOf(view, at);
      return s("circle", { class: kind, cx, cy, r: radius + (kind === "selected" ? 5 : 3) });
    }),
  ]);
}

function polygon(points: readonly Point[], kind: string): SVGElement {
  const corners = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`);
  return s("polygon", { class: kind, points: corners.join(" ") });
}

function pixels(corners: readonly number[], view: View): Point[] {
  return Array.from({ length: corners.length / 2 }, (_, k) =>
    pixelOf(view, [corners[2 * k], corners[2 * k + 1]]),
  );
}

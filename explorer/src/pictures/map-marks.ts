// What is drawn over the points: rings around documents, and outlines of areas.

import { s } from "../look/dom";
import { type Point, pixelOf, type View } from "./map-view";

export function ring([cx, cy]: Point, r: number, kind: "hovered" | "selected"): SVGElement {
  return s("circle", { class: kind, cx, cy, r });
}

/** The outline of an area of the map: x, y, x, y, … */
export function area(corners: readonly number[], view: View): SVGElement {
  const points = Array.from({ length: corners.length / 2 }, (_, k) =>
    pixelOf(view, [corners[2 * k], corners[2 * k + 1]]),
  );
  return polygon(points, "area");
}

/** An outline in pixels, closed. */
export function polygon(points: readonly Point[], kind: "area" | "drawn"): SVGElement {
  const corners = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`);
  return s("polygon", { class: kind, points: corners.join(" ") });
}

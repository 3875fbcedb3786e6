// A topic over time, as small as it can be read.

import { s } from "../look/dom";
import type { Shares } from "../page/page";
import { type Point, relied, runs } from "./lines";

const [WIDTH, HEIGHT, EDGE] = [220, 52, 2]; // pixels

/** The line of the reliable points on a scale of its own, broken where there are none, in the colour of the
 * text; behind it, pale, the same on the scale that ends at `most`, for several lines. */
export function sparkline(
  { names }: Pick<Shares, "names">,
  every: readonly Point[],
  most: number,
): SVGElement {
  const points = relied(every, 2);
  const own = Math.max(...points.map(({ share }) => share), 1e-9);
  const step = (WIDTH - 2 * EDGE) / Math.max(1, names.length - 1);
  const floor = HEIGHT - EDGE;
  const x = ({ period }: Point): string => (EDGE + step * period).toFixed(1);
  const y = ({ share }: Point, high: number): string =>
    (floor - (HEIGHT - 2 * EDGE) * Math.min(1, share / high)).toFixed(1);
  const line = (run: Point[], high: number): string => {
    const places = run.map((point) => `${x(point)} ${y(point, high)}`);
    return (places.length > 1 ? places : [places[0], places[0]]).join("L");
  };
  const area = runs(points).map(
    (run) =>
      `M${x(run[0])} ${floor}L${line(run, Math.max(most, 1e-9))}L${x(run[run.length - 1])} ${floor}Z`,
  );
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const preserveAspectRatio = "none"; // where there is little room, it is narrower
  return s("svg.spark", { viewBox, preserveAspectRatio, "aria-hidden": "true" }, [
    s("path", { d: area.join(""), fill: "currentColor", "fill-opacity": 0.2 }),
    s("path", {
      d: runs(points)
        .map((run) => `M${line(run, own)}`)
        .join(""),
      ...{ fill: "none", stroke: "currentColor", "stroke-width": 1.75 },
      ...{ "stroke-linecap": "round", "stroke-linejoin": "round" },
      "vector-effect": "non-scaling-stroke",
    }),
  ]);
}

// A topic over time, as small as a word.

import { s } from "../look/dom";
import type { Shares } from "../page/page";
import { type Point, pointsOf, reliable, runs } from "./lines";

const [WIDTH, HEIGHT, EDGE] = [84, 22, 2]; // pixels

/** The line of a topic's reliable shares, broken where there are none, in the colour of the text. */
export function sparkline(shares: Shares, topic: number): SVGElement {
  const every = pointsOf(shares, topic);
  const sure = every.filter(reliable);
  const points = sure.length > 1 ? sure : every;
  const most = Math.max(...points.map(({ share }) => share));
  const step = (WIDTH - 2 * EDGE) / Math.max(1, shares.names.length - 1);
  const place = ({ period, share }: Point): string => {
    const high = share / Math.max(most, 1e-9);
    return `${(EDGE + step * period).toFixed(1)} ${(HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * high).toFixed(1)}`;
  };
  const line = runs(points).map((run) => {
    const places = run.map(place);
    return `M${(places.length > 1 ? places : [places[0], places[0]]).join("L")}`;
  });
  const props = { fill: "none", stroke: "currentColor", "stroke-linecap": "round" };
  return s(
    "svg",
    {
      class: "spark",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      preserveAspectRatio: "none", // where there is little room, it is narrower
      "aria-hidden": "true",
    },
    s("path", {
      d: line.join(""),
      ...props,
      "stroke-width": 1.5,
      "stroke-linejoin": "round",
      "vector-effect": "non-scaling-stroke",
    }),
  );
}

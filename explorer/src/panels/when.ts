// How frequent something is over time, as bars, each of which leads to its documents.

import { spoken } from "../look/dates";
import { button, h } from "../look/dom";
import { rove } from "../look/roving";
import type { Shares } from "../page/page";
import type { Point } from "../pictures/lines";
import { reliable } from "../shares/evidence";

/** A bar for each period that has a point, above the first and last figure of enough documents.
 * `figure` says a point in short, `describe` at length. */
export function when(
  { names, unit }: Pick<Shares, "names" | "unit">,
  points: readonly Point[],
  figure: (point: Point) => string,
  describe: (point: Point) => string,
  choose: (period: string) => void,
  counts = false, // figures are sure, however few documents they are of
): HTMLElement | false {
  const sure = points.filter((point) => counts || reliable(point));
  const shown = sure.length > 1 ? sure : points;
  if (shown.length < 2) return false;
  const most = Math.max(...shown.map(({ share }) => share), 1e-9);
  const of = new Map(points.map((point) => [point.period, point]));
  const bars = names.map((name, period) => {
    const point = of.get(period);
    if (!point) return h("span");
    const high = `${100 * Math.min(1, point.share / most)}%`;
    const label = `${spoken(name)}: ${describe(point)}`;
    const props = {
      class: counts || reliable(point) ? "bar" : "bar few",
      "aria-label": label,
      title: label,
    };
    return button(h("i", { style: { height: high } }), () => choose(name), props);
  });
  const end = (point: Point): HTMLElement =>
    h("span", `${spoken(names[point.period])} `, h("b", figure(point)));
  const element = h("figure.when", [
    h("div", { role: "group", "aria-label": `By ${unit}` }, bars),
    h("figcaption", end(shown[0]), end(shown[shown.length - 1])),
  ]);
  rove(element, [...element.querySelectorAll<HTMLElement>(".bar")]);
  return element;
}

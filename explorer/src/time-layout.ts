// Where the lines, bars and labels of the chart over time are.

import { scaleLinear } from "d3-scale";
import type { Shares, Topic } from "./data";

const [TOP, BOTTOM, COUNTS] = [12, 26, 34]; // pixels: above, for periods, for bars of documents
const NAME = 64; // pixels that the name of a period takes
const LABEL = 16; // pixels between the labels of two lines

/** The label at the end of a line: where the line ends, and where the label has room. */
export interface End {
  readonly at: number;
  readonly y: number;
}

/** Places are in pixels. */
export interface TimeLayout {
  readonly left: number; // of the plot
  readonly right: number;
  readonly floor: number; // on which the bars of documents stand
  readonly known: number[]; // periods with documents
  readonly ticks: number[]; // shares that have a line across
  readonly named: number[]; // periods whose names have room
  readonly barWidth: number;
  readonly ends: End[]; // by series
  x(period: number): number;
  y(share: number): number;
  barHeight(period: number): number;
}

/** Lays out the chart for the shares of some topics. */
export function layoutTime(
  shares: Shares,
  series: Topic[],
  width: number,
  height: number,
): TimeLayout {
  const [left, right] = [46, width - (width < 520 ? 120 : 190)];
  const floor = height - BOTTOM;
  const periods = shares.names.map((_, period) => period);
  const known = periods.filter((period) => shares.documents[period]);
  const values = series.flatMap(({ index }) => known.map((period) => shares.of(index, period)));
  const y = scaleLinear([0, Math.max(0.01, ...values)], [floor - COUNTS, TOP]).nice(4);
  const x = scaleLinear([0, Math.max(1, periods.length - 1)], [left + 6, right]);
  const full = Math.max(...shares.documents);
  const every = Math.ceil(periods.length / Math.max(2, Math.floor((right - left) / NAME)));
  const last = known[known.length - 1];
  const at = series.map(({ index }) => y(shares.of(index, last)));
  const places = spread(at, TOP + 4, floor - 2, LABEL);
  return {
    left,
    right,
    floor,
    known,
    ticks: y.ticks(4),
    named: periods.filter((period) => (periods.length - 1 - period) % every === 0),
    barWidth: Math.max(1, ((right - left) / periods.length) * 0.7),
    ends: at.map((end, k) => ({ at: end, y: places[k] })),
    x,
    y,
    barHeight: (period) => (COUNTS - 6) * (shares.documents[period] / full),
  };
}

/** Places at least `gap` apart, in the order of the given ones and near them: pushed down where
 * they would cover each other, and all of them up if the last would be below `high`. */
export function spread(places: number[], low: number, high: number, gap: number): number[] {
  const order = places.map((_, k) => k).sort((a, b) => places[a] - places[b]);
  const found = [...places];
  order.forEach((k, rank) => {
    const least = rank ? found[order[rank - 1]] + gap : low;
    found[k] = Math.max(places[k], least);
  });
  const over = Math.max(0, (found[order[order.length - 1]] ?? 0) - high);
  return found.map((place) => place - over);
}

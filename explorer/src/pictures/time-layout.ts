// Where the lines, bars and labels of the chart over time are, and which periods are chosen.

import { boundsOf, onAxis } from "../look/dates";
import { type Clause, inPeriod, type Term } from "../selection/terms";
import { relied } from "../shares/evidence";
import { axis, linear } from "./axis";
import type { Line } from "./lines";

const [TOP, BOTTOM, COUNTS] = [12, 26, 34]; // pixels: above, for periods, for bars of documents
const NAME = 12; // pixels between the names of two periods
const LETTER = 7; // pixels
const BOLD = 8.4; // for a letter of the line that stands out
const LABEL = 16; // pixels between the labels of two lines
const ABOVE = 4; // times as high as the highest point, beyond which intervals are cut off
const NARROW = 520; // pixels of width below which labels have less room

/** Places are in pixels. */
export type TimeLayout = Readonly<ReturnType<typeof layoutTime>>;

/** How far the axis reaches: to all points, and as far as the intervals of the reliable ones,
 * unless that would flatten the lines; and whether it cuts intervals off. */
export function reach(lines: readonly Line[]): { high: number; cut: boolean } {
  const every = lines.flatMap((line) => line.points);
  const points = relied(every);
  const most = Math.max(0, ...points.map(({ share }) => share));
  const sure = Math.max(0, ...points.map(({ high }) => high));
  const high = Math.max(0.01, Math.min(sure, ABOVE * most), ...every.map(({ share }) => share));
  return { high, cut: sure > high };
}

export function layoutTime(
  periods: { readonly names: readonly string[]; readonly documents: readonly number[] },
  lines: readonly Line[],
  width: number,
  height: number,
) {
  const { names, documents } = periods;
  const longest = Math.max(0, ...lines.map(({ name }) => name.length));
  const named = width < NARROW ? 124 : Math.min(0.35 * width, Math.max(90, BOLD * longest));
  const room = lines.length > 1 ? named : 0; // the title names a single one
  const [left, right] = [46, width - room - 20];
  const floor = height - BOTTOM;
  const ground = floor - COUNTS;
  const { high: top, ticks } = axis(reach(lines).high, 4);
  const y = linear(top, ground, TOP);
  const last = Math.max(1, names.length - 1);
  const half = Math.min(40, (right - left) / names.length / 2);
  const x = linear(last, left + half, right - half);
  const step = x(1) - x(0);
  const full = Math.max(...documents);
  const nameAt = (period: number): number =>
    Math.min(x(period), width - (LETTER * onAxis(names[period]).length) / 2);
  const shift = x(names.length - 1) - nameAt(names.length - 1); // of the last name
  const length = LETTER * onAxis(names[0]).length + NAME + shift;
  const every = Math.ceil((names.length * length) / (right - left));
  const ends = lines.map(({ points }) => points[points.length - 1]);
  const at = ends.map((end) => (end ? y(end.share) : ground));
  const places = spread(at, TOP + 4, floor - 2, LABEL);
  return {
    left, // of the plot
    right,
    top: TOP,
    ground, // of the lines: a share of 0
    floor, // on which the bars of documents stand
    beside: room, // that labels have to the right of the plot
    ticks, // shares that have a line across
    /** Periods whose names have room. */
    named: names.map((_, k) => k).filter((period) => (names.length - 1 - period) % every === 0),
    /** The middle of the name of a period, which stays within the picture. */
    nameAt,
    step, // from one period to the next
    /** Where each line ends, `x` and `at`, and `y` where its label has room. */
    ends: at.map((end, k) => ({ x: x(ends[k]?.period ?? 0), at: end, y: places[k] })),
    x,
    y,
    barHeight: (period: number): number => (COUNTS - 6) * (documents[period] / full),
    periodAt: (place: number): number =>
      Math.max(0, Math.min(names.length - 1, Math.round((place - x(0)) / step))),
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
  for (let rank = order.length - 1, most = high; rank >= 0; rank--, most -= gap) {
    found[order[rank]] = Math.min(found[order[rank]], most);
  }
  return found;
}

type DateTerm = Extract<Term, { kind: "date" }>;

export type Range = readonly [first: number, last: number];

/** The periods that a clause admits; all if there is none. */
export function rangeOf(clause: Clause | undefined, names: readonly string[]): Range {
  const term = clause?.terms[0] as DateTerm | undefined;
  if (!term) return [0, names.length - 1];
  const first = names.findIndex((name) => !isBefore(boundsOf(name)[1], term.from));
  const last = names.findLastIndex((name) => !isBefore(term.to, boundsOf(name)[0]));
  return [first < 0 ? names.length : first, last];
}

/** Whether a date is before another one, as far as both give year, month and day. */
function isBefore(one: string, other: string): boolean {
  return one.slice(0, other.length) < other.slice(0, one.length);
}

/** The term for periods, which may be given in either order. */
export function dateTerm([one, other]: Range, names: readonly string[]): DateTerm {
  const [first, last] = one <= other ? [one, other] : [other, one];
  return inPeriod(names[first], names[last]);
}

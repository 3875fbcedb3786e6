// What a chart shows, in a sentence. A change or a difference is told only if chance does not explain it,
// and never that a topic is frequent where no document is on it. The rules are those of `hlta trends`.

import { during } from "../look/dates";
import { percent, quoted, whole } from "../look/format";
import { type Interval, surely, USUALLY, wilson } from "./intervals";
import { type Line, type Measured, type Point, reliable } from "./lines";

const MOST_TURNS = 4; // in a sentence
const CUTS = 4; // ways to join periods

/** What a title tells. */
export interface Finding {
  readonly told: string;
  readonly figures: string; // those of the title, with their intervals
  readonly evidence: number; // the largest difference, in standard errors
}

/** The finding with most evidence, the first if several have as much; null if there is none. */
export function surest<T extends Finding>(findings: readonly (T | null)[]): T | null {
  const known = findings.filter((finding) => finding !== null);
  return known.sort((one, other) => other.evidence - one.evidence)[0] ?? null;
}

/** How many of some shares are of enough documents to be compared. */
export function comparable(some: readonly (readonly Measured[])[]): number {
  return some.reduce((sum, points) => sum + points.filter(reliable).length, 0);
}

/** When each of some lines rose and fell; null where it may have done neither. The shortest periods
 * that show a change are the ones that are told. */
export function changesOf(lines: readonly Line[], names: readonly string[]): (Finding | null)[] {
  const ways = lines.map(({ points }) => byWidth(points));
  const shares = comparable(ways.flat(2));
  return lines.map(({ name }, k) => {
    const told = (spans: Span[]): Finding | null =>
      changed(name, spans.filter(reliable), names, shares);
    const found = ways[k].map((cuts) => surest(cuts.map(told)));
    return found.find((one) => one !== null) ?? null;
  });
}

/** The points of a line; then 2, 4, 8 and so on of its periods joined, cut in up to four ways. */
function byWidth(points: readonly Point[]): Span[][][] {
  const found = [[points.map((point): Span => ({ ...point, last: point.period }))]];
  for (let width = 2; width < points.length; width *= 2) {
    const cuts = Array.from({ length: Math.min(width, CUTS) }, (_, k) => {
      const later = k * Math.max(1, width / CUTS); // periods behind the last whole part
      return parts(points, width, later);
    });
    found.push(cuts);
  }
  return found;
}

/** So many periods together at a time. */
function parts(points: readonly Point[], width: number, later: number): Span[] {
  const found: Span[] = [];
  let end = (points.length - later) % width || width;
  for (; end < points.length + width; end += width) {
    found.push(joined(points.slice(Math.max(0, end - width), end)));
  }
  return found;
}

/** A point of consecutive periods. */
interface Span extends Point {
  readonly last: number; // period
}

function joined(points: readonly Point[]): Span {
  const sum = (value: (point: Point) => number): number =>
    points.reduce((total, point) => total + value(point), 0);
  const documents = sum((point) => point.documents);
  const share = sum((point) => point.share * point.documents) / documents;
  const worth = sum((point) => point.worth);
  const on = sum((point) => point.on);
  const [{ period }, { period: last }] = [points[0], points[points.length - 1]];
  return { period, last, share, documents, on, worth, ...wilson(share, worth) };
}

function changed(
  name: string,
  points: readonly Span[],
  names: readonly string[],
  shares: number,
): Finding | null {
  const turns = turningPoints(points, shares);
  if (!turns.length) return null;
  const sorted = [...turns].sort((a, b) => a.share - b.share);
  const ends = [sorted[0], sorted[sorted.length - 1]];
  if (percent(ends[0].share) === percent(ends[1].share)) return null;
  const when = ({ period, last }: Span): string => during(names[period], names[last]);
  const at = (point: Span): string => `${percent(point.share)} ${when(point)}`;
  const pairs = turns.slice(1).map((point, k) => [turns[k], point] as const);
  const steps = pairs.map(([before, after], k) => {
    const verb = after.share > before.share ? "rose" : "fell";
    return `${verb}${k ? "" : ` from ${at(before)}`} to ${at(after)}`;
  });
  const plain = pairs.every(([before, after]) => percent(before.share) !== percent(after.share));
  const short = turns.length <= MOST_TURNS && plain;
  const told = short
    ? steps.join(", then ")
    : `went up and down between ${at(ends[0])} and ${at(ends[1])}`;
  return {
    told: `${name} ${told}`,
    figures: figures(short ? turns : ends, when),
    evidence: Math.max(...pairs.map(([before, after]) => errors(before, after))),
  };
}

/** What a title tells of groups, and which two it names. */
export interface Difference<T> extends Finding {
  readonly pair: readonly [T, T];
}

/** In which of some groups a topic is more frequent than in which other, if theirs are so many shares;
 * null if it may be equally frequent in all. */
export function differs<T extends Measured>(
  topic: string,
  groups: readonly T[],
  nameOf: (group: T) => string,
  shares: number,
): Difference<T> | null {
  const sure = groups.filter(reliable).map((group) => bounded(group, shares));
  if (!sure.length) return null;
  const most = sure.reduce((best, one) => (one.low > best.low ? one : best));
  const least = sure.reduce((best, one) => (one.high < best.high ? one : best));
  const pair = [most.point, least.point] as const;
  if (most.low <= least.high || percent(pair[0].share) === percent(pair[1].share)) return null;
  const [more, less] = pair.map((group) => `in ${nameOf(group)} (${percent(group.share)})`);
  return {
    told: `${topic} is more frequent ${more} than ${less}`,
    figures: figures(pair, (group) => `in ${nameOf(group)}`),
    evidence: errors(...pair),
    pair,
  };
}

interface Bounded<T> extends Interval {
  readonly point: T;
}

/** A share with the bounds that it surely is within; that of no document may be 0. */
function bounded<T extends Measured>(point: T, shares: number): Bounded<T> {
  const { low, high } = surely(point.share, point.worth, shares);
  return { point, low: point.on ? low : 0, high };
}

/** The points at which a line begins to rise or fall, and the last one that it reaches: from each to the
 * next it surely changed. None if it never did. This is the rule of `turning_points` in Python. */
function turningPoints<T extends Point>(points: readonly T[], shares: number): T[] {
  const sure = points.map((point) => bounded(point, shares));
  if (!sure.length) return [];
  let [least, most] = [sure[0], sure[0]];
  let turns: typeof sure = [];
  let rises = false;
  for (const one of sure.slice(1)) {
    const last = turns.at(-1);
    if (!last) {
      if (one.low > least.high) [turns, rises] = [[least, one], true];
      else if (one.high < most.low) [turns, rises] = [[most, one], false];
      if (one.high < least.high) least = one;
      if (one.low > most.low) most = one;
    } else if (rises ? one.high < last.low : one.low > last.high) {
      turns.push(one);
      rises = !rises;
    } else if (rises ? one.low > last.low : one.high < last.high) {
      turns[turns.length - 1] = one;
    }
  }
  return turns.map(({ point }) => point);
}

/** How many standard errors two shares are apart. */
function errors(one: Measured, other: Measured): number {
  const error = ({ low, high }: Measured): number => (high - low) / (2 * USUALLY);
  return Math.abs(one.share - other.share) / Math.hypot(error(one), error(other));
}

/** The figures of a title with 95% intervals and numbers of documents. */
function figures<T extends Measured>(points: readonly T[], where: (point: T) => string): string {
  const told = points.map((point) => {
    const { low, high, documents } = point;
    return `${percent(low)} to ${percent(high)} ${where(point)} (n\u00a0=\u00a0${whole(documents)})`;
  });
  return `95% intervals of the figures in the title: ${told.join(", ")}.`;
}

/** How many of so many documents two topics share, against chance, in a sentence; given how many are on
 * both, and on each of them alone. */
export function finding(
  titles: readonly [string, string],
  [both, first, second]: readonly [number, number, number],
  all: number,
): string {
  const each = [both + first, both + second];
  const named = `${quoted(titles[0])} and ${quoted(titles[1])}`;
  if (!both) return `No document is on both ${named}`;
  const least = each[0] <= each[1] ? 0 : 1;
  if (both === each[least]) return within(titles[least], titles[1 - least], both);
  const chance = (each[0] * each[1]) / all;
  const { low, high } = surely(both / all, all, 1);
  const often =
    chance < low * all || chance > high * all
      ? `${times(both / chance)} by chance`
      : "which chance alone can explain";
  const documents = both === 1 ? "1 document is" : `${whole(both)} documents are`;
  return `${documents} on both ${named}, ${often}`;
}

/** That all documents on one topic are on the other. */
function within(one: string, other: string, documents: number): string {
  const these =
    documents === 1
      ? "The only document"
      : documents === 2
        ? "Both documents"
        : `All ${whole(documents)} documents`;
  return `${these} on ${quoted(one)} ${documents === 1 ? "is" : "are"} on ${quoted(other)}, too`;
}

function times(ratio: number): string {
  if (ratio >= 0.95 && ratio < 1.05) return "about as many as";
  if (ratio < 1) return `only ${Number((100 * ratio).toPrecision(1))}% as many as`;
  const number = ratio < 9.95 ? String(Number(ratio.toPrecision(2))) : whole(Math.round(ratio));
  return `${number} times as many as`;
}

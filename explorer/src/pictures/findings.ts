// What a chart shows, in a sentence. A change or a difference is reported only if chance does not
// explain it, and never that a topic is frequent where no document is on it. The rules are those of
// `hlta trends`.

import { during } from "../look/dates";
import { percent, quoted, whole } from "../look/format";
import {
  evidenceAgainst,
  gain,
  type Measured,
  reliable,
  required,
  segments,
  wilson,
} from "../shares/evidence";
import type { Line, Point } from "./lines";

const MOST_TURNS = 4; // in a sentence

export interface Finding {
  readonly sentence: string;
  readonly figures: string; // those of the sentence, with their intervals
  readonly evidence: number; // the largest gain, see `gain`
}

/** The finding with most evidence, the first if several have as much; null if there is none. */
export function surest<T extends Finding>(findings: readonly (T | null)[]): T | null {
  const known = findings.filter((finding) => finding !== null);
  return known.sort((one, other) => other.evidence - one.evidence)[0] ?? null;
}

/** How many pairs of groups with enough documents there are, over several topics. */
export function pairsOf(some: readonly (readonly Measured[])[]): number {
  const sizes = some.map((groups) => groups.filter(reliable).length);
  return sizes.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
}

/** When each line rose and fell; null if it surely did neither. `of` follows the first percentage,
 * as in "5% of the words". */
export function changesOf(
  lines: readonly Line[],
  names: readonly string[],
  of = "",
): (Finding | null)[] {
  const steps = lines.reduce((sum, { points }) => sum + Math.max(0, points.length - 1), 0);
  return lines.map(({ name, points }) => changed(name, turningPoints(points, steps), names, of));
}

interface Span extends Point {
  readonly last: number; // period
}

/** The segments at which a line begins to rise or fall, and the last one; none if it never surely
 * changed, or if no document is on the topic at a peak. */
function turningPoints(points: readonly Point[], steps: number): Span[] {
  const begins = segments(points, required(steps));
  const parts = begins.map((begin, k) => joined(points.slice(begin, begins[k + 1])));
  const rises = parts.slice(1).map(({ share }, k) => share > parts[k].share);
  const turns = parts.filter((_, k) => k === 0 || k === rises.length || rises[k - 1] !== rises[k]);
  const peaks = turns.slice(1).map((one, k) => (one.share > turns[k].share ? one : turns[k]));
  return turns.length > 1 && peaks.every(({ on }) => on) ? turns : [];
}

function joined(points: readonly Point[]): Span {
  const sum = (value: (point: Point) => number): number =>
    points.reduce((total, point) => total + value(point), 0);
  const documents = sum((point) => point.documents);
  const share = sum((point) => point.share * point.documents) / documents;
  const effectiveSize = sum((point) => point.effectiveSize);
  const on = sum((point) => point.on);
  const [{ period }, { period: last }] = [points[0], points[points.length - 1]];
  return { period, last, share, documents, on, effectiveSize, ...wilson(share, effectiveSize) };
}

function changed(
  name: string,
  turns: readonly Span[],
  names: readonly string[],
  of: string,
): Finding | null {
  if (!turns.length) return null;
  const sorted = [...turns].sort((a, b) => a.share - b.share);
  const ends = [sorted[0], sorted[sorted.length - 1]];
  if (percent(ends[0].share) === percent(ends[1].share)) return null;
  const when = ({ period, last }: Span): string => during(names[period], names[last]);
  const at = (point: Span, of = ""): string => `${percent(point.share)}${of} ${when(point)}`;
  const pairs = turns.slice(1).map((point, k) => [turns[k], point] as const);
  const steps = pairs.map(([before, after], k) => {
    const verb = after.share > before.share ? "rose" : "fell";
    return `${verb}${k ? "" : ` from ${at(before, of)}`} to ${at(after)}`;
  });
  const plain = pairs.every(([before, after]) => percent(before.share) !== percent(after.share));
  const short = turns.length <= MOST_TURNS && plain;
  const said = short
    ? steps.join(", then ")
    : `went up and down between ${at(ends[0], of)} and ${at(ends[1])}`;
  return {
    sentence: `${name} ${said}`,
    figures: figures(short ? turns : ends, when),
    evidence: Math.max(...pairs.map(gain)),
  };
}

/** In which group a topic is surely more frequent than in which other; null if it may be equally
 * frequent in all. `pairs` is how many pairs are compared; `of` follows the first percentage. */
export function differs<T extends Measured>(
  topic: string,
  groups: readonly T[],
  nameOf: (group: T) => string,
  pairs: number,
  of = "",
): Finding | null {
  const large = groups.filter(reliable);
  const [most] = large.filter(({ on }) => on).sort((a, b) => b.low - a.low);
  const [least] = [...large].sort((a, b) => a.high - b.high);
  if (!most || !least || most.share <= least.share) return null;
  const pair = [most, least] as const;
  const evidence = gain(pair);
  if (evidence < required(pairs) || percent(most.share) === percent(least.share)) return null;
  const [more, less] = pair.map(
    (group, k) => `in ${nameOf(group)} (${percent(group.share)}${k ? "" : of})`,
  );
  return {
    sentence: `${topic} is more frequent ${more} than ${less}`,
    figures: figures(pair, (group) => `in ${nameOf(group)}`),
    evidence,
  };
}

function figures<T extends Measured>(points: readonly T[], where: (point: T) => string): string {
  const figures = points.map((point) => {
    const { low, high, documents } = point;
    return `${percent(low)} to ${percent(high)} ${where(point)} (n\u00a0=\u00a0${whole(documents)})`;
  });
  return `95% intervals of the figures in the title: ${figures.join(", ")}.`;
}

/** A sentence on how many documents two topics share, against chance; given how many of `all` are
 * on both, and on each of them alone. */
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
  const often =
    evidenceAgainst(chance / all, both / all, all) >= required(1)
      ? `${times(both / chance)} by chance`
      : "which chance alone can explain";
  const documents = both === 1 ? "1 document is" : `${whole(both)} documents are`;
  return `${documents} on both ${named}, ${often}`;
}

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
  if (ratio < 1) return `only ${Number((100 * ratio).toPrecision(2))}% as many as`;
  const number = ratio < 9.95 ? String(Number(ratio.toPrecision(2))) : whole(Math.round(ratio));
  return `${number} times as many as`;
}

// What a chart over time shows, in a sentence; said only where the intervals support it.

import { during } from "../look/dates";
import { percent } from "../look/format";
import { ALMOST_SURELY, type Interval, wilson } from "./intervals";
import { type Line, type Point, reliable } from "./lines";

/** The sentence for a line: it peaked, grew or fell; null if it may have done none of these. */
export function finding({ name, points }: Line, periods: readonly string[]): string | null {
  const sure = points.filter(reliable);
  if (sure.length < 2) return null;
  const [first, last] = [sure[0], sure[sure.length - 1]];
  const top = sure.reduce((best, point) => (point.share > best.share ? point : best));
  const at = ({ share, period }: Point): string => `${percent(share)} ${during(periods[period])}`;
  if ([first, last].every((end) => above(most(top), most(end)) && differ(top, end))) {
    return `${name} peaked at ${at(top)}`;
  }
  if (!differ(first, last)) return null;
  if (above(last, first)) return `${name} grew from ${at(first)} to ${at(last)}`;
  if (above(first, last)) return `${name} fell from ${at(first)} to ${at(last)}`;
  return null;
}

/** What a title tells of one of several lines. */
export interface Marked {
  readonly at: number;
  readonly told: string;
}

/** The sentence for several lines: for the one that changed most, beyond what its intervals leave
 * open. */
export function mostMarked(lines: readonly Line[], periods: readonly string[]): Marked | null {
  let [best, most] = [null as Marked | null, 0];
  for (const [at, line] of lines.entries()) {
    const sure = line.points.filter(reliable);
    const shares = sure.map(({ share }) => share);
    const range = Math.max(...shares) - Math.min(...shares);
    const told = range > most ? finding(line, periods) : null;
    if (told) [best, most] = [{ at, told }, range];
  }
  return best;
}

/** The interval of a point that was picked for being the highest of many. */
function most({ share, documents }: Point): Interval {
  return wilson(share, documents, ALMOST_SURELY);
}

function above(one: Interval, other: Interval): boolean {
  return one.low > other.high;
}

function differ(one: Point, other: Point): boolean {
  return percent(one.share) !== percent(other.share);
}

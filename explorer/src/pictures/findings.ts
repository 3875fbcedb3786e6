// What a chart over time shows, in a sentence; said only where the intervals support it, and never that
// a topic was frequent where no document is on it.

import { during } from "../look/dates";
import { percent } from "../look/format";
import { ALMOST_SURELY, wilson } from "./intervals";
import { type Line, type Point, reliable } from "./lines";

/** The sentence for a line: it grew, fell, peaked, or went up and down; null if it may have done none
 * of these. */
export function finding({ name, points }: Line, periods: readonly string[]): string | null {
  const turns = turningPoints(points.filter(reliable));
  if (!turns.length) return null;
  const [low, high] = [lowest(turns), highest(turns)];
  if (percent(low.share) === percent(high.share)) return null;
  const at = ({ share, on, period }: Point): string =>
    `${on ? percent(share) : "none"} ${during(periods[period])}`;
  const [first, second] = turns;
  if (turns.length === 2) {
    return `${name} ${second === high ? "grew" : "fell"} from ${at(first)} to ${at(second)}`;
  }
  if (turns.length > 3) return `${name} went up and down between ${at(low)} and ${at(high)}`;
  return second === high
    ? `${name} peaked at ${at(second)}`
    : `${name} fell to ${at(second)}, then grew to ${at(turns[2])}`;
}

/** The points at which a line begins to rise or fall, and the last one that it reaches: from each to the
 * next it surely changed. None if it never did. This is the rule of `turning_points` in Python. */
function turningPoints(points: readonly Point[]): Point[] {
  const sure = points.map((point) => {
    const { low, high } = wilson(point.share, point.worth, ALMOST_SURELY);
    return { point, low: point.on ? low : 0, high };
  });
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

function lowest(points: readonly Point[]): Point {
  return points.reduce((best, point) => (point.share < best.share ? point : best));
}

function highest(points: readonly Point[]): Point {
  return points.reduce((best, point) => (point.share > best.share ? point : best));
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

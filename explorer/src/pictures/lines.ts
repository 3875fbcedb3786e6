// Shares over time, or by group, as points, and lines through them with their gaps.

import type { Shares } from "../page/page";
import { type Measured, wilson } from "../shares/evidence";

/** The share of one period, or group. */
export interface Point extends Measured {
  readonly period: number; // its place among the parts of a division
}

export interface Line {
  readonly name: string;
  readonly topic: number; // -1: not a topic's
  readonly hue: number; // -1: ink; -2: grey, for what the others are compared with
  readonly points: readonly Point[]; // of the periods that have documents
}

type Counted = Pick<Shares, "documents" | "of" | "on" | "effectiveSize">;

/** The points of a topic: of each period with documents, with a 95% interval. */
export function pointsOf(shares: Counted, topic: number): Point[] {
  return shares.documents.flatMap((documents, period) => {
    if (!documents) return [];
    const [share, on] = [shares.of(topic, period), shares.on(topic, period)];
    const effectiveSize = documents * shares.effectiveSize(topic);
    return [{ period, share, documents, on, effectiveSize, ...wilson(share, effectiveSize) }];
  });
}

export interface Group extends Point {
  readonly name: string;
}

/** The shares of a topic in groups: in each that has a name, and documents. */
export function groupsOf(division: Counted & Pick<Shares, "names">, topic: number): Group[] {
  return pointsOf(division, topic)
    .map((point) => ({ ...point, name: division.names[point.period] }))
    .filter(({ name }) => name);
}

/** Points in runs of consecutive periods: lines are broken where a period has no documents. */
export function runs(points: readonly Point[]): Point[][] {
  const found: Point[][] = [];
  for (const point of points) {
    const run = found.at(-1);
    if (run && run[run.length - 1].period + 1 === point.period) run.push(point);
    else found.push([point]);
  }
  return found;
}

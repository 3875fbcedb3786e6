// Shares over time as lines: their points, gaps, and how sure each point is.

import type { Shares } from "../page/page";
import { type Interval, wilson } from "./intervals";

export const FEW = 30; // a share of fewer documents is too unsure to draw conclusions from

/** A share with its 95% interval. */
export interface Measured extends Interval {
  readonly share: number;
  readonly documents: number; // of which it is a share
  readonly on: number; // how many of them are on the topic
  readonly worth: number; // documents, each about the topic alone or not at all, that tell as much
}

/** The share of one period, or group. */
export interface Point extends Measured {
  readonly period: number; // its place among the parts of a division
}

/** A line of the chart over time. */
export interface Line {
  readonly name: string;
  readonly topic: number; // -1: not a topic's
  readonly hue: number; // -1: ink; -2: grey, for what the others are compared with
  readonly points: readonly Point[]; // of the periods that have documents
}

type Counted = Pick<Shares, "documents" | "of" | "on" | "evidence">;

/** The points of a topic: of each period with documents, with a 95% interval. */
export function pointsOf(shares: Counted, topic: number): Point[] {
  return shares.documents.flatMap((documents, period) => {
    if (!documents) return [];
    const [share, on] = [shares.of(topic, period), shares.on(topic, period)];
    const worth = documents * shares.evidence(topic);
    return [{ period, share, documents, on, worth, ...wilson(share, worth) }];
  });
}

/** The share of a group. */
export interface Group extends Point {
  readonly name: string;
}

/** The shares of a topic in groups: in each that has a name, and documents. */
export function groupsOf(division: Counted & Pick<Shares, "names">, topic: number): Group[] {
  return pointsOf(division, topic)
    .map((point) => ({ ...point, name: division.names[point.period] }))
    .filter(({ name }) => name);
}

/** Whether a share is of enough documents to be compared. */
export function reliable({ documents }: Pick<Measured, "documents">): boolean {
  return documents >= FEW;
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

/** Those of some shares that are reliable; all of them if fewer than `least` are. */
export function relied<M extends Measured>(shares: readonly M[], least = 1): readonly M[] {
  const sure = shares.filter(reliable);
  return sure.length >= least ? sure : shares;
}

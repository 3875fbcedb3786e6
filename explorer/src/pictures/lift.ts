// How many times a topic's share of all documents its share of a group is.

/** Counts of documents: on the topic in the group, in the group, on the topic, and in all. */
export interface Counts {
  readonly both: number;
  readonly group: number;
  readonly topic: number;
  readonly all: number;
}

/** The share of the group over the share of all; NaN where there is nothing to compare. */
export function lift({ both, group, topic, all }: Counts): number {
  return (both * all) / (group * topic);
}

/** The logarithm of the lift to base 2, drawn towards 0 where few documents are expected: as if one
 * more had been expected and found. */
export function cautiousLift({ both, group, topic, all }: Counts): number {
  if (!all) return 0;
  return Math.log2((both + 1) / ((group * topic) / all + 1));
}

/** The step of a lift on the scale of colours, from -3 to 3; 0 is about as often as in all. */
export function stepOf(log: number): number {
  const size = Math.abs(log);
  const step = size < 0.32 ? 0 : size < 1 ? 1 : size < 2 ? 2 : 3; // 1.25, 2 and 4 times
  return log < 0 ? -step : step;
}

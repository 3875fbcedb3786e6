// How sure a share is.

/** 95% of a normal distribution are within so many standard deviations. */
const USUALLY = 1.959964;
/** How often a picture says that anything changed or differs where nothing does, at most. */
export const CHANCE = 0.05;

/** Where the true share is likely to be. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson's interval for a share of so many documents that are in it or not; as in Python. For means of
 * shares, see `Shares.evidence`. */
export function wilson(share: number, documents: number): Interval {
  const z = USUALLY ** 2 / documents;
  const centre = (share + z / 2) / (1 + z);
  const half = Math.sqrt(Math.max(share * (1 - share) * z + z ** 2 / 4, 0)) / (1 + z);
  return { low: Math.max(centre - half, 0), high: Math.min(centre + half, 1) };
}

/** The interval of a share that is one of so many: but for a chance of `CHANCE`, all of them are right.
 *
 * This is Chernoff's bound, with Bonferroni's correction. It holds for few documents and rare topics,
 * where Wilson's interval does not. */
export function surely(share: number, documents: number, shares: number): Interval {
  const most = Math.log((2 * shares) / CHANCE) / documents;
  return { low: farthest(share, 0, most), high: farthest(share, 1, most) };
}

/** The share farthest towards `end` from which the given one diverges by no more than `most`. */
function farthest(share: number, end: number, most: number): number {
  let [inside, outside] = [share, end];
  for (let step = 0; step < 50; step++) {
    const middle = (inside + outside) / 2;
    if (divergence(share, middle) <= most) inside = middle;
    else outside = middle;
  }
  return inside;
}

/** Kullback and Leibler's divergence of one share from another, in nats. */
export function divergence(share: number, from: number): number {
  const part = (p: number, q: number): number => (p ? p * Math.log(p / q) : 0);
  return part(share, from) + part(1 - share, 1 - from);
}

// How sure a share is.

/** 95% of a normal distribution are within so many standard deviations. */
export const USUALLY = 1.959964;
/** The same for 99.9%: for the most extreme of many shares. */
export const ALMOST_SURELY = 3.290527;

/** Where the true share is likely to be. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson's interval for a share of so many documents that are in it or not; as in Python. For means of
 * shares, see `Shares.evidence`. */
export function wilson(share: number, documents: number, deviations = USUALLY): Interval {
  const z = deviations ** 2 / documents;
  const centre = (share + z / 2) / (1 + z);
  const half = Math.sqrt(Math.max(share * (1 - share) * z + z ** 2 / 4, 0)) / (1 + z);
  return { low: Math.max(centre - half, 0), high: Math.min(centre + half, 1) };
}

// How sure a share is.

/** 95% of a normal distribution are within so many standard deviations. */
const USUALLY = 1.959964;
/** How often a picture says that anything changed or differs where nothing does, at most. */
const CHANCE = 0.05;

const [STEPS, TERMS] = [20, 100]; // of the iteration and of the continued fraction

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

/** Kullback and Leibler's divergence of one share from another, in nats. */
function divergence(share: number, from: number): number {
  const part = (p: number, q: number): number => (p ? p * Math.log(p / q) : 0);
  return part(share, from) + part(1 - share, 1 - from);
}

/** The evidence, in nats, that a difference needs if so many are tested: half of what chi-square with one
 * degree of freedom exceeds with the chance that is left to each. As in Python. */
export function required(comparisons: number): number {
  const chance = CHANCE / Math.max(1, comparisons);
  let needed = 2;
  for (let step = 0; step < STEPS; step++) {
    let tail = 1; // of the normal distribution, as a continued fraction
    for (let k = TERMS; k; k--) tail = 1 + k / (2 * needed * tail);
    needed = -Math.log(chance * tail * Math.sqrt(Math.PI * needed));
  }
  return needed;
}

/** How much evidence there is, in nats, that a share of so many documents is not another one. */
export function evidenceAgainst(other: number, share: number, documents: number): number {
  return documents * divergence(share, other);
}

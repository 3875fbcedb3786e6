// How sure shares of documents are, and which of their differences and changes chance does not
// explain. The rules are those of `hlta trends`.

/** 95% of a normal distribution are within so many standard deviations. */
const USUALLY = 1.959964;
/** The chance, at most, that a picture reports any change or difference where there is none. */
const CHANCE = 0.05;

const [STEPS, TERMS] = [20, 100]; // of the iteration and of the continued fraction

/** Wilson's interval for a share of so many documents, each of which is in it or not; as in Python.
 * For mean shares, `documents` is multiplied by `Shares.effectiveSize`. */
export function wilson(share: number, documents: number): Pick<Measured, "low" | "high"> {
  const z = USUALLY ** 2 / documents;
  const centre = (share + z / 2) / (1 + z);
  const half = Math.sqrt(Math.max(share * (1 - share) * z + z ** 2 / 4, 0)) / (1 + z);
  return { low: Math.max(centre - half, 0), high: Math.min(centre + half, 1) };
}

/** The evidence, in nats, that a difference needs if so many are tested: half the quantile of
 * chi-square with one degree of freedom, at the chance that is left to each test. As in Python. */
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

/** The evidence, in nats, that a `share` of so many documents is not the `other` one: the
 * Kullback-Leibler divergence, times the documents. */
export function evidenceAgainst(other: number, share: number, documents: number): number {
  const part = (p: number, q: number): number => (p ? p * Math.log(p / q) : 0);
  return documents * (part(share, other) + part(1 - share, 1 - other));
}

export const FEW = 30; // a share of fewer documents is too unsure to draw conclusions from

/** A share with its 95% interval. */
export interface Measured {
  readonly low: number;
  readonly high: number;
  readonly share: number;
  readonly documents: number; // of which it is a share
  readonly on: number; // how many of them are on the topic
  readonly effectiveSize: number; // documents, times `Shares.effectiveSize` for mean shares
}

/** Whether a share is of enough documents to be compared. */
export function reliable({ documents }: Pick<Measured, "documents">): boolean {
  return documents >= FEW;
}

/** Those of some shares that are reliable; all of them if fewer than `least` are. */
export function relied<M extends Measured>(shares: readonly M[], least = 1): readonly M[] {
  const sure = shares.filter(reliable);
  return sure.length >= least ? sure : shares;
}

/** The log-likelihood ratio of a share for each part over one share for all. */
export function gain(parts: readonly Measured[]): number {
  let [on, all, apart] = [0, 0, 0];
  for (const { share, effectiveSize } of parts) {
    on += share * effectiveSize;
    all += effectiveSize;
    apart += likelihood(share, effectiveSize);
  }
  return apart - likelihood(on / all, all);
}

/** The index of the first point of each segment of a line. A segment has one share.
 *
 * Of all ways to divide a line into segments of `FEW` documents or more, it is the one whose
 * log-likelihood is largest after a penalty for each change; `segments` in Python is the same. */
export function segments(points: readonly Measured[], penalty: number): number[] {
  const best = [0];
  const before = [0];
  for (let end = 1; end <= points.length; end++) {
    [best[end], before[end]] = [-Infinity, 0];
    let [documents, on, effectiveSize] = [0, 0, 0];
    for (let begin = end - 1; begin >= 0; begin--) {
      const point = points[begin];
      documents += point.documents;
      on += point.share * point.effectiveSize;
      effectiveSize += point.effectiveSize;
      if (documents < FEW) continue;
      const value =
        best[begin] + likelihood(Math.min(1, on / effectiveSize), effectiveSize) - penalty;
      if (value >= best[end]) [best[end], before[end]] = [value, begin];
    }
  }
  const found: number[] = [];
  if (best[points.length] === -Infinity) return found;
  for (let end = points.length; end > 0; ) {
    end = before[end];
    found.unshift(end);
  }
  return found;
}

/** The maximum log-likelihood of so many documents, of which this share is on a topic. */
function likelihood(share: number, documents: number): number {
  const part = (p: number): number => (p > 0 ? p * Math.log(p) : 0);
  return documents * (part(share) + part(1 - share));
}

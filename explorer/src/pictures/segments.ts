// Where the share of a topic changed, or differs, by more than chance explains. The rules are those of
// `hlta trends`.

import { FEW, type Measured } from "./lines";

/** The log-likelihood ratio of a share for each part over one share for all. */
export function gain(parts: readonly Measured[]): number {
  let [on, all, apart] = [0, 0, 0];
  for (const { share, worth } of parts) {
    on += share * worth;
    all += worth;
    apart += likelihood(share, worth);
  }
  return apart - likelihood(on / all, all);
}

/** The place of the first point of each segment of a line; within a segment, the share stays the same.
 *
 * Of all ways to divide a line into segments of `FEW` documents or more, with a share each, it is the one
 * whose log-likelihood is largest after a penalty for each change; `segments` in Python is the same. */
export function segments(points: readonly Measured[], penalty: number): number[] {
  const best = [0];
  const before = [0];
  for (let end = 1; end <= points.length; end++) {
    [best[end], before[end]] = [-Infinity, 0];
    let [documents, on, worth] = [0, 0, 0];
    for (let begin = end - 1; begin >= 0; begin--) {
      const point = points[begin];
      documents += point.documents;
      on += point.share * point.worth;
      worth += point.worth;
      if (documents < FEW) continue;
      const value = best[begin] + likelihood(Math.min(1, on / worth), worth) - penalty;
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

// The topics that best summarise a corpus.

import type { Outline, Topic } from "./page";
import { plainly } from "./vague";

type Sized = Pick<Topic, "mainly" | "size">;

/** Compares topics for sorting: those that are the main topic of more documents come first; at a
 * tie, or if these numbers are not known, the larger ones. */
export function largerFirst(one: Sized, other: Sized): number {
  return (other.mainly ?? 0) - (one.mainly ?? 0) || other.size - one.size;
}

/** The topics to show first, none of them vague: the largest root topics, at most `most`. If they
 * are fewer than `least`, topics below them are added until there are as many.
 *
 * The topic added next divides its parent best: it is large, but not nearly all of it. The result
 * is in the order of the tree. */
export function leading({ topics, roots, shown }: Outline, least: number, most: number): Topic[] {
  const bySize = plainly(roots.map((root) => topics[root])).sort(largerFirst);
  const chosen = new Set(bySize.slice(0, most));
  const gain = ({ size, parent }: Topic): number =>
    size * (1 - size / Math.max(topics[parent].size, 1e-9));
  while (chosen.size < least) {
    const candidates = [...chosen]
      .flatMap((topic) => plainly(topic.children.map((child) => topics[child])))
      .filter((topic) => !chosen.has(topic));
    if (!candidates.length) break;
    chosen.add(candidates.reduce((one, other) => (gain(other) > gain(one) ? other : one)));
  }
  return shown.filter((topic) => chosen.has(topic));
}

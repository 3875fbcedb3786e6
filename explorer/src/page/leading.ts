// The topics that tell most of a corpus.

import type { Outline, Topic } from "./page";
import { plainly } from "./vague";

type Sized = Pick<Topic, "mainly" | "size">;

/** An order of topics: the main ones of more documents come first, and those of as many, or if that is
 * not known, by their shares. */
export function largerFirst(one: Sized, other: Sized): number {
  return (other.mainly ?? 0) - (one.mainly ?? 0) || other.size - one.size;
}

/** The topics to begin with, none of them vague: the root topics, at most `most` of them, the largest
 * ones; if there are fewer than `least`, with topics below them, until there are as many.
 *
 * The next is always the one that divides the topic above it best: large, but not nearly all of it.
 * Topics are in the order of the tree. */
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

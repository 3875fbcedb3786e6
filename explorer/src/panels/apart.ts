// What sets documents apart: the groups in which they are frequent, and their topics.

import { type Page, path, type Shares, type Topic } from "../page/page";
import { plainly } from "../page/vague";
import { type Group, groupsOf } from "../pictures/lines";
import { evidenceAgainst, reliable, required } from "../shares/evidence";

const SAME = 0.75; // a topic with so much of the documents of one above or below it is dropped

/** The groups in which a topic, or what is counted in its place, is surely more frequent than in
 * all documents, the surest first; with 95% intervals. */
export function frequentIn(division: Shares, topic: number, all: number, most: number): Group[] {
  const large = groupsOf(division, topic).filter(reliable);
  const least = required(large.length);
  const evidence = ({ share, effectiveSize }: Group): number =>
    evidenceAgainst(all, share, effectiveSize);
  return large
    .filter((group) => group.share > all && group.on && evidence(group) >= least)
    .sort((a, b) => evidence(b) - evidence(a))
    .slice(0, most);
}

/** The topics with most documents, none of them above or below one that was chosen; of two that are
 * above each other and have nearly the same documents, one. */
export function leadingTopics(
  page: Page,
  on: ArrayLike<number>,
  chosen: readonly Topic[],
): Topic[] {
  const related = (one: Topic, other: Topic): boolean =>
    path(page, one).includes(other) || path(page, other).includes(one);
  const candidates = plainly(page.shown)
    .filter((topic) => on[topic.index] && !chosen.some((one) => related(one, topic)))
    .sort((a, b) => on[b.index] - on[a.index] || a.index - b.index);
  const found: Topic[] = [];
  for (const topic of candidates) {
    const same = (other: Topic): boolean =>
      related(topic, other) && on[topic.index] >= SAME * on[other.index];
    if (!found.some(same)) found.push(topic);
  }
  return found;
}

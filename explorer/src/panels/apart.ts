// What sets documents apart: the groups in which they are frequent, and the topics that they are on.

import { path } from "../page/ancestry";
import type { Page, Shares, Topic } from "../page/page";
import { plainly } from "../page/vague";
import { type Interval, surely, wilson } from "../pictures/intervals";
import { reliable } from "../pictures/lines";

const SAME = 0.75; // of the documents on one topic are on the other: one of them tells enough

/** A group in which something is more frequent than in all documents. */
export interface Frequent extends Interval {
  readonly name: string;
  readonly share: number;
  readonly documents: number;
}

type Counted = Pick<Shares, "names" | "documents" | "of" | "on" | "evidence">;

/** The groups in which a topic, or what is counted in its place, is surely more frequent than in all
 * documents, the surest first; with 95% intervals. */
export function frequentIn(groups: Counted, topic: number, all: number, most: number): Frequent[] {
  const evidence = groups.evidence(topic);
  const large = groups.names
    .map((name, part) => ({
      name,
      documents: groups.documents[part],
      share: groups.of(topic, part),
      on: groups.on(topic, part),
    }))
    .filter((group) => group.name && reliable(group));
  return large
    .map((group) => {
      const worth = evidence * group.documents;
      const { low } = surely(group.share, worth, large.length);
      return { ...group, ...wilson(group.share, worth), least: low };
    })
    .filter(({ least, on }) => least > all && on)
    .sort((a, b) => b.least - a.least)
    .slice(0, most)
    .map(({ name, share, documents, low, high }) => ({ name, share, documents, low, high }));
}

/** The topics with most documents, none of them above or below one that was chosen; of two that are above
 * each other and have nearly the same documents, one. */
export function leadingTopics(
  page: Pick<Page, "topics" | "shown">,
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

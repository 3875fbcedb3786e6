// Topics that are set aside, vague and small ones, and the rows that they are folded into.

import type { Page, Topic } from "./page";

type Topics = Pick<Page, "topics">;

const FEW = 10; // documents: a topic of fewer is small, unless it is pinned

/** The key of the row for the folded topics directly below a topic, or for -1 the folded root
 * topics. It is below -1: from 0 on, keys are numbers of topics, and -1 stands for none. */
export function foldOf(above: number): number {
  return -3 - above;
}

/** Whether a topic is folded into such a row: it is vague, and its parent is not; or it is small,
 * as are all topics below it, and a topic beside it is neither small nor vague. */
export function isFolded({ topics }: Topics, topic: Topic): boolean {
  if (topic.vague) return !topics[topic.parent]?.vague;
  if (!isSmall(topics, topic)) return false;
  const beside = topics[topic.parent]
    ? topics[topic.parent].children.map((index) => topics[index])
    : topics.filter(({ parent, gone }) => parent < 0 && !gone);
  return beside.some((other) => !other.vague && !isSmall(topics, other));
}

function isSmall(topics: readonly Topic[], { documents, pinned, children }: Topic): boolean {
  if (documents === null || documents >= FEW || pinned) return false;
  return children.every((child) => isSmall(topics, topics[child]));
}

/** The key of the row one level above that with a key: for a folded topic, the row that it is
 * folded into; for any other row, that of the topic above it; -1 if there is none. */
export function keyAbove(page: Topics, key: number): number {
  const topic = page.topics[key];
  if (!topic) return -3 - key;
  return isFolded(page, topic) ? foldOf(topic.parent) : topic.parent;
}

export function plainly<T extends Pick<Topic, "vague">>(topics: readonly T[]): T[] {
  return topics.filter(({ vague }) => !vague);
}

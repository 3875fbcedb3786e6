// Topics that are set aside, vague and small ones, and the rows that they are folded into.

import type { Page, Topic } from "./page";

type Topics = Pick<Page, "topics">;

const FEW = 10; // documents, below which a topic is small

/** The key of the row into which topics below a topic are folded, or root topics for -1. Keys of topics are their numbers, from 0; these are other numbers, and none is -1. */
export function foldOf(above: number): number {
  return -3 - above;
}

/** Whether a topic is folded into such a row: it is vague, and the one above it is not; or few documents
 * are on it, as on all below it, and there are others beside it. */
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

/** The row right above a topic, or above the row of folded topics with that key: the latter if the topic
 * is folded into one, or that of its parent; -1 if there is none. */
export function keyAbove(page: Topics, key: number): number {
  const topic = page.topics[key];
  if (!topic) return -3 - key;
  return isFolded(page, topic) ? foldOf(topic.parent) : topic.parent;
}

/** The topics that are not vague. */
export function plainly<T extends Pick<Topic, "vague">>(topics: readonly T[]): T[] {
  return topics.filter(({ vague }) => !vague);
}

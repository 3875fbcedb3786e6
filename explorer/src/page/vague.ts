// Vague topics: those that the model sets aside, and the rows that they are folded into.

import type { Page, Topic } from "./page";

type Topics = Pick<Page, "topics">;

/** The key of the row into which the vague topics below a topic are folded, or the vague root topics
 * for -1. Keys of topics are their numbers, from 0; these are other numbers, and none is -1. */
export function foldOf(above: number): number {
  return -3 - above;
}

/** Whether a topic is folded into such a row: it is vague, and the one above it is not. */
export function isFolded({ topics }: Topics, topic: Topic): boolean {
  return topic.vague && !topics[topic.parent]?.vague;
}

/** The row right above a topic, or above the row of vague topics with that key: that of vague topics
 * if it is folded into one, or that of its parent; -1 if there is none. */
export function keyAbove(page: Topics, key: number): number {
  const topic = page.topics[key];
  if (!topic) return -3 - key;
  return isFolded(page, topic) ? foldOf(topic.parent) : topic.parent;
}

/** The topics that are not vague. */
export function plainly<T extends Pick<Topic, "vague">>(topics: readonly T[]): T[] {
  return topics.filter(({ vague }) => !vague);
}

// What is above and beside a topic.

import type { Page, Topic } from "./page";

/** The topics above one, and itself, from its root topic down. */
export function path({ topics }: Pick<Page, "topics">, topic: Topic): Topic[] {
  const found = [topic];
  while (found[0].parent >= 0) found.unshift(topics[found[0].parent]);
  return found;
}

/** The children of a topic's parent, or the root topics: itself among them. */
export function siblings(
  { topics, roots }: Pick<Page, "topics" | "roots">,
  topic: Topic,
): number[] {
  return topic.parent < 0 ? roots : topics[topic.parent].children;
}

// The topics of one document as a tree.

import { type Outline, path, type Topic } from "./page";

export interface Branch {
  readonly topic: Topic;
  readonly share: number;
  readonly below: Branch[];
}

/** The topics with a share of at least `least` as trees: each topic is below the nearest topic
 * above it that is among them. Larger shares come first. */
export function pruned(page: Outline, share: (topic: Topic) => number, least: number): Branch[] {
  const top: Branch[] = [];
  const branches = new Map<Topic, Branch>();
  const listed = page.shown.filter((topic) => share(topic) >= least);
  for (const topic of listed) branches.set(topic, { topic, share: share(topic), below: [] });
  for (const [topic, branch] of branches) {
    const above = path(page, topic).slice(0, -1).reverse();
    const up = above.find((one) => branches.has(one));
    (up ? branches.get(up)!.below : top).push(branch);
  }
  for (const beside of [top, ...Array.from(branches.values(), ({ below }) => below)]) {
    beside.sort((a, b) => b.share - a.share || a.topic.index - b.topic.index);
  }
  return top;
}

export function leaves(branches: readonly Branch[]): Topic[] {
  return branches.flatMap(({ topic, below }) => (below.length ? leaves(below) : [topic]));
}

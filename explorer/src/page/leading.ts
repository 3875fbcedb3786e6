// The topics that tell most of a corpus, and the words that tell each from the one above it.

import { path } from "./ancestry";
import type { Page, Topic } from "./page";
import { plainly } from "./vague";

const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

type Sized = Pick<Topic, "documents" | "size">;

/** An order of topics: those that more documents are on come first, and among as many, or where that
 * is not known, those with the larger expected share. */
export function largerFirst(one: Sized, other: Sized): number {
  return (other.documents ?? 0) - (one.documents ?? 0) || other.size - one.size;
}

/** The topics to begin with, none of them vague: the root topics, at most `most` of them, the largest
 * ones; if there are fewer than `least`, with topics below them, until there are as many.
 *
 * The next is always the one that divides the topic above it best: with many documents that no other
 * child covers, if children were independent of each other, but not nearly all. Topics are in the
 * order of the tree. */
export function leading(
  { topics, roots, shown }: Pick<Page, "topics" | "roots" | "shown">,
  least: number,
  most: number,
): Topic[] {
  const bySize = plainly(roots.map((root) => topics[root])).sort(largerFirst);
  const chosen = new Set(bySize.slice(0, most));
  const free = new Map<number, number>(); // the share of a topic that no chosen child covers
  const gain = (topic: Topic): number => {
    const above = topics[topic.parent];
    const part = Math.min(1, topic.size / above.size);
    return above.size * part * (1 - part) * (free.get(above.index) ?? 1);
  };
  while (chosen.size < least) {
    const candidates = [...chosen]
      .flatMap((topic) => plainly(topic.children.map((child) => topics[child])))
      .filter((topic) => !chosen.has(topic));
    if (!candidates.length) break;
    const best = candidates.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    const above = topics[best.parent];
    const left = 1 - Math.min(1, best.size / above.size);
    free.set(above.index, (free.get(above.index) ?? 1) * left);
    chosen.add(best);
  }
  return shown.filter((topic) => chosen.has(topic));
}

/** The first keywords of a topic that neither its title nor the topics above it tell already. */
export function distinguishing(
  page: Pick<Page, "topics" | "words">,
  topic: Topic,
  most: number,
): string[] {
  const above = path(page, topic).slice(0, -1);
  const told = new Set<string>();
  const tell = (text: string): void => {
    for (const part of parts(text)) told.add(part);
  };
  tell(topic.title);
  for (const up of above) {
    tell(up.title);
    for (const { word } of up.words) tell(page.words[word]);
  }
  const found: string[] = [];
  for (const { word } of topic.words) {
    if (parts(page.words[word]).every((part) => told.has(part))) continue;
    found.push(page.words[word]);
    tell(page.words[word]);
    if (found.length === most) break;
  }
  return found;
}

/** The words of a text, as they are compared: without the endings of plurals. */
function parts(text: string): string[] {
  return text
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .map((part) => part.replace(/(?<=\p{L}{2})ies$/u, "y").replace(/(?<=\p{L}{3})s$/u, ""));
}

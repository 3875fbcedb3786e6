// The topics that tell most of a corpus, and the words that tell each from the one above it.

import { path } from "./ancestry";
import type { Page, Topic } from "./page";
import { plainly } from "./vague";

const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

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
export function leading(
  { topics, roots, shown }: Pick<Page, "topics" | "roots" | "shown">,
  least: number,
  most: number,
): Topic[] {
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

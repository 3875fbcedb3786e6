// The words of compared topics.

import type { Documents } from "../page/documents";
import type { Topic } from "../page/page";
import type { Mask } from "../selection/sets";

/** How often a word is in the documents on each topic. */
export interface WordRow {
  readonly word: number;
  readonly shares: readonly number[]; // of each topic's documents
  readonly documents: readonly number[]; // of each topic's, with the word
}

/** The first `most` keywords of each topic, with their shares among its documents in a set. Of two
 * topics, those that are most the first one's come first, and those that are most the other's last;
 * of more, the words stand by the topic that has most of them. */
export function wordRows(
  topics: readonly Pick<Topic, "words">[],
  of: Pick<Documents, "words" | "count">,
  masks: readonly Mask[],
  most: number,
): WordRow[] {
  const chosen = new Set(
    topics.flatMap(({ words }) => words.slice(0, most).map(({ word }) => word)),
  );
  const counts = new Map(Array.from(chosen, (word) => [word, masks.map(() => 0)]));
  const sizes = masks.map(() => 0);
  for (let document = 0; document < of.count; document++) {
    const on = masks.flatMap((mask, k) => (mask[document] ? [k] : []));
    if (!on.length) continue;
    for (const k of on) sizes[k]++;
    for (const word of of.words(document)) {
      const count = counts.get(word);
      if (count) for (const k of on) count[k]++;
    }
  }
  const rows = Array.from(counts, ([word, documents]) => ({
    word,
    documents,
    shares: documents.map((count, k) => count / Math.max(1, sizes[k])),
  }));
  return rows.sort(topics.length === 2 ? byDifference : byTopic);
}

function byDifference(one: WordRow, other: WordRow): number {
  const lead = ({ shares: [a, b] }: WordRow): number => a - b;
  return lead(other) - lead(one) || one.word - other.word;
}

function byTopic(one: WordRow, other: WordRow): number {
  const [a, b] = [one, other].map(({ shares }) => Math.max(...shares));
  const [m, n] = [one.shares.indexOf(a), other.shares.indexOf(b)];
  return m - n || b - a || one.word - other.word;
}

// The words that set some documents apart.

import type { Documents } from "../page/documents";
import { evidenceAgainst, required } from "../shares/evidence";
import type { WordCounts } from "./corpus";
import type { Mask } from "./sets";

export const FEWEST = 3; // documents: a word that fewer have says nothing of a set

type Words = Pick<Documents, "count" | "words" | "vocabulary">;

/** A word that is more frequent in a set of documents than in all. */
export interface Distinct {
  readonly word: number;
  readonly on: number; // documents of the set that have it
  readonly times: number; // its share of the set, divided by its share of all documents
}

export function wordCounts(of: Words, mask: Mask): Uint32Array {
  const counts = new Uint32Array(of.vocabulary);
  for (let document = 0; document < of.count; document++) {
    if (mask[document]) for (const word of of.words(document)) counts[word]++;
  }
  return counts;
}

/** The words that are surely more frequent in a set than in all documents, those with most evidence
 * first: the divergence of the set's share from that of all, in nats, times its documents. */
export function distinctWords(set: WordCounts, every: WordCounts): Distinct[] {
  const found: (Distinct & { readonly evidence: number })[] = [];
  const least = required(every.words.length);
  Array.from(set.words).forEach((on, word) => {
    const [share, all] = [on / set.documents, every.words[word] / every.documents];
    if (on < FEWEST || share <= all) return;
    const evidence = evidenceAgainst(all, share, set.documents);
    if (evidence >= least) found.push({ word, on, times: share / all, evidence });
  });
  return found.sort((a, b) => b.evidence - a.evidence || a.word - b.word);
}

/** A word that is more frequent in one of two sets than in the other. */
export interface Contrast {
  readonly word: number;
  readonly on: number; // documents of the first set that have it
  readonly times: number; // its share of the first set over that of the other, which may be 0
  readonly evidence: number; // in nats
  readonly sure: boolean; // chance does not explain it
}

/** The words that are more frequent in one set of documents than in another, with enough evidence
 * if only one word were tested; those with most evidence first.
 *
 * The evidence is Dunning's log-likelihood: how much better two shares explain both sets than one,
 * in nats. A word is sure if its evidence is enough for a test of all words: where the sets do not
 * differ, any word is sure in at most one of 20 comparisons. */
export function contrastWords(
  { words: counts, documents: size }: WordCounts,
  { words: others, documents: otherSize }: WordCounts,
): Contrast[] {
  const found: Contrast[] = [];
  const [least, alone] = [required(counts.length), required(1)];
  for (let word = 0; word < counts.length; word++) {
    const [share, other] = [counts[word] / size, others[word] / otherSize];
    if (counts[word] < FEWEST || share <= other) continue;
    const both = (counts[word] + others[word]) / (size + otherSize);
    const evidence = evidenceAgainst(both, share, size) + evidenceAgainst(both, other, otherSize);
    if (evidence < alone) continue;
    const times = other ? share / other : Number.POSITIVE_INFINITY;
    found.push({ word, on: counts[word], times, evidence, sure: evidence >= least });
  }
  return found.sort((a, b) => b.evidence - a.evidence || a.word - b.word);
}

// The words that set some documents apart.

import type { Documents } from "../page/documents";
import { surely, USUALLY, wilson } from "../pictures/intervals";
import type { Mask } from "./sets";

const FEWEST = 3; // documents with a word, below which it says nothing of a set

/** A word that is more frequent in a set of documents than in all. */
export interface Distinct {
  readonly word: number;
  readonly on: number; // documents of the set that have it
  readonly times: number; // how many times the share of all documents its share of the set is
}

/** How many documents of a set have each word. */
export function wordCounts(
  of: Pick<Documents, "count" | "words" | "vocabulary">,
  mask: Mask,
): Uint32Array {
  const counts = new Uint32Array(of.vocabulary);
  for (let document = 0; document < of.count; document++) {
    if (mask[document]) for (const word of of.words(document)) counts[word]++;
  }
  return counts;
}

/** The words that are surely more frequent in a set than in all documents, those with most evidence
 * first: what the set's share diverges from that of all, in nats, times its documents. */
export function distinctWords(
  of: Pick<Documents, "count" | "words" | "vocabulary" | "frequency">,
  { mask, size }: { readonly mask: Mask; readonly size: number },
): Distinct[] {
  const found: (Distinct & { readonly evidence: number })[] = [];
  wordCounts(of, mask).forEach((on, word) => {
    const [share, all] = [on / size, of.frequency(word) / of.count];
    if (on < FEWEST || share <= all) return;
    if (surely(share, size, of.vocabulary).low <= all) return;
    const rest = share < 1 ? (1 - share) * Math.log((1 - share) / (1 - all)) : 0;
    const evidence = size * (share * Math.log(share / all) + rest);
    found.push({ word, on, times: share / all, evidence });
  });
  return found.sort((a, b) => b.evidence - a.evidence || a.word - b.word);
}

/** A word that is more frequent in one of two sets than in the other. */
export interface Contrast {
  readonly word: number;
  readonly on: number; // documents of the first set that have it
  readonly times: number; // how many times the other's share its share is; infinite if the other has none
  readonly evidence: number; // the difference in standard errors
}

/** The words that are surely more frequent in a set of so many documents than in another, given how many
 * of either have each word; those with most evidence first. */
export function contrastWords(
  [counts, size]: readonly [ArrayLike<number>, number],
  [others, otherSize]: readonly [ArrayLike<number>, number],
): Contrast[] {
  const found: Contrast[] = [];
  for (let word = 0; word < counts.length; word++) {
    const [share, other] = [counts[word] / size, others[word] / otherSize];
    if (counts[word] < FEWEST || share <= other) continue;
    const { low } = surely(share, size, 2 * counts.length);
    if (low <= surely(other, otherSize, 2 * counts.length).high) continue;
    const error = Math.hypot(errorOf(share, size), errorOf(other, otherSize));
    const times = other ? share / other : Number.POSITIVE_INFINITY;
    found.push({ word, on: counts[word], times, evidence: (share - other) / error });
  }
  return found.sort((a, b) => b.evidence - a.evidence || a.word - b.word);
}

function errorOf(share: number, documents: number): number {
  const { low, high } = wilson(share, documents);
  return (high - low) / (2 * USUALLY);
}

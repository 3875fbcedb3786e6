// How typical each document is of a set: how much of it is about what the set has in common.

import type { Documents } from "../page/documents";
import type { Topic } from "../page/page";
import { withCopies } from "./copies";
import { sorted } from "./order";
import type { Mask } from "./sets";
import { IN_PART } from "./terms";

type Words = Pick<Documents, "count" | "words" | "rarity" | "vocabulary">;

/** Compares documents with what a set of them has in common and the rest has not.
 *
 * The word vector of a document has the rarity of each of its words. It is divided by its squared
 * length plus the average squared length of all documents. A short document has a short one, as few
 * words say little; and no document is typical of much because it is long, and has some words of
 * everything. */
export class Typicality {
  private static readonly known = new WeakMap<Words, Typicality>();

  readonly squares: Float64Array; // of rarity, by word
  readonly squared: Float64Array; // the square of the length of each word vector
  private readonly scale: Float64Array; // by document
  private readonly common: Float64Array; // the mean of all documents, by word

  private constructor(private readonly documents: Words) {
    const every = Array.from({ length: documents.count }, (_, document) => document);
    const square = (_: unknown, word: number): number => documents.rarity(word) ** 2;
    this.squares = Float64Array.from({ length: documents.vocabulary }, square);
    this.squared = Float64Array.from(every, (document) => this.sum(document, this.squares));
    const average = this.squared.reduce((sum, one) => sum + one, 0) / Math.max(1, every.length);
    this.scale = this.squared.map((one) => 1 / Math.max(one + average, 1e-12));
    this.common = this.mean(every, () => 1);
  }

  /** The instance for the documents of a page, which is made once. */
  static among(documents: Words): Typicality {
    const found = Typicality.known.get(documents) ?? new Typicality(documents);
    Typicality.known.set(documents, found);
    return found;
  }

  /** How typical each of the documents is of all of them, weighted: the product of its word vector
   * and the difference between the mean of theirs and that of all documents. */
  of(chosen: readonly number[], weight: (document: number) => number): Map<number, number> {
    const own = this.mean(chosen, weight);
    const contrast = own.map((mean, word) => (mean - this.common[word]) * this.squares[word]);
    const found = new Map<number, number>();
    for (const document of chosen) {
      found.set(document, this.sum(document, contrast) * this.scale[document]);
    }
    return found;
  }

  /** The weighted mean of the word vectors, before entries are multiplied by rarity. */
  private mean(chosen: readonly number[], weight: (document: number) => number): Float64Array {
    const means = new Float64Array(this.squares.length);
    const weights = Float64Array.from(chosen, weight);
    const total = weights.reduce((sum, one) => sum + one, 0);
    chosen.forEach((document, k) => {
      const share = (weights[k] / Math.max(total, 1e-300)) * this.scale[document];
      for (const word of this.documents.words(document)) means[word] += share;
    });
    return means;
  }

  private sum(document: number, values: Float64Array): number {
    let sum = 0;
    for (const word of this.documents.words(document)) sum += values[word];
    return sum;
  }
}

const FIRST = 20; // documents among which copies are folded

/** The most typical documents on a topic, of those in a set, without copies. */
export function typical(topic: Topic, of: Documents, mask: Mask, most: number): number[] {
  const weights = new Map<number, number>();
  of.each(topic.index, (document, share) => {
    if (mask[document] && share >= IN_PART) weights.set(document, share);
  });
  return typicalAmong([...weights.keys()], (document) => weights.get(document)!, of, most);
}

/** The most typical of some documents, which count by their weights, without copies. */
export function typicalAmong(
  documents: readonly number[],
  weight: (document: number) => number,
  of: Documents,
  most: number,
): number[] {
  const scores = Typicality.among(of).of(documents, weight);
  const ordered = sorted(documents, (document) => -scores.get(document)!);
  return withCopies(ordered.slice(0, FIRST), of)
    .slice(0, most)
    .map(({ document }) => document);
}

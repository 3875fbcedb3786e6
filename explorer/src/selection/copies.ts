// Documents that have mostly the same words, listed as one.

import type { Documents } from "../page/documents";

/** Documents, beyond which copies are listed one by one, as by the server. */
export const MOST_FOLDED = 20_000;

const SAME = 0.8; // of the words in either of two documents are in both: they are copies
const ENOUGH = 10; // words that the model knows, below which a document is no copy: they say too little
const NONE = new Uint32Array();

/** A document, and those listed with it because they have mostly the same words. */
export interface Entry {
  readonly document: number;
  readonly copies: number[];
}

/** The words of the documents, and how many documents each word is in. */
export type Words = Pick<Documents, "words" | "frequency">;

/** Documents in their order, each with the copies of it that would come later, unless they are many. */
export function withCopies(ordered: Iterable<number>, of: Words): Entry[] {
  const documents = Array.from(ordered);
  const entries = documents.map((document): Entry => ({ document, copies: [] }));
  if (documents.length > MOST_FOLDED) return entries;
  const first = findCopies(documents, of, false);
  first.forEach((place, at) => {
    if (place !== at) entries[place].copies.push(documents[at]);
  });
  return entries.filter((_, at) => first[at] === at);
}

/** Marks, of so many documents, those that are copies of any other one. */
export function withAnyCopy(count: number, of: Words): Uint8Array {
  const documents = Array.from({ length: count }, (_, document) => document);
  const first = findCopies(documents, of, true);
  return Uint8Array.from(first, (place, at) => Number(place !== at));
}

/** For each of some documents, the place of the one that it is a copy of, or its own: of an earlier
 * one that is no copy itself; with `every`, of any other. As `find_copies` in Python.
 *
 * Two documents of which this share of words is common have one of their rarest words in common:
 * only those that do are compared, and only if so many words are left from there on. */
function findCopies(documents: readonly number[], of: Words, every: boolean): Int32Array {
  const words = documents.map((document) => {
    const known = of.words(document);
    return known.length < ENOUGH ? NONE : known;
  });
  const rare = words.map((list) => rarest(list, of));
  const begin = new Int32Array(2 + rare.reduce((most, list) => Math.max(most, ...list), 0));
  for (const list of rare) for (const word of list) begin[word + 1]++;
  for (let word = 1; word < begin.length; word++) begin[word] += begin[word - 1];
  const end = begin.slice(); // by word: where the documents that have it end, so far
  const holder = new Int32Array(begin[begin.length - 1]);
  const rank = new Int32Array(holder.length); // of the word among the rarest of its holder
  const sizes = Int32Array.from(words, ({ length }) => length);
  const compared = new Int32Array(documents.length).fill(-1); // what each was compared with last
  const first = Int32Array.from(documents.keys());
  for (let d = 0; d < first.length; d++) {
    for (let k = 0; k < rare[d].length && (every || first[d] === d); k++) {
      for (let at = begin[rare[d][k]]; at < end[rare[d][k]]; at++) {
        const other = holder[at];
        if (compared[other] === d || (first[d] !== d && first[other] !== other)) continue;
        compared[other] = d;
        // What they have in common begins with this word.
        const most = Math.min(sizes[d] - k, sizes[other] - rank[at]);
        const needed = (SAME / (1 + SAME)) * (sizes[d] + sizes[other]) - 1e-6;
        if (most < needed || likeness(words[other], words[d], SAME) < SAME) continue;
        first[d] = other;
        if (!every) break;
        first[other] = d;
      }
    }
    if (first[d] !== d && !every) continue;
    rare[d].forEach((word, k) => {
      holder[end[word]] = d;
      rank[end[word]++] = k;
    });
  }
  return first;
}

/** So many of a document's rarest words that any copy has one of them among its own. */
function rarest(words: Uint32Array, of: Words): Uint32Array {
  const ascending = words.slice().sort((a, b) => of.frequency(a) - of.frequency(b) || a - b);
  return ascending.subarray(0, words.length - Math.ceil(SAME * words.length) + 1);
}

/** The share of the words in either list that are in both, or 0 if it is surely less than `least`;
 * the lists ascend. */
export function likeness(a: Uint32Array, b: Uint32Array, least = 0): number {
  // Words in either are half of all and of those in one alone, which are at most (1 - least) of them.
  const most = ((1 - least) / (1 + least)) * (a.length + b.length) + 1;
  let [both, apart] = [0, 0];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i], b[j]];
    if (one === other) both++;
    else if (++apart > most) return 0;
    if (one <= other) i++;
    if (other <= one) j++;
  }
  return both / Math.max(1, a.length + b.length - both);
}

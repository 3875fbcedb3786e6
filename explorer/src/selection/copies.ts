// Documents that have mostly the same words, listed as one.

import type { Documents } from "../page/documents";

/** The most documents of a list in which copies are folded; the server has the same limit. */
export const MOST_FOLDED = 20_000;

const SAME = 0.8; // documents are copies if this share of the words in either is in both
const ENOUGH = 10; // words: a document of which the model knows fewer is no copy
const NONE = new Uint32Array();

/** A document, and those listed with it because they have mostly the same words. */
export interface Entry {
  readonly document: number;
  readonly copies: number[];
}

/** The words of the documents, and how many documents each word is in. */
export type Words = Pick<Documents, "words" | "frequency">;

/** Documents in their order, each with its later copies, unless there are too many documents. */
export function withCopies(documents: readonly number[], of: Words): Entry[] {
  const entries = documents.map((document): Entry => ({ document, copies: [] }));
  if (documents.length > MOST_FOLDED) return entries;
  const first = findCopies(documents, of, false);
  first.forEach((place, at) => {
    if (place !== at) entries[place].copies.push(documents[at]);
  });
  return entries.filter((_, at) => first[at] === at);
}

/** For each of `count` documents, 1 if it is a copy of any other one, otherwise 0. */
export function withAnyCopy(count: number, of: Words): Uint8Array {
  const documents = Array.from({ length: count }, (_, document) => document);
  const first = findCopies(documents, of, true);
  return Uint8Array.from(first, (place, at) => Number(place !== at));
}

/** For each document, the index of the one that it is a copy of, or its own: of an earlier one that
 * is no copy itself; with `every`, of any other one. `find_copies` in Python does the same.
 *
 * Two copies have one of their rarest words in common: only documents that do are compared, and
 * only if enough words are left from that one on. */
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
        // This is the rarest word that they have in common.
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
  // If `least` of the words in either are in both, no more are in one list alone.
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

// Documents that have mostly the same words, listed as one.

const SAME = 0.8; // of the words in either of two documents are in both: they are copies

/** A document, and those listed with it because they have mostly the same words. */
export interface Entry {
  readonly document: number;
  readonly copies: number[];
}

/** The words of the documents, and how many documents each word is in. */
export interface Words {
  words(document: number): Uint32Array;
  frequency(word: number): number;
}

/** Documents in their order, each with the copies of it that would come later.
 *
 * Two documents of which this share of words is common have one of their rarest words in common:
 * only those that do are compared. */
export function withCopies(ordered: Iterable<number>, of: Words): Entry[] {
  const entries: Entry[] = [];
  const having = new Map<number, Entry[]>(); // entries by the rarest words of their documents
  for (const document of ordered) {
    const words = of.words(document);
    const rare = rarest(words, of);
    const near = new Set(rare.flatMap((word) => having.get(word) ?? []));
    const first = [...near].find((entry) => likeness(of.words(entry.document), words) >= SAME);
    if (first) {
      first.copies.push(document);
      continue;
    }
    const entry = { document, copies: [] };
    entries.push(entry);
    for (const word of rare) {
      const list = having.get(word);
      if (list) list.push(entry);
      else having.set(word, [entry]);
    }
  }
  return entries;
}

/** So many of a document's rarest words that any copy has one of them among its own. */
function rarest(words: Uint32Array, of: Words): number[] {
  const ascending = Array.from(words).sort((a, b) => of.frequency(a) - of.frequency(b) || a - b);
  return ascending.slice(0, words.length - Math.ceil(SAME * words.length) + 1);
}

/** The share of the words in either list that are in both; the lists ascend. */
export function likeness(a: Uint32Array, b: Uint32Array): number {
  let both = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i], b[j]];
    if (one === other) both++;
    if (one <= other) i++;
    if (other <= one) j++;
  }
  return both / Math.max(1, a.length + b.length - both);
}

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

/** An entry while copies of it are looked for. */
interface Held extends Entry {
  readonly words: Uint32Array;
  compared: number; // the document that it was compared with last
}

/** Documents in their order, each with the copies of it that would come later. */
export function withCopies(ordered: Iterable<number>, of: Words): Entry[] {
  const held = new HeldDocuments();
  const entries: Held[] = [];
  for (const document of ordered) {
    const words = of.words(document);
    const rare = rarest(words, of);
    const first = held.likely(document, words, rare).find((entry) => areCopies(entry.words, words));
    if (first) first.copies.push(document);
    else entries.push(held.hold(document, words, rare));
  }
  return entries.map(({ document, copies }) => ({ document, copies }));
}

/** Marks, of so many documents, those that are copies of any other one. */
export function withAnyCopy(count: number, of: Words): Uint8Array {
  const held = new HeldDocuments();
  const marked = new Uint8Array(count);
  for (let document = 0; document < count; document++) {
    const words = of.words(document);
    const rare = rarest(words, of);
    for (const other of held.likely(document, words, rare)) {
      if (marked[document] && marked[other.document]) continue;
      if (areCopies(other.words, words)) marked[document] = marked[other.document] = 1;
    }
    held.hold(document, words, rare);
  }
  return marked;
}

/** Documents in which copies are looked for.
 *
 * Two documents of which this share of words is common have one of their rarest words in common:
 * only those that do are compared, and only if so many words are left from there on. */
class HeldDocuments {
  private readonly having = new Map<number, [entry: Held, at: number][]>(); // by the rarest words

  /** Those that a document can be a copy of. */
  likely(document: number, words: Uint32Array, rare: Uint32Array): Held[] {
    const found: Held[] = [];
    rare.forEach((word, at) => {
      for (const [entry, place] of this.having.get(word) ?? []) {
        if (entry.compared === document) continue;
        entry.compared = document;
        // What they have in common begins with this word.
        const others = entry.words.length;
        const most = Math.min(words.length - at, others - place);
        if (most >= (SAME / (1 + SAME)) * (words.length + others) - 1e-6) found.push(entry);
      }
    });
    return found;
  }

  /** Adds a document. */
  hold(document: number, words: Uint32Array, rare: Uint32Array): Held {
    const entry = { document, copies: [], words, compared: -1 };
    rare.forEach((word, at) => {
      const list = this.having.get(word);
      if (list) list.push([entry, at]);
      else this.having.set(word, [[entry, at]]);
    });
    return entry;
  }
}

function areCopies(a: Uint32Array, b: Uint32Array): boolean {
  return likeness(a, b, SAME) >= SAME;
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

// How the words of a document are divided among topics, as in src/hlta/_kernels/division.py.

import { type Checked, list, number, record, row } from "../page/schema";

const MOST_STEPS = 500;
const ZERO = 128; // the code of a word that is as frequent in a topic as in all documents

/** How words are divided. Columns are topics of the model, of which the page may show only some. */
export const DIVIDING = record({
  families: list(row<[first: number, last: number, above: number]>(3)), // columns; above -1: none
  prior: list(number), // how many words are added for each column
  columns: list(number), // of each topic of the page
  step: number, // of codes, in nats
  close: number, // a share of a document's words that is not worth dividing further
  vector: number, // how many words the vector of a document counts as
});

export type Divided = Readonly<ReturnType<Sharing["of"]>>;

export class Sharing {
  private readonly words: number;
  private readonly times: Float64Array; // how many times as frequent a word is, by its code

  constructor(
    private readonly dividing: Checked<typeof DIVIDING>,
    private readonly codes: Uint8Array, // of all words, by column
  ) {
    const { prior, step } = dividing;
    this.words = codes.length / prior.length;
    const timesOf = (_: unknown, code: number): number => Math.exp(step * (code - ZERO));
    this.times = Float64Array.from({ length: 2 * ZERO }, timesOf);
  }

  get vectorWords(): number {
    return this.dividing.vector;
  }

  get columns(): number {
    return this.dividing.prior.length;
  }

  /** Divides the words of a document, section by section. Main topics have at least a share of
   * `least`. Parts are those of its `words`, on average over the sections that have them. `vector`
   * has the part of the document's vector that is about each column. */
  of(
    sections: readonly Uint32Array[],
    words: Uint32Array,
    least: number,
    vector: Float64Array | null = null,
  ) {
    const { families, prior, columns } = this.dividing;
    const added = vector ? this.dividing.vector : 0;
    const about = (column: number): number => added * (vector?.[column] ?? 0);
    const all = prior.map((one, column) => one + about(column));
    const found = sections.map((section) => this.partsOf(section, all));
    const total = sum(sections.map(({ length }) => length)) + added;
    const shares = prior.map((_, column) => {
      const inWords = sum(found.map((parts) => sum(parts[column])));
      return (inWords + about(column)) / Math.max(1, total);
    });
    const main = new Set<number>();
    for (const [first, last, above] of families) {
      const best = shares.indexOf(Math.max(...shares.slice(first, last)), first);
      if (shares[best] >= least && (above < 0 || main.has(above))) main.add(best);
    }
    const partsOf = (topic: number): Float64Array[] => found.map((parts) => parts[columns[topic]]);
    return {
      share: (topic: number): number => shares[columns[topic]],
      /** The share that a topic has of the words of each section. */
      along: (topic: number): number[] =>
        partsOf(topic).map((part, k) => sum(part) / Math.max(1, sections[k].length)),
      /** How much of each word is about a topic. */
      parts: (topic: number): Float64Array => means(sections, partsOf(topic), words),
      /** Whether a topic is a main topic: of the root topics, or of those below a main topic, it
       * has the largest share, and that is at least `least`. */
      isMain: (topic: number): boolean => main.has(columns[topic]),
      /** How much of the vector is about a topic; null without one. */
      vector: (topic: number): number | null => vector?.[columns[topic]] ?? null,
    };
  }

  /** For each column, how much of each word of a section is about it. */
  private partsOf(present: Uint32Array, prior: readonly number[]): Float64Array[] {
    const parts: Float64Array[] = [];
    for (const [first, last, above] of this.dividing.families) {
      const whole = parts[above] ?? new Float64Array(present.length).fill(1);
      const share = sum(whole) / Math.max(1, present.length);
      parts.push(...this.divided(present, whole, share, first, prior.slice(first, last)));
    }
    return parts;
  }

  /** Divides the part `whole` of each word among the columns of a family, to each of which `prior`
   * words are added; as the prior is, if the part is hardly any `share` of the words. */
  private divided(
    present: Uint32Array,
    whole: Float64Array,
    share: number,
    first: number,
    prior: readonly number[],
  ): Float64Array[] {
    const before = sum(prior);
    let weights = prior.map((one) => one / before);
    if (share <= this.dividing.close) return weights.map((one) => whole.map((part) => part * one));
    const total = share * present.length + before;
    const close = this.dividing.close * present.length;
    const rows = prior.map((_, k) => this.row(first + k, present));
    let parts = divided(whole, rows, weights);
    let moved = Number.POSITIVE_INFINITY;
    for (let step = 0; step < MOST_STEPS && moved > close; step++) {
      const now = parts.map((part, k) => (prior[k] + sum(part)) / total);
      moved = total * Math.max(...now.map((one, k) => Math.abs(one - weights[k])));
      weights = now;
      parts = divided(whole, rows, weights);
    }
    return parts;
  }

  /** How many times as frequent some words are in a column. */
  private row(column: number, present: Uint32Array): Float64Array {
    const { words, codes, times } = this;
    return Float64Array.from(present, (word) => times[codes[column * words + word]]);
  }
}

/** Divides each word in proportion to its frequencies in the columns, times their weights. */
function divided(
  whole: Float64Array,
  rows: readonly Float64Array[],
  weights: readonly number[],
): Float64Array[] {
  const parts = rows.map((row, k) => row.map((times) => weights[k] * times));
  const scale = whole.map((one, word) => one / parts.reduce((all, part) => all + part[word], 0));
  return parts.map((part) => part.map((one, word) => one * scale[word]));
}

/** The mean of each word's values over the sections that have it. */
function means(
  sections: readonly Uint32Array[],
  values: readonly Float64Array[],
  words: Uint32Array,
): Float64Array {
  const sums = new Map<number, [sum: number, count: number]>();
  sections.forEach((section, k) => {
    section.forEach((word, place) => {
      const [before, count] = sums.get(word) ?? [0, 0];
      sums.set(word, [before + values[k][place], count + 1]);
    });
  });
  return Float64Array.from(words, (word) => {
    const [total, count] = sums.get(word)!;
    return total / count;
  });
}

function sum(values: readonly number[] | Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

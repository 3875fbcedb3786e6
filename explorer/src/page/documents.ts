// The documents that the page includes: their words, their topics, and their titles, texts, dates
// and fields.

import { lettered } from "../look/latex";
import { array, type Block, type Numbers, numbers, unpack } from "./container";
import * as is from "./schema";
import { headline, opening } from "./text";

const FIELD = is.record({
  key: is.text, // in addresses and searches
  name: is.text, // as shown
});
const HEADER = is.record({
  documents: is.number, // in the corpus
  least: is.number, // the share of a topic below which the page does not list a document
  rows: is.nullable(is.list(is.number)), // of a sample: their numbers in the corpus, from 1
  places: is.optional(is.list(is.nullable(is.row<Label>(3)))), // of topics
  fields: is.list(FIELD), // the first is the group, and the default
});

export type DocumentsHeader = is.Checked<typeof HEADER>;

export type About = "titles" | "texts" | "ids" | "dates" | "links" | `fields.${number}`;

/** A field that documents are compared by, such as a country or a kind of text. */
export type Field = is.Checked<typeof FIELD>;

export interface Listed {
  readonly topic: number;
  readonly share: number;
  readonly main: boolean; // whether it is a main topic of the document
}

const WHOLE = 10_000; // the code of a share of 1
const MAIN = 1 << 15; // added to the code of a main topic
const VECTOR_STEPS = 255; // the code of a vector that is about one topic alone

/** The coordinates of documents on the map, from 0 to `SIDE`. */
export interface Places {
  readonly x: Uint16Array;
  readonly y: Uint16Array;
  readonly labels: readonly (Label | null)[]; // of each topic
}

/** Where the documents on a topic are densest, and the radius in which half of them lie. */
export type Label = readonly [x: number, y: number, radius: number];

export const SIDE = 65535;

export class Documents {
  readonly count: number;
  readonly total: number;
  readonly least: number;
  private readonly header: DocumentsHeader;
  private readonly arrays: Readonly<Record<string, Numbers>>;
  private readonly wordLists: Lists;
  private readonly topicStarts: Uint32Array;
  private readonly topicSteps: Numbers;
  private readonly topicShares: Numbers;
  /** The sections: where those of each document begin, and their words; null: none has several. */
  private readonly sectioned: { starts: Uint32Array; words: Lists } | null = null;
  private readonly vectors: { columns: Lists; codes: Uint8Array } | null = null;
  private readonly decoder = new TextDecoder();
  private readonly frequencies: Uint32Array;
  private topicsOf: Listed[][] | null = null; // by document; made when it is first needed
  /** The documents of whose texts the page holds only the beginnings. */
  readonly cut: ReadonlySet<number>;
  /** Where documents and topics are on the map; null if there is no map. */
  readonly places: Places | null;

  constructor(block: Block) {
    this.header = is.checked(block.header, HEADER, "header of the documents");
    this.arrays = block.arrays;
    this.wordLists = listsIn(block, "words");
    this.count = this.wordLists.starts.length - 1;
    this.total = this.header.documents;
    this.least = this.header.least;
    if (block.arrays["sections.start"]) {
      const starts = array(block, "sections.start", Uint32Array);
      this.sectioned = { starts, words: listsIn(block, "sections.words") };
    }
    if (block.arrays["vectors.start"]) {
      const codes = array(block, "vectors.code", Uint8Array);
      this.vectors = { columns: listsIn(block, "vectors"), codes };
    }
    this.topicStarts = array(block, "topics.start", Uint32Array);
    this.topicSteps = numbers(block, "topics");
    this.topicShares = numbers(block, "topics.share");
    this.frequencies = counts(this.wordLists.numbers);
    this.cut = new Set(block.arrays.cut ? array(block, "cut", Uint32Array) : []);
    const { places } = this.header;
    this.places = places
      ? {
          x: array(block, "map.x", Uint16Array),
          y: array(block, "map.y", Uint16Array),
          labels: places,
        }
      : null;
  }

  static async read(packed: string): Promise<Documents> {
    return new Documents(await unpack(packed));
  }

  /** The number of a document in the corpus, from 1. */
  row(document: number): number {
    return this.header.rows ? this.header.rows[document] : document + 1;
  }

  /** The document with that number in the corpus; -1 if the page does not include it. */
  atRow(row: number): number {
    return this.header.rows ? this.header.rows.indexOf(row) : row <= this.count ? row - 1 : -1;
  }

  /** The words that are present in a document, ascending. */
  words(document: number): Uint32Array {
    return this.wordLists.of(document);
  }

  sections(document: number): Uint32Array[] {
    if (!this.sectioned) return [this.words(document)];
    const { starts, words } = this.sectioned;
    const [begin, end] = [starts[document], starts[document + 1]];
    return Array.from({ length: end - begin }, (_, k) => words.of(begin + k));
  }

  /** The part of a document's vector that is about each column of topics; null without vectors. */
  vector(document: number, columns: number): Float64Array | null {
    if (!this.vectors) return null;
    const { columns: lists, codes } = this.vectors;
    const begin = lists.starts[document];
    const found = new Float64Array(columns);
    lists.of(document).forEach((column, k) => {
      found[column] = codes[begin + k] / VECTOR_STEPS;
    });
    return found;
  }

  /** The largest number of a word that a document has, plus 1. */
  get vocabulary(): number {
    return this.frequencies.length;
  }

  frequency(word: number): number {
    return this.frequencies[word] ?? 0;
  }

  /** The logarithm of all documents over those with the word: 0 if all have it. */
  rarity(word: number): number {
    return Math.log(this.count / Math.max(1, this.frequency(word)));
  }

  holds(what: About): boolean {
    return `${what}.ends` in this.arrays;
  }

  /** The data of one kind of a document, such as its title or text; "" if it has none. */
  about(what: About, document: number): string {
    return this.decoder.decode(this.bytes(what, document));
  }

  /** The same in UTF-8. */
  bytes(what: About, document: number): Uint8Array {
    if (!this.holds(what)) return new Uint8Array();
    const ends = this.arrays[`${what}.ends`];
    const begin = document ? ends[document - 1] : 0;
    return (this.arrays[what] as Uint8Array).subarray(begin, ends[document]);
  }

  /** A name for a document: its title, with simple LaTeX as letters; the headline or the first
   * words of its text; or its id, where "Document" stands before a number. */
  name(document: number): string {
    const title = this.about("titles", document);
    if (title) return lettered(title);
    const text = this.about("texts", document);
    const id = this.about("ids", document) || this.row(document).toLocaleString("en");
    return headline(text) || opening(text) || (/^[\d,]+$/.test(id) ? `Document ${id}` : id);
  }

  get fields(): readonly Field[] {
    return this.header.fields;
  }

  /** The values of a field that a document has; the page holds them as lines of one text. */
  values(key: string | undefined, document: number): string[] {
    const place = this.fields.findIndex((field) => field.key === key);
    const names = this.about(`fields.${place}`, document).split("\n");
    return [...new Set(names.map((name) => name.trim()).filter(Boolean))];
  }

  groups(document: number): string[] {
    return this.values(this.fields[0]?.key, document);
  }

  /** Calls `found` for every document and topic with a share of at least `least`. */
  eachOn(least: number, found: (document: number, topic: number, main: boolean) => void): void {
    for (let topic = 0; topic + 1 < this.topicStarts.length; topic++) {
      this.each(topic, (document, share, main) => {
        if (share >= least) found(document, topic, main);
      });
    }
  }

  /** The topics listed for a document, by number; none if it is unknown or its shares are small. */
  topics(document: number): readonly Listed[] {
    if (!this.topicsOf) {
      const lists = Array.from({ length: this.count }, (): Listed[] => []);
      for (let topic = 0; topic + 1 < this.topicStarts.length; topic++) {
        this.each(topic, (one, share, main) => lists[one].push({ topic, share, main }));
      }
      this.topicsOf = lists;
    }
    return this.topicsOf[document];
  }

  /** Calls `found` for the documents that are listed for a topic, in their order. */
  each(topic: number, found: (document: number, share: number, main: boolean) => void): void {
    let document = 0;
    for (let k = this.topicStarts[topic]; k < this.topicStarts[topic + 1]; k++) {
      document += this.topicSteps[k];
      const code = this.topicShares[k];
      found(document, (code % MAIN) / WHOLE, code >= MAIN);
    }
  }
}

function counts(numbers: Uint32Array): Uint32Array {
  const found = new Uint32Array(numbers.reduce((most, one) => Math.max(most, one), -1) + 1);
  for (const one of numbers) found[one]++;
  return found;
}

/** Lists of ascending numbers, one after the other, decoded from differences of neighbours. */
class Lists {
  readonly numbers: Uint32Array;

  constructor(
    readonly starts: Uint32Array,
    steps: Numbers,
  ) {
    this.numbers = new Uint32Array(steps.length);
    for (let list = 0; list + 1 < starts.length; list++) {
      let at = 0;
      for (let k = starts[list]; k < starts[list + 1]; k++) {
        at += steps[k];
        this.numbers[k] = at;
      }
    }
  }

  of(list: number): Uint32Array {
    return this.numbers.subarray(this.starts[list], this.starts[list + 1]);
  }
}

function listsIn(block: Block, name: string): Lists {
  return new Lists(array(block, `${name}.start`, Uint32Array), numbers(block, name));
}

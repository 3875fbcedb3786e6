// The documents that the page includes: their words, their topics, and what else is known of them.

import { array, type Block, type Numbers, numbers, unpack } from "./container";
import type { Topic } from "./page";
import { type Checked, checked, list, number, optional, record, row } from "./schema";
import { headline, opening } from "./text";

const HEADER = record({
  documents: number, // in the corpus
  odds: row<[lowest: number, step: number]>(2),
  least: number, // P(topic | document) below which the page does not list a document
  narrow_words: number, // the keywords that make up a narrow topic
  rows: optional(list(number)), // of a sample: the documents' numbers in the corpus, from 1
  places: optional(list(optional(row<[x: number, y: number, radius: number]>(3)))), // of topics
});

/** The header of the block of documents. */
export type DocumentsHeader = Checked<typeof HEADER>;

/** What may be known of a document besides its words. */
export type Field = "titles" | "texts" | "ids" | "dates" | "groups" | "links";

/** The documents on a topic, the most probable first. */
export interface Members {
  readonly documents: Uint32Array;
  readonly probabilities: Float64Array;
}

/** Where documents are on the map; of each, from 0 to `SIDE`. */
export interface Places {
  readonly x: Uint16Array;
  readonly y: Uint16Array;
  readonly labels: readonly (Label | null)[]; // of each topic
}

/** Where the documents on a topic are densest, and how far around it they lie. */
export type Label = readonly [x: number, y: number, radius: number];

/** The side of the map. */
export const SIDE = 65535;

/** The block of documents. */
export class Documents {
  readonly count: number;
  readonly total: number;
  readonly least: number;
  private readonly header: DocumentsHeader;
  private readonly arrays: Readonly<Record<string, Numbers>>;
  private readonly starts: Uint32Array;
  private readonly wordsOf: Uint32Array;
  private readonly topicStarts: Uint32Array;
  private readonly topicSteps: Numbers;
  private readonly topicOdds: Numbers;
  private readonly decoder = new TextDecoder();
  private readonly frequencies: Uint32Array;
  /** Where documents and topics are on the map; null if there is no map. */
  readonly places: Places | null;

  constructor(block: Block) {
    this.header = checked(block.header, HEADER, "header of the documents");
    this.arrays = block.arrays;
    this.starts = array(block, "words.start", Uint32Array);
    this.count = this.starts.length - 1;
    this.total = this.header.documents;
    this.least = this.header.least;
    this.wordsOf = running(this.starts, numbers(block, "words"));
    this.topicStarts = array(block, "topics.start", Uint32Array);
    this.topicSteps = numbers(block, "topics");
    this.topicOdds = numbers(block, "topics.odds");
    this.frequencies = counts(this.wordsOf);
    this.places = placesIn(block, this.header);
  }

  /** Unpacks the block. */
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
    return this.wordsOf.subarray(this.starts[document], this.starts[document + 1]);
  }

  /** How many words there are, up to the last one that a document has. */
  get vocabulary(): number {
    return this.frequencies.length;
  }

  /** How many documents of the page have a word. */
  frequency(word: number): number {
    return this.frequencies[word] ?? 0;
  }

  /** How much a word tells of the documents that have it: none if all do. */
  rarity(word: number): number {
    return Math.log(this.count / Math.max(1, this.frequency(word)));
  }

  /** What is known of a document: its title, text and so on, or "". */
  about(what: Field, document: number): string {
    const ends = this.arrays[`${what}.ends`];
    if (!ends) return "";
    const begin = document ? ends[document - 1] : 0;
    return this.decoder.decode((this.arrays[what] as Uint8Array).subarray(begin, ends[document]));
  }

  /** A name for a document: its title, the headline or the first words of its text, or its id; an id
   * that is a number, or the number in the corpus, is called that. */
  name(document: number): string {
    const title = this.about("titles", document);
    if (title) return title;
    const text = this.about("texts", document);
    const id = this.about("ids", document) || this.row(document).toLocaleString("en");
    return headline(text) || opening(text) || (/^[\d,]+$/.test(id) ? `Document ${id}` : id);
  }

  /** A probability as the page can tell it from others: rounded down, as those of documents are. */
  rounded(least: number): number {
    const [lowest, step] = this.header.odds;
    return 1 / (1 + Math.exp(-(lowest + step * this.step(least))));
  }

  private step(probability: number): number {
    const [lowest, step] = this.header.odds;
    return Math.floor((Math.log(probability / (1 - probability)) - lowest) / step);
  }

  /** Calls back for every document and topic whose P(topic | document) is so large at least. */
  eachOn(least: number, found: (document: number, topic: number) => void): void {
    const from = this.step(least);
    for (let topic = 0; topic + 1 < this.topicStarts.length; topic++) {
      let document = 0;
      for (let k = this.topicStarts[topic]; k < this.topicStarts[topic + 1]; k++) {
        document += this.topicSteps[k];
        if (this.topicOdds[k] >= from) found(document, topic);
      }
    }
  }

  /** Whether a document is listed under some topic. Those that the model does not know are not. */
  isOnSome(document: number): boolean {
    let found = false;
    this.eachOn(this.least, (one) => {
      found ||= one === document;
    });
    return found;
  }

  /** The documents whose P(topic | document) is at least `least`. */
  on(topic: number): Members {
    const [begin, end] = [this.topicStarts[topic], this.topicStarts[topic + 1]];
    const [lowest, step] = this.header.odds;
    const documents = new Uint32Array(end - begin);
    const odds = new Float64Array(end - begin);
    let at = 0;
    for (let k = begin; k < end; k++) {
      at += this.topicSteps[k];
      documents[k - begin] = at;
      odds[k - begin] = lowest + step * this.topicOdds[k];
    }
    return sorted(documents, odds);
  }

  /** The same for the narrow topic. A document must contain one of its keywords at least. */
  narrowlyOn(topic: Topic): Members {
    const { none, gains } = narrowOdds(topic, this.header.narrow_words);
    const documents: number[] = [];
    const odds: number[] = [];
    const least = Math.log(this.least / (1 - this.least));
    for (let document = 0; document < this.count; document++) {
      let sum = none;
      let any = false;
      for (let k = this.starts[document]; k < this.starts[document + 1]; k++) {
        const gain = gains.get(this.wordsOf[k]);
        if (gain !== undefined) {
          sum += gain;
          any = true;
        }
      }
      if (any && sum > least) {
        documents.push(document);
        odds.push(sum);
      }
    }
    return sorted(Uint32Array.from(documents), Float64Array.from(odds));
  }
}

/** Log-odds of a narrow topic, which has no model but its own first `most` keywords: those of a
 * document with `none` of them, and what each adds where it is present. */
export function narrowOdds(
  topic: Topic,
  most: number,
): { none: number; gains: Map<number, number> } {
  const words = topic.words.filter((word) => word.inside > word.outside).slice(0, most);
  const size = topic.narrow!;
  const gains = new Map<number, number>();
  let none = Math.log(size) - Math.log1p(-size);
  for (const entry of words) {
    const [inside, outside] = [entry.inside, entry.outside].map((p) =>
      Math.min(Math.max(p, 1e-9), 1 - 1e-9),
    );
    none += Math.log1p(-inside) - Math.log1p(-outside);
    gains.set(entry.word, Math.log(inside / outside) - Math.log1p(-inside) + Math.log1p(-outside));
  }
  return { none, gains };
}

function sorted(documents: Uint32Array, odds: Float64Array): Members {
  const order = Uint32Array.from(documents.keys()).sort((a, b) => odds[b] - odds[a] || a - b);
  return {
    documents: order.map((k) => documents[k]),
    probabilities: Float64Array.from(order, (k) => 1 / (1 + Math.exp(-odds[k]))),
  };
}

function placesIn(block: Block, { places }: DocumentsHeader): Places | null {
  if (!places) return null;
  return {
    x: array(block, "map.x", Uint16Array),
    y: array(block, "map.y", Uint16Array),
    labels: places.map((place) => place ?? null),
  };
}

/** How often each number is in a list. */
function counts(numbers: Uint32Array): Uint32Array {
  const found = new Uint32Array(numbers.reduce((most, one) => Math.max(most, one), -1) + 1);
  for (const one of numbers) found[one]++;
  return found;
}

/** Lists of ascending numbers from their steps: the running sums within each list. */
function running(starts: Uint32Array, steps: Numbers): Uint32Array {
  const sums = new Uint32Array(steps.length);
  for (let list = 0; list + 1 < starts.length; list++) {
    let at = 0;
    for (let k = starts[list]; k < starts[list + 1]; k++) {
      at += steps[k];
      sums[k] = at;
    }
  }
  return sums;
}

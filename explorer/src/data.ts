// What the page holds: topics, the model they come from, and documents. The Python package packs it
// (src/hlta/report/container.py): a JSON header and arrays, gzipped, in base64.

export interface Word {
  readonly word: number;
  readonly inside: number; // P(word | topic)
  readonly outside: number; // P(word | not the topic)
  readonly information: number; // of word and topic, in nats
}

export interface Topic {
  readonly index: number;
  readonly id: string;
  readonly level: number;
  readonly parent: number; // -1: a root
  readonly children: number[];
  readonly node: number; // in the model
  readonly size: number;
  readonly narrow: number | null;
  readonly label: string[];
  readonly words: Word[];
  readonly related: [topic: number, information: number][];
  readonly branch: number; // which root it is below, for its colour
}

/** Mean P(topic | document) over the documents of each part: a period or a group. */
export interface Shares {
  readonly names: string[];
  readonly documents: number[];
  readonly unit: string;
  of(topic: number, part: number): number;
}

export interface Page {
  readonly title: string;
  readonly words: string[];
  readonly topics: Topic[];
  readonly roots: number[];
  readonly links: [from: number, to: number, information: number][];
  readonly parent: Int32Array; // of the model's nodes, words first
  readonly probability: Float64Array; // P(node = 1 | parent = 0), P(node = 1 | parent = 1)
  readonly periods: Shares | null;
  readonly groups: Shares | null;
  readonly documents: number | null; // how many the corpus has
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

interface Packed {
  readonly header: any;
  readonly arrays: Record<string, Numbers>;
}

const KINDS = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array,
};

/** Takes what is packed out of the page. */
export function taken(id: string): string | null {
  const element = document.getElementById(id);
  element?.remove();
  return element?.textContent ?? null;
}

async function unpack(packed: string): Promise<Packed> {
  const text = atob(packed.trim());
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const size = 4 + new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size - 4)));
  const arrays: Record<string, Numbers> = {};
  for (const [name, entry] of Object.entries<any>(header.arrays)) {
    const Kind = KINDS[entry.type as keyof typeof KINDS];
    arrays[name] = new Kind(buffer, size + entry.at, entry.length);
  }
  return { header, arrays };
}

export async function readPage(packed: string): Promise<Page> {
  const { header, arrays } = await unpack(packed);
  const topics: Topic[] = [];
  const roots: number[] = [];
  header.topics.forEach((entry: any, index: number) => {
    const up = entry.parent;
    const branch = up < 0 ? roots.length : topics[up].branch;
    topics.push({
      ...entry,
      index,
      branch,
      children: [],
      words: entry.words.map(([word, inside, outside, information]: number[]) => ({
        word,
        inside,
        outside,
        information,
      })),
    });
    (up < 0 ? roots : topics[up].children).push(index);
  });
  const shares = (name: string): Shares | null => {
    const values = arrays[`${name}.shares`];
    if (!values) return null;
    const { names, documents, unit } = header[name];
    const of = (topic: number, part: number) => values[part * topics.length + topic];
    return { names, documents, unit: unit ?? name, of };
  };
  return {
    title: header.title,
    words: header.words,
    topics,
    roots,
    links: header.links,
    parent: arrays.parent as Int32Array,
    probability: arrays.probability as Float64Array,
    periods: shares("periods"),
    groups: shares("groups"),
    documents: header.documents ?? null,
  };
}

/** A list of documents on a topic, likeliest first. */
export interface Members {
  readonly documents: Uint32Array;
  readonly probabilities: Float64Array;
}

export class Documents {
  readonly count: number;
  readonly total: number;
  readonly least: number;
  private readonly starts: Uint32Array;
  private readonly wordsOf: Uint32Array;
  private readonly decoder = new TextDecoder();

  constructor(
    private readonly header: any,
    private readonly arrays: Record<string, Numbers>,
  ) {
    this.starts = arrays["words.start"] as Uint32Array;
    this.count = this.starts.length - 1;
    this.total = header.documents;
    this.least = header.least;
    this.wordsOf = summed(this.starts, arrays.words);
  }

  static async read(packed: string): Promise<Documents> {
    const { header, arrays } = await unpack(packed);
    return new Documents(header, arrays);
  }

  /** Its number among all documents of the corpus, from 1. */
  row(document: number): number {
    return this.header.rows ? this.header.rows[document] : document + 1;
  }

  atRow(row: number): number {
    return this.header.rows ? this.header.rows.indexOf(row) : row <= this.count ? row - 1 : -1;
  }

  words(document: number): Uint32Array {
    return this.wordsOf.subarray(this.starts[document], this.starts[document + 1]);
  }

  has(what: "titles" | "texts" | "ids" | "dates" | "groups" | "links"): boolean {
    return what in this.arrays;
  }

  about(what: "titles" | "texts" | "ids" | "dates" | "groups" | "links", document: number): string {
    const ends = this.arrays[`${what}.ends`];
    if (!ends) return "";
    const begin = document ? ends[document - 1] : 0;
    return this.decoder.decode((this.arrays[what] as Uint8Array).subarray(begin, ends[document]));
  }

  /** Something to call it by. */
  name(document: number): string {
    const title = this.about("titles", document) || this.about("ids", document);
    return title || `Document ${this.row(document).toLocaleString("en")}`;
  }

  /** Those of the documents with P(topic | document) of at least `least`. */
  on(topic: number): Members {
    const starts = this.arrays["topics.start"];
    const [begin, end] = [starts[topic], starts[topic + 1]];
    const [lowest, step] = this.header.odds;
    const documents = new Uint32Array(end - begin);
    const odds = new Float64Array(end - begin);
    let at = 0;
    for (let k = begin; k < end; k++) {
      at += this.arrays.topics[k];
      documents[k - begin] = at;
      odds[k - begin] = lowest + step * this.arrays["topics.odds"][k];
    }
    return sorted(documents, odds);
  }

  /** The same for the topic made up of the documents with its own words alone. */
  narrowlyOn(topic: Topic): Members {
    const words = topic.words.filter((word) => word.inside > word.outside).slice(0, NARROW_WORDS);
    const size = topic.narrow!;
    const gain = new Map<number, number>();
    let none = Math.log(size) - Math.log1p(-size);
    for (const entry of words) {
      const { word } = entry;
      const [inside, outside] = [entry.inside, entry.outside].map((p) =>
        Math.min(Math.max(p, 1e-9), 1 - 1e-9),
      );
      none += Math.log1p(-inside) - Math.log1p(-outside);
      gain.set(word, Math.log(inside / outside) - Math.log1p(-inside) + Math.log1p(-outside));
    }
    const documents: number[] = [];
    const odds: number[] = [];
    const least = Math.log(this.least / (1 - this.least));
    for (let document = 0; document < this.count; document++) {
      let sum = none;
      let any = false;
      for (let k = this.starts[document]; k < this.starts[document + 1]; k++) {
        const more = gain.get(this.wordsOf[k]);
        if (more !== undefined) {
          sum += more;
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

const NARROW_WORDS = 7;

function sorted(documents: Uint32Array, odds: Float64Array): Members {
  const order = Uint32Array.from(documents.keys()).sort((a, b) => odds[b] - odds[a] || a - b);
  return {
    documents: order.map((k) => documents[k]),
    probabilities: Float64Array.from(order, (k) => 1 / (1 + Math.exp(-odds[k]))),
  };
}

/** Lists of ascending numbers, from what each adds to the one before. */
function summed(starts: Uint32Array, steps: Numbers): Uint32Array {
  const numbers = new Uint32Array(steps.length);
  for (let list = 0; list + 1 < starts.length; list++) {
    let at = 0;
    for (let k = starts[list]; k < starts[list + 1]; k++) numbers[k] = at += steps[k];
  }
  return numbers;
}

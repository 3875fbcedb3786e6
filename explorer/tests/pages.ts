// Small pages and blocks for tests.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Documents } from "../src/page/documents";
import { linked, type Page, type Shares, type TopicsHeader } from "../src/page/page";
import { type Line, pointsOf } from "../src/pictures/lines";
import { Answers } from "../src/selection/answers";
import { HeldCorpus } from "../src/selection/held";
import type { Sets } from "../src/selection/sets";
import { Sharing } from "../src/shares/division";

/** Words of the page below; each topic's keywords are some of them. */
export const WORDS = ["star", "galaxy", "dark-matter", "proof", "theorem", "graph"];

function entry(
  id: string,
  level: number,
  parent: number,
  node: number,
  size: number,
  words: number[],
): TopicsHeader["topics"][number] {
  return {
    id,
    level,
    parent,
    node,
    size,
    documents: null,
    mainly: null,
    stability: size,
    contrast: null,
    vague: false,
    pinned: false,
    note: "",
    members: 4,
    title: WORDS[words[0]],
    label: words.map((word) => WORDS[word]),
    words: words.map((word, k) => [word, 0.6 - 0.1 * k, 0.05, 0.3 - 0.1 * k]),
    sure: words.map(() => null),
    facets: [],
    related: [],
  };
}

/** Two root topics: the first has two children, the second none.
 *
 *     0 Z3-1 (0.4)         3 Z3-2 (0.2)
 *     1 Z2-1 (0.3)  2 Z2-2 (0.1)
 */
export function page(): Page {
  const outline = linked([
    entry("Z3-1", 3, -1, 8, 0.4, [0, 1, 2]),
    entry("Z2-1", 2, 0, 6, 0.3, [1, 0]),
    entry("Z2-2", 2, 0, 7, 0.1, [2]),
    entry("Z3-2", 3, -1, 9, 0.2, [3, 4, 5]),
  ]);
  return {
    title: "Test",
    ...outline,
    words: WORDS,
    log: { model: "0123456789abcdef", settled: 0, edits: [] },
    cut: false,
    links: [
      [0, 1, 0.2],
      [0, 2, 0.1],
      [0, 3, 0.01],
    ],
    parent: Int32Array.of(6, 6, 7, 9, 9, 9, 8, 8, -1, 8),
    sharing: new Sharing(DIVIDING, new Uint8Array(4 * WORDS.length).fill(128)),
    periods: null,
    fields: [],
    documents: null,
    none: null,
  };
}

/** How words are divided among the topics of the page above. */
export const DIVIDING = {
  families: [
    [0, 2, -1],
    [2, 4, 0],
  ] as [number, number, number][],
  prior: [2, 1, 2, 1],
  columns: [0, 2, 3, 1],
  step: Math.LN2,
  close: 1e-6,
  vector: 10,
};

/** Shares of topics in parts, given as a list per part; any share has a document on the topic. */
export function shares(names: string[], documents: number[], values: number[][]): Shares {
  return {
    names,
    documents,
    key: "date",
    name: "year",
    unit: "year",
    further: 0,
    of: (topic, part) => values[part][topic],
    on: (topic, part) => Math.ceil(documents[part] * values[part][topic]),
    effectiveSize: () => 1,
  };
}

/** The same of the groups of a field. */
export function groups(
  names: string[],
  documents: number[],
  values: number[][],
  key = "group",
): Shares {
  return { ...shares(names, documents, values), unit: "group", key, name: key };
}

/** A block as the Python package packs it: see src/hlta/explorer/container.py. */
export function pack(
  header: object,
  arrays: Record<string, [type: string, data: ArrayBufferView]>,
) {
  const entries: Record<string, object> = {};
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [name, [type, data]] of Object.entries(arrays)) {
    const length = data.byteLength / Number(type[1]);
    entries[name] = { type, at, length };
    const bytes = new Uint8Array(8 * Math.ceil(data.byteLength / 8));
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    parts.push(bytes);
    at += bytes.length;
  }
  const text = JSON.stringify({ ...header, arrays: entries });
  // Arrays begin at a multiple of 8 bytes, with the header's length in the first four.
  const padded = new TextEncoder().encode(text.padEnd(8 * Math.ceil((text.length + 4) / 8) - 4));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(padded.length);
  return gzipSync(Buffer.concat([size, padded, ...parts])).toString("base64");
}

/** A document for tests: what is left out, it does not have. */
export interface Given {
  readonly words?: number[];
  readonly titles?: string;
  readonly texts?: string;
  readonly cut?: boolean; // its text is held in part
  readonly ids?: string;
  readonly dates?: string;
  readonly groups?: string;
  readonly kinds?: string; // of another field, "kind"
  readonly on?: Record<number, number>; // shares of topics
  readonly main?: number[]; // topics
  readonly at?: [x: number, y: number];
}

/** The block of these documents, of so many; topics are those of the page above. */
export async function documents(given: Given[], total = given.length): Promise<Documents> {
  const words = given.map((one) => one.words ?? []);
  const on = [0, 1, 2, 3].map((topic) =>
    given.flatMap(({ on = {}, main = [] }, k): [number, number][] => {
      const code = Math.round(10_000 * on[topic]) + (main.includes(topic) ? 32_768 : 0);
      return topic in on ? [[k, code]] : [];
    }),
  );
  const codes = on.flat().map(([, code]) => code);
  const places = [0, 1].map((axis) => given.map(({ at }) => at?.[axis] ?? 0));
  const about = [
    ...(["titles", "texts", "ids", "dates"] as const).map((name) => [name, name] as const),
    ...([
      ["fields.0", "groups"],
      ["fields.1", "kinds"],
    ] as const),
  ];
  const fields = ["group", "kind"].map((key) => ({ key, name: key }));
  const header = {
    documents: total,
    least: 0.05,
    rows: null,
    places: [null, null, null, null],
    fields,
  };
  const block = pack(header, {
    "words.start": ["u4", Uint32Array.from(starts(words))],
    words: ["u2", Uint16Array.from(words.flatMap(steps))],
    "topics.start": ["u4", Uint32Array.from(starts(on))],
    topics: ["u2", Uint16Array.from(on.flatMap((list) => steps(list.map(([k]) => k))))],
    "topics.share": ["u2", Uint16Array.from(codes)],
    cut: ["u4", Uint32Array.from([...given.keys()].filter((k) => given[k].cut))],
    "map.x": ["u2", Uint16Array.from(places[0])],
    "map.y": ["u2", Uint16Array.from(places[1])],
    ...Object.assign(
      {},
      ...about.map(([array, name]) => {
        if (given.every((one) => one[name] === undefined)) return {};
        const texts = given.map((one) => new TextEncoder().encode(one[name] ?? ""));
        return {
          [array]: ["u1", Uint8Array.from(texts.flatMap((text) => [...text]))],
          [`${array}.ends`]: ["u4", Uint32Array.from(starts(texts).slice(1))],
        };
      }),
    ),
  });
  return Documents.read(block);
}

/** Numbers from 0 to 1 that look random, the same in every run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Ten words in place of each: documents with few words are no copies. */
export function tenfold(words: readonly number[]): number[] {
  return words.flatMap((word) => Array.from({ length: 10 }, (_, k) => 10 * word + k));
}

function starts(lists: ArrayLike<unknown>[]): number[] {
  const found = [0];
  for (const { length } of lists) found.push(found[found.length - 1] + length);
  return found;
}

function steps(numbers: number[]): number[] {
  return numbers.map((number, k) => number - (k ? numbers[k - 1] : 0));
}

/** The page above with some topics vague. */
export function pageWithVague(...vague: number[]): Page {
  const found = page();
  const topics = found.topics.map((topic) => ({ ...topic, vague: vague.includes(topic.index) }));
  return { ...found, topics, shown: topics };
}

/** A line of a chart with these shares of so many documents each. */
export const line = (values: number[], documents: number[], name = "“x”"): Line => ({
  name,
  topic: 0,
  hue: 0,
  points: pointsOf(
    shares(
      documents.map(String),
      documents,
      values.map((value) => [value]),
    ),
    0,
  ),
});

/** What is answered of documents that a page holds itself. */
export function answersOf(sets: Sets): Answers {
  return new Answers(new HeldCorpus(page(), sets), () => assert.fail("it comes at once"));
}

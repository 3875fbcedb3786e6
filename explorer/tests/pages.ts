// Small pages and blocks for tests.

import { gzipSync } from "node:zlib";
import { linked, type Page, type Shares, type TopicsHeader } from "../src/data";

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
    stability: size,
    weak: false,
    narrow: size / 2,
    title: WORDS[words[0]],
    more: words
      .slice(1)
      .map((word) => WORDS[word])
      .join(" "),
    words: words.map((word, k) => [word, 0.6 - 0.1 * k, 0.05, 0.3 - 0.1 * k]),
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
  const { topics, roots } = linked([
    entry("Z3-1", 3, -1, 8, 0.4, [0, 1, 2]),
    entry("Z2-1", 2, 0, 6, 0.3, [1, 0]),
    entry("Z2-2", 2, 0, 7, 0.1, [2]),
    entry("Z3-2", 3, -1, 9, 0.2, [3, 4, 5]),
  ]);
  return {
    title: "Test",
    words: WORDS,
    topics,
    roots,
    links: [
      [0, 1, 0.2],
      [0, 2, 0.1],
      [0, 3, 0.01],
    ],
    tree: {
      parent: Int32Array.of(6, 6, 7, 9, 9, 9, 8, 8, -1, 8),
      states: Uint8Array.of(2, 2, 2, 2),
      background: Uint8Array.of(1, 1, 1, 1),
      word: new Float64Array(12).fill(1),
      latent: new Float64Array(7).fill(1),
    },
    periods: null,
    groups: null,
    documents: null,
  };
}

/** Shares of topics in parts, given as a list per part. */
export function shares(names: string[], documents: number[], values: number[][]): Shares {
  return { names, documents, unit: "year", of: (topic, part) => values[part][topic] };
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

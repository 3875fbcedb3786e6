// The blocks of data in the page. The Python package packs each (src/hlta/explorer/container.py): a
// JSON header and arrays, gzipped, in base64.

import { type Checked, checked, dictionary, number, record, text } from "./schema";

export type Numbers =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

export interface Block {
  readonly header: unknown;
  readonly arrays: Readonly<Record<string, Numbers>>;
}

const KINDS: Record<string, new (buffer: ArrayBuffer, at: number, length: number) => Numbers> = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array,
};
const ENTRY = record({ type: text, at: number, length: number });
const ARRAYS = record({ arrays: dictionary(ENTRY) });

/** Removes a packed block from the document and returns its text; null if there is none. */
export function take(id: string): string | null {
  const element = document.getElementById(id);
  element?.remove();
  return element?.textContent ?? null;
}

/** Unpacks a block. Its arrays are views of one buffer, not copies. */
export async function unpack(packed: string): Promise<Block> {
  const encoded = atob(packed.trim());
  const bytes = new Uint8Array(encoded.length);
  for (let k = 0; k < encoded.length; k++) bytes[k] = encoded.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const size = 4 + new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size - 4)));
  const entries: [string, Checked<typeof ENTRY>][] = Object.entries(
    checked(header, ARRAYS, "header").arrays,
  );
  const arrays: Record<string, Numbers> = {};
  for (const [name, { type, at, length }] of entries) {
    if (!Object.hasOwn(KINDS, type))
      throw new Error(`array ${name} is of the unknown type ${type}`);
    arrays[name] = new KINDS[type](buffer, size + at, length);
  }
  return { header, arrays };
}

export function numbers({ arrays }: Block, name: string): Numbers {
  if (!Object.hasOwn(arrays, name)) throw new Error(`array ${name} is missing`);
  return arrays[name];
}

export function array<A extends Numbers>(block: Block, name: string, Kind: new () => A): A {
  const found = numbers(block, name);
  if (!(found instanceof Kind)) throw new Error(`array ${name} is not of the kind ${Kind.name}`);
  return found;
}

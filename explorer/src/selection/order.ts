// The order in which the documents of a set are listed.

import type { Documents } from "../page/documents";

/** Things sorted by an ascending key; those with equal keys keep their order. */
export function sorted<T>(things: readonly T[], key: (thing: T) => string | number): T[] {
  const keys = things.map(key);
  const order = Uint32Array.from(keys.keys());
  order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  return Array.from(order, (at) => things[at]);
}

/** Documents sorted by descending score; those of equal score keep their order. */
export function byScore(documents: Uint32Array, score: (document: number) => number): Uint32Array {
  return Uint32Array.from(sorted(Array.from(documents), (document) => -score(document)));
}

/** Documents by their dates; those without one come last. */
export function byDate(documents: Uint32Array, of: Documents, newestFirst: boolean): Uint32Array {
  const dates = Array.from(documents, (document) => of.about("dates", document));
  const sign = newestFirst ? -1 : 1;
  const order = Uint32Array.from(documents.keys());
  order.sort((a, b) => {
    const [one, other] = [dates[a], dates[b]];
    if (one === other) return a - b;
    if (!one || !other) return one ? -1 : 1;
    return one < other ? -sign : sign;
  });
  return order.map((k) => documents[k]);
}

// The order in which the documents of a set are listed.

import type { Documents } from "../page/documents";

/** Things by a rising key, and where it is the same, in the order that they have. */
export function sorted<T>(things: readonly T[], key: (thing: T) => string | number): T[] {
  const keys = things.map(key);
  const order = Uint32Array.from(keys.keys());
  order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  return Array.from(order, (at) => things[at]);
}

/** Documents by falling score, those of equal score in the order that they have. */
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

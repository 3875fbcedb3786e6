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
  const dates = new Map(Array.from(documents, (one) => [one, of.about("dates", one)]));
  const [dated, undated] = [true, false].map((has) =>
    Array.from(documents).filter((one) => Boolean(dates.get(one)) === has),
  );
  const turned = (list: number[]): number[] => (newestFirst ? list.reverse() : list);
  const ordered = turned(sorted(turned(dated), (one) => dates.get(one)!));
  return Uint32Array.from([...ordered, ...undated]);
}

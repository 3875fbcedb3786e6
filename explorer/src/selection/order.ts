// The order in which the documents of a set are listed.

import type { Documents } from "../page/documents";

/** Things sorted by an ascending key; those with equal keys keep their order. */
export function sorted<T>(things: readonly T[], key: (thing: T) => string | number): T[] {
  const keys = things.map(key);
  const order = Uint32Array.from(keys.keys());
  order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  return Array.from(order, (at) => things[at]);
}

/** Documents by their dates; those without one come last. */
export function byDate(documents: number[], of: Documents, newestFirst: boolean): number[] {
  const dates = new Map(documents.map((one) => [one, of.about("dates", one)]));
  const [dated, undated] = [true, false].map((has) =>
    documents.filter((one) => Boolean(dates.get(one)) === has),
  );
  const turned = (list: number[]): number[] => (newestFirst ? list.reverse() : list);
  return [...turned(sorted(turned(dated), (one) => dates.get(one)!)), ...undated];
}

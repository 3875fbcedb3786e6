// The order in which the documents of a set are listed.

import type { Documents } from "../page/documents";

/** Documents by falling score, those of equal score in the order of the corpus. */
export function byScore(documents: Uint32Array, score: (document: number) => number): Uint32Array {
  const scores = Float64Array.from(documents, score);
  const order = Uint32Array.from(documents.keys());
  order.sort((a, b) => scores[b] - scores[a] || a - b);
  return order.map((k) => documents[k]);
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

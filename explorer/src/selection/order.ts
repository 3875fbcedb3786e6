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

/** How like the average of the documents each of them is: the cosine between documents whose words
 * count by how rare they are. In the average, documents count by their `weight`. */
export function typicality(
  documents: Uint32Array,
  of: Pick<Documents, "words" | "rarity" | "vocabulary">,
  weight: (document: number) => number,
): Map<number, number> {
  const rarity = Float64Array.from({ length: of.vocabulary }, (_, word) => of.rarity(word));
  const average = new Float64Array(of.vocabulary);
  const lengths = Float64Array.from(documents, (document) => {
    let square = 0;
    for (const word of of.words(document)) square += rarity[word] ** 2;
    return Math.max(Math.sqrt(square), 1e-12);
  });
  documents.forEach((document, k) => {
    const share = weight(document) / lengths[k];
    for (const word of of.words(document)) average[word] += share * rarity[word];
  });
  const likeness = new Map<number, number>();
  documents.forEach((document, k) => {
    let sum = 0;
    for (const word of of.words(document)) sum += rarity[word] * average[word];
    likeness.set(document, sum / lengths[k]);
  });
  return likeness;
}

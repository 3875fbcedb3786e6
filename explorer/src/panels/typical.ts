// The documents that are typical of a topic.

import type { Documents } from "../page/documents";
import type { Topic } from "../page/page";
import { withCopies } from "../selection/copies";
import { byScore } from "../selection/order";
import type { Mask } from "../selection/sets";
import { USUAL } from "../selection/terms";
import { Typicality } from "../selection/typicality";

const FIRST = 20; // documents, in which copies are folded

/** The most typical documents on a topic, of those in a set, without copies. */
export function typical(topic: Topic, of: Documents, mask: Mask, most: number): number[] {
  const members = of.on(topic.index);
  const weights = new Map<number, number>();
  members.documents.forEach((document, k) => {
    const share = members.shares[k];
    if (mask[document] && share >= USUAL) weights.set(document, share);
  });
  const documents = Uint32Array.from(weights.keys()).sort();
  return typicalAmong(documents, (document) => weights.get(document)!, of, most);
}

/** The most typical of some documents, which count by their weights, without copies. */
export function typicalAmong(
  documents: Uint32Array,
  weight: (document: number) => number,
  of: Documents,
  most: number,
): number[] {
  const scores = Typicality.among(of).of(documents, weight);
  const ordered = byScore(documents, (document) => scores.get(document)!);
  return withCopies(ordered.subarray(0, FIRST), of)
    .slice(0, most)
    .map(({ document }) => document);
}

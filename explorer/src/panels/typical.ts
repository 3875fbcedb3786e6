// What is typical of a topic: documents, and groups.

import type { Documents } from "../page/documents";
import type { Page, Topic } from "../page/page";
import { surely } from "../pictures/intervals";
import { reliable } from "../pictures/lines";
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
  const scores = Typicality.among(of).of(documents, (document) => weights.get(document)!);
  const ordered = byScore(documents, (document) => scores.get(document)!);
  return withCopies(ordered.subarray(0, FIRST), of)
    .slice(0, most)
    .map(({ document }) => document);
}

/** The groups in which a topic is surely more frequent than overall, the surest lift first. */
export function groupsOf(page: Pick<Page, "groups">, topic: Topic, most: number): string[] {
  const { groups } = page;
  if (!groups) return [];
  const all = topic.size;
  const evidence = groups.evidence(topic.index);
  const large = groups.names
    .map((name, part) => ({
      name,
      documents: groups.documents[part],
      share: groups.of(topic.index, part),
      on: groups.on(topic.index, part),
    }))
    .filter((group) => group.name && reliable(group));
  return large
    .map((group) => ({
      ...group,
      ...surely(group.share, evidence * group.documents, large.length),
    }))
    .filter(({ low, on }) => low > all && on)
    .sort((a, b) => b.low - a.low)
    .slice(0, most)
    .map(({ name }) => name);
}

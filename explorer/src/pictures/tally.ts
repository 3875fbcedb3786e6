// Documents of the working set, counted by period or by group.

import type { Documents } from "../page/documents";
import type { Page, Shares } from "../page/page";
import type { DocumentSet, Sets } from "../selection/sets";

/** Shares as counts: documents on a topic, of all documents in a part. */
export interface Tally extends Shares {
  on(topic: number, part: number): number;
}

/** The number of the period or group of each document; -1 where it has none. */
export function partsOf(documents: Documents, division: Shares): Int32Array {
  const numbers = new Map(division.names.map((name, part) => [name, part]));
  const number =
    division.unit === "group"
      ? (document: number) => numbers.get(documents.about("groups", document))
      : (document: number) =>
          numbers.get(documents.about("dates", document).slice(0, division.names[0].length));
  return Int32Array.from({ length: documents.count }, (_, document) => number(document) ?? -1);
}

/** Counts the documents of a set. */
export function tallied(
  { topics }: Pick<Page, "topics">,
  sets: Sets,
  set: DocumentSet,
  division: Shares,
  parts: Int32Array,
): Tally {
  const documents = new Array<number>(division.names.length).fill(0);
  parts.forEach((part, document) => {
    if (part >= 0) documents[part] += set.mask[document];
  });
  const counts = sets.onEachIn(set, parts, documents.length);
  const on = (topic: number, part: number): number => counts[part * topics.length + topic];
  return { ...division, documents, on, of: (topic, part) => on(topic, part) / documents[part] };
}

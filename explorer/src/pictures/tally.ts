// Documents of the working set, counted by period or by group.

import type { Documents } from "../page/documents";
import type { Page, Shares } from "../page/page";
import type { DocumentSet, Mask, Sets } from "../selection/sets";

/** The numbers of the groups that each document is in, or that of its period. */
export function partsOf(documents: Documents, { key, unit, names }: Shares): number[][] {
  const numbers = new Map(names.map((name, part) => [name, part]));
  const named = (document: number): string[] => {
    if (unit !== "group") return [documents.about("dates", document).slice(0, names[0].length)];
    const groups = documents.values(key, document);
    return groups.length ? groups : [""];
  };
  return Array.from({ length: documents.count }, (_, document) =>
    named(document).flatMap((name) => numbers.get(name) ?? []),
  );
}

/** How many of all documents of each part are in a set; there is but one "topic", the set itself. */
export function chosenIn(
  mask: Mask,
  division: Shares,
  partsOf: readonly (readonly number[])[],
): Shares {
  const [documents, chosen] = [0, 1].map(() => new Array<number>(division.names.length).fill(0));
  partsOf.forEach((parts, document) => {
    for (const part of parts) {
      documents[part]++;
      chosen[part] += mask[document];
    }
  });
  const on = (_: number, part: number): number => chosen[part];
  const of = (_: number, part: number): number => chosen[part] / documents[part];
  return { ...division, documents, on, of, evidence: () => 1 };
}

/** The shares of the documents of a set that are on topics, in each part. */
export function tallied(
  { topics }: Pick<Page, "topics">,
  sets: Sets,
  set: Pick<DocumentSet, "mask">,
  division: Shares,
  partsOf: readonly (readonly number[])[],
): Shares {
  const documents = new Array<number>(division.names.length).fill(0);
  partsOf.forEach((parts, document) => {
    for (const part of parts) documents[part] += set.mask[document];
  });
  const counts = sets.onEachIn(set, partsOf, documents.length);
  const on = (topic: number, part: number): number => counts[part * topics.length + topic];
  const of = (topic: number, part: number): number => on(topic, part) / documents[part];
  return { ...division, documents, on, of, evidence: () => 1 };
}

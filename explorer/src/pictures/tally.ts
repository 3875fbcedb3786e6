// Documents of the working set, counted by period or by group.

import type { Documents } from "../page/documents";
import type { Page, Shares } from "../page/page";
import type { DocumentSet, Mask, Sets } from "../selection/sets";

type Parts = readonly (readonly number[])[];

const known = new WeakMap<Shares, { documents: Documents; parts: Parts }>(); // they take a while

/** The numbers of the groups that each document is in, or that of its period. */
export function partsOf(documents: Documents, division: Shares): Parts {
  let last = known.get(division);
  if (last?.documents !== documents) {
    last = { documents, parts: partsIn(documents, division) };
    known.set(division, last);
  }
  return last.parts;
}

function partsIn(documents: Documents, { key, unit, names }: Shares): Parts {
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
export function chosenIn(mask: Mask, division: Shares, of: Documents): Shares {
  const [documents, chosen] = [0, 1].map(() => new Array<number>(division.names.length).fill(0));
  partsOf(of, division).forEach((parts, document) => {
    for (const part of parts) {
      documents[part]++;
      chosen[part] += mask[document];
    }
  });
  const on = (_: number, part: number): number => chosen[part];
  const share = (_: number, part: number): number => chosen[part] / documents[part];
  return { ...division, documents, on, of: share, evidence: () => 1 };
}

/** The shares of the documents of a set that are on topics, in each part. */
export function tallied(
  { topics }: Pick<Page, "topics">,
  sets: Sets,
  set: Pick<DocumentSet, "mask">,
  division: Shares,
): Shares {
  const documents = new Array<number>(division.names.length).fill(0);
  const partsOfEach = partsOf(sets.documents, division);
  partsOfEach.forEach((parts, document) => {
    for (const part of parts) documents[part] += set.mask[document];
  });
  const counts = sets.onEachIn(set, partsOfEach, documents.length);
  const on = (topic: number, part: number): number => counts[part * topics.length + topic];
  const of = (topic: number, part: number): number => on(topic, part) / documents[part];
  return { ...division, documents, on, of, evidence: () => 1 };
}

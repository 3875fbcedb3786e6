// Documents counted by period or by group.

import { periodOf } from "../look/dates";
import type { Documents } from "../page/documents";
import type { Shares } from "../page/page";
import type { DocumentSet, Sets } from "./sets";

type Parts = readonly (readonly number[])[];

const known = new WeakMap<Shares, { documents: Documents; parts: Parts }>(); // slow to compute

/** For each document, its parts: the groups that it is in, or its period. */
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
    if (unit !== "group") return [periodOf(documents.about("dates", document), unit)];
    const groups = documents.values(key, document);
    return groups.length ? groups : [""];
  };
  return Array.from({ length: documents.count }, (_, document) =>
    named(document).flatMap((name) => numbers.get(name) ?? []),
  );
}

/** A division by numbers of documents: how many are in each part, and how many of these are on each
 * topic. */
export function byCount(
  division: Shares,
  documents: number[] = division.documents,
  on: Shares["on"] = division.on,
): Shares {
  const of = (topic: number, part: number): number => on(topic, part) / documents[part];
  return { ...division, documents, on, of, effectiveSize: () => 1 };
}

/** The same of some documents. `counts` is a matrix with a row for each part. */
export function sharesOf(division: Shares, documents: number[], counts: ArrayLike<number>): Shares {
  const width = counts.length / Math.max(1, documents.length);
  return byCount(division, documents, (topic, part) => counts[part * width + topic]);
}

/** The documents of a set that the page holds, counted by the parts of a division. */
export function tallied(sets: Sets, set: Pick<DocumentSet, "mask">, division: Shares): Shares {
  const documents = new Array<number>(division.names.length).fill(0);
  const partsOfEach = partsOf(sets.documents, division);
  partsOfEach.forEach((parts, document) => {
    for (const part of parts) documents[part] += set.mask[document];
  });
  return sharesOf(division, documents, sets.onEachIn(set, partsOfEach, documents.length));
}

/** How many of all documents of each part are in a set, whichever topic is asked for. With `gaps`,
 * parts in which the set has no documents are left out. */
export function chosenOf({ documents: chosen }: Shares, all: Shares, gaps = false): Shares {
  const documents = all.documents.map((count, part) => (gaps && !chosen[part] ? 0 : count));
  return byCount(all, documents, (_, part) => chosen[part]);
}

/** What is left of a division when the documents of a set are taken away. */
export function restOf(all: Shares, chosen: Shares): Shares {
  const documents = all.documents.map((count, part) => count - chosen.documents[part]);
  return byCount(all, documents, (topic, part) => all.on(topic, part) - chosen.on(topic, part));
}

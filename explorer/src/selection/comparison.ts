// Topics beside each other: which documents they share.

import type { Topic } from "../page/page";
import type { Mask } from "./sets";
import { type Clause, only, termOf } from "./terms";

/** Documents that are on some of the compared topics, and not on the others. */
export interface Region {
  readonly on: readonly boolean[]; // of each topic
  readonly documents: number;
}

/** The clauses that have nothing to do with the compared topics. */
export function apart(clauses: readonly Clause[], topics: readonly Pick<Topic, "id">[]): Clause[] {
  const ids = new Set(topics.map(({ id }) => id));
  return clauses.filter(
    ({ terms }) => !terms.every((one) => one.kind === "topic" && ids.has(one.id)),
  );
}

/** The clauses of a region: on these topics, and not on those; null leaves a topic open. */
export function clausesOf(
  topics: readonly Pick<Topic, "id">[],
  on: readonly (boolean | null)[],
): Clause[] {
  return topics.flatMap((topic, k) => (on[k] === null ? [] : only(termOf(topic), !on[k])));
}

/** How many documents of a set are in each region, but that outside all topics: those on the most
 * topics first, then the largest. */
export function regions(masks: readonly Mask[], among: Mask): Region[] {
  const counts = new Uint32Array(1 << masks.length);
  for (let document = 0; document < among.length; document++) {
    let which = 0;
    for (let k = 0; k < masks.length; k++) which |= masks[k][document] << k;
    counts[which] += among[document];
  }
  const found = Array.from(counts, (documents, which) => ({
    on: masks.map((_, k) => Boolean((which >> k) & 1)),
    documents,
  }));
  const topics = ({ on }: Region): number => on.filter(Boolean).length;
  return found.slice(1).sort((a, b) => topics(b) - topics(a) || b.documents - a.documents);
}

/** How many documents of a set are on all of some topics. */
export function onAll(masks: readonly Mask[], among: Mask): number {
  let documents = 0;
  for (let k = 0; k < among.length; k++)
    documents += Number(masks.every((mask) => mask[k])) & among[k];
  return documents;
}

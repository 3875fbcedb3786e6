// Two sets of documents that are compared.

import type { Page } from "../page/page";
import { describeClauses, type Named } from "./saying";
import { asParts, type Clause, only, readClauses, termOf, written } from "./terms";

/** The clauses of one of two sets; none: all documents that are not in the other. */
export type Side = readonly Clause[];

/** The topic if a side is just the documents on it; otherwise -1. */
export function topicOf(side: Side, { topics }: Pick<Page, "topics">): number {
  const [clause, more] = side;
  if (!clause || more || clause.not || clause.terms.length > 1) return -1;
  const [term] = clause.terms;
  if (term.kind !== "topic") return -1;
  const topic = topics.find(({ id }) => id === term.id);
  return topic && written(term) === written(termOf(topic)) ? topic.index : -1;
}

/** A side as a part of an address: a topic's id, or clauses. */
export function writeSide(side: Side, page: Pick<Page, "topics">): string {
  return page.topics[topicOf(side, page)]?.id ?? String(asParts(side));
}

/** The side that a part of an address stands for; null if it stands for none. */
export function readSide(
  text: string,
  { shown, fields }: Pick<Page, "shown" | "fields">,
): Side | null {
  if (!text) return [];
  const topic = shown.find(({ id }) => id === text);
  if (topic) return [only(termOf(topic))];
  const { clauses, unread } = readClauses(new URLSearchParams(text), fields);
  return clauses.length && !unread ? clauses : null;
}

/** A side in words. */
export function describeSide(side: Side, page: Named): string {
  return side.length ? describeClauses(side, page).join(" and ") : "all else";
}

/** Clauses for the documents in a side or, without `is`, not in it; null if there are none. */
export function clausesOf(side: Side, other: Side, is: boolean): Side | null {
  if (!side.length) return clausesOf(other, side, !is);
  if (is) return side;
  const [clause, more] = side;
  return more ? null : [{ ...clause, not: !clause.not }];
}

// Numbers of documents, counted among all documents or among those that the page holds.

import { count, whole } from "../look/format";
import type { Page, Shares } from "../page/page";
import type { Bound } from "./sets";
import { type Clause, IN_PART, isAll, isPeriod, type Term, written } from "./terms";

export interface Figure {
  readonly documents: number;
  readonly bound: Bound;
  readonly among: number | null; // how many the page holds, if only these were counted
}

/** A number of documents that is exact and counted among all. */
export function exactly(documents: number): Figure {
  return { documents, bound: "", among: null };
}

/** A number of documents, in words; `where` says which ones, see `describeWhere`. */
export function describeFigure({ documents, bound, among }: Figure, where = ""): string {
  const held = among === null ? "" : `among the ${whole(among)} that this page holds`;
  return [bound, count(documents, "document") + where, held].filter(Boolean).join(" ");
}

type Counted = Pick<Page, "topics" | "documents" | "none" | "periods" | "fields">;

/** How many of all documents match clauses, as Python counted them; null if it did not. */
export function known(page: Counted, clauses: readonly Clause[]): number | null {
  const asked = clauses.filter((clause) => !isAll(clause));
  const distinct = new Map(asked.map((one) => [`${one.not} ${one.terms.map(written)}`, one]));
  const [one, other, ...further] = distinct.values();
  if (!one) return page.documents;
  if (further.length || [one, other].some((clause) => clause && clause.terms.length > 1))
    return null;
  if (other) {
    if (one.not || other.not) return null;
    return both(page, one.terms[0], other.terms[0]) ?? both(page, other.terms[0], one.terms[0]);
  }
  const having = ofTerm(page, one.terms[0]);
  return one.not && having !== null ? page.documents! - having : having;
}

function ofTerm(page: Counted, term: Term): number | null {
  if (term.kind === "all") return page.documents;
  if (term.kind === "none") return page.none;
  if (term.kind === "topic" && term.least === IN_PART) {
    const topic = page.topics.find(({ id }) => id === term.id);
    return (term.main ? topic?.mainly : topic?.documents) ?? null;
  }
  const [division, part] = partOf(page, term);
  return division?.documents[part] ?? null;
}

/** How many documents of a group or period are on a topic; null if Python did not count them. */
function both(page: Counted, one: Term, other: Term): number | null {
  if (one.kind !== "topic" || one.main || one.least !== IN_PART) return null;
  const topic = page.topics.findIndex(({ id }) => id === one.id);
  const [division, part] = partOf(page, other);
  return division && part >= 0 && topic >= 0 ? division.on(topic, part) : null;
}

/** The group or period that a term stands for. */
function partOf({ periods, fields }: Counted, term: Term): [division: Shares | null, part: number] {
  if (term.kind === "group") {
    const field = fields.find(({ key }) => key === term.field) ?? null;
    return [field, field?.names.indexOf(term.name) ?? -1];
  }
  if (term.kind !== "date") return [null, -1];
  return [periods, periods?.names.findIndex((name) => isPeriod(term, name)) ?? -1];
}

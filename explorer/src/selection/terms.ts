// Terms, which match documents, and clauses, which combine terms. They define the working set.

import { boundsOf, FIRST, LAST } from "../look/dates";
import type { Field } from "../page/documents";

const GROUP = "group"; // the key of the group, which is read even if there are no fields

/** A term, or one that is negated: an alternative such as `deep OR NOT blue` needs that. */
export type Term = PlainTerm | { readonly kind: "not"; readonly term: PlainTerm };

export type PlainTerm =
  | { readonly kind: "all" }
  | { readonly kind: "none" } // on no topic
  | { readonly kind: "copies" } // with near-copies
  | TopicTerm
  | { readonly kind: "word"; readonly word: string } // of the vocabulary
  | { readonly kind: "text"; readonly query: string } // in title, id or text, as typed
  | { readonly kind: "group"; readonly field: string; readonly name: string } // "": without a value
  | { readonly kind: "date"; readonly from: string; readonly to: string } // both included
  | { readonly kind: "area"; readonly corners: readonly number[] }; // of the map: x, y, x, y, …

/** The documents in which a topic has at least a share of `least`. */
export interface TopicTerm {
  readonly kind: "topic";
  readonly id: string;
  readonly least: number;
  readonly main: boolean; // only those whose main topic it is
}

/** The documents that match any of the terms; if `not`, all others. */
export interface Clause {
  readonly not: boolean;
  readonly terms: readonly Term[];
}

/** The share from which on a document is on a topic, by default. */
export const IN_PART = 0.2;

export function termOf({ id }: { readonly id: string }): TopicTerm {
  return { kind: "topic", id, least: IN_PART, main: false };
}

/** The term of a period, by its name, or of all from one to another. */
export function inPeriod(first: string, last = first): Extract<Term, { kind: "date" }> {
  return { kind: "date", from: boundsOf(first)[0], to: boundsOf(last)[1] };
}

/** Whether a term admits the dates of a period, by its name, and no others. */
export function isPeriod(term: Term, name: string): boolean {
  return written(term) === written(inPeriod(name));
}

export function only(term: Term, not = false): Clause {
  return { not, terms: [term] };
}

/** The kind of a term, or of the one that it negates; for groups, the key of the field, which is
 * never a kind. */
export function kindOf(term: Term): string {
  if (term.kind === "not") return kindOf(term.term);
  return term.kind === "group" ? term.field : term.kind;
}

/** The clauses with a term of another kind than this, see `kindOf`. */
export function besides(clauses: readonly Clause[], kind: string): Clause[] {
  return clauses.filter(({ terms }) => terms.some((term) => kindOf(term) !== kind));
}

/** Whether a clause leaves no document out. */
export function isAll({ not, terms }: Clause): boolean {
  return !not && terms.some(({ kind }) => kind === "all");
}

/** Whether any of the clauses has a term of a kind, alone or among others. */
export function mentions(clauses: readonly Clause[], kind: string): boolean {
  return clauses.some(({ terms }) => terms.some((term) => kindOf(term) === kind));
}

/** Whether any of the clauses has a group of any of these fields. */
export function mentionsGroups(clauses: readonly Clause[], fields: readonly Field[]): boolean {
  return fields.some(({ key }) => mentions(clauses, key));
}

/** The first clause that is one term of a kind, not negated; undefined if there is none. */
export function clauseOf(clauses: readonly Clause[], kind: string): Clause | undefined {
  return clauses.find(({ not, terms: [term, more] }) => {
    return !not && !more && term.kind !== "not" && kindOf(term) === kind;
  });
}

/** A term as text, for addresses and as a key. */
export function written(term: Term): string {
  switch (term.kind) {
    case "all":
    case "none":
    case "copies":
      return term.kind;
    case "topic": {
      const least = term.least === IN_PART ? "" : `@${term.least}`;
      return `${term.main ? "main" : "topic"}:${term.id}${least}`;
    }
    case "word":
      return `word:${term.word}`;
    case "text":
      return `text:${term.query}`;
    case "group":
      return `${term.field}:${term.name}`;
    case "date":
      return `date:${term.from === term.to ? term.from : `${term.from}..${term.to}`}`;
    case "area":
      return `area:${term.corners.join(",")}`;
    case "not":
      return NOT + written(term.term);
  }
}

const NOT = "not:";
const FARTHEST = 1e7; // that a corner of an area can be from the map, whose side is 65,535

/** The term that a text stands for, given the fields of documents; null if it stands for none. */
export function read(text: string, fields: readonly Field[]): Term | null {
  if (!text.startsWith(NOT)) return readPlain(text, fields);
  const term = readPlain(text.slice(NOT.length), fields);
  return term && { kind: "not", term };
}

export function readPlain(text: string, fields: readonly Field[]): PlainTerm | null {
  if (text === "all" || text === "none" || text === "copies") return { kind: text };
  const colon = text.indexOf(":");
  const value = text.slice(colon + 1);
  const kind = text.slice(0, Math.max(0, colon));
  switch (kind) {
    case "topic":
      return topicTerm(value, false);
    case "main":
      return topicTerm(value, true);
    case "word":
      return value ? { kind: "word", word: value } : null;
    case "text":
      return value.trim() ? { kind: "text", query: value } : null;
    case "date": {
      const [from, to = from] = value.split("..");
      return from || to ? inPeriod(from || FIRST, to || LAST) : null;
    }
    case "area": {
      const corners = value.split(",").map(Number);
      const whole = corners.length >= 6 && corners.length % 2 === 0;
      const near = corners.every((corner) => Math.abs(corner) <= FARTHEST);
      return whole && near ? { kind: "area", corners } : null;
    }
    default:
      if (kind !== GROUP && !fields.some(({ key }) => key === kind)) return null;
      return { kind: "group", field: kind, name: value };
  }
}

function topicTerm(value: string, main: boolean): TopicTerm | null {
  const [id, given = String(IN_PART)] = value.split("@");
  const least = share(given);
  return id && least !== null ? { kind: "topic", id, least, main } : null;
}

/** A share as it stands in an address; null if it is none. */
export function share(text: string): number | null {
  const value = Number(text);
  return text.trim() !== "" && value >= 0 && value <= 1 ? value : null;
}

/** Adds clauses to the parts of an address: `with` or `without` one term, then `or` another. */
export function asParts(
  clauses: readonly Clause[],
  parts = new URLSearchParams(),
): URLSearchParams {
  for (const { not, terms } of clauses) {
    terms.forEach((term, k) => {
      parts.append(k ? "or" : not ? "without" : "with", written(term));
    });
  }
  return parts;
}

/** The clauses in the parts of an address. What cannot be read is left out, and counted. */
export function readClauses(
  parts: URLSearchParams,
  fields: readonly Field[],
): { clauses: Clause[]; unread: number } {
  const found: { not: boolean; terms: Term[] }[] = [];
  let unread = 0;
  for (const [name, value] of parts) {
    if (name !== "with" && name !== "without" && name !== "or") continue;
    const term = read(value, fields);
    if (name !== "or") found.push({ not: name === "without", terms: [] });
    if (term && found.length) found[found.length - 1].terms.push(term);
    else unread++;
  }
  return { clauses: found.filter(({ terms }) => terms.length), unread };
}

// Clauses in words.

import { boundsOf, during, FIRST, LAST, spoken } from "../look/dates";
import { isolated, percent, quoted } from "../look/format";
import { inNone, type Page } from "../page/page";
import { type Clause, IN_PART, isAll, type Term, type TopicTerm } from "./terms";

export type Named = Pick<Page, "topics" | "fields" | "periods">;

export function describeClause({ not, terms }: Clause, page: Named, say = describeTerm): string {
  const texts = terms.map((term) => say(term, page));
  if (not && terms.length > 1) return `neither ${texts.join(" nor ")}`;
  return `${not ? "not " : ""}${texts.join(" or ")}`;
}

/** Several clauses in words, which can be joined: alternatives are in parentheses. */
export function describeClauses(
  clauses: readonly Clause[],
  page: Named,
  say = describeTerm,
): string[] {
  return clauses.map((clause) => {
    const text = describeClause(clause, page, say);
    return clauses.length > 1 && clause.terms.length > 1 ? `(${text})` : text;
  });
}

/** What follows "documents" in a sentence about those that match all clauses, as in "documents in
 * nips"; "" if these are all documents. */
export function describeWhere(clauses: readonly Clause[], page: Named): string {
  const some = clauses.filter((clause) => !isAll(clause));
  return some.length ? ` ${describeClauses(some, page, describeWithin).join(" and ")}` : "";
}

/** What the term of a topic says besides the topic: “mainly”, and the least share. */
export function limits({ least, main }: Pick<TopicTerm, "least" | "main">): string[] {
  return [main ? ", mainly" : "", least === IN_PART ? "" : ` ≥ ${percent(least)}`];
}

function describeTerm(term: Term, page: Named): string {
  switch (term.kind) {
    case "all":
      return "all documents";
    case "none":
      return "on no topic";
    case "copies":
      return "with near-copies";
    case "topic":
      return [isolated(titleOf(term, page)), ...limits(term)].join("");
    case "word":
      return `has ${quoted(term.word)}`;
    case "text":
      return term.query.includes('"') ? isolated(term.query) : quoted(term.query);
    case "group": {
      const place = page.fields.findIndex(({ key }) => key === term.field);
      const field = page.fields[place] ?? { name: term.field };
      if (!term.name) return `in ${inNone(field)}`;
      return (place > 0 ? `${isolated(field.name)}: ` : "") + isolated(term.name);
    }
    case "date": {
      const periods = chosenPeriods(term, page);
      if (periods) return spoken(...periods);
      if (term.to === LAST) return `${term.from} or later`;
      if (term.from === FIRST) return `${term.to} or earlier`;
      return term.from === term.to ? term.from : `${term.from} to ${term.to}`;
    }
    case "area":
      return "an area of the map";
    case "not":
      return `not ${describeTerm(term.term, page)}`;
  }
}

const BEFORE: Partial<Record<Term["kind"], string>> = {
  text: "with ",
  group: "in ",
  date: "from ",
  area: "in ",
};

/** A term in words, as within a sentence. */
function describeWithin(term: Term, page: Named): string {
  if (term.kind === "not") return `not ${describeWithin(term.term, page)}`;
  if (term.kind === "word") return `with the word ${quoted(term.word)}`;
  if (term.kind === "topic") return [`on ${quoted(titleOf(term, page))}`, ...limits(term)].join("");
  const periods = chosenPeriods(term, page);
  if (periods) return during(...periods);
  const named = term.kind !== "group" || term.name;
  return (named ? (BEFORE[term.kind] ?? "") : "") + describeTerm(term, page);
}

/** The names of the first and the last period of the page whose dates a term admits, if it admits
 * just those of whole periods. */
function chosenPeriods(term: Term, { periods }: Named): [string, string] | null {
  if (term.kind !== "date" || !periods) return null;
  const first = periods.names.find((name) => boundsOf(name)[0] === term.from);
  const last = periods.names.find((name) => boundsOf(name)[1] === term.to);
  return first && last ? [first, last] : null;
}

function titleOf({ id }: TopicTerm, { topics }: Named): string {
  return topics.find((topic) => topic.id === id)?.title ?? `topic ${id}`;
}

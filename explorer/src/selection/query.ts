// What somebody types into the search field, as clauses.

import { type Clause, only, read, type Term } from "./terms";

const PART = /-?(?:\w+:)?"[^"]*"?|\S+/g;

/** The clauses that a query stands for. Words belong together, as do those in quotes; `OR` between
 * two parts takes either of them; `-` or `NOT` before one leaves its documents out; `group:sports`,
 * `date:1987-03` and the like name something else than text. */
export function parsed(query: string): Clause[] {
  const clauses = parts(query);
  const plain = clauses.map(textOf);
  const text = plain.filter((part) => part !== null).join(" ");
  const first = plain.findIndex((part) => part !== null);
  return clauses.flatMap((clause, k) =>
    plain[k] === null ? [clause] : k === first ? [only({ kind: "text", query: text })] : [],
  );
}

/** Whether a query is nothing but words and phrases, all of which must be there. */
export function isPlain(query: string): boolean {
  return parts(query).every((clause) => textOf(clause) !== null);
}

/** A clause for each part of a query, or for several that are alternatives. */
function parts(query: string): Clause[] {
  const found: { not: boolean; terms: Term[] }[] = [];
  let [not, or] = [false, false];
  for (let [part] of query.matchAll(PART)) {
    if (part === "OR") or = true;
    else if (part === "NOT") not = true;
    else if (part !== "AND") {
      if (part.length > 1 && part.startsWith("-")) [not, part] = [true, part.slice(1)];
      const term = termOf(part);
      const last = found.at(-1);
      if (or && !not && last && !last.not) last.terms.push(term);
      else found.push({ not, terms: [term] });
      [not, or] = [false, false];
    }
  }
  return found;
}

/** The text of a clause that is nothing else; null for any other. */
function textOf({ not, terms }: Clause): string | null {
  const [term] = terms;
  return !not && terms.length === 1 && term.kind === "text" ? term.query : null;
}

function termOf(part: string): Term {
  const named = /^(\w+):(.+)$/s.exec(part);
  const term = named && read(`${named[1]}:${named[2].replaceAll('"', "")}`);
  return term ?? { kind: "text", query: part };
}

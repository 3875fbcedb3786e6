// What somebody types into the search field, as clauses.

import type { Field } from "../page/documents";
import { type Clause, only, read, type Term } from "./terms";

/** A field and, where they are known, its values. */
interface Known extends Field {
  readonly names?: readonly string[];
}

const PART = /-?(?:[\p{L}\p{N}_]+:)?"[^"]*"?|\S+/gu;
const NAMED = /^([\p{L}\p{N}_]+):(.+)$/su;

/** The clauses that a query stands for. Words belong together, as do those in quotes; `OR` between
 * two parts takes either of them; `-` or `NOT` before one leaves its documents out; `group:sports`,
 * `country:Chile`, `date:1987-03` and the like name something else than text. */
export function parsed(query: string, fields: readonly Known[]): Clause[] {
  const clauses = parts(query, fields);
  const plain = clauses.map(textOf);
  const text = plain.filter((part) => part !== null).join(" ");
  const first = plain.findIndex((part) => part !== null);
  return clauses.flatMap((clause, k) =>
    plain[k] === null ? [clause] : k === first ? [only({ kind: "text", query: text })] : [],
  );
}

const QUOTED = /"[^"]*"?/g;
const OPERATOR = /(^|\s)(AND|OR|NOT|-\S+)(\s|$)/u;
const GROUP = /(^|\s)-?\([^\s)]*\s/u; // of two words or more
const OR_AFTER_NOT = /(^|\s)(NOT\s+|-)\S+\s+OR\s/u;

/** Why clauses do not express what a query means; "" if they do. */
export function unclear(query: string): string {
  const plain = query.replace(QUOTED, '""');
  if (OPERATOR.test(plain) && GROUP.test(plain)) {
    return "Parentheses do not group words: write NOT before each word to leave out, and OR between two words.";
  }
  return OR_AFTER_NOT.test(plain) ? "OR cannot follow what NOT or - leaves out: search twice." : "";
}

/** Whether a query is nothing but words and phrases, all of which must be there. */
export function isPlain(query: string, fields: readonly Known[]): boolean {
  return parts(query, fields).every((clause) => textOf(clause) !== null);
}

/** A clause for each part of a query, or for several that are alternatives. */
function parts(query: string, fields: readonly Known[]): Clause[] {
  const found: { not: boolean; terms: Term[] }[] = [];
  let [not, or] = [false, false];
  for (let [part] of query.matchAll(PART)) {
    if (part === "OR") or = true;
    else if (part === "NOT") not = true;
    else if (part !== "AND") {
      if (part.length > 1 && part.startsWith("-")) [not, part] = [true, part.slice(1)];
      const term = termOf(part, fields);
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

function termOf(part: string, fields: readonly Known[]): Term {
  const named = NAMED.exec(part);
  if (!named) return { kind: "text", query: part };
  const field = called(named[1], fields);
  const typed = named[2].replaceAll('"', "");
  const same = (name: string): boolean => name.toLowerCase() === typed.toLowerCase();
  const value = field?.names?.includes(typed) ? typed : (field?.names?.find(same) ?? typed);
  return read(`${field?.key ?? named[1]}:${value}`, fields) ?? { kind: "text", query: part };
}

/** The field that somebody calls so, by its key or, unless other terms begin like that, its name. */
function called(typed: string, fields: readonly Known[]): Known | undefined {
  const lower = typed.toLowerCase();
  const isTaken = read(`${lower}:x`, []) !== null;
  return fields.find(
    ({ key, name }) => key === lower || (!isTaken && name.toLowerCase() === lower),
  );
}

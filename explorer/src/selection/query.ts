// Parses what is typed into the search field into clauses.

import { boundsOf, FIRST, LAST } from "../look/dates";
import { patterns } from "../look/folding";
import type { Field } from "../page/documents";
import { type Clause, only, type PlainTerm, readPlain } from "./terms";

interface Known extends Field {
  readonly names?: readonly string[];
}

const SYMBOL =
  /(?:AND|OR|NOT)(?=[\s()"]|$)|-\(|[()]|-?(?:[\p{L}\p{N}_]+:)?(?:"[^"]*"?|[\u201c-\u201f\u00ab\u00bb][^"\u201c-\u201f\u00ab\u00bb]*["\u201c-\u201f\u00ab\u00bb]?)|(?:[^\s()]|\([^\s()]*\))+/gu;
const CURLY = /[\u201c-\u201f\u00ab\u00bb]/g; // quotation marks, as word processors set them
const BEGINS_CURLY = /^-?(?:[\p{L}\p{N}_]+:)?[\u201c-\u201f\u00ab\u00bb]/u;
const NAMED = /^([\p{L}\p{N}_]+):(.+)$/su;
const MOST = 200; // terms in all clauses, as at the server
const MOST_WORDS = 100; // side by side, as at the server

const TOO_MANY = "This combines too many parts; use several searches.";
const TOO_LONG = `A search has ${MOST_WORDS} words at most; use fewer.`;

/** Alternatives, one of which a document must meet: to match a term or, if `not`, to fail it. */
type Literals = readonly { readonly not: boolean; readonly term: PlainTerm }[];

/** The clauses of a query, which Python reads in the same way, see `hlta.text.query`. Words,
 * phrases in quotes and groups in parentheses must all be there; `OR` between two of them takes
 * either; `-` or `NOT` before one leaves its documents out. `NOT` comes before `AND`, `AND` before
 * `OR`, and all of them before words side by side. `group:sports`, `country:Chile`, `date:1987-03`
 * and the like ask for other things than text. If a query cannot be used, the result is the reason,
 * as a text to show. */
export function parsed(query: string, fields: readonly Known[]): Clause[] | string {
  try {
    const found = literals(query, fields);
    if (found.flat().some(({ term }) => wordsOf(term) > MOST_WORDS)) return TOO_LONG;
    return found.flat().length > MOST ? TOO_MANY : found.map(clauseOf);
  } catch (error) {
    if (error instanceof Unusable) return error.message;
    throw error;
  }
}

/** How many words a term looks for, each phrase counted once. */
function wordsOf(term: PlainTerm): number {
  if (term.kind !== "text") return 0;
  const found = new Map(patterns(term.query).map((one) => [`${one.text}${one.prefix}`, one.text]));
  return [...found.values()].join(" ").split(" ").length;
}

class Unusable extends Error {}

function literals(query: string, fields: readonly Known[]): readonly Literals[] {
  const levels = [new Level()];
  const close = (): void => {
    const within = levels.pop()!;
    levels.at(-1)!.add(within.clauses());
  };
  for (const [found] of query.matchAll(SYMBOL)) {
    const symbol = BEGINS_CURLY.test(found) ? found.replace(CURLY, '"') : found;
    const level = levels.at(-1)!;
    if (symbol === "AND" || symbol === "OR") level.before = symbol;
    else if (symbol === "NOT") level.not = !level.not;
    else if (symbol === "(" || symbol === "-(") {
      if (symbol === "-(") level.not = !level.not;
      levels.push(new Level());
    } else if (symbol === ")" && levels.length > 1) close();
    else {
      const text = symbol.startsWith("-") ? symbol.slice(1) : symbol;
      if (text !== symbol) level.not = !level.not;
      const term = termOf(text, fields);
      const met = term.kind !== "text" || patterns(text).length > 0;
      level.add(met ? [[{ not: false, term }]] : []);
    }
  }
  while (levels.length > 1) close();
  return levels[0].clauses();
}

/** What was parsed of a query, or of a group within it: operands, which must all be met. Each has
 * alternatives, and each of these is a list of clauses. */
class Level {
  before = "";
  not = false; // whether the next group, word or phrase is negated
  private readonly operands: (readonly Literals[])[][] = [];

  add(found: readonly Literals[]): void {
    if (found.length) {
      const one = this.not ? negated(found) : found;
      const last = this.before ? this.operands.at(-1) : undefined;
      if (!last) this.operands.push([one]);
      else if (this.before === "OR") last.push(one);
      else last.push([...last.pop()!, ...one]);
    }
    this.before = "";
    this.not = false;
  }

  clauses(): readonly Literals[] {
    return joined(this.operands.flatMap((one) => one.map(joined).reduce(either)));
  }
}

/** The same clauses, with those that are a text alone joined into one text. */
function joined(clauses: readonly Literals[]): readonly Literals[] {
  const texts = clauses.map(textOf);
  const words = texts.filter((text) => text !== null);
  if (!words.length) return clauses;
  const term: PlainTerm = { kind: "text", query: words.join(" ") };
  return [[{ not: false, term }], ...clauses.filter((_, k) => texts[k] === null)];
}

/** Clauses that are met where all of `one` or all of `other` are. */
function either(one: readonly Literals[], other: readonly Literals[]): readonly Literals[] {
  if (one.length * other.flat().length + other.length * one.flat().length > MOST) {
    throw new Unusable(TOO_MANY);
  }
  return one.flatMap((left) => other.map((right) => [...left, ...right]));
}

/** Clauses that are met where one of the given ones is not: all of its alternatives fail. */
function negated(clauses: readonly Literals[]): readonly Literals[] {
  return clauses
    .map((one): readonly Literals[] => one.map(({ not, term }) => [{ not: !not, term }]))
    .reduce(either);
}

function clauseOf(alternatives: Literals): Clause {
  const [{ not, term }] = alternatives;
  if (alternatives.length === 1) return only(term, not);
  return {
    not: false,
    terms: alternatives.map(({ not, term }) => (not ? { kind: "not", term } : term)),
  };
}

/** The text of a clause that is one text, not negated; null for any other clause. */
function textOf([{ not, term }, ...more]: Literals): string | null {
  return !not && !more.length && term.kind === "text" ? term.query : null;
}

function termOf(part: string, fields: readonly Known[]): PlainTerm {
  if (part.toLowerCase() === "date:") return timeOf(""); // which says how to write it
  const named = NAMED.exec(part);
  if (!named) return { kind: "text", query: part };
  const typed = named[2].replaceAll('"', "");
  if (named[1].toLowerCase() === "date") return timeOf(typed);
  const field = called(named[1], fields);
  const same = (name: string): boolean => name.toLowerCase() === typed.toLowerCase();
  const value = field?.names?.includes(typed) ? typed : (field?.names?.find(same) ?? typed);
  return readPlain(`${field?.key ?? named[1]}:${value}`, fields) ?? { kind: "text", query: part };
}

/** The term of a period, or of a range such as 2019..2021. */
function timeOf(typed: string): PlainTerm {
  const [first, last] = typed.split("..").map((part) => part.trim());
  const [begin, end] = last === undefined ? [first, first] : [first || FIRST, last || LAST];
  const [from, to] = [dayOf(boundsOf(begin)[0]), dayOf(boundsOf(end)[1])];
  if (from.slice(0, to.length) > to) {
    throw new Unusable(`“${typed}” ends before it begins; write the earlier date first.`);
  }
  return { kind: "date", from, to };
}

const DAY = /^(\d{4})(?:[-/.](\d\d?))?(?:[-/.](\d\d?))?$/;

/** A day, a month or a year as it stands in addresses. */
function dayOf(typed: string): string {
  const parts = DAY.exec(typed.trim())?.slice(1).filter(Boolean) ?? [];
  const [year, month = "1", day = "1"] = parts;
  const date = new Date(Date.UTC(+year, +month - 1, +day));
  if (!year || date.getUTCMonth() !== +month - 1 || date.getUTCDate() !== +day) {
    throw new Unusable(
      `“${typed}” is not a date; write date:2019, date:2019-05, date:2019-Q2 or date:2019..2021.`,
    );
  }
  return parts.map((part) => part.padStart(2, "0")).join("-");
}

/** The field with this key or, unless another kind of term is written so, with this name. */
function called(typed: string, fields: readonly Known[]): Known | undefined {
  const lower = typed.toLowerCase();
  const isTaken = readPlain(`${lower}:x`, []) !== null;
  return fields.find(
    ({ key, name }) => key === lower || (!isTaken && name.toLowerCase() === lower),
  );
}

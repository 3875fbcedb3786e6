// The periods that the working set is narrowed to.

import { spoken } from "../look/dates";
import type { Clause, Term } from "../selection/terms";

type DateTerm = Extract<Term, { kind: "date" }>;

export type Range = readonly [first: number, last: number];

/** The periods that a clause admits; all if there is none. */
export function rangeOf(clause: Clause | undefined, names: readonly string[]): Range {
  const term = clause?.terms[0] as DateTerm | undefined;
  if (!term) return [0, names.length - 1];
  const first = names.findIndex((name) => name >= term.from.slice(0, name.length));
  const last = names.findLastIndex((name) => name.slice(0, term.to.length) <= term.to);
  return [first < 0 ? names.length : first, last];
}

/** The term for periods, which may be given in either order. */
export function dateTerm([one, other]: Range, names: readonly string[]): DateTerm {
  const [first, last] = one <= other ? [one, other] : [other, one];
  return { kind: "date", from: names[first], to: names[last] };
}

export function toldRange([first, last]: Range, names: readonly string[]): string {
  if (first > last) return "no date of the chart";
  const [from, to] = [spoken(names[first]), spoken(names[last])];
  return from === to ? from : `${from} to ${to}`;
}

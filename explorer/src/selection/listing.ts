// What is listed, in which order, and what is looked for in it.

import { patterns } from "../look/folding";
import type { Page } from "../page/page";
import { allClauses, type Order, type State } from "./state";
import { type Clause, isAll, type Term, type TopicTerm, termOf } from "./terms";

/** Which documents a list has, and in which order. */
export interface Listing {
  readonly clauses: readonly Clause[];
  readonly order: Order;
  readonly by: TopicTerm | null; // the chosen topic
}

export function listingOf(page: Pick<Page, "topics" | "periods">, state: State): Listing {
  const { least, main } = state;
  const topic = page.topics[state.topic];
  const by = topic ? { ...termOf(topic), least, main } : null;
  return { clauses: allClauses(state, page), order: orderOf(page, state), by };
}

/** The orders that a list can have now, the default first. */
export function orders(state: State, dated: boolean): Order[] {
  const found: Order[] = [];
  if (queries(state).length) found.push("relevant");
  if (state.topic >= 0) found.push("typical", "share");
  else if (!state.clauses.every(isAll)) found.push("typical");
  else found.push("corpus");
  if (dated) found.push("newest", "oldest");
  if (!found.includes("corpus")) found.push("corpus");
  return found;
}

/** The order of a list: the chosen one if it is possible, otherwise the default. */
export function orderOf(page: Pick<Page, "periods">, state: State): Order {
  const possible = orders(state, page.periods !== null);
  return possible.find((order) => order === state.order) ?? possible[0];
}

/** The queries for texts in clauses that are not negated. */
export function queries(state: Pick<State, "clauses">): string[] {
  return termsOf(state).flatMap((term) => (term.kind === "text" ? [term.query] : []));
}

function termsOf({ clauses }: Pick<State, "clauses">): Term[] {
  return clauses.filter(({ not }) => !not).flatMap(({ terms }) => terms);
}

/** The ids of topics in these terms; the selected topic is kept apart from them. */
export function topicIds(state: Pick<State, "clauses">): string[] {
  return termsOf(state).flatMap((term) => (term.kind === "topic" ? [term.id] : []));
}

/** The words and phrases that are searched, as `Marker` takes them. */
export function soughtWords(state: Pick<State, "clauses">): string[] {
  const words = termsOf(state).flatMap((term) => (term.kind === "word" ? [term.word] : []));
  const typed = queries(state).flatMap((query) =>
    patterns(query).map(({ text, prefix }) => text.replaceAll(" ", "-") + (prefix ? "*" : "")),
  );
  return [...typed, ...words];
}

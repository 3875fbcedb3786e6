// The documents of the working set in the order in which they are listed.

import { patterns } from "../look/folding";
import type { Page } from "../page/page";
import { type Entry, withCopies } from "./copies";
import { byDate, byScore } from "./order";
import { members, type Sets } from "./sets";
import type { Order, State } from "./state";
import type { Term } from "./terms";
import { Typicality } from "./typicality";
import type { WorkingSet } from "./working";

/** Documents, beyond which copies are listed one by one, as by the server. */
export const MOST_FOLDED = 20_000;

/** A list of documents. */
export interface Found {
  readonly entries: Entry[];
  readonly documents: Uint32Array; // in the same order, with copies where they would come
  readonly order: Order;
  share(document: number): number; // of the chosen topic; 1 without one
}

/** The orders that a list can have now, the usual one first. */
export function orders(state: State, dated: boolean): Order[] {
  const found: Order[] = [];
  if (queries(state).length) found.push("relevant");
  if (state.topic >= 0) found.push("typical", "share");
  else if (state.clauses.some(({ terms }) => terms[0].kind !== "all")) found.push("typical");
  else found.push("corpus");
  if (dated) found.push("newest", "oldest");
  if (!found.includes("corpus")) found.push("corpus");
  return found;
}

/** The order of a list: the one that was chosen, if it can have that, or the usual one. */
export function orderOf(page: Pick<Page, "periods">, state: State): Order {
  const possible = orders(state, page.periods !== null);
  return possible.find((order) => order === state.order) ?? possible[0];
}

/** What is looked for in texts, where it may not be missing. */
export function queries(state: Pick<State, "clauses">): string[] {
  return termsOf(state).flatMap((term) => (term.kind === "text" ? [term.query] : []));
}

/** The terms that a document may be there for. */
export function termsOf({ clauses }: Pick<State, "clauses">): Term[] {
  return clauses.filter(({ not }) => !not).flatMap(({ terms }) => terms);
}

/** The words and phrases that are looked for, as they are marked in texts. */
export function soughtWords(state: Pick<State, "clauses">): string[] {
  const words = termsOf(state).flatMap((term) => (term.kind === "word" ? [term.word] : []));
  const typed = queries(state).flatMap((query) =>
    patterns(query).map(({ text, prefix }) => text.replaceAll(" ", "-") + (prefix ? "*" : "")),
  );
  return [...typed, ...words];
}

/** The documents of the working set as they are listed. */
export function found(page: Page, state: State, working: WorkingSet): Found {
  const sets = working.sets!;
  const { documents } = sets;
  const share = shares(page, state, sets);
  const order = orderOf(page, state);
  const listed = ordered(members(working.current!), order, state, sets, share);
  const entries =
    listed.length <= MOST_FOLDED
      ? withCopies(listed, documents)
      : Array.from(listed, (document) => ({ document, copies: [] }));
  return { entries, documents: listed, order, share };
}

function ordered(
  some: Uint32Array,
  order: Order,
  state: State,
  { documents, texts }: Sets,
  share: (document: number) => number,
): Uint32Array {
  switch (order) {
    case "corpus":
      return some;
    case "newest":
    case "oldest":
      return byDate(some, documents, order === "newest");
    case "share":
      return byScore(some, share);
    case "typical": {
      const typical = Typicality.among(documents).of(some, share);
      return byScore(some, (document) => typical.get(document)!);
    }
    case "relevant": {
      const scores = queries(state).map((query) => texts.scores(query));
      return byScore(some, (document) => scores.reduce((sum, of) => sum + of[document], 0));
    }
  }
}

function shares(page: Page, state: State, sets: Sets): (document: number) => number {
  if (!page.topics[state.topic]) return () => 1;
  const { documents, shares } = sets.documents.on(state.topic, state.main);
  const of = new Map(Array.from(documents, (document, k) => [document, shares[k]]));
  return (document) => of.get(document) ?? 0;
}

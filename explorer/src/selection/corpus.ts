// The documents that the page is about, wherever they are: it holds them itself, or a server does.

import type { Documents } from "../page/documents";
import type { Shares } from "../page/page";
import type { Figure } from "./figure";
import type { List } from "./list";
import type { Listing } from "./listing";
import type { Counts } from "./sets";
import type { Clause } from "./terms";

export type Soon<T> = T | Promise<T>;

/** Calls `use` with an answer, or `fail` with why there is none, at once or when it comes. */
export function receive<T>(
  answer: Soon<T>,
  use: (answer: T) => void,
  fail: (trouble: string) => void,
): void {
  if (answer instanceof Promise) answer.then(use, (error: Error) => fail(error.message));
  else use(answer);
}

/** A document in the block that holds it. */
export interface InBlock {
  readonly documents: Documents;
  readonly document: number;
}

/** The number of a document in the corpus, from 1. */
export function numberOf({ documents, document }: InBlock): number {
  return documents.row(document);
}

/** The number of documents of a set, and how many of those that were counted are on each topic. */
export interface Tally {
  readonly figure: Figure;
  readonly counts: Counts;
}

/** How many documents of a set have each word of the model. */
export interface WordCounts {
  readonly documents: number; // of the set
  readonly words: ArrayLike<number>;
}

/** Documents that can be counted, listed and read. Errors have messages that can be shown. */
export interface Corpus {
  readonly sampled: boolean; // whether some of its documents are not there to be counted
  /** Counts the documents that match clauses. The signal, if given, can abort the question. */
  count(clauses: readonly Clause[], signal?: AbortSignal): Soon<Tally>;
  words(clauses: readonly Clause[], signal?: AbortSignal): Soon<WordCounts>;
  /** Counts the same documents by the parts of a division, altogether and on each topic. */
  divided(clauses: readonly Clause[], division: Shares, signal?: AbortSignal): Soon<Shares>;
  /** A list. `arrived` is called when more of it was loaded, or that failed. */
  list(listing: Listing, arrived: () => void): List;
  /** The document with a number in the corpus, with as much of its text as there is. */
  read(number: number): Soon<InBlock>;
}

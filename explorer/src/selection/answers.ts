// A cache of what a corpus was asked: an answer is there at once, or comes later.

import type { Shares } from "../page/page";
import type { Corpus, Soon, Tally, WordCounts } from "./corpus";
import { asParts, type Clause } from "./terms";

const REMEMBERED = 24; // answers

export class Answers {
  trouble = ""; // why an answer is missing, as a text to show
  private readonly known = new Map<string, { value: unknown }>(); // a null value is missing
  private pending = 0; // how many answers are still to come
  private asking = new AbortController();

  /** `arrived` is called when all that was asked for is there, or failed. */
  constructor(
    readonly corpus: Corpus,
    private readonly arrived: () => void,
  ) {}

  /** Aborts the questions without an answer, because something else is asked now. */
  renew(): void {
    this.asking.abort();
    this.asking = new AbortController();
    this.trouble = "";
    this.pending = 0;
    for (const [key, { value }] of this.known) if (value === null) this.known.delete(key);
  }

  /** Counts the documents that match clauses; null until the answer is there. */
  count(clauses: readonly Clause[]): Tally | null {
    return this.recall("count", clauses, (signal) => this.corpus.count(clauses, signal));
  }

  /** Counts the same documents by the words that they have; null until the answer is there. */
  words(clauses: readonly Clause[]): WordCounts | null {
    return this.recall("words", clauses, (signal) => this.corpus.words(clauses, signal));
  }

  /** Counts the same documents by the parts of a division; null until the answer is there. */
  divided(clauses: readonly Clause[], division: Shares): Shares | null {
    const ask = (signal: AbortSignal): Soon<Shares> =>
      this.corpus.divided(clauses, division, signal);
    return this.recall(`by ${division.key}`, clauses, ask);
  }

  private recall<T>(
    what: string,
    clauses: readonly Clause[],
    ask: (signal: AbortSignal) => Soon<T>,
  ): T | null {
    const { known } = this;
    const key = `${what} ${asParts(clauses)}`;
    const before = known.get(key);
    if (before) return before.value as T | null;
    const answer: { value: T | null } = { value: null };
    known.set(key, answer);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
    const { signal } = this.asking;
    const soon = ask(signal);
    if (!(soon instanceof Promise)) {
      answer.value = soon;
      return soon;
    }
    this.pending++;
    const end = (value: T | null, trouble: string): void => {
      if (signal.aborted) return;
      answer.value = value;
      this.trouble ||= trouble;
      if (!--this.pending) this.arrived();
    };
    soon.then(
      (value) => end(value, ""),
      ({ message }: Error) => end(null, message),
    );
    return null;
  }
}

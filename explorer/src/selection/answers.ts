// A cache of what a corpus was asked: an answer is there at once, or comes later.

import type { Shares } from "../page/page";
import type { Corpus, Soon, Tally, WordCounts } from "./corpus";
import { asParts, type Clause } from "./terms";

const REMEMBERED = 24; // answers

export class Answers {
  trouble = ""; // why an answer is missing, as a text to show
  private readonly known = new Map<string, Soon<unknown>>(); // promises of those to come, or failed
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
    for (const [key, answer] of this.known) if (answer instanceof Promise) this.known.delete(key);
  }

  /** Counts the documents that match clauses. */
  counting(clauses: readonly Clause[]): Soon<Tally> {
    return this.recall("count", clauses, (signal) => this.corpus.count(clauses, signal));
  }

  /** The same; null until the answer is there. */
  count(clauses: readonly Clause[]): Tally | null {
    return here(this.counting(clauses));
  }

  /** Counts the same documents by the words that they have; null until the answer is there. */
  words(clauses: readonly Clause[]): WordCounts | null {
    const ask = (signal: AbortSignal): Soon<WordCounts> => this.corpus.words(clauses, signal);
    return here(this.recall("words", clauses, ask));
  }

  /** Counts the same documents by the parts of a division; null until the answer is there. */
  divided(clauses: readonly Clause[], division: Shares): Shares | null {
    const ask = (signal: AbortSignal): Soon<Shares> =>
      this.corpus.divided(clauses, division, signal);
    return here(this.recall(`by ${division.key}`, clauses, ask));
  }

  private recall<T>(
    what: string,
    clauses: readonly Clause[],
    ask: (signal: AbortSignal) => Soon<T>,
  ): Soon<T> {
    const { known } = this;
    const { signal } = this.asking;
    const key = `${what} ${asParts(clauses)}`;
    if (known.has(key)) return known.get(key) as Soon<T>;
    const answer = ask(signal);
    known.set(key, answer);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
    if (!(answer instanceof Promise)) return answer;
    this.pending++;
    answer
      .then(
        (value) => {
          if (!signal.aborted && known.has(key)) known.set(key, value);
        },
        ({ message }: Error) => {
          if (!signal.aborted) this.trouble ||= message;
        },
      )
      .then(() => {
        if (!signal.aborted && !--this.pending) this.arrived();
      });
    return answer;
  }
}

function here<T>(answer: Soon<T>): T | null {
  return answer instanceof Promise ? null : answer;
}

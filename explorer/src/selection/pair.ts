// The counts of two sets of documents that are compared.

import type { Answers } from "./answers";
import type { WordCounts } from "./corpus";
import type { Counts } from "./sets";
import { clausesOf, type Side } from "./sides";

export interface Compared {
  readonly side: Side;
  readonly clauses: Side | null; // that match just its documents; null if none do
  readonly counts: Counts;
  readonly words: WordCounts;
}

export interface Pair {
  readonly sets: readonly [Compared, Compared];
  readonly both: number; // documents that are in both
}

/** The two sets; null until they are counted. */
export function pairOf(answers: Answers, [one, other]: readonly [Side, Side]): Pair | null {
  const shared = one.length && other.length ? answers.count([...one, ...other]) : null;
  const [first, second] = [comparedOf(answers, one, other), comparedOf(answers, other, one)];
  if (!first || !second || (one.length && other.length && !shared)) return null;
  return { sets: [first, second], both: shared?.counts.documents ?? 0 };
}

function comparedOf(answers: Answers, side: Side, other: Side): Compared | null {
  const [tally, words] = [answers.count(side), answers.words(side)];
  const clauses = clausesOf(side, other, true);
  if (side.length) return tally && words && { side, clauses, counts: tally.counts, words };
  const [left, leftWords] = [answers.count(other), answers.words(other)];
  if (!tally || !words || !left || !leftWords) return null;
  return {
    side,
    clauses,
    counts: without(tally.counts, left.counts),
    words: {
      documents: words.documents - leftWords.documents,
      words: less(words.words, leftWords.words),
    },
  };
}

function without(all: Counts, set: Counts): Counts {
  return {
    documents: all.documents - set.documents,
    on: less(all.on, set.on),
    main: less(all.main, set.main),
  };
}

function less(all: ArrayLike<number>, some: ArrayLike<number>): Float64Array {
  return Float64Array.from(all, (count, k) => count - some[k]);
}

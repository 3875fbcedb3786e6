// A corpus whose documents the page holds itself, all of them or a sample.

import type { Page, Shares } from "../page/page";
import { withCopies } from "./copies";
import type { Corpus, InBlock, Soon, Tally, WordCounts } from "./corpus";
import { wordCounts } from "./distinct";
import { exactly, known } from "./figure";
import { type Form, type Item, List, type Part } from "./list";
import { type Listing, queries } from "./listing";
import { byDate, sorted } from "./order";
import { members, type Sets } from "./sets";
import { tallied } from "./tally";
import type { Clause } from "./terms";
import { Typicality } from "./typicality";

type Share = (document: number) => number;

export class HeldCorpus implements Corpus {
  readonly sampled: boolean;

  constructor(
    private readonly page: Page,
    private readonly sets: Sets,
  ) {
    this.sampled = sets.documents.count < sets.documents.total;
  }

  count(clauses: readonly Clause[]): Tally {
    const { page, sampled, sets } = this;
    const set = sets.of(clauses);
    const all = sampled ? known(page, clauses) : null;
    const among = sampled ? sets.documents.count : null;
    const figure = all === null ? { documents: set.size, bound: set.bound, among } : exactly(all);
    return { figure, counts: sets.counts(set) };
  }

  words(clauses: readonly Clause[]): WordCounts {
    const { documents } = this.sets;
    const { mask, size } = this.sets.of(clauses);
    return { documents: size, words: wordCounts(documents, mask) };
  }

  divided(clauses: readonly Clause[], division: Shares): Shares {
    return tallied(this.sets, this.sets.of(clauses), division);
  }

  list(listing: Listing, arrived: () => void): List {
    const { documents } = this.sets;
    const share = this.shares(listing);
    const ordered = this.ordered(listing, share);
    const entries = withCopies(ordered, documents);
    const item = (document: number, copies: readonly number[] = []): Item => ({
      documents,
      document,
      share: share(document),
      copies: copies.length,
    });
    const copiesOf = (number: number): readonly number[] =>
      entries.find(({ document }) => documents.row(document) === number)!.copies;
    const ask = (form: Form): Part => {
      const items =
        form === "folded"
          ? entries.map(({ document, copies }) => item(document, copies))
          : (form === "whole" ? ordered : copiesOf(form)).map((document) => item(document));
      return { items, length: items.length };
    };
    return new List(ask, arrived, ask("folded"));
  }

  read(number: number): Soon<InBlock> {
    const { documents } = this.sets;
    const document = documents.atRow(number);
    if (document >= 0) return { documents, document };
    return Promise.reject(new Error("This page does not include that document."));
  }

  private ordered({ clauses, order }: Listing, share: Share): number[] {
    const { documents, texts } = this.sets;
    const some = members(this.sets.of(clauses));
    switch (order) {
      case "corpus":
        return some;
      case "newest":
      case "oldest":
        return byDate(some, documents, order === "newest");
      case "share":
        return sorted(some, (document) => -share(document));
      case "typical": {
        const typical = Typicality.among(documents).of(some, share);
        return sorted(some, (document) => -typical.get(document)!);
      }
      case "relevant": {
        const scores = queries({ clauses }).map((query) => texts.scores(query));
        return sorted(some, (document) => scores.reduce((sum, of) => sum - of[document], 0));
      }
    }
  }

  /** The shares of the chosen topic in documents; 1 without one. */
  private shares({ by }: Listing): Share {
    if (!by) return () => 1;
    const { index } = this.page.topics.find(({ id }) => id === by.id)!;
    const of = new Map<number, number>();
    this.sets.documents.each(index, (document, share, main) => {
      if (main || !by.main) of.set(document, share);
    });
    return (document) => of.get(document) ?? 0;
  }
}

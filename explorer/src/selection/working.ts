// The working set: the documents that all views show against the rest.

import { telling } from "../look/telling";
import type { Documents } from "../page/documents";
import type { Page, Topic } from "../page/page";
import { Answers } from "./answers";
import { type Corpus, receive, type Tally } from "./corpus";
import { exactly, type Figure, known } from "./figure";
import type { List } from "./list";
import { listingOf } from "./listing";
import type { Counts, DocumentSet, Sets } from "./sets";
import { allClauses, type Order, type State, type Store } from "./state";
import { Tags } from "./tags";
import { only, termOf } from "./terms";

/** The documents that are selected. It follows the state, and tells listeners when it changes. */
export class WorkingSet {
  corpus: Corpus | null = null; // counts, lists and reads documents; null until they are loaded
  answers: Answers | null = null; // the answers of the corpus, cached; null until then
  sets: Sets | null = null; // what finds documents that the page holds; null until then
  /** The documents that the page holds and that are selected, or all of them; null until then. */
  current: DocumentSet | null = null;
  /** The documents with occurrences, in their order, if these are listed; otherwise null. */
  lines: List | null = null;
  allHere: Counts | null = null; // counts of all documents that the page holds; null until then
  /** Counts of all documents of the corpus; null if the page is of topics alone. */
  readonly all: Counts | null;
  waiting = false; // whether the documents are still counted; until then, there are no figures
  trouble = ""; // why there are no figures, as a text to show; "" if there are
  private tally: Tally | null = null;
  private countedHere: Counts | null = null;
  private listed: { readonly list: List; readonly order: Order } | null = null;
  readonly onChange = telling(); // tells whenever other documents are selected
  /** Tells when the documents that are selected were counted after a while, or that failed. */
  readonly onCount = telling();
  /** Tells when there is more of the list than before, or trouble with it. */
  readonly onList = telling();
  readonly onAnswer = telling(); // tells when all that the corpus was asked is answered, or failed
  readonly onBegin = telling(); // tells once, when the documents are there
  readonly tags: Tags;

  constructor(
    private readonly page: Page,
    private readonly store: Store,
  ) {
    const { documents, topics } = page;
    this.tags = new Tags(`hlta-tags-${page.log.model}-${documents ?? 0}`);
    const on = topics.map((topic) => topic.documents ?? 0);
    const main = topics.map((topic) => topic.mainly ?? 0);
    this.all = documents === null ? null : { documents, on, main };
    store.onChange((state, before) => {
      if (this.sets && !alike(state, before)) this.find();
    });
  }

  begin(sets: Sets, corpus: Corpus): void {
    this.sets = sets;
    this.corpus = corpus;
    this.answers = new Answers(corpus, () => this.onAnswer.tell());
    this.allHere = sets.counts(sets.of([]));
    this.find();
    this.onBegin.tell();
  }

  get documents(): Documents | null {
    return this.sets?.documents ?? null;
  }

  get narrowed(): boolean {
    return allClauses(this.store.state, this.page).length > 0;
  }

  /** Counts of the documents among which selections are counted: all, or those in the page. */
  get every(): Counts | null {
    return this.sampled ? this.allHere : this.all;
  }

  /** Whether only some of all documents are there to be counted. */
  get sampled(): boolean {
    return this.corpus?.sampled ?? false;
  }

  /** How many documents it has; null until that is known. */
  get figure(): Figure | null {
    return this.waiting ? null : (this.tally?.figure ?? null);
  }

  /** Counts of its documents; null until they are known. */
  get counts(): Counts | null {
    if (!this.narrowed) return this.all;
    return this.waiting ? null : (this.tally?.counts ?? null);
  }

  /** Counts of those of its documents that the page holds; null until they are loaded. */
  get here(): Counts | null {
    if (this.sets && this.current) this.countedHere ??= this.sets.counts(this.current);
    return this.countedHere;
  }

  /** How many of the selected documents are on a topic, if the page holds only some of all
   * documents and Python counted that, as for a group or a period; otherwise null. */
  knownOn(topic: Topic): number | null {
    const clauses = allClauses(this.store.state, this.page);
    if (!this.sampled || clauses.some(({ terms }) => terms[0].kind === "topic")) return null;
    return known(this.page, [...clauses, only(termOf(topic))]);
  }

  /** The list of its documents, in the order that is chosen. */
  get list(): List {
    const listing = listingOf(this.page, this.store.state);
    const { order } = listing;
    if (this.listed?.order !== order) {
      this.listed?.list.stop();
      this.listed = { order, list: this.corpus!.list(listing, () => this.onList.tell()) };
    }
    return this.listed.list;
  }

  /** The list through which the reader goes. */
  get reading(): List {
    return this.lines ?? this.list;
  }

  /** Finds and counts the documents, after a change or once more. */
  find(): void {
    const clauses = allClauses(this.store.state, this.page);
    this.current = this.sets!.of(clauses);
    this.countedHere = null;
    this.lines = null;
    this.listed?.list.stop();
    this.listed = null;
    this.answers!.renew();
    const { all, current } = this;
    const every = all && { figure: exactly(all.documents), counts: all };
    const answer = clauses.length ? this.answers!.counting(clauses) : every;
    [this.waiting, this.trouble] = [answer instanceof Promise, ""];
    const take = (tally: Tally | null, trouble = ""): void => {
      if (this.current !== current) return; // others were selected since
      [this.tally, this.trouble] = [tally, trouble];
      if (!this.waiting) return;
      this.waiting = false;
      this.onCount.tell();
    };
    receive(answer, take, (trouble) => take(null, trouble));
    this.onChange.tell();
  }
}

function alike(one: State, other: State): boolean {
  const same = one.topic === other.topic && one.clauses === other.clauses;
  return same && one.least === other.least && one.main === other.main;
}

// The working set: the documents that all views show against the rest.

import { telling } from "../look/telling";
import type { Documents } from "../page/documents";
import type { Page, Topic } from "../page/page";
import { type Place, placeIn } from "./beside";
import { exactly, type Figure, known } from "./figure";
import { found } from "./found";
import type { RemoteList } from "./remote";
import type { Server } from "./server";
import type { Counts, DocumentSet, Sets } from "./sets";
import { allClauses, type State, type Store } from "./state";
import { type Clause, only, termOf } from "./terms";

const WAIT = 40; // milliseconds after a change, before the server is asked

/** The documents that are selected. It follows the state, and tells its listeners when it changes. */
export class WorkingSet {
  /** What finds documents; null while there are none. */
  sets: Sets | null = null;
  /** The documents of the page that are selected, or all; null while there are none. */
  current: DocumentSet | null = null;
  /** Its documents in the order in which they are listed; null before they are. */
  listed: ArrayLike<number> | null = null;
  /** All documents of the page, counted; null while there are none. */
  allHere: Counts | null = null;
  /** All documents, counted, whichever are selected and held; null if the page is of topics alone. */
  readonly all: Counts | null;
  /** The list, if the server has it and somebody has looked at it. */
  remote: RemoteList | null = null;
  /** Whether the server still counts the documents; until then, figures are those before. */
  waiting = false;
  /** Why the server gave no figures, for people; "" if it did. */
  trouble = "";
  private counted: Counts | null = null; // by the server
  private countedHere: Counts | null = null;
  private asking = new AbortController();
  /** Tells whenever other documents are selected. */
  readonly onChange = telling();
  /** Tells when the server has counted the documents that are selected, or failed. */
  readonly onCount = telling();
  /** Tells once, when the documents are there. */
  readonly onBegin = telling();

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    readonly server: Server | null = null, // it knows all documents, of which the page has a sample
  ) {
    const { documents, topics } = page;
    this.all =
      documents === null
        ? null
        : {
            documents,
            on: topics.map((topic) => topic.documents ?? 0),
            main: topics.map((topic) => topic.mainly ?? 0),
          };
    store.onChange((state, before) => {
      if (this.sets && !alike(state, before)) this.find();
    });
  }

  /** The documents are there. */
  begin(sets: Sets): void {
    this.sets = sets;
    this.allHere = sets.counts(sets.of([]));
    this.find();
    this.onBegin.tell();
  }

  /** All documents of the page; null while there are none. */
  get documents(): Documents | null {
    return this.sets?.documents ?? null;
  }

  /** Whether any document is left out. */
  get narrowed(): boolean {
    return allClauses(this.store.state, this.page).length > 0;
  }

  /** Whether only some of all documents are there to be counted. */
  get sampled(): boolean {
    return !this.server && this.documents !== null && this.documents.count < this.documents.total;
  }

  /** How many documents it has; null while nobody knows. */
  get figure(): Figure | null {
    if (this.server) return this.counted && exactly(this.counted.documents);
    return this.sets && this.figureHere(this.sets, allClauses(this.store.state, this.page));
  }

  /** Its documents, counted; null while there are none. */
  get counts(): Counts | null {
    if (!this.narrowed) return this.all;
    return this.server ? this.counted : this.here;
  }

  /** Those of its documents that the page includes, counted; null while there are none. */
  get here(): Counts | null {
    if (this.sets && this.current) this.countedHere ??= this.sets.counts(this.current);
    return this.countedHere;
  }

  /** How many documents clauses stand for. */
  count(clauses: readonly Clause[]): Figure | Promise<Figure> {
    if (!this.server) return this.sets ? this.figureHere(this.sets, clauses) : exactly(0);
    return this.server.count(clauses).then(({ documents }) => exactly(documents));
  }

  /** How many of all documents that are selected are on a topic, if the page holds only some of them and
   * Python counted all: of a group or a period, on every topic. */
  knownOn(topic: Topic): number | null {
    const clauses = allClauses(this.store.state, this.page);
    if (!this.sampled || clauses.some(({ terms }) => terms[0].kind === "topic")) return null;
    return known(this.page, [...clauses, only(termOf(topic))]);
  }

  /** How many documents clauses stand for, where the page has no server. */
  private figureHere(sets: Sets, clauses: readonly Clause[]): Figure {
    const all = this.sampled ? known(this.page, clauses) : null;
    if (all !== null) return exactly(all);
    const { size, bound } = sets.of(clauses);
    return { documents: size, bound, among: this.sampled ? sets.documents.count : null };
  }

  /** Where a document is in the list, given its number in the corpus; null if it is not there. */
  place(row: number): Place | null {
    if (!this.server) return placeIn(this.order, this.documents!.atRow(row));
    const at = this.remote?.placeOf(row) ?? -1;
    const of = this.remote?.length ?? null;
    return at < 0 || of === null ? null : { at: at + 1, of };
  }

  /** The number of the document that is so many places farther in the list, or of its first document
   * if none is given; 0 if there is none. */
  async beside(row: number, step: number): Promise<number> {
    const length = this.remote ? (this.remote.length ?? 0) : this.order.length;
    const place = row ? this.place(row) : { at: 0, of: length };
    const to = place ? place.at - 1 + step : -1;
    if (!place || to < 0 || to >= place.of) return 0;
    if (!this.remote) return this.documents!.row(this.order[to]);
    const item = await this.remote.bring(to);
    return item ? item.documents.row(item.document) : 0;
  }

  private get order(): ArrayLike<number> {
    this.listed ??= found(this.page, this.store.state, this).entries.map(
      ({ document }) => document,
    );
    return this.listed;
  }

  private find(): void {
    const clauses = allClauses(this.store.state, this.page);
    this.current = this.sets!.of(clauses);
    if (this.server) this.ask(this.server, clauses);
    this.countedHere = null;
    this.listed = null;
    this.onChange.tell();
  }

  /** Asks the server for the figures of the documents that are selected now. */
  private ask(server: Server, clauses: readonly Clause[]): void {
    this.asking.abort();
    this.trouble = "";
    this.waiting = clauses.length > 0;
    if (!this.waiting) {
      this.counted = this.all;
      return;
    }
    this.asking = new AbortController();
    const { signal } = this.asking;
    const found = async (): Promise<void> => {
      if (signal.aborted) return;
      try {
        this.counted = await server.count(clauses, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.counted = null;
        this.trouble = (error as Error).message;
      }
      this.waiting = false;
      this.onCount.tell();
    };
    setTimeout(found, WAIT);
  }
}

function alike(one: State, other: State): boolean {
  const same = one.topic === other.topic && one.clauses === other.clauses;
  return same && one.least === other.least && one.main === other.main;
}

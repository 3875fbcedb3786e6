// The working set: the documents that all views show against the rest.

import type { Documents } from "../page/documents";
import type { Page, Topic } from "../page/page";
import { type Place, placeIn } from "./beside";
import type { RemoteList } from "./remote";
import type { Counts, Server } from "./server";
import { type DocumentSet, members, type Sets, sizeOf } from "./sets";
import { allClauses, type State, type Store } from "./state";
import { type Clause, USUAL } from "./terms";

const WAIT = 40; // milliseconds after a change, before the server is asked

/** The documents that are selected. It follows the state, and tells its listeners when it changes. */
export class WorkingSet {
  /** What finds documents; null while there are none. */
  sets: Sets | null = null;
  /** The documents of the page that are selected, or all; null while there are none. */
  current: DocumentSet | null = null;
  /** Its documents in the order in which they are listed; null before they are. */
  listed: ArrayLike<number> | null = null;
  /** The list, if the server has it and somebody has looked at it. */
  remote: RemoteList | null = null;
  /** Whether the server still counts the documents; until then, figures are those before. */
  waiting = false;
  /** Why the server gave no figures, for people; "" if it did. */
  trouble = "";
  private counts: Counts | null = null; // as the server gave them
  private countedHere: Uint32Array | null = null;
  private asking = new AbortController();
  private readonly listeners: (() => void)[] = [];
  private readonly counters: (() => void)[] = [];
  private readonly beginners: (() => void)[] = [];

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    readonly server: Server | null = null, // it knows all documents, of which the page has a sample
  ) {
    store.onChange((state, before) => {
      if (this.sets && !alike(state, before)) this.find();
    });
  }

  /** Calls the listener whenever other documents are selected. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Calls the listener when the server has counted the documents that are selected, or failed. */
  onCount(listener: () => void): void {
    this.counters.push(listener);
  }

  /** Calls the listener once, when the documents are there. */
  onBegin(listener: () => void): void {
    this.beginners.push(listener);
  }

  /** The documents are there. */
  begin(sets: Sets): void {
    this.sets = sets;
    this.find();
    for (const listener of this.beginners) listener();
  }

  /** All documents of the page; null while there are none. */
  get documents(): Documents | null {
    return this.sets?.documents ?? null;
  }

  /** Whether any document is left out. */
  get narrowed(): boolean {
    return allClauses(this.store.state, this.page).length > 0;
  }

  /** How many documents it has, on the page or at the server; null while there are none. */
  get size(): number | null {
    return this.server ? (this.counts?.documents ?? null) : (this.current?.size ?? null);
  }

  /** How many of its documents are on each topic; null while there are none. */
  get onEach(): ArrayLike<number> | null {
    return this.server ? (this.counts?.on ?? null) : this.onEachHere;
  }

  /** The same for those of its documents that the page includes. */
  get onEachHere(): Uint32Array | null {
    if (this.sets && this.current) this.countedHere ??= this.sets.onEach(this.current);
    return this.countedHere;
  }

  /** How many of all documents are on a topic; null while there are none. */
  on(topic: Topic): number | null {
    if (this.server) return this.server.on[topic.index];
    const term = { kind: "topic", id: topic.id, least: USUAL, narrow: false } as const;
    return this.sets ? sizeOf(this.sets.having(term)) : null;
  }

  /** How many documents clauses stand for. */
  count(clauses: readonly Clause[]): number | Promise<number> {
    if (!this.server) return this.sets?.of(clauses).size ?? 0;
    return this.server.count(clauses).then(({ documents }) => documents);
  }

  /** Where a document is in the list, given its number in the corpus; null if it is not there. */
  place(row: number): Place | null {
    if (!this.server) return placeIn(this.order, this.documents!.atRow(row));
    const at = this.remote?.placeOf(row) ?? -1;
    const of = this.remote?.length ?? null;
    return at < 0 || of === null ? null : { at: at + 1, of };
  }

  /** The number of the document that is so many places farther in the list; 0 if there is none. */
  async beside(row: number, step: number): Promise<number> {
    const place = this.place(row);
    const to = place ? place.at - 1 + step : -1;
    if (!place || to < 0 || to >= place.of) return 0;
    if (!this.remote) return this.documents!.row(this.order[to]);
    const item = await this.remote.bring(to);
    return item ? item.documents.row(item.document) : 0;
  }

  private get order(): ArrayLike<number> {
    return this.listed ?? members(this.current!);
  }

  private find(): void {
    const clauses = allClauses(this.store.state, this.page);
    this.current = this.sets!.of(clauses);
    if (this.server) this.ask(this.server, clauses);
    this.countedHere = null;
    this.listed = null;
    for (const listener of this.listeners) listener();
  }

  /** Asks the server for the figures of the documents that are selected now. */
  private ask(server: Server, clauses: readonly Clause[]): void {
    this.asking.abort();
    this.trouble = "";
    this.waiting = clauses.length > 0;
    if (!this.waiting) {
      this.counts = { documents: this.page.documents ?? 0, on: server.on };
      return;
    }
    this.asking = new AbortController();
    const { signal } = this.asking;
    const found = async (): Promise<void> => {
      if (signal.aborted) return;
      try {
        this.counts = await server.count(clauses, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.counts = null;
        this.trouble = (error as Error).message;
      }
      this.waiting = false;
      for (const listener of this.counters) listener();
    };
    setTimeout(found, WAIT);
  }
}

function alike(one: State, other: State): boolean {
  const same = one.topic === other.topic && one.clauses === other.clauses;
  return same && one.least === other.least && one.narrow === other.narrow;
}

// A list of documents. Those that are not loaded yet are asked for when they come into sight.

import { type InBlock, numberOf, type Soon } from "./corpus";

const CHUNK = 50; // documents that are asked for together
const WAIT = 60; // milliseconds, while somebody scrolls past
/** The most documents in a file, if the page does not hold the list. */
export const MOST_SAVED = 10_000;
const FIRST = { search: 1000, file: MOST_SAVED }; // how many documents to load for a use

export interface Item extends InBlock {
  readonly share: number; // of the chosen topic; 1 without one
  readonly copies: number; // how many are folded into it
  readonly copy?: boolean; // whether it is listed as a copy of a document above it
}

export interface Part {
  readonly items: Item[];
  readonly length: number;
}

/** The form of a list: all documents one by one, copies folded into the first of them, or only the
 * copies of the document with a number in the corpus. */
export type Form = "whole" | "folded" | number;

/** Loads a list from one index to another; all of it, if the page holds it. */
export type Ask = (form: Form, from: number, to: number, signal: AbortSignal) => Soon<Part>;

/** A list of documents in rows, with copies folded into the first; they can be listed below it. */
export class List {
  length: number | null; // of documents, without folded copies; null before that is known
  readonly here: boolean; // whether the page holds all of it
  trouble = ""; // why documents are missing, as a text to show; "" if none are
  private readonly items: Item[]; // by their rows, with gaps
  private copies = 0; // how many copies are listed
  private readonly stopping = new AbortController();
  private wanted: number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `arrived` is called when more of the list was loaded, or that failed; `here` is the whole
   * list, if the page holds it. */
  constructor(
    private readonly ask: Ask,
    private readonly arrived: () => void,
    here?: Part,
  ) {
    this.here = here !== undefined;
    this.items = here?.items ?? [];
    this.length = here?.length ?? null;
  }

  /** How many rows it has; null before that is known. */
  get rows(): number | null {
    return this.length === null ? null : this.length + this.copies;
  }

  /** The document of a row; null if it is not loaded yet: it is then asked for. */
  row(at: number): Item | null {
    if (this.lacks(at)) this.want(this.chunkOf(at));
    return this.items[at] ?? null;
  }

  /** Whether the copies of the document in a row are listed. */
  isOpen(at: number): boolean {
    return !this.items[at].copy && this.below(at) > at + 1;
  }

  /** The row, from 1, of the document with a number in the corpus; 0 if it is not loaded. */
  rowOf(number: number): number {
    return this.items.findIndex((item) => item && numberOf(item) === number) + 1;
  }

  /** The number of the document that is `step` rows below the one with a number, or below the head
   * of the list if that is 0; it is loaded first if it must be. 0 if there is none. */
  async beside(number: number, step: number): Promise<number> {
    const row = this.rowOf(number);
    const at = row + step - 1;
    if (at < 0 || (number && !row)) return 0;
    if (this.lacks(at)) await this.fetch([this.chunkOf(at)]);
    const item = this.items[at];
    return item ? numberOf(item) : 0;
  }

  /** Lists the copies of the document in a row below it, or folds them again. */
  async toggle(at: number): Promise<void> {
    const number = numberOf(this.items[at]);
    const part = this.isOpen(at) ? null : await this.get(number, 0, Number.POSITIVE_INFINITY);
    const copies = (part?.items ?? []).map((item) => ({ ...item, copy: true }));
    const row = this.rowOf(number);
    const before = this.below(row - 1) - row;
    this.items.splice(row, before, ...copies);
    this.copies += copies.length - before;
    this.arrived();
  }

  /** The first documents one by one, as many as a use needs at most; null if loading failed. */
  first(use: keyof typeof FIRST): Soon<Part | null> {
    return this.get("whole", 0, FIRST[use]);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.stopping.abort();
  }

  /** The next row that is no copy. */
  private below(at: number): number {
    let next = at + 1;
    while (this.items[next]?.copy) next++;
    return next;
  }

  /** Whether a row may have a document that is not loaded. */
  private lacks(at: number): boolean {
    return !this.items[at] && at < (this.rows ?? Number.POSITIVE_INFINITY);
  }

  private chunkOf(at: number): number {
    const above = this.copies && this.items.slice(0, at).filter(({ copy }) => copy).length;
    return Math.floor((at - above) / CHUNK);
  }

  private want(chunk: number): void {
    if (this.wanted.includes(chunk) || this.trouble) return;
    this.wanted = [...this.wanted, chunk].slice(-2); // the rows in sight are in two chunks at most
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(this.wanted), this.items.length ? WAIT : 0);
  }

  private async fetch(chunks: readonly number[]): Promise<void> {
    await Promise.all(
      chunks.map(async (chunk) => {
        const begin = chunk * CHUNK;
        const part = await this.get("folded", begin, begin + CHUNK);
        this.length = part?.length ?? this.length;
        let at = this.below(-1);
        for (let place = 0; place < begin; place++) at = this.below(at);
        for (const item of part?.items ?? []) {
          this.items[at] = item;
          at = this.below(at);
        }
      }),
    );
    if (this.stopping.signal.aborted) return;
    this.wanted = this.wanted.filter((chunk) => !chunks.includes(chunk));
    this.arrived();
  }

  /** A part of the list; null if loading failed. */
  private get(form: Form, from: number, to: number): Soon<Part | null> {
    const { signal } = this.stopping;
    const answer = this.ask(form, from, to, signal);
    if (!(answer instanceof Promise)) return answer;
    return answer.then(
      (part) => {
        this.trouble = "";
        return part;
      },
      (error: Error) => {
        if (!signal.aborted) this.trouble = error.message;
        return null;
      },
    );
  }
}

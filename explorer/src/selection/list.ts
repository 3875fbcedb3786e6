// A list of documents, of which those that are not here yet are asked for when they come into sight.

import { type InBlock, numberOf, type Soon } from "./corpus";

const CHUNK = 50; // documents that are asked for together
const WAIT = 60; // milliseconds, while somebody scrolls past
/** Documents that a file has at most, if the list is not here. */
export const MOST_SAVED = 10_000;
const FIRST = { search: 1000, file: MOST_SAVED }; // documents that are waited for, at most

export interface Item extends InBlock {
  readonly share: number; // of the chosen topic; 1 without one
  readonly copies: number; // that are folded into it
  readonly copy?: boolean; // whether it is one of those of the document above it
}

/** A part of a list, and how long the whole is. */
export interface Part {
  readonly items: Item[];
  readonly length: number;
}

/** Which form a list has: all documents one by one, copies folded into the first of them, or only those
 * folded into the document with a number. */
export type Form = "whole" | "folded" | number;

/** Gives a list from one place to another; all of it, if it is here. */
export type Ask = (form: Form, from: number, to: number, signal: AbortSignal) => Soon<Part>;

/** The documents of a list in rows, copies folded into the first of them; they can be listed below it. */
export class List {
  length: number | null; // how many documents it has, copies not counted; null before that is known
  readonly here: boolean; // whether all of it is here
  trouble = ""; // why documents are missing, for people; "" if none are
  private readonly items: Item[]; // by their rows, with gaps
  private copies = 0; // that are listed
  private readonly stopping = new AbortController();
  private wanted: number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `arrived` is called when there is more of the list, or trouble; `here` is all of it, if that is here. */
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

  /** What is in a row; null if it is not here yet. */
  row(at: number): Item | null {
    if (this.lacks(at)) this.want(this.chunkOf(at));
    return this.items[at] ?? null;
  }

  /** Whether the copies of the document in a row are listed. */
  isOpen(at: number): boolean {
    return !this.items[at].copy && this.below(at) > at + 1;
  }

  /** The row, from 1, of the document with a number in the corpus; 0 if it is not here. */
  rowOf(number: number): number {
    return this.items.findIndex((item) => item && numberOf(item) === number) + 1;
  }

  /** The number of the document so many rows below that with a number, or above the list if that is 0; as
   * soon as it is here. 0 if there is none. */
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

  /** The first documents one by one, as many as there may be for a use; null if there is trouble. */
  first(use: keyof typeof FIRST): Soon<Part | null> {
    return this.get("whole", 0, FIRST[use]);
  }

  /** Nobody looks at the list any more. */
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

  /** Whether there may be a document that is not here. */
  private lacks(at: number): boolean {
    return !this.items[at] && at < (this.rows ?? Number.POSITIVE_INFINITY);
  }

  private chunkOf(at: number): number {
    const above = this.copies && this.items.slice(0, at).filter(({ copy }) => copy).length;
    return Math.floor((at - above) / CHUNK);
  }

  private want(chunk: number): void {
    if (this.wanted.includes(chunk) || this.trouble) return;
    this.wanted = [...this.wanted, chunk].slice(-2); // the rows in sight are of two at most
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

  /** A part of the list; null if there is trouble. */
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

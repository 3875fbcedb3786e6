// A list of documents that the server holds, of which the page asks for the part in sight.

import type { Item } from "./item";
import type { Form, ListedItem, Listing, Server } from "./server";

const CHUNK = 50; // documents that are asked for together
const WAIT = 60; // milliseconds, while somebody scrolls past
const MOST = 1000; // documents in one answer

/** Documents of a list by their places; those that are not here yet are asked for. Copies are folded
 * into the first of them. */
export class RemoteList {
  private readonly chunks = new Map<number, ListedItem[]>();
  private opened: { readonly place: number; readonly copies: readonly Item[] }[] = []; // ascending
  /** How many documents it has, copies not counted; null before the server has told. */
  length: number | null = null;
  private readonly stopping = new AbortController();
  private wanted: number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Why documents are missing, for people; "" if none are. */
  trouble = "";

  /** `arrived` is called when there are more documents, or trouble. */
  constructor(
    private readonly server: Pick<Server, "rows">,
    readonly listing: Listing,
    private readonly arrived: () => void,
  ) {}

  /** How many rows it has, those of copies that are opened included; null if nobody knows yet. */
  get rows(): number | null {
    const copies = this.opened.reduce((sum, { copies }) => sum + copies.length, 0);
    return this.length === null ? null : this.length + copies;
  }

  /** What is in a row: a document, or a copy of the one above it; null if it is not here yet. */
  row(at: number): { item: ListedItem; copy: boolean } | null {
    let place = at;
    for (const { place: of, copies } of this.opened) {
      if (place <= of) break;
      if (place <= of + copies.length) {
        return { item: { ...copies[place - of - 1], copies: 0 }, copy: true };
      }
      place -= copies.length;
    }
    const item = this.at(place);
    return item && { item, copy: false };
  }

  /** Whether the copies of the document with a number in the corpus are listed. */
  isOpen(row: number): boolean {
    const place = this.placeOf(row);
    return this.opened.some((one) => one.place === place);
  }

  /** Lists the copies of a document, or folds them again. */
  async toggle(row: number): Promise<void> {
    const place = this.placeOf(row);
    const others = this.opened.filter((one) => one.place !== place);
    if (others.length < this.opened.length) this.opened = others;
    else {
      const copies = await this.ask(row, 0, MOST);
      if (copies) {
        this.opened = [...others, { place, copies }].sort((a, b) => a.place - b.place);
      }
    }
    this.arrived();
  }

  /** The document at a place; null if it is not here yet. */
  at(place: number): ListedItem | null {
    const chunk = Math.floor(place / CHUNK);
    const items = this.chunks.get(chunk);
    if (!items) this.want(chunk);
    return items?.[place % CHUNK] ?? null;
  }

  /** The place of the document with a number in the corpus, if it is here; or -1. */
  placeOf(row: number): number {
    for (const [chunk, items] of this.chunks) {
      const k = items.findIndex(({ documents, document }) => documents.row(document) === row);
      if (k >= 0) return chunk * CHUNK + k;
    }
    return -1;
  }

  /** The first documents of the list, so many at most. */
  async first(most: number): Promise<Item[]> {
    const items: Item[] = [];
    for (let from = 0; from < most; from += MOST) {
      const to = Math.min(most, from + MOST);
      const { signal } = this.stopping;
      const some = await this.server.rows(this.listing, "whole", from, to, signal);
      items.push(...some.items);
      if (some.items.length < to - from) break;
    }
    return items;
  }

  /** Nobody looks at the list any more. */
  stop(): void {
    clearTimeout(this.timer);
    this.stopping.abort();
  }

  private want(chunk: number): void {
    if (this.wanted.includes(chunk) || this.trouble) return;
    this.wanted = [...this.wanted, chunk].slice(-2); // the rows in sight are of two at most
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(this.wanted), this.chunks.size ? WAIT : 0);
  }

  /** The document at a place, as soon as it is here; null if there is none. */
  async bring(place: number): Promise<Item | null> {
    const chunk = Math.floor(place / CHUNK);
    if (!this.chunks.has(chunk)) await this.fetch([chunk]);
    return this.chunks.get(chunk)?.[place % CHUNK] ?? null;
  }

  private async fetch(chunks: readonly number[]): Promise<void> {
    const wanted = chunks.filter((chunk) => !this.chunks.has(chunk));
    await Promise.all(
      wanted.map(async (chunk) => {
        const items = await this.ask("folded", chunk * CHUNK, (chunk + 1) * CHUNK);
        if (items) this.chunks.set(chunk, items);
      }),
    );
    if (this.stopping.signal.aborted) return;
    this.wanted = this.wanted.filter((chunk) => !wanted.includes(chunk));
    this.arrived();
  }

  /** Some documents of the server's; null if it gives none. */
  private async ask(form: Form, from: number, to: number): Promise<ListedItem[] | null> {
    const { signal } = this.stopping;
    try {
      const { items, length } = await this.server.rows(this.listing, form, from, to, signal);
      if (form === "folded") this.length = length;
      return items;
    } catch (error) {
      if (!signal.aborted) this.trouble = (error as Error).message;
      return null;
    }
  }
}

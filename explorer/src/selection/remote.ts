// A list of documents that the server holds, of which the page asks for the part in sight.

import type { Item } from "./found";
import type { Listing, Server } from "./server";

const CHUNK = 50; // documents that are asked for together
const WAIT = 60; // milliseconds, while somebody scrolls past
const MOST = 1000; // documents in one answer

/** Documents of a list by their places; those that are not here yet are asked for. */
export class RemoteList {
  private readonly chunks = new Map<number, Item[]>();
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

  /** The document at a place; null if it is not here yet. */
  at(place: number): Item | null {
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
      const some = await this.server.rows(this.listing, from, to, this.stopping.signal);
      items.push(...some);
      if (some.length < to - from) break;
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
    const { signal } = this.stopping;
    try {
      await Promise.all(
        wanted.map(async (chunk) => {
          const from = chunk * CHUNK;
          const items = await this.server.rows(this.listing, from, from + CHUNK, signal);
          this.chunks.set(chunk, items);
        }),
      );
    } catch (error) {
      if (signal.aborted) return;
      this.trouble = (error as Error).message;
    }
    this.wanted = this.wanted.filter((chunk) => !wanted.includes(chunk));
    this.arrived();
  }
}

// A corpus at the server that the page comes from: that has all documents, and the page a sample.

import { Documents } from "../page/documents";
import type { Shares } from "../page/page";
import { checked, list, number, record, text } from "../page/schema";
import {
  type Corpus,
  type InBlock,
  numberOf,
  type Soon,
  type Tally,
  type WordCounts,
} from "./corpus";
import { exactly } from "./figure";
import { type Ask, type Item, List } from "./list";
import type { Listing } from "./listing";
import { sharesOf } from "./tally";
import { asParts, type Clause, written } from "./terms";

const COUNTS = record({ documents: number, on: list(number), main: list(number) });
const WORDS = record({ documents: number, words: list(number) });
const DIVIDED = record({ documents: list(number), on: list(number) });
const ROWS = record({ block: text, shares: list(number), copies: list(number), entries: number });
const DOCUMENT = record({ block: text });
const PROBLEM = record({ error: text });
const MOST = 1000; // documents in one answer
const WAIT = 40; // milliseconds before a question is sent, in which it can be aborted
const SILENT = "The server does not answer; is `hlta serve` still running?";

export class Server implements Corpus {
  readonly sampled = false;
  private last: InBlock | null = null; // the document that was read last

  constructor(private readonly held: Documents) {}

  async count(clauses: readonly Clause[], signal?: AbortSignal): Promise<Tally> {
    if (signal) await new Promise((resolve) => setTimeout(resolve, WAIT));
    signal?.throwIfAborted();
    const counts = checked(await ask("found", asParts(clauses), signal), COUNTS, "counts");
    return { figure: exactly(counts.documents), counts };
  }

  async words(clauses: readonly Clause[], signal?: AbortSignal): Promise<WordCounts> {
    return checked(await ask("words", asParts(clauses), signal), WORDS, "words");
  }

  async divided(
    clauses: readonly Clause[],
    division: Shares,
    signal?: AbortSignal,
  ): Promise<Shares> {
    const parts = asParts(clauses);
    parts.set("by", division.key);
    const { documents, on } = checked(await ask("divided", parts, signal), DIVIDED, "parts");
    return sharesOf(division, documents, on);
  }

  list({ clauses, order, by }: Listing, arrived: () => void): List {
    const rows: Ask = async (form, from, to, signal) => {
      const parts = asParts(clauses);
      parts.set("order", order);
      if (by) parts.set("by", written(by));
      if (form === "folded") parts.set("fold", "");
      if (typeof form === "number") parts.set("copies", String(form));
      const items: Item[] = [];
      for (;;) {
        const begin = from + items.length;
        parts.set("from", String(begin));
        parts.set("to", String(Math.min(to, begin + MOST)));
        const answer = checked(await ask("rows", parts, signal), ROWS, "rows");
        const documents = await Documents.read(answer.block);
        const { shares, copies, entries: length } = answer;
        shares.forEach((share, document) => {
          items.push({ documents, document, share, copies: copies[document] });
        });
        if (!shares.length || items.length >= Math.min(to, length) - from) return { items, length };
      }
    };
    return new List(rows, arrived);
  }

  read(number: number): Soon<InBlock> {
    const { held, last } = this;
    const document = held.atRow(number);
    if (document >= 0 && !held.cut.has(document)) return { documents: held, document };
    return last && numberOf(last) === number ? last : this.fetch(number);
  }

  private async fetch(number: number): Promise<InBlock> {
    const parts = new URLSearchParams({ row: String(number) });
    const { block } = checked(await ask("document", parts), DOCUMENT, "document");
    this.last = { documents: await Documents.read(block), document: 0 };
    return this.last;
  }
}

async function ask(what: string, parts: URLSearchParams, signal?: AbortSignal): Promise<unknown> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`${what}?${parts}`, signal ? { signal } : {});
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(SILENT);
  }
  if (!response.ok) throw new Error(checked(answer, PROBLEM, "answer").error);
  return answer;
}

// The server that a page may come from: it knows all documents, of which the page holds a sample.

import { Documents } from "../page/documents";
import { checked, list, number, record, text } from "../page/schema";
import type { Item } from "./item";
import type { Counts } from "./sets";
import type { Order } from "./state";
import { type Clause, type TopicTerm, writeClauses, written } from "./terms";

const COUNTS = record({ documents: number, on: list(number), main: list(number) });
const ROWS = record({
  block: text,
  shares: list(number),
  copies: list(number),
  entries: number,
});
const DOCUMENT = record({ block: text });
const PROBLEM = record({ error: text });
const SILENT = "The server does not answer; is `hlta serve` still running?";

/** What a list of documents holds, and in which order. */
export interface Listing {
  readonly clauses: readonly Clause[];
  readonly order: Order;
  readonly by: TopicTerm | null; // the chosen topic
}

/** A document of a list, and how many copies of it are folded into it. */
export interface ListedItem extends Item {
  readonly copies: number;
}

/** A part of a list, and how long the whole is. */
export interface Listed {
  readonly items: ListedItem[];
  readonly length: number;
}

/** Which form a list has: all documents one by one, copies folded into the first of them, or only
 * those folded into the document with a number. */
export type Form = "whole" | "folded" | number;

/** Asks the server. A question that fails throws an error whose message is for people. */
export class Server {
  /** Counts the documents that the clauses stand for. */
  async count(clauses: readonly Clause[], signal?: AbortSignal): Promise<Counts> {
    return checked(await ask("found", asked(clauses), signal), COUNTS, "counts");
  }

  /** The documents of a list from one place to another. */
  async rows(
    of: Listing,
    form: Form,
    from: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<Listed> {
    const parts = asked(of.clauses);
    parts.set("order", of.order);
    if (of.by) parts.set("by", written(of.by));
    if (form === "folded") parts.set("fold", "");
    if (typeof form === "number") parts.set("copies", String(form));
    parts.set("from", String(from));
    parts.set("to", String(to));
    const answer = checked(await ask("rows", parts, signal), ROWS, "rows");
    const documents = await Documents.read(answer.block);
    const items = answer.shares.map((share, document) => {
      return { documents, document, share, copies: answer.copies[document] };
    });
    return { items, length: answer.entries };
  }

  /** A block with one document, given its number in the corpus. */
  async document(row: number): Promise<Documents> {
    const parts = new URLSearchParams({ row: String(row) });
    return Documents.read(checked(await ask("document", parts), DOCUMENT, "document").block);
  }
}

/** Clauses as the parts of an address. */
function asked(clauses: readonly Clause[]): URLSearchParams {
  const parts = new URLSearchParams();
  writeClauses(clauses, parts);
  return parts;
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

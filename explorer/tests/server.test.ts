import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Server } from "../src/selection/server";
import { only } from "../src/selection/terms";
import { pack } from "./pages";

const { fetch: real } = globalThis;
const asked: string[] = [];

/** What the server answers from now on. */
function answers(body: object, status = 200): void {
  globalThis.fetch = async (address) => {
    asked.push(String(address));
    return new Response(JSON.stringify(body), { status });
  };
}

afterEach(() => {
  globalThis.fetch = real;
  asked.length = 0;
});

const server = new Server();
const BLOCK = pack(
  { documents: 9, least: 0.05, rows: [8, 2] },
  {
    "words.start": ["u4", Uint32Array.of(0, 1, 2)],
    words: ["u2", Uint16Array.of(4, 5)],
    "topics.start": ["u4", Uint32Array.of(0, 0)],
    topics: ["u2", Uint16Array.of()],
    "topics.share": ["u2", Uint16Array.of()],
  },
);

test("the server counts documents", async () => {
  const counts = { documents: 7, on: [1, 2], main: [0, 2] };
  answers(counts);
  const word = only({ kind: "word", word: "a&b" });
  assert.deepEqual(await server.count([word, only({ kind: "none" }, true)]), counts);
  assert.deepEqual(asked, ["found?with=word%3Aa%26b&without=none"]);
});

test("rows come with their numbers and shares", async () => {
  answers({ block: BLOCK, shares: [0.9, 0.8], copies: [3, 0], entries: 60 });
  const by = { kind: "topic", id: "Z2", least: 0.2, main: true } as const;
  const listing = { clauses: [only(by)], order: "share", by } as const;
  const { items, length } = await server.rows(listing, "whole", 50, 52);
  const told = items.map((item) => [item.documents.row(item.document), item.share, item.copies]);
  assert.deepEqual(told, [
    [8, 0.9, 3],
    [2, 0.8, 0],
  ]);
  assert.equal(length, 60);
  const question = "rows?with=main%3AZ2&order=share&by=main%3AZ2";
  assert.deepEqual(asked, [`${question}&from=50&to=52`]);
  answers({ block: BLOCK, shares: [0.9, 0.8], copies: [3, 0], entries: 60 });
  await server.rows(listing, "folded", 0, 2);
  await server.rows(listing, 8, 0, 2);
  assert.deepEqual(asked.slice(1), [
    `${question}&fold=&from=0&to=2`,
    `${question}&copies=8&from=0&to=2`,
  ]);
});

test("a document comes in a block of its own", async () => {
  answers({ block: BLOCK });
  assert.deepEqual([...(await server.document(8)).words(0)], [4]);
  assert.deepEqual(asked, ["document?row=8"]);
});

test("a refusal is told as it is, silence as what it may be", async () => {
  answers({ error: "row=0: no" }, 400);
  await assert.rejects(server.document(0), { message: "row=0: no" });
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  const silent = "The server does not answer; is `hlta serve` still running?";
  await assert.rejects(server.count([]), { message: silent });
  answers({ documents: "seven" });
  await assert.rejects(server.count([]), /counts.documents is not a number/);
});

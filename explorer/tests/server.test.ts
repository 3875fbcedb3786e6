import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { exactly } from "../src/selection/figure";
import { Server } from "../src/selection/server";
import { only } from "../src/selection/terms";
import { documents, pack, shares } from "./pages";

const { fetch: real } = globalThis;
const { signal } = new AbortController();
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

const held = await documents([{ texts: "whole" }, { texts: "cu", cut: true }]);
const server = new Server(held);
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
  const tally = await server.count([word, only({ kind: "none" }, true)]);
  assert.deepEqual(tally, { figure: exactly(7), counts });
  assert.deepEqual(asked, ["found?with=word%3Aa%26b&without=none"]);
});

test("the server counts words and parts", async () => {
  answers({ documents: 7, words: [1, 0] });
  const none = [only({ kind: "none" })];
  assert.deepEqual(await server.words(none), { documents: 7, words: [1, 0] });
  answers({ documents: [4, 3], on: [1, 2, 3, 0] });
  const found = await server.divided(none, shares(["2019", "2020"], [9, 9], []));
  assert.deepEqual(found.documents, [4, 3]);
  assert.deepEqual([found.on(1, 0), found.on(0, 1), found.of(0, 1)], [2, 3, 1]);
  assert.deepEqual(asked, ["words?with=none", "divided?with=none&by=date"]);
});

test("rows come with their numbers and shares", async () => {
  answers({ block: BLOCK, shares: [0.9, 0.8], copies: [3, 0], entries: 60 });
  const by = { kind: "topic", id: "Z2", least: 0.2, main: true } as const;
  const listing = { clauses: [only(by)], order: "share", by } as const;
  const { items, length } = await server.rows(listing)("whole", 50, 52, signal);
  const told = items.map((item) => [item.documents.row(item.document), item.share, item.copies]);
  assert.deepEqual(told, [
    [8, 0.9, 3],
    [2, 0.8, 0],
  ]);
  assert.equal(length, 60);
  const question = "rows?with=main%3AZ2&order=share&by=main%3AZ2";
  assert.deepEqual(asked, [`${question}&from=50&to=52`]);
  answers({ block: BLOCK, shares: [0.9, 0.8], copies: [3, 0], entries: 60 });
  await server.rows(listing)("folded", 0, 2, signal);
  await server.rows(listing)(8, 0, 2, signal);
  assert.deepEqual(asked.slice(1), [
    `${question}&fold=&from=0&to=2`,
    `${question}&copies=8&from=0&to=2`,
  ]);
});

test("long parts of a list come in several answers", async () => {
  const listing = { clauses: [], order: "corpus", by: null } as const;
  globalThis.fetch = async (address) => {
    asked.push(String(address));
    const shares = Array(asked.length < 3 ? 1000 : 7).fill(1);
    return new Response(JSON.stringify({ block: BLOCK, shares, copies: shares, entries: 2007 }));
  };
  const part = await server.list(listing, () => {}).first("file");
  assert.deepEqual([part?.items.length, part?.length], [2007, 2007]);
  const [question, ...parts] = asked.join("&").split("&from=");
  assert.equal(question, "rows?order=corpus");
  assert.deepEqual(
    parts.map((one) => one.split("&")[0]),
    ["0", "1000", "2000"],
  );
});

test("a document that is not here in full comes in a block of its own, and is kept", async () => {
  answers({ block: BLOCK });
  const read = await server.read(8);
  assert.deepEqual([...read.documents.words(read.document)], [4]);
  assert.equal(server.read(8), read);
  await server.read(2);
  assert.deepEqual(asked, ["document?row=8", "document?row=2"]);
  assert.deepEqual(server.read(1), { documents: held, document: 0 });
});

test("a refusal is told as it is, silence as what it may be", async () => {
  answers({ error: "row=0: no" }, 400);
  await assert.rejects(async () => server.read(9), { message: "row=0: no" });
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  const silent = "The server does not answer; is `hlta serve` still running?";
  await assert.rejects(server.count([]), { message: silent });
  answers({ documents: "seven" });
  await assert.rejects(server.count([]), /counts.documents is not a number/);
});

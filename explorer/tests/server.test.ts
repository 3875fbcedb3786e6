import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Server } from "../src/selection/server";
import { documents, pack } from "./pages";

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

const held = await documents([{ texts: "whole" }, { texts: "cu", cut: true }]);
const server = new Server(held);
const BLOCK = pack(
  { documents: 9, least: 0.05, rows: [8, 2], fields: [] },
  {
    "words.start": ["u4", Uint32Array.of(0, 1, 2)],
    words: ["u2", Uint16Array.of(4, 5)],
    "topics.start": ["u4", Uint32Array.of(0, 0)],
    topics: ["u2", Uint16Array.of()],
    "topics.share": ["u2", Uint16Array.of()],
  },
);

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

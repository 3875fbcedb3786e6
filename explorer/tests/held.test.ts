import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldCorpus } from "../src/selection/held";
import type { Listing } from "../src/selection/listing";
import { Sets } from "../src/selection/sets";
import { only } from "../src/selection/terms";
import { documents, type Given, page, tenfold } from "./pages";

const LISTING: Listing = { clauses: [], order: "corpus", by: null };

async function corpus(given: Given[], total?: number): Promise<HeldCorpus> {
  return new HeldCorpus(page(), new Sets(page(), await documents(given, total)));
}

test("a list is there at once, copies folded into the first of them", async () => {
  const [one, other] = [
    [0, 1, 2],
    [3, 4, 5],
  ].map((words) => ({ words: tenfold(words) }));
  const held = await corpus([one, other, one, one, other]);
  let arrived = 0;
  const list = held.list(LISTING, () => arrived++);
  const shown = (): (string | null)[] =>
    Array.from({ length: list.rows! + 1 }, (_, at) => {
      const row = list.row(at);
      return row && `${row.copy ? "copy " : ""}${row.document} ${row.copies}`;
    });
  assert.deepEqual(shown(), ["0 2", "1 1", null]);
  assert.deepEqual([list.rowOf(1), list.rowOf(2), list.rowOf(3)], [1, 2, 0]);
  await list.toggle(0);
  assert.equal(arrived, 1);
  assert.deepEqual(shown(), ["0 2", "copy 2 0", "copy 3 0", "1 1", null]);
  assert.deepEqual([list.rowOf(2), list.rowOf(3), list.rowOf(4)], [4, 2, 3]);
  assert.deepEqual(
    await Promise.all([0, 1, 4, 2].map((number) => list.beside(number, 1))),
    [1, 3, 2, 0],
  );
  await list.toggle(0);
  assert.deepEqual(shown(), ["0 2", "1 1", null]);
});

test("the documents of a list come one by one, with shares of the chosen topic", async () => {
  const held = await corpus([{ on: { 1: 0.3 } }, { on: { 1: 0.5 }, main: [1] }, {}]);
  const by = { kind: "topic", id: "Z2-1", least: 0.2, main: false } as const;
  const list = held.list({ clauses: [only(by)], order: "share", by }, () => {});
  const { items, length } = (await list.first("file"))!;
  assert.deepEqual(
    items.map(({ document, share }) => [document, share]),
    [
      [1, 0.5],
      [0, 0.3],
    ],
  );
  assert.equal(length, 2);
});

test("what is counted among a sample says so", async () => {
  const given = [{ texts: "a star" }, { texts: "none" }];
  const star = [only({ kind: "text", query: "star" })];
  const every = await corpus(given);
  assert.deepEqual(every.count(star).figure, { documents: 1, bound: "", among: null });
  const some = await corpus(given, 50);
  assert.deepEqual(some.count(star).figure, { documents: 1, bound: "", among: 2 });
  assert.deepEqual([every.sampled, some.sampled], [false, true]);
});

test("a document is read at once, or is not in the page", async () => {
  const held = await corpus([{}, {}]);
  assert.equal((await held.read(2)).document, 1);
  assert.ok(!(held.read(2) instanceof Promise));
  await assert.rejects(async () => held.read(3), /does not include/);
});

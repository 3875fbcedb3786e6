import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { RemoteList } from "../src/selection/remote";
import type { Form, Listing } from "../src/selection/server";
import { documents } from "./pages";

const LISTING: Listing = { clauses: [], order: "corpus", by: null };

/** A server with so many documents, of which every tenth has two copies among the last ones; it
 * notes what it is asked for. */
async function server(count: number) {
  const block = await documents(
    Array.from({ length: count }, (_, k) => ({ titles: `title ${k}` })),
  );
  const asked: [number, number][] = [];
  const rows = async (_: Listing, form: Form, from: number, to: number) => {
    asked.push([from, to]);
    const all = typeof form === "number" ? [count - 2, count - 1] : [...Array(count).keys()];
    const items = all.slice(from, to).map((document) => ({
      documents: block,
      document,
      share: 1,
      copies: form === "folded" && document % 10 === 0 ? 2 : 0,
    }));
    return { items, length: all.length };
  };
  return { asked, rows };
}

async function arrival(of: (arrived: () => void) => RemoteList): Promise<RemoteList> {
  return new Promise((resolve) => {
    const list: RemoteList = of(() => resolve(list));
    list.at(0);
  });
}

test("documents that are not here are asked for, and come in parts", async () => {
  const asking = await server(120);
  const list = await arrival((arrived) => new RemoteList(asking, LISTING, arrived));
  assert.deepEqual(asking.asked, [[0, 50]]);
  assert.equal(list.at(7)?.document, 7);
  assert.equal(list.placeOf(8), 7); // numbers in the corpus begin with 1
  assert.equal(list.placeOf(100), -1);
  assert.equal(list.at(119), null);
  assert.equal(list.at(60), null);
  await wait(200);
  assert.deepEqual(asking.asked.slice(1), [
    [100, 150],
    [50, 100],
  ]);
  assert.equal(list.at(119)?.document, 119);
  assert.equal(list.at(140), null);
});

test("the document beside one comes at once, or is waited for", async () => {
  const asking = await server(120);
  const list = await arrival((arrived) => new RemoteList(asking, LISTING, arrived));
  assert.equal((await list.bring(49))?.document, 49);
  assert.equal(asking.asked.length, 1);
  assert.equal((await list.bring(50))?.document, 50);
  assert.deepEqual(asking.asked.slice(1), [[50, 100]]);
  assert.equal(list.placeOf(51), 50);
  assert.equal(await list.bring(120), null);
});

test("copies are listed below the document that they are folded into", async () => {
  const asking = await server(40);
  const list = await arrival((arrived) => new RemoteList(asking, LISTING, arrived));
  const shown = (from: number, to: number): (string | null)[] =>
    Array.from({ length: to - from }, (_, k) => {
      const row = list.row(from + k);
      return row && `${row.copy ? "copy " : ""}${row.item.document}`;
    });
  assert.equal(list.rows, 40);
  assert.equal(list.at(10)?.copies, 2);
  await list.toggle(11); // numbers in the corpus begin with 1
  await list.toggle(1);
  assert.equal(list.rows, 44);
  assert.deepEqual([list.isOpen(1), list.isOpen(2), list.isOpen(11)], [true, false, true]);
  assert.deepEqual(shown(0, 4), ["0", "copy 38", "copy 39", "1"]);
  assert.deepEqual(shown(11, 16), ["9", "10", "copy 38", "copy 39", "11"]);
  assert.deepEqual(shown(43, 45), ["39", null]);
  await list.toggle(1);
  assert.deepEqual(shown(9, 13), ["9", "10", "copy 38", "copy 39"]);
  assert.deepEqual(list.length, 40);
});

test("what somebody scrolls past is not asked for", async () => {
  const asking = await server(1000);
  const list = await arrival((arrived) => new RemoteList(asking, LISTING, arrived));
  for (let place = 50; place < 1000; place += 10) list.at(place);
  await wait(200);
  assert.deepEqual(asking.asked.slice(1), [
    [900, 950],
    [950, 1000],
  ]);
});

test("the first documents of a list come together", async () => {
  const asking = await server(1100);
  const list = new RemoteList(asking, LISTING, () => {});
  assert.equal((await list.first(1050)).length, 1050);
  assert.deepEqual(asking.asked, [
    [0, 1000],
    [1000, 1050],
  ]);
  assert.equal((await list.first(9000)).length, 1100);
});

test("trouble is told once, and nothing more is asked", async () => {
  let asked = 0;
  const rows = async () => {
    asked++;
    throw new Error("gone");
  };
  const list = await arrival((arrived) => new RemoteList({ rows }, LISTING, arrived));
  assert.equal(list.trouble, "gone");
  list.at(500);
  await wait(100);
  assert.equal(asked, 1);
});

test("a list that nobody looks at asks for nothing", async () => {
  const asking = await server(10);
  const list = new RemoteList(asking, LISTING, () => assert.fail());
  list.at(0);
  list.stop();
  await wait(100);
  assert.deepEqual(asking.asked, []);
});

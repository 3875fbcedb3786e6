import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { type Form, List } from "../src/selection/list";
import { documents } from "./pages";

/** A server with so many documents, of which every tenth has two copies among the last ones; it
 * notes what it is asked for. */
async function server(count: number) {
  const block = await documents(
    Array.from({ length: count }, (_, k) => ({ titles: `title ${k}` })),
  );
  const asked: [number, number][] = [];
  const ask = async (form: Form, from: number, to: number) => {
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
  return { asked, ask };
}

async function arrival(of: (arrived: () => void) => List): Promise<List> {
  return new Promise((resolve) => {
    const list: List = of(() => resolve(list));
    list.row(0);
  });
}

test("documents that are not here are asked for, and come in parts", async () => {
  const asking = await server(120);
  const list = await arrival((arrived) => new List(asking.ask, arrived));
  assert.deepEqual(asking.asked, [[0, 50]]);
  assert.equal(list.row(7)?.document, 7);
  assert.equal(list.rowOf(8), 8); // numbers in the corpus begin with 1
  assert.equal(list.rowOf(100), 0);
  assert.equal(list.row(119), null);
  assert.equal(list.row(60), null);
  await wait(200);
  assert.deepEqual(asking.asked.slice(1), [
    [100, 150],
    [50, 100],
  ]);
  assert.equal(list.row(119)?.document, 119);
  assert.equal(list.row(140), null);
});

test("copies are listed below the document that they are folded into", async () => {
  const asking = await server(40);
  const list = await arrival((arrived) => new List(asking.ask, arrived));
  const shown = (from: number, to: number): (string | null)[] =>
    Array.from({ length: to - from }, (_, k) => {
      const row = list.row(from + k);
      return row && `${row.copy ? "copy " : ""}${row.document}`;
    });
  assert.equal(list.rows, 40);
  assert.equal(list.row(10)?.copies, 2);
  await Promise.all([list.toggle(10), list.toggle(0)]);
  assert.equal(list.rows, 44);
  const open = [0, 1, 3, 12].map((at) => list.isOpen(at));
  assert.deepEqual(open, [true, false, false, true]);
  assert.deepEqual(shown(0, 4), ["0", "copy 38", "copy 39", "1"]);
  assert.deepEqual(shown(11, 16), ["9", "10", "copy 38", "copy 39", "11"]);
  assert.deepEqual(shown(43, 45), ["39", null]);
  assert.deepEqual(
    [1, 2, 39, 40, 11].map((number) => list.rowOf(number)), // numbers begin with 1
    [1, 4, 2, 3, 13],
  );
  assert.deepEqual([await list.beside(39, 1), await list.beside(1, 3)], [40, 2]);
  await list.toggle(0);
  assert.deepEqual(shown(9, 13), ["9", "10", "copy 38", "copy 39"]);
  assert.deepEqual(list.length, 40);
});

test("what somebody scrolls past is not asked for", async () => {
  const asking = await server(1000);
  const list = await arrival((arrived) => new List(asking.ask, arrived));
  for (let place = 50; place < 1000; place += 10) list.row(place);
  await wait(200);
  assert.deepEqual(asking.asked.slice(1), [
    [900, 950],
    [950, 1000],
  ]);
});

test("the first documents of a list come together, as many as their use allows", async () => {
  const asking = await server(1100);
  const list = new List(asking.ask, () => {});
  const part = await list.first("search");
  assert.deepEqual([part?.items.length, part?.length], [1000, 1100]);
  assert.equal((await list.first("file"))?.items.length, 1100);
});

test("trouble is told once, and nothing more is asked", async () => {
  let asked = 0;
  const ask = async () => {
    asked++;
    throw new Error("gone");
  };
  const list = await arrival((arrived) => new List(ask, arrived));
  assert.equal(list.trouble, "gone");
  list.row(500);
  await wait(100);
  assert.equal(asked, 1);
});

test("a list that nobody looks at asks for nothing", async () => {
  const asking = await server(10);
  const list = new List(asking.ask, () => assert.fail());
  list.row(0);
  list.stop();
  await wait(100);
  assert.deepEqual(asking.asked, []);
});

test("a list goes on after documents that did not come", async () => {
  const asking = await server(120);
  let fails = false;
  const ask = async (form: Form, from: number, to: number) => {
    if (fails) throw new Error("no answer");
    return asking.ask(form, from, to);
  };
  const list = await arrival((arrived) => new List(ask, arrived));
  fails = true;
  assert.equal(await list.first("file"), null);
  assert.equal(list.trouble, "no answer");
  fails = false;
  assert.equal((await list.first("file"))?.length, 120);
  assert.equal(list.trouble, "");
  list.row(60);
  await wait(200);
  assert.equal(list.row(60)?.document, 60);
});

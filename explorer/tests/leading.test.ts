import assert from "node:assert/strict";
import { test } from "node:test";
import { leading } from "../src/page/leading";
import { linked, type Page, type TopicsHeader } from "../src/page/page";
import { page } from "./pages";

/** A page whose topics have these sizes and parents. */
function outline(...given: [size: number, parent: number][]): Page {
  const first = page().topics[0];
  const entries = given.map(([size, parent], k) => ({
    ...first,
    id: `Z-${k}`,
    size,
    parent,
    words: [],
  }));
  return { ...page(), ...linked(entries as unknown as TopicsHeader["topics"]) };
}

const chosen = (of: Page, least: number, most: number): number[] =>
  leading(of, least, most).map(({ index }) => index);

test("root topics, if there are enough of them, and of too many the largest", () => {
  const roots = outline([0.1, -1], [0.4, -1], [0.2, -1], [0.3, -1], [0.15, 1]);
  assert.deepEqual(chosen(roots, 4, 12), [0, 1, 2, 3]);
  assert.deepEqual(chosen(roots, 2, 3), [1, 2, 3]);
});

test("fewer are joined by the children that divide them best", () => {
  // The last child is nearly all of its parent.
  const one = outline([0.6, -1], [0.35, 0], [0.2, 0], [0.3, -1], [0.28, 3]);
  assert.deepEqual(chosen(one, 3, 12), [0, 1, 3]);
  assert.deepEqual(chosen(one, 4, 12), [0, 1, 2, 3]);
  assert.equal(leading(one, 99, 99).length, 5); // as many as there are
});

test("one root topic is followed by topics far below it", () => {
  const deep = outline([0.9, -1], [0.4, 0], [0.2, 1], [0.1, 1]);
  assert.deepEqual(chosen(deep, 3, 12), [0, 1, 2]);
  assert.deepEqual(chosen(outline([1, -1]), 8, 12), [0]);
  assert.deepEqual(chosen(outline(), 8, 12), []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Branch, leaves, pruned } from "../src/page/pruned";
import { page } from "./pages";

function written(branches: Branch[]): string {
  return branches
    .map(({ topic, below }) => topic.id + (below.length ? `(${written(below)})` : ""))
    .join(" ");
}

/** The tree of a document with these shares of the four topics. */
function tree(p: number[], least = 0.5): Branch[] {
  return pruned(page(), ({ index }) => p[index], least);
}

test("topics stand under their parents, those with the largest shares first", () => {
  assert.equal(written(tree([0.8, 0.6, 0.7, 0.9])), "Z3-2 Z3-1(Z2-2 Z2-1)");
  assert.equal(written(tree([0.8, 0.4, 0.5, 0.1])), "Z3-1(Z2-2)");
  assert.equal(written(tree([0, 0, 0, 0])), "");
});

test("a topic whose parent is not listed stands under the nearest topic that is", () => {
  assert.equal(written(tree([0.4, 0.6, 0.3, 0.9])), "Z3-2 Z2-1");
});

test("topics that are gone are left out", () => {
  const edited = page();
  edited.shown.splice(2, 1);
  assert.equal(written(pruned(edited, () => 1, 0.5)), "Z3-1(Z2-1) Z3-2");
});

test("the leaves are the most specific topics", () => {
  const of = (p: number[]): string[] => leaves(tree(p)).map(({ id }) => id);
  assert.deepEqual(of([0.8, 0.6, 0.7, 0.9]), ["Z3-2", "Z2-2", "Z2-1"]);
  assert.deepEqual(of([0.8, 0, 0, 0.9]), ["Z3-2", "Z3-1"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { path, siblings } from "../src/page/page";
import { rowAtOrAbove, rowThatBegins, visible } from "../src/panels/rows";
import { page } from "./pages";

const { topics } = page();
const rows = (...expanded: number[]): number[] =>
  visible(page(), new Set(expanded)).map(({ key }) => key);

test("topics know what is above and beside them", () => {
  assert.deepEqual(
    path(page(), topics[2]).map(({ id }) => id),
    ["Z3-1", "Z2-2"],
  );
  assert.deepEqual(siblings(page(), topics[1]), [1, 2]);
  assert.deepEqual(siblings(page(), topics[3]), [0, 3]);
  assert.deepEqual(
    topics.map(({ branch }) => branch),
    [0, 0, 0, 1],
  );
});

test("rows are the root topics, and the children of expanded ones below them", () => {
  assert.deepEqual(rows(), [0, 3]);
  assert.deepEqual(rows(0), [0, 1, 2, 3]);
});

test("a topic out of sight is stood for by the lowest one above it", () => {
  const collapsed = visible(page(), new Set());
  assert.equal(rowAtOrAbove(page(), collapsed, 2), 0);
  assert.equal(rowAtOrAbove(page(), collapsed, 3), 1);
  assert.equal(rowAtOrAbove(page(), collapsed, -1), 0);
});

test("letters lead to the next title that begins with them, and around", () => {
  const all = visible(page(), new Set([0])); // star…, galaxy…, dark-matter, proof…
  assert.equal(rowThatBegins(all, "g", 0), 1);
  assert.equal(rowThatBegins(all, "sta", 0), 0);
  assert.equal(rowThatBegins(all, "s", 1), 0);
  assert.equal(rowThatBegins(all, "x", 0), undefined);
});

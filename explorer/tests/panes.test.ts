import assert from "node:assert/strict";
import { test } from "node:test";
import {
  divided,
  isFolded,
  type Layout,
  LEAST,
  readLayout,
  treeTurned,
  USUAL,
  writeLayout,
} from "../src/panels/layout";

test("a layout is kept as a text, and what cannot be read is as usual", () => {
  const layouts: Layout[] = [
    USUAL,
    { folded: true, wide: false, share: 0.5 },
    { folded: false, wide: true, share: 0.75 },
  ];
  for (const layout of layouts) assert.deepEqual(readLayout(writeLayout(layout)), layout);
  for (const odd of ["", "nonsense", "tree=1&wide=yes&share=NaN", "share=-3", "share=7"]) {
    assert.deepEqual(readLayout(odd), USUAL, odd);
  }
  assert.equal(readLayout("share=0.001").share, LEAST);
});

test("the tree is folded where the page is narrow, unless somebody chose", () => {
  assert.equal(isFolded(USUAL, true), true);
  assert.equal(isFolded(USUAL, false), false);
  const opened = treeTurned(USUAL, true);
  assert.equal(isFolded(opened, true), false);
  assert.equal(isFolded(treeTurned(opened, true), true), true);
});

test("a wide picture folds the tree; the tree comes back with it, or is opened by itself", () => {
  const wide = { ...USUAL, wide: true };
  assert.equal(isFolded(wide, false), true);
  assert.equal(isFolded({ ...wide, wide: false }, false), false);
  const opened = treeTurned(wide, false);
  assert.deepEqual([opened.wide, isFolded(opened, false)], [false, false]);
});

test("the divider leaves room on both sides, and the tree as it is", () => {
  assert.equal(divided(USUAL, 0.4).share, 0.4);
  assert.equal(divided(USUAL, 0).share, LEAST);
  assert.equal(divided(USUAL, 1).share, 1 - LEAST);
  assert.equal(divided(USUAL, 0.4).folded, null);
  const moved = divided({ ...USUAL, wide: true }, 0.7);
  assert.deepEqual([moved.wide, isFolded(moved, false)], [false, true]);
});

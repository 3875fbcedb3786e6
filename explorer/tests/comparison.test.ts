import assert from "node:assert/strict";
import { test } from "node:test";
import { listed } from "../src/look/lists";
import { finding } from "../src/pictures/compare-finding";
import { apart, clausesOf, onAll, regions } from "../src/selection/comparison";
import { only, termOf } from "../src/selection/terms";

const A = { id: "Z1" };
const B = { id: "Z2" };

/** A mask of twelve documents from those that it has. */
function mask(...documents: number[]): Uint8Array {
  return Uint8Array.from({ length: 12 }, (_, k) => Number(documents.includes(k)));
}

const ALL = new Uint8Array(12).fill(1);

test("regions part the documents on any topic, those on the most topics first", () => {
  const masks = [mask(0, 1, 2, 3), mask(2, 3, 4), mask(3, 9)];
  const found = regions(masks, ALL).map(({ on, documents }) => [
    on.map(Number).join(""),
    documents,
  ]);
  assert.deepEqual(found, [
    ["111", 1],
    ["110", 1],
    ["101", 0],
    ["011", 0],
    ["100", 2],
    ["010", 1],
    ["001", 1],
  ]);
  const some = regions(masks, mask(0, 3));
  assert.equal(
    some.reduce((sum, { documents }) => sum + documents, 0),
    2,
  );
  assert.equal(onAll(masks.slice(0, 2), ALL), 2);
  assert.equal(onAll([], mask(5, 6)), 2);
});

test("a region is told by its topics, and by those that it is outside of", () => {
  assert.deepEqual(clausesOf([A, B], [true, false]), [only(termOf(A)), only(termOf(B), true)]);
  assert.deepEqual(clausesOf([A, B], [null, true]), [only(termOf(B))]);
});

test("other clauses stay when a region is chosen", () => {
  const word = only({ kind: "word", word: "star" });
  const either = { not: false, terms: [termOf(A), { kind: "none" } as const] };
  const other = only(termOf({ id: "Z3" }));
  const clauses = [only(termOf(A)), word, only(termOf(B), true), either, other];
  assert.deepEqual(apart(clauses, [A, B]), [word, either, other]);
});

test("a finding tells how many documents topics share, and how many chance would give", () => {
  const told = (a: number[], b: number[], among: Uint8Array = ALL): string =>
    finding(["trade", "oil"], [mask(...a), mask(...b)], among);
  // Of 1,200 documents, 400 are on the first; 300 on the second, of which 100 are expected on both.
  const shared = (both: number): string => {
    const on = (from: number, to: number): Uint8Array =>
      Uint8Array.from({ length: 1200 }, (_, k) => Number(k >= from && k < to));
    return finding(["trade", "oil"], [on(0, 400), on(400 - both, 700 - both)], on(0, 1200));
  };
  assert.equal(
    shared(150),
    "150 documents are on both “trade” and “oil”, 1.5 times as many as by chance",
  );
  assert.match(shared(49), /^49 documents are .* only 50% as many as by chance/);
  assert.match(shared(110), /, which chance alone can explain$/);
  assert.match(told([0, 1, 2, 3, 4, 5], [3, 4, 5, 6]), /^3 documents .*, which chance alone/);
  assert.match(told([0, 1, 2, 3, 4, 5], [5, 6, 7, 8]), /^1 document is on both .*, which chance/);
  assert.equal(told([0, 1], [2, 3]), "No document is on both “trade” and “oil”");
  assert.equal(told([0, 1, 2], [1, 2]), "Both documents on “oil” are on “trade”, too");
  assert.equal(told([0], [0, 1, 2]), "The only document on “trade” is on “oil”, too");
  assert.equal(told([0, 1, 2, 3], [0, 1, 2]), "All 3 documents on “oil” are on “trade”, too");
  const first = mask(0, 1, 2, 3, 4, 5); // among which all on "oil" are on "trade"
  assert.match(told([0, 1, 2, 3, 4], [4, 6], first), /^The only document on “oil”/);
});

test("three topics are compared as a whole", () => {
  const masks = [mask(0, 1, 2, 3), mask(2, 3, 4, 5), mask(3, 5, 6)];
  assert.equal(
    finding(["a", "b", "c"], masks, ALL),
    "1 document is on all of “a”, “b” and “c”, which chance alone can explain",
  );
  assert.equal(
    finding(["a", "b", "c"], [mask(0), mask(1), mask(2)], ALL),
    "No document is on all of “a”, “b” and “c”",
  );
});

test("names are listed as in a sentence", () => {
  assert.deepEqual(
    [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])],
    ["a", "a and b", "a, b and c"],
  );
});

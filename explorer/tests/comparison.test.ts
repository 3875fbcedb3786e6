import assert from "node:assert/strict";
import { test } from "node:test";
import { finding } from "../src/pictures/findings";
import type { WordCounts } from "../src/selection/corpus";
import { contrastWords, distinctWords, wordCounts } from "../src/selection/distinct";
import { pairOf } from "../src/selection/pair";
import { describeWhere } from "../src/selection/saying";
import { Sets } from "../src/selection/sets";
import { clausesOf, describeSide, readSide, type Side, writeSide } from "../src/selection/sides";
import { inPeriod, only, termOf } from "../src/selection/terms";
import { answersOf, documents, groups, page, shares } from "./pages";

const A: Side = [only(termOf({ id: "Z2-1" }))];
const B: Side = [
  only({ kind: "group", field: "group", name: "b" }),
  only({ kind: "text", query: "a&b" }, true),
];

test("sides come back from their parts of an address", () => {
  for (const side of [A, B, []]) assert.deepEqual(readSide(writeSide(side, page()), page()), side);
  assert.equal(writeSide(A, page()), "Z2-1");
  for (const odd of ["Z9-9", "with=nonsense", "with", "__proto__"]) {
    assert.equal(readSide(odd, page()), null, odd);
  }
});

test("sides are told, and stand for clauses where these say so", () => {
  assert.equal(describeSide(A, page()), "galaxy");
  assert.equal(describeSide(B, page()), "b and not “a&b”");
  assert.equal(describeSide([], page()), "all else");
  const either = { not: false, terms: [...A[0].terms, ...B[0].terms] };
  assert.equal(describeSide([either], page()), "galaxy or b");
  assert.equal(describeSide([either, B[1]], page()), "(galaxy or b) and not “a&b”");
  assert.equal(describeSide([{ ...either, not: true }], page()), "neither galaxy nor b");
  const fields = [groups(["b"], [1], []), groups(["talk"], [1], [], "kind")];
  const kind = (name: string): Side => [only({ kind: "group", field: "kind", name })];
  const texts = [B, kind("talk"), kind("")].map((side) =>
    describeSide(side, { ...page(), fields }),
  );
  assert.deepEqual(texts, ["b and not “a&b”", "kind: talk", "in no kind"]);
  const where = (side: Side): string => describeWhere(side, { ...page(), fields });
  assert.equal(where(B), " in b and not with “a&b”");
  assert.equal(where([...A, ...kind("")]), " on “galaxy” and in no kind");
  assert.equal(where([...kind("talk"), either]), " in kind: talk and (on “galaxy” or in b)");
  const date = only({ kind: "date", from: "1987", to: "1995" });
  assert.equal(
    where([date, only({ kind: "not", term: { kind: "word", word: "oil" } })]),
    " from 1987 to 1995 and not with the word “oil”",
  );
  const periods = shares(["1987-Q2", "1987-Q3"], [1, 1], []);
  const quarter: Side = [only(inPeriod("1987-Q2"))];
  assert.equal(where(quarter), " from 1987-04 to 1987-06");
  assert.equal(describeWhere(quarter, { ...page(), periods }), " in Q2 1987");
  assert.equal(describeSide(quarter, { ...page(), periods }), "Q2 1987");
  const both: Side = [only(inPeriod("1987-Q2", "1987-Q3"))];
  assert.equal(describeWhere(both, { ...page(), periods }), " in Q2–Q3 1987");
  assert.equal(where([only({ kind: "all" })]), "");
  assert.deepEqual(clausesOf(A, B, true), A);
  assert.deepEqual(clausesOf(A, B, false), [{ ...A[0], not: true }]);
  assert.deepEqual(clausesOf([], A, true), [{ ...A[0], not: true }]);
  assert.deepEqual(clausesOf([], A, false), A);
  assert.equal(clausesOf(B, A, false), null); // no clauses say "not both"
});

test("all else is what a set leaves, its words too", async () => {
  const of = await documents([
    { on: { 1: 0.9 }, words: [0, 1] },
    { words: [1, 2] },
    { words: [2] },
  ]);
  const { both, sets } = pairOf(answersOf(new Sets(page(), of)), [[], A])!;
  const texts = sets.map(({ counts: { documents, on }, words }) => [
    ...[documents, on[1]],
    ...Array.from(words.words).slice(0, 3),
  ]);
  assert.deepEqual([both, ...texts], [0, [2, 0, 0, 1, 2], [1, 1, 1, 1, 0]]);
});

test("words that set documents apart are surely more frequent in them", async () => {
  const rows = Array.from({ length: 300 }, (_, k) => ({
    words: [0, ...(k < 60 ? [1] : []), ...(k % 2 ? [2] : []), ...(k < 2 ? [3] : [])],
  }));
  const of = await documents(rows);
  const mask = Uint8Array.from(rows, (_, k) => Number(k < 60));
  const counted = (mask: Uint8Array): WordCounts => {
    const documents = mask.reduce((sum, is) => sum + is, 0);
    return { documents, words: wordCounts(of, mask) };
  };
  const found = distinctWords(counted(mask), counted(mask.map(() => 1)));
  assert.deepEqual(
    found.map(({ word, on, times }) => [word, on, times]),
    [[1, 60, 5]],
  );
  assert.deepEqual([...wordCounts(of, mask)], [60, 60, 30, 2]);
  const rest = mask.map((is) => 1 - is);
  const contrast = contrastWords(counted(mask), counted(rest));
  assert.deepEqual(
    contrast.map(({ word, times, sure }) => [word, times, sure]),
    [[1, Number.POSITIVE_INFINITY, true]],
  );
  const halfSure = contrastWords(
    { documents: 30, words: [4, 1, 1, 1] },
    { documents: 30, words: [0, 1, 1, 1] },
  );
  assert.deepEqual(
    halfSure.map(({ word, sure }) => [word, sure]),
    [[0, false]],
  );
  const half = Uint8Array.from(rows, (_, k) => k % 2);
  const other = half.map((is) => 1 - is);
  const halves = [half, other].map(counted);
  assert.deepEqual(contrastWords(halves[1], halves[0]), []);
});

test("a finding tells how many documents topics share, and how many chance would give", () => {
  const sentence = (...shared: [number, number, number, number]): string =>
    finding(["trade", "oil"], [shared[0], shared[1], shared[2]], shared[3]);
  // Of 1,200 documents, 400 are on the first; 300 on the second, of which 100 are expected on both.
  const shared = (both: number): string => sentence(both, 400 - both, 300 - both, 1200);
  assert.equal(
    shared(150),
    "150 documents are on both “trade” and “oil”, 1.5 times as many as by chance",
  );
  assert.match(shared(49), /^49 documents are .* only 49% as many as by chance/);
  assert.match(shared(110), /, which chance alone can explain$/);
  assert.match(sentence(1, 5, 3, 12), /^1 document is on both .*, which chance/);
  assert.equal(sentence(0, 2, 2, 12), "No document is on both “trade” and “oil”");
  assert.equal(sentence(2, 1, 0, 12), "Both documents on “oil” are on “trade”, too");
  assert.equal(sentence(1, 0, 2, 12), "The only document on “trade” is on “oil”, too");
  assert.equal(sentence(3, 1, 0, 12), "All 3 documents on “oil” are on “trade”, too");
});

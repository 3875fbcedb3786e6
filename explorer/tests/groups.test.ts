import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shares } from "../src/page/page";
import { OF_DOCUMENTS, OF_WORDS } from "../src/pictures/chart";
import { dumbbellsOf, dumbbellTold, surestOf } from "../src/pictures/dumbbells";
import { cellsOf, cellTold, columnsOf, strongest } from "../src/pictures/group-table";
import { byCount } from "../src/selection/tally";
import { page, shares } from "./pages";

const { topics } = page();

const on: Record<string, number[]> = { a: [40, 2, 2, 1], b: [4, 30, 1, 40], "": [6, 8, 0, 9] };
const names = ["a", "b", ""];
const tally: Shares = {
  key: "group",
  name: "group",
  names,
  documents: [50, 60, 20],
  unit: "group",
  further: 0,
  on: (topic, part) => on[names[part]][topic],
  of: (topic, part) => on[names[part]][topic] / [50, 60, 20][part],
  effectiveSize: () => 1,
};

test("cells are counted, and marked where they surely differ from all documents", () => {
  const cells = cellsOf(tally, 0, 50 / 130, 12);
  assert.deepEqual(
    cells.map(({ both, group, differs }) => [both, group, differs]),
    [
      [40, 50, 1],
      [4, 60, -1],
      [6, 20, 0],
    ],
  );
  const [a] = cells;
  assert.equal(
    cellTold(topics[0], "a", a, 50 / 130, "no group"),
    "“star”, a: 40 of 50 documents (80%), 2.1 times the share of all",
  );
  assert.equal(
    cellTold(topics[0], "", { ...a, group: 0 }, 0.4, "no group"),
    "“star”, no group: no documents",
  );
  const never = { ...a, both: 0, share: 0 };
  assert.equal(
    cellTold(topics[0], "a", never, 0.4, "no group"),
    "“star”, a: 0 of 50 documents (0%)",
  );
  const few = { ...tally, documents: [5, 0, 29], on: (_: number, part: number) => 14 * part };
  assert.deepEqual(
    cellsOf(few, 0, 0.38, 12).map(({ differs }) => differs),
    [0, 0, 0], // 28 of 29 are too few documents to be tested
  );
});

test("the largest groups have a column each, and no group the last one", () => {
  const many = Array.from({ length: 20 }, (_, k) => `g${k}`);
  const given = shares([...many, ""], [...many.map((_, k) => k), 9], []);
  const names = (every: boolean): string[] => columnsOf(given, every).map((k) => given.names[k]);
  assert.equal(names(false).length, 13);
  assert.deepEqual(names(false).slice(0, 2), ["g19", "g18"]);
  assert.equal(names(false).at(-1), "");
  assert.equal(names(true).length, 20); // one has no documents
});

test("what is told of groups is their surest difference", () => {
  const expected = (of: string): string =>
    `“star” is more frequent in a (80% ${of}) than in b (6.7%)`;
  assert.equal(
    strongest(topics, byCount(tally), OF_DOCUMENTS)?.sentence,
    expected("of the documents"),
  );
  assert.equal(strongest(topics.slice(0, 1), tally, OF_WORDS)?.sentence, expected("of the words")); // mean shares
  const few: Shares = { ...tally, documents: [5, 6, 2], on: () => 2, of: () => 0.4 };
  assert.equal(strongest(topics, byCount(few), OF_DOCUMENTS), null);
  const some = shares(["a", "b", "c"], [9, 60, 400], [[0.9], [0.5], [0.1]]);
  assert.match(
    strongest(topics.slice(0, 1), some, OF_WORDS)?.sentence ?? "",
    /in b \(50% of the words\) than in c/,
  );
  const alike = shares(["a", "b"], [40, 40], [[0.4], [0.38]]);
  assert.equal(strongest(topics.slice(0, 1), alike, OF_WORDS), null);
  assert.equal(strongest(topics.slice(0, 1), { ...some, on: () => 0 }, OF_WORDS), null); // no document is on the topic
});

test("topics of two sets are in the order of the evidence that they differ", () => {
  const sets: [string, number, number[]][] = [
    ["a", 500, [100, 250, 4, 0]],
    ["b", 400, [80, 20, 4, 0]],
  ];
  const found = dumbbellsOf(topics, sets);
  assert.deepEqual([found[0].topic.index, found.at(-1)!.topic.index], [1, 3]);
  const [first, second] = found[0].ends;
  assert.ok(first.low < 0.5 && first.high > 0.5 && second.share === 0.05);
  assert.equal(
    surestOf(found)?.sentence,
    "“galaxy” is more frequent in a (50% of the documents) than in b (5.0%)",
  );
  assert.match(dumbbellTold(found[0]), /^“galaxy”: a 50% of 500 documents, 95% interval 46%/);
  assert.equal(surestOf(dumbbellsOf(topics, [sets[0], sets[0]])), null);
});

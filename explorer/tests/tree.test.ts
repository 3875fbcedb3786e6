import assert from "node:assert/strict";
import { test } from "node:test";
import { path, shownAbove, siblings } from "../src/page/ancestry";
import type { Page } from "../src/page/page";
import { foldOf, isFolded, keyAbove } from "../src/page/vague";
import { firstLevel, rowAtOrAbove, rowThatBegins, shownLevel, visible } from "../src/panels/rows";
import { layoutDiagram } from "../src/pictures/diagram-layout";
import { page } from "./pages";

const { topics } = page();
const rows = (...expanded: number[]): number[] =>
  visible(page(), new Set(expanded)).map(({ key }) => key);

/** The page with some topics vague. */
const setAside = (...vague: number[]): Page => {
  const found = page();
  const topics = found.topics.map((topic) => ({ ...topic, vague: vague.includes(topic.index) }));
  return { ...found, topics, shown: topics };
};

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
  assert.equal(shownAbove(page(), new Map([[0, null]]), 2), 0);
  assert.equal(shownAbove(page(), new Map(), 2), -1);
});

test("the tree opens as far down as its rows stay few", () => {
  assert.equal(firstLevel(topics, 60), 2);
  assert.equal(firstLevel(topics, 4), 2);
  assert.equal(firstLevel(topics, 3), 3);
  assert.equal(firstLevel(topics, 0), 3);
});

test("the slider shows the lowest level in sight, and whether all of it is", () => {
  assert.deepEqual(shownLevel(topics, new Set()), { level: 3, whole: true });
  assert.deepEqual(shownLevel(topics, new Set([0])), { level: 2, whole: true });
  const wide = page();
  wide.topics[3].children.push(2); // now two root topics have children
  assert.deepEqual(shownLevel(wide.topics, new Set([0])), { level: 2, whole: false });
});

test("letters lead to the next title that begins with them, and around", () => {
  const all = visible(page(), new Set([0])); // star…, galaxy…, dark-matter, proof…
  assert.equal(rowThatBegins(all, "g", 0), 1);
  assert.equal(rowThatBegins(all, "sta", 0), 0);
  assert.equal(rowThatBegins(all, "s", 1), 0);
  assert.equal(rowThatBegins(all, "x", 0), undefined);
});

test("vague topics share a row, behind those beside them", () => {
  const top = setAside(0, 1, 2); // a vague root topic, with all below it
  const [others, folded] = visible(top, new Set());
  assert.deepEqual([others.key, others.place, others.beside], [3, 1, 2]);
  assert.deepEqual([folded.key, folded.topic, folded.name], [foldOf(-1), null, "3 vague topics"]);
  assert.deepEqual([folded.depth, folded.place, folded.beside, folded.opens], [1, 2, 2, true]);
  const below = setAside(2);
  assert.equal(visible(below, new Set([0]))[2].name, "1 vague topic");
});

test("unfolded, the vague topics are below that row, and fold no further", () => {
  const top = setAside(0, 1, 2);
  const all = visible(top, new Set([foldOf(-1), 0]));
  assert.deepEqual(
    all.map(({ key, depth, place, beside }) => [key, depth, place, beside]),
    [
      [3, 1, 1, 2],
      [foldOf(-1), 1, 2, 2],
      [0, 2, 1, 1],
      [1, 3, 1, 2],
      [2, 3, 2, 2],
    ],
  );
  assert.deepEqual(
    top.topics.map((topic) => isFolded(top, topic)),
    [true, false, false, false],
  );
});

test("keys of rows lead upwards, and differ", () => {
  const below = setAside(2);
  assert.equal(keyAbove(below, 2), foldOf(0));
  assert.equal(keyAbove(below, foldOf(0)), 0);
  assert.equal(keyAbove(below, 0), -1);
  assert.equal(keyAbove(setAside(3), 3), foldOf(-1));
  assert.equal(keyAbove(setAside(3), foldOf(-1)), -1);
  const keys = [-1, ...topics.keys()].map(foldOf);
  assert.equal(new Set([...keys, ...topics.keys(), -1]).size, 2 * topics.length + 2);
  assert.equal(rowAtOrAbove(below, visible(below, new Set([0])), 2), 2); // the row of vague topics
  assert.equal(rowAtOrAbove(below, visible(below, new Set()), 2), 0);
});

test("the diagram shows vague topics where the tree does", () => {
  const below = setAside(2);
  const shown = (...expanded: number[]): number[] => [
    ...layoutDiagram(below, new Set(expanded), 800).places.keys(),
  ];
  assert.deepEqual(shown(0), [0, 3, 1]);
  assert.deepEqual(shown(0, foldOf(0)), [0, 3, 1, 2]);
});

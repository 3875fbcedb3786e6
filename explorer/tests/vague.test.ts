import assert from "node:assert/strict";
import { test } from "node:test";
import { Editing } from "../src/edits/editing";
import type { Edit } from "../src/edits/log";
import { leading } from "../src/page/leading";
import type { Outline } from "../src/page/page";
import { foldOf } from "../src/page/vague";
import { visible } from "../src/panels/rows";
import { summary } from "../src/panels/summary";
import { familyOf } from "../src/pictures/chart";
import { topicsAsJson } from "../src/pictures/exporting";
import { mostSpecific } from "../src/pictures/map-colours";
import { findTopics } from "../src/selection/finding";
import { Store } from "../src/selection/state";
import { documents, page, pageWithVague } from "./pages";

const ids = (some: readonly { readonly id: string }[]): string[] => some.map(({ id }) => id);

test("vague topics share a row, behind those beside them", () => {
  const top = pageWithVague(0, 1, 2); // a vague root topic, with all below it
  const [others, folded] = visible(top, new Set());
  assert.deepEqual([others.key, others.place, others.beside], [3, 1, 2]);
  assert.deepEqual([folded.key, folded.topic, folded.name], [foldOf(-1), null, "3 vague topics"]);
  assert.deepEqual([folded.depth, folded.place, folded.beside, folded.opens], [1, 2, 2, true]);
  const below = pageWithVague(2);
  assert.equal(visible(below, new Set([0]))[2].name, "1 vague topic");
});

test("topics of few documents share a row, unless all beside them are as small or one is pinned", () => {
  const given = (...documents: number[]): ReturnType<typeof page> => {
    const small = page();
    documents.forEach((n, k) => {
      small.topics[k] = { ...small.topics[k], documents: n };
    });
    return small;
  };
  const names = (of: ReturnType<typeof page>): string[] =>
    visible(of, new Set([0])).map(({ topic, name }) => topic?.id ?? name);
  assert.deepEqual(names(given(50, 40, 9, 10)), ["Z3-1", "Z2-1", "1 small topic", "Z3-2"]);
  assert.deepEqual(names(given(50, 9, 9, 9)), ["Z3-1", "Z2-1", "Z2-2", "1 small topic"]);
  assert.deepEqual(names(given(9, 50, 3, 70)), ["Z3-1", "Z2-1", "1 small topic", "Z3-2"]); // not all below
  assert.deepEqual(names(given(3, 2, 2, 3)), ["Z3-1", "Z2-1", "Z2-2", "Z3-2"]);
  const pinned = given(50, 40, 9, 10);
  pinned.topics[2] = { ...pinned.topics[2], pinned: true };
  assert.deepEqual(names(pinned), ["Z3-1", "Z2-1", "Z2-2", "Z3-2"]);
  const mixed = given(50, 3, 40, 40);
  mixed.topics[0].children.push(4);
  mixed.topics.push({ ...mixed.topics[2], index: 4, id: "Z2-3", vague: true });
  assert.deepEqual(names(mixed), ["Z3-1", "Z2-2", "2 small or vague topics", "Z3-2"]);
});

test("a topic that is selected unfolds what it is folded into", () => {
  Object.assign(globalThis, {
    addEventListener: () => {},
    location: { hash: "" },
    history: { pushState: () => {}, replaceState: () => {} },
  });
  const store = new Store(pageWithVague(0, 1, 2));
  store.selectTopic(1);
  assert.deepEqual([...store.expanded].sort(), [foldOf(-1), 0].sort());
  const below = new Store(pageWithVague(2));
  below.selectTopic(2);
  assert.deepEqual([...below.expanded].sort(), [foldOf(0), 0].sort());
});

test("pictures and the front page begin without vague topics, unless one is chosen", async () => {
  const top = pageWithVague(0, 1, 2);
  assert.deepEqual(ids(leading(top, 8, 12)), ["Z3-2"]);
  assert.deepEqual(ids(leading(pageWithVague(2), 8, 12)), ["Z3-1", "Z2-1", "Z3-2"]);
  assert.equal(summary(top), "4 topics, about “proof”.");
  assert.deepEqual(ids(familyOf(top, -1)), ["Z3-2"]);
  const found = await documents([{ on: { 0: 0.6, 1: 0.5, 3: 0.4 }, main: [0, 1] }]);
  assert.deepEqual(ids(mostSpecific(top, found.topics(0), 3)), ["Z3-2"]);
});

test("in lists, vague topics are behind others", () => {
  const one = pageWithVague(0, 1, 2);
  const same = { ...one, shown: one.topics.map((topic) => ({ ...topic, title: "star" })) };
  assert.deepEqual(ids(findTopics(same, "star")), ["Z3-2", "Z3-1", "Z2-1", "Z2-2"]);
  const { topics } = JSON.parse(topicsAsJson(one)) as { topics: { vague?: true }[] };
  assert.deepEqual(
    topics.map(({ vague }) => vague),
    [true, undefined],
  );
});

/** The topics with some of them vague after some edits. */
function edited(vague: number[], ...edits: Edit[]): Outline {
  const editing = new Editing(pageWithVague(...vague));
  for (const edit of edits) editing.make(edit);
  return editing.outline();
}

const vagueOf = ({ shown }: Outline): string[] => ids(shown.filter(({ vague }) => vague));

test("a pin makes a topic clear, and what is above it; vague topics stay behind", () => {
  assert.deepEqual(ids(edited([0, 1, 2]).shown), ["Z3-2", "Z3-1", "Z2-1", "Z2-2"]);
  const pinned = edited([0, 1, 2], { edit: "pin", topic: "Z2-2" });
  assert.deepEqual(vagueOf(pinned), ["Z2-1"]);
  assert.deepEqual(ids(pinned.shown), ["Z3-1", "Z2-2", "Z2-1", "Z3-2"]);
});

test("a topic that gets one below it that is not vague is vague no more", () => {
  const moved = edited([3], { edit: "move", name: "Z2-1", below: "Z3-2" });
  assert.deepEqual(vagueOf(moved), []);
});

test("if nothing else is left, no topic is vague", () => {
  const hidden = edited([0, 1, 2], { edit: "hide", topic: "Z3-2" });
  assert.deepEqual(vagueOf(hidden), []);
  assert.deepEqual(ids(hidden.shown), ["Z3-1", "Z2-1", "Z2-2"]);
});

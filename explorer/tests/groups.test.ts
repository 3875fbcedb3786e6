import assert from "node:assert/strict";
import { test } from "node:test";
import { diverging } from "../src/look/colours";
import type { Shares } from "../src/page/page";
import { ahead, dotsOf } from "../src/pictures/dots";
import { documentsIn, groupRows, shareIn } from "../src/pictures/group-rows";
import { cellTold, heatOf, strongest } from "../src/pictures/heat";
import { cautiousLift, lift, stepOf } from "../src/pictures/lift";
import { page, shares } from "./pages";

const { topics } = page();

test("the largest groups have a row each, then come the others and no group", () => {
  const names = ["a", "b", "c", "d", ""];
  const rows = groupRows({ names }, [], 2);
  assert.deepEqual(
    rows.map(({ name, group, parts }) => [name, group, parts]),
    [
      ["a", "a", [0]],
      ["b", "b", [1]],
      ["2 other groups", null, [2, 3]],
      ["no group", "", [4]],
    ],
  );
  const wanted = groupRows({ names }, ["d"], 2).map(({ name }) => name);
  assert.deepEqual(wanted, ["a", "b", "d", "1 other group", "no group"]);
  assert.equal(groupRows({ names: ["a", "b", "c"] }, [], 2).length, 3); // one other is itself
});

test("the share of several groups is that of all their documents", () => {
  const given = shares(["a", "b", "c"], [10, 30, 0], [[0.4], [0.2], [0]]);
  const row = { name: "", group: null, parts: [0, 1, 2] };
  assert.equal(documentsIn(given, row), 40);
  assert.ok(Math.abs(shareIn(given, row, 0) - 0.25) < 1e-12);
  assert.equal(shareIn(given, { name: "", group: "c", parts: [2] }, 0), 0);
});

test("lift compares shares, and is cautious where little is expected", () => {
  const counts = { both: 46, group: 200, topic: 100, all: 1000 };
  assert.ok(Math.abs(lift(counts) - 2.3) < 1e-12);
  assert.ok(cautiousLift(counts) > 1 && cautiousLift(counts) < Math.log2(2.3));
  const few = { both: 1, group: 2, topic: 100, all: 1000 }; // five times, by a single document
  assert.ok(cautiousLift(few) < 0.75);
  assert.equal(cautiousLift({ both: 20, group: 200, topic: 100, all: 1000 }), 0);
  assert.equal(cautiousLift({ both: 0, group: 0, topic: 0, all: 0 }), 0);
});

test("steps of colour are symmetrical, with breaks at 1.25, 2 and 4 times", () => {
  const factors = [1, 1.2, 1.3, 1.9, 2.1, 3.9, 4.1];
  const up = factors.map((factor) => stepOf(Math.log2(factor)));
  const down = factors.map((factor) => stepOf(-Math.log2(factor)));
  assert.deepEqual(up, [0, 0, 1, 1, 2, 2, 3]);
  assert.deepEqual(
    down.map((step) => Math.abs(step)),
    up,
  );
  assert.ok(down.slice(2).every((step) => step < 0));
});

const on: Record<string, number[]> = { a: [40, 2, 2, 1], b: [4, 30, 1, 40], "": [6, 8, 0, 9] };
const names = ["a", "b", ""];
const tally: Shares = {
  names,
  documents: [50, 60, 20],
  unit: "group",
  further: 0,
  on: (topic, part) => on[names[part]][topic],
  of: (topic, part) => on[names[part]][topic] / [50, 60, 20][part],
  evidence: () => 1,
};
const heat = heatOf(groupRows(tally), topics, tally, { on: [50, 40, 3, 50], documents: 130 });

test("a heat map counts cells, and has what is no group below", () => {
  assert.deepEqual(heat.rows.map(({ name }) => name).at(-1), "no group");
  const row = heat.rows.find(({ group }) => group === "a")!;
  const cell = heat.counts(row, topics[0]);
  assert.deepEqual(cell, { both: 40, group: 50, topic: 50, all: 130 });
  assert.equal(
    cellTold(row, topics[0], cell),
    "“star”, a: 40 of 50 documents (80%), 2.1 times the share of all",
  );
  const none = { both: 0, group: 0, topic: 50, all: 130 };
  assert.equal(cellTold(row, topics[0], none), "“star”, a: no documents");
  const never = { ...cell, both: 0 };
  assert.equal(cellTold(row, topics[0], never), "“star”, a: 0 of 50 documents (0%)");
});

test("its title is the surest difference of groups", () => {
  const named = strongest(heat);
  assert.equal(named?.told, "“star” is more frequent in a (80%) than in b (6.7%)");
  assert.deepEqual(
    named.rows.map(({ name }) => name),
    ["a", "b"],
  );
  const few: Shares = { ...tally, documents: [5, 6, 2], on: () => 2, of: () => 0.4 };
  assert.equal(
    strongest(heatOf(groupRows(few), topics, few, { on: [4, 4, 4, 4], documents: 13 })),
    null,
  );
});

test("intervals are as narrow as the evidence allows", () => {
  const usual = shares(["a", "b"], [40, 400], [[0.3], [0.2]]);
  const widths = [usual, { ...usual, evidence: () => 4 }].map((given) =>
    dotsOf(groupRows(given), given, 0).map(({ low, high }) => high - low),
  );
  for (const k of [0, 1]) assert.ok(widths[1][k] < 0.6 * widths[0][k]);
});

test("dots are in the order of their shares, and told against all", () => {
  const dots = dotsOf(groupRows(tally), tally, 0);
  assert.deepEqual(
    dots.map(({ row }) => row.name),
    ["a", "b", "no group"],
  );
  const found = ahead("“star”", dots);
  assert.equal(found?.told, "“star” is more frequent in a (80%) than in b (6.7%)");
  const few = shares(["a", "b", "c"], [9, 60, 400], [[0.9], [0.5], [0.1]]);
  const sure = dotsOf(groupRows(few), few, 0);
  assert.deepEqual(
    sure.map(({ row }) => row.name),
    ["b", "c", "a"], // those of few documents are below
  );
  assert.match(ahead("“star”", sure)?.told ?? "", /in b \(50%\) than in c/);
  const alike = shares(["a", "b"], [40, 40], [[0.4], [0.38]]);
  assert.equal(ahead("“star”", dotsOf(groupRows(alike), alike, 0)), null);
  assert.equal(ahead("“star”", []), null);
  const nobody = { ...few, on: () => 0 }; // no document is on the topic
  assert.equal(ahead("“star”", dotsOf(groupRows(nobody), nobody, 0)), null);
});

/** Relative luminance by WCAG 2. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const THEMES = {
  light: { paper: "#fffefb", ink: "#1d222b", more: "#0b6cb0", less: "#b84a05" },
  dark: { paper: "#171b21", ink: "#e8eaee", more: "#63b4f0", less: "#f0935a" },
};

for (const [name, theme] of Object.entries(THEMES)) {
  test(`text reads well on every step of the ${name} colours`, () => {
    for (let step = -3; step <= 3; step++) {
      const tone = diverging(step, theme);
      const [low, high] = [luminance(tone.fill), luminance(tone.ink)].sort((a, b) => a - b);
      assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${step}: ${tone.fill} ${tone.ink}`);
    }
  });
}

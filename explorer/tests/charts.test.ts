import assert from "node:assert/strict";
import { test } from "node:test";
import { SERIES, seriesOf } from "../src/chart";
import { byShare } from "../src/groups";
import { layoutTime, spread } from "../src/time-layout";
import { page, shares } from "./pages";

const ids = (selected: number): string[] => seriesOf(page(), selected).map((topic) => topic.id);

test("the chart shows the selected topic and its children, or the root topics", () => {
  assert.deepEqual(ids(-1), ["Z3-1", "Z3-2"]);
  assert.deepEqual(ids(0), ["Z3-1", "Z2-1", "Z2-2"]);
  const many = page();
  many.roots.push(...Array<number>(20).fill(3));
  assert.equal(seriesOf(many, -1).length, SERIES);
});

test("labels are apart, near their lines and inside the plot", () => {
  assert.deepEqual(spread([50, 10, 90], 0, 100, 16), [50, 10, 90]);
  assert.deepEqual(spread([50, 52, 51], 0, 100, 16), [50, 82, 66]);
  assert.deepEqual(spread([2, 3], 10, 100, 16), [10, 26]);
  assert.deepEqual(spread([98, 99], 0, 100, 16), [84, 100]); // up, to end inside
  assert.deepEqual(spread([], 0, 100, 16), []);
});

const given = shares(
  ["2001", "2002", "2003"],
  [10, 0, 40],
  [
    [0.4, 0, 0, 0.1],
    [0, 0, 0, 0],
    [0.2, 0, 0, 0.3],
  ],
);

test("periods are in order, shares upside down, bars as high as documents are many", () => {
  const { topics, roots } = page();
  const series = roots.map((root) => topics[root]);
  const layout = layoutTime(given, series, 700, 300);
  assert.deepEqual(layout.known, [0, 2]); // without documents there is no share
  assert.ok(layout.left < layout.x(0) && layout.x(0) < layout.x(1));
  assert.equal(layout.x(2), layout.right);
  assert.ok(layout.y(0.4) < layout.y(0.3) && layout.y(0) < layout.floor);
  assert.equal(layout.barHeight(0) * 4, layout.barHeight(2));
  assert.equal(layout.barHeight(1), 0);
  assert.deepEqual(
    layout.ends.map(({ at }) => at),
    [layout.y(0.2), layout.y(0.3)],
  );
  assert.deepEqual(layout.ticks, [0, 0.1, 0.2, 0.3, 0.4]);
});

test("of many periods some are named, the last one always", () => {
  const names = Array.from({ length: 100 }, (_, k) => String(1900 + k));
  const values = names.map(() => [0.1]);
  const many = shares(names, new Array(100).fill(5), values);
  const { named, right, left } = layoutTime(many, [page().topics[0]], 700, 300);
  assert.equal(named.at(-1), 99);
  assert.ok(named.length <= (right - left) / 64 + 1);
});

test("groups are ordered by their share of the topic", () => {
  assert.deepEqual(byShare(given, page().topics[0]), [0, 2, 1]);
  assert.deepEqual(byShare(given, page().topics[3]), [2, 0, 1]);
});

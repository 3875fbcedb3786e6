import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shares } from "../src/page/page";
import { comparedTopics, familyOf } from "../src/pictures/chart";
import { type Line, pointsOf } from "../src/pictures/lines";
import { layoutTime, reach, spread } from "../src/pictures/time-layout";
import type { Side } from "../src/selection/sides";
import { only, termOf } from "../src/selection/terms";
import { page, shares } from "./pages";

test("the family of topics is what is below the selected one, or the root topics", () => {
  const ids = (topic: number): string[] => familyOf(page(), topic).map(({ id }) => id);
  assert.deepEqual(ids(-1), ["Z3-1", "Z3-2"]);
  assert.deepEqual(ids(0), ["Z2-1", "Z2-2"]);
  assert.deepEqual(ids(1), []);
});

test("topics are charted together if they, and nothing else, are compared", () => {
  const topic = (id: string): Side => [only(termOf({ id }))];
  const compared = (...sides: Side[]): number[] => comparedTopics({ compared: sides }, page());
  assert.deepEqual(compared(topic("Z2-2"), topic("Z3-2")), [2, 3]);
  assert.deepEqual(compared(topic("Z2-2")), []);
  assert.deepEqual(compared(topic("Z2-2"), []), []);
  assert.deepEqual(
    compared(topic("Z2-2"), [only({ kind: "group", field: "group", name: "a" })]),
    [],
  );
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

const lines = (of: Shares, ...topics: number[]): Line[] =>
  topics.map((topic) => ({ name: "", topic, hue: 0, points: pointsOf(of, topic) }));

test("periods are in order, shares upside down, bars as high as documents are many", () => {
  const layout = layoutTime(given, lines(given, 0, 3), 700, 300);
  assert.ok(layout.left < layout.x(0) && layout.x(0) < layout.x(1));
  assert.ok(layout.x(2) < layout.right);
  assert.ok(layout.y(0.4) < layout.y(0.3) && layout.y(0) === layout.ground);
  assert.equal(layout.barHeight(0) * 4, layout.barHeight(2));
  assert.equal(layout.barHeight(1), 0);
  assert.deepEqual(
    layout.ends.map(({ at }) => at),
    [layout.y(0.2), layout.y(0.3)],
  );
  assert.deepEqual(
    [-50, 1, 2].map((k) => layout.periodAt(k < 0 ? k : layout.x(k))),
    [0, 1, 2],
  );
});

test("the axis holds all points, and the intervals of those of enough documents alone", () => {
  const few = shares(["2001", "2002"], [5, 400], [[0.43], [0.1]]);
  const { ticks, top, y } = layoutTime(few, lines(few, 0), 700, 300);
  assert.ok(ticks[ticks.length - 1] >= 0.43 && y(0.43) > top);
  assert.equal(reach(lines(few, 0)).high, 0.43);
});

test("wide intervals of rare topics do not press their line to the ground", () => {
  const most = (share: number, documents: number): [number, boolean] => {
    const rare = shares(["2001", "2002"], [40, documents], [[share], [share]]);
    const { high, cut } = reach(lines(rare, 0));
    return [Math.round(1000 * high) / 1000, cut];
  };
  assert.deepEqual(most(0.01, 4000), [0.04, true]); // the interval of 40 documents reaches to 0.11
  assert.deepEqual(most(0.0001, 4000), [0.01, true]); // never so little that ticks would be alike
  const [high, cut] = most(0.2, 4000);
  assert.ok(high > 0.3 && !cut);
  const { ground, y } = layoutTime(given, lines(shares(["1"], [40], [[0.01]]), 0), 700, 300);
  assert.ok(ground - y(0.01) > 40);
});

test("of many periods some are named, the last one always, and whole", () => {
  const names = Array.from({ length: 100 }, (_, k) => `1999-01-${String(k).padStart(2, "0")}`);
  const many = shares(
    names,
    new Array(100).fill(50),
    names.map(() => [0.1]),
  );
  const { named, right, left, nameAt } = layoutTime(many, lines(many, 0), 700, 300);
  assert.equal(named.at(-1), 99);
  assert.ok(named.length <= (right - left) / 40 + 1);
  assert.ok(nameAt(99) + 30 <= 700); // half of ten letters
  for (let width = 400; width < 1100; width += 10) {
    const { named, nameAt } = layoutTime(many, lines(many, 0), width, 300);
    assert.ok(nameAt(99) - nameAt(named.at(-2)!) > 75, `${width}`); // ten letters and a gap
  }
});

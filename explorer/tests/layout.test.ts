import assert from "node:assert/strict";
import { test } from "node:test";
import { cut } from "../src/look/dom";
import { ABOVE, type Area, between, layoutMap, zoomed } from "../src/pictures/areas-layout";
import { layoutDiagram, MARGIN, type Place, ROW, titled } from "../src/pictures/diagram-layout";
import { page } from "./pages";

const [WIDTH, HEIGHT] = [600, 300];
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

function areas(selected: number): Map<string, Area> {
  const found = layoutMap(page(), selected, new Set(), WIDTH, HEIGHT);
  return new Map(found.map((area) => [area.topic.id, area]));
}

test("areas are as high as the shares of topics", () => {
  const found = areas(-1);
  near(found.get("Z3-1")!.height, 200);
  near(found.get("Z3-2")!.height, 100);
  near(found.get("Z2-1")!.height, 150);
  near(found.get("Z2-2")!.height, 50);
  const rest = page(); // half of the first topic is about none below it
  for (const k of [1, 2]) rest.topics[k] = { ...rest.topics[k], size: rest.topics[k].size / 2 };
  const heights = layoutMap(rest, -1, new Set(), WIDTH, HEIGHT).map(({ height }) => height);
  [200, 100, 75, 25].forEach((height, k) => void near(heights[k], height));
});

test("children are beside their parent, and an early end fills the width", () => {
  const found = areas(-1);
  const [parent, child, alone] = ["Z3-1", "Z2-2", "Z3-2"].map((id) => found.get(id)!);
  assert.equal(parent.x, 0);
  near(child.x, parent.x + parent.width);
  near(child.y + child.height, parent.y + parent.height);
  near(child.x + child.width, WIDTH);
  near(alone.width, WIDTH);
  assert.deepEqual([parent.depth, child.depth], [0, 1]);
});

test("a selected topic fills the height; a leaf shows its parent", () => {
  assert.deepEqual([...areas(0).keys()], ["Z3-1", "Z2-1", "Z2-2"]);
  near(areas(0).get("Z3-1")!.height, HEIGHT);
  assert.equal(zoomed(page(), 1)?.id, "Z3-1");
  assert.equal(zoomed(page(), 3), null); // a root topic without children: all topics
  assert.deepEqual([...areas(1).keys()], [...areas(0).keys()]);
});

test("what is above the zoomed topic stays at the left", () => {
  const deep = page();
  // A child of Z2-1.
  deep.topics.push({ ...deep.topics[2], index: 4, id: "Z1-1", level: 1, parent: 1 });
  deep.topics[1].children.push(4);
  const found = layoutMap(deep, 1, new Set(), WIDTH, HEIGHT);
  assert.deepEqual(
    found.map(({ topic, x, width }) => [topic.id, x, width]),
    [
      ["Z3-1", 0, ABOVE],
      ["Z2-1", ABOVE, (WIDTH - ABOVE) / 2],
      ["Z1-1", ABOVE + (WIDTH - ABOVE) / 2, (WIDTH - ABOVE) / 2],
    ],
  );
});

test("areas that are too low to see are left out", () => {
  const found = layoutMap(page(), -1, new Set(), WIDTH, 8); // Z2-2 would be 1.33 pixels high
  assert.ok(!found.some((area) => area.topic.id === "Z2-2"));
});

test("an area moves from where it was", () => {
  const to = areas(-1).get("Z3-2")!;
  const from = { ...to, x: to.x + 10, height: to.height * 2 };
  assert.deepEqual(between(undefined, to, 0.5), to);
  assert.deepEqual(between(from, to, 0), from);
  assert.deepEqual(between(from, to, 1), to);
  near(between(from, to, 0.5).x, to.x + 5);
});

test("the diagram shows root topics, and the children of expanded ones", () => {
  const closed = layoutDiagram(page(), new Set(), WIDTH, HEIGHT);
  assert.deepEqual([...closed.places.keys()].sort(), [0, 3]);
  const open = layoutDiagram(page(), new Set([0]), WIDTH, HEIGHT);
  assert.deepEqual([...open.places.keys()].sort(), [0, 1, 2, 3]);
  assert.ok(open.places.get(0)!.open);
  assert.ok(!open.places.get(3)!.open);
});

test("rows of the diagram are apart, columns are levels", () => {
  const { places, margin, width, height } = layoutDiagram(page(), new Set([0]), WIDTH, HEIGHT);
  const [parent, one, two, other] = [0, 1, 2, 3].map((topic) => places.get(topic)!);
  assert.ok(margin > MARGIN, "a wide picture has more room for the links at the left");
  assert.equal(parent.x, margin);
  assert.equal(other.x, margin);
  assert.equal(one.x, two.x);
  assert.ok(Math.abs(one.y - two.y) >= ROW);
  near(parent.y, (one.y + two.y) / 2);
  for (const { x, y, room } of places.values()) {
    assert.ok(y >= ROW && y <= height - ROW);
    assert.ok(x + room <= width + 1e-9);
  }
});

test("edges are drawn where both topics are shown; root topics are linked at the left", () => {
  assert.equal(layoutDiagram(page(), new Set(), WIDTH, HEIGHT).edges.length, 1);
  const { edges } = layoutDiagram(page(), new Set([0]), WIDTH, HEIGHT);
  assert.deepEqual(
    edges.map(({ from, to, among }) => [from.topic.id, to.topic.id, among]),
    [
      ["Z3-1", "Z2-1", false],
      ["Z3-1", "Z2-2", false],
      ["Z3-1", "Z3-2", true],
    ],
  );
  const [, , link] = edges;
  assert.ok(link.curve.startsWith(`M${link.from.x} ${link.from.y}C`));
  assert.ok(link.curve.endsWith(`${link.to.x} ${link.to.y}`));
  const handle = Number(link.curve.split("C")[1].split(" ")[0]);
  const leftmost = (link.from.x + 3 * handle) / 4;
  assert.ok(leftmost >= 0 && leftmost < link.from.x);
});

test("rows of the diagram share the height, and scroll where they would be too low", () => {
  const rows = (height: number): number => {
    const { places, row } = layoutDiagram(page(), new Set(), WIDTH, height);
    near(places.get(3)!.y - places.get(0)!.y, row);
    return row;
  };
  assert.equal(rows(20), ROW);
  near(rows(3 * ROW + 40), 40);
  assert.ok(rows(2000) < 100, "what belongs together stays together");
  const open = layoutDiagram(page(), new Set([0]), WIDTH, 20);
  const [last, other] = [2, 3].map((topic) => open.places.get(topic)!.y);
  assert.ok(open.height > 20 && last < open.height && other < open.height);
});

test("a narrow diagram has columns as wide as words, and is wider than its room", () => {
  const { width, margin } = layoutDiagram(page(), new Set([0]), 200, HEIGHT);
  assert.equal(margin, MARGIN);
  assert.ok(width > 200);
});

test("a diagram that is to be whole is no larger than its room", () => {
  const inView = (width: number, height: number) =>
    layoutDiagram(page(), new Set([0]), width, height, true);
  for (const [width, height] of [
    [200, 90],
    [WIDTH, 90],
    [200, HEIGHT],
    [60, 30],
  ]) {
    const { places, width: wide, height: high } = inView(width, height);
    assert.ok(wide <= width && high <= Math.max(height, 3 * ROW) + 1e-9, `${wide} x ${high}`);
    for (const { x, y } of places.values()) assert.ok(x >= 0 && x <= wide && y >= 0 && y <= high);
  }
  const scrolled = layoutDiagram(page(), new Set([0]), 200, 90);
  assert.ok(scrolled.width > 200 && scrolled.height > 90);
  // What fits anyway stays as it is.
  assert.deepEqual(inView(WIDTH, HEIGHT), layoutDiagram(page(), new Set([0]), WIDTH, HEIGHT));
});

test("titles that would touch give way: to the selected topic, then to larger ones", () => {
  const all = (height: number): ReadonlyMap<number, Place> =>
    layoutDiagram(page(), new Set([0]), WIDTH, height, true).places;
  assert.equal(titled(all(HEIGHT), -1).size, 4);
  const close = all(3 * ROW + 9); // a few pixels from one row to the next
  const larger = close.get(1)!.topic.size > close.get(2)!.topic.size ? 1 : 2;
  const smaller = 3 - larger;
  assert.ok(titled(close, -1).has(larger) && !titled(close, -1).has(smaller));
  assert.ok(titled(close, smaller).has(smaller) && !titled(close, smaller).has(larger));
});

test("a text is cut where it has no more room", () => {
  const within = (length: number) => (part: string) => part.length <= length;
  assert.equal(cut("galaxies", within(8)), "galaxies");
  assert.equal(cut("dark matter", within(8)), "dark ma…");
  assert.equal(cut("dark matter", within(6)), "dark…"); // no space before the sign
  assert.equal(cut("galaxies", within(2)), ""); // a single letter tells nothing
});

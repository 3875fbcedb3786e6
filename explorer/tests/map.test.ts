import assert from "node:assert/strict";
import { test } from "node:test";
import { type Documents, type Label, SIDE } from "../src/page/documents";
import type { Page } from "../src/page/page";
import { type Light, type Look, layersOf } from "../src/pictures/map-canvas";
import {
  along,
  byDate,
  byGroup,
  byTopic,
  coloured,
  colourings,
  mostSpecific,
} from "../src/pictures/map-colours";
import { blurred, glowOf } from "../src/pictures/map-glow";
import {
  labelsOn,
  MOST,
  MOST_TITLES,
  type PlacedLabel,
  type PlacedTitle,
  titlesOn,
  wrapped,
} from "../src/pictures/map-labels";
import { Crowd, crossing, type Room, stand, through, touching } from "../src/pictures/map-places";
import { Grid, opacityOf, paint, pixel, radiusOf, stampOf } from "../src/pictures/map-points";
import type { Scene } from "../src/pictures/map-scene";
import {
  around,
  between,
  cornersOf,
  enlarged,
  fitting,
  isSeen,
  MOST_CORNERS,
  middleOf,
  moved,
  type Point,
  pixelOf,
  pointAt,
  rectangle,
  type Sheet,
  simplified,
  type View,
  within,
} from "../src/pictures/map-view";
import { inside } from "../src/selection/sets";
import { documents, groups, page, pageWithVague, random } from "./pages";

const SIZE = { width: 600, height: 400 };
const { width: WIDTH, height: HEIGHT } = SIZE;
const WHOLE = [0, 0, SIDE, SIDE] as const;
const HOME = fitting(WHOLE, SIZE, 10);
const WHOLE_MAP: Sheet = { view: HOME, home: HOME };
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
const same = (a: Point, b: Point): void => a.forEach((one, k) => void near(one, b[k]));

function scattered(count: number, seed = 1): { x: Uint16Array; y: Uint16Array } {
  const next = random(seed);
  const axis = (): Uint16Array => Uint16Array.from({ length: count }, () => next() * (SIDE + 1));
  return { x: axis(), y: axis() };
}

test("a fitting view shows all of a box, in the middle", () => {
  const view = fitting([1000, 2000, 5000, 3000], SIZE, 50);
  same(pixelOf(view, [1000, 2500]), [50, 200]);
  same(pixelOf(view, [5000, 2500]), [550, 200]);
});

test("pixels and points of the map lead to each other", () => {
  const view: View = { scale: 0.02, x: -31, y: 7, ...SIZE };
  same(pointAt(view, pixelOf(view, [1234, 4321])), [1234, 4321]);
});

test("what is under the pointer stays there as one comes nearer", () => {
  const view = fitting(WHOLE, SIZE, 10);
  same(pointAt(enlarged(view, 3.7, [120, 80]), [120, 80]), pointAt(view, [120, 80]));
  same(pixelOf(moved(view, 5, -3), [0, 0]), [view.x + 5, view.y - 3]);
});

test("a view never leaves the map, nor gets too near or far", () => {
  const home = fitting(WHOLE, SIZE, 10);
  const middle: Point = [WIDTH / 2, HEIGHT / 2];
  const away = within(moved(home, 1e6, -1e6), home);
  same(pointAt(away, middle), [0, SIDE]);
  const far = within(enlarged(home, 1e-9, middle), home);
  const close = within(enlarged(home, 1e9, middle), home);
  assert.ok(far.scale >= home.scale / 10 && close.scale <= 1000 * home.scale);
  assert.deepEqual(within(home, home).scale, home.scale);
});

test("a movement begins and ends where it should, and grows evenly", () => {
  const from = fitting(WHOLE, SIZE, 10);
  const to = around([50_000, 9000], 25 * from.scale, SIZE);
  for (const [t, end] of [[0, from] as const, [1, to] as const]) {
    const view = between(from, to, t);
    near(view.scale, end.scale);
    near(view.x, end.x);
    near(view.y, end.y);
  }
  near(between(from, to, 0.5).scale, 5 * from.scale);
  const shifted = moved(from, 100, 0); // no larger: straight on
  near(between(from, shifted, 0.25).x, from.x + 25);
});

test("the middle of a set leaves a share of it out at each edge", () => {
  const x = Uint16Array.from({ length: 100 }, (_, k) => 20_000 + 128 * k);
  x[0] = 0;
  const [left, top, right, bottom] = middleOf(x, x, null, 0.05)!;
  assert.ok(left > 19_000 && right < 20_000 + 128 * 97);
  assert.deepEqual([top, bottom], [left, right]);
  assert.equal(middleOf(x, x, null, 0)![0], 0);
  const mask = new Uint8Array(100);
  assert.equal(middleOf(x, x, mask, 0), null);
  mask[50] = 1;
  const [only, , end] = middleOf(x, x, mask, 0.05)!;
  assert.ok(only <= x[50] && x[50] <= end);
});

test("a box is seen if it is in sight and not tiny", () => {
  const view: View = { scale: 1, x: 0, y: 0, ...SIZE };
  assert.ok(isSeen([100, 100, 400, 300], view));
  assert.ok(!isSeen([100, 100, 110, 110], view));
  assert.ok(!isSeen([-50, 100, 400, 300], view));
});

test("the grid orders all points by cells, and finds the nearest", () => {
  const places = scattered(3000);
  const grid = new Grid(places);
  assert.deepEqual(
    [...grid.order].sort((a, b) => a - b),
    [...places.x.keys()],
  );
  grid.order.forEach((document, k) => void assert.equal(grid.x[k], places.x[document]));
  const next = random(7);
  for (let trial = 0; trial < 50; trial++) {
    const [x, y, radius] = [next() * SIDE, next() * SIDE, next() * 4000];
    const odd = (document: number): boolean => document % 2 === 1;
    const away = Array.from(places.x, (one, k) => Math.hypot(one - x, places.y[k] - y));
    const among = [...away.keys()].filter((k) => odd(k) && away[k] <= radius);
    const best = among.reduce((a, b) => (a < 0 || away[b] < away[a] ? b : a), -1);
    const found = grid.nearest(x, y, radius, odd);
    if (best < 0) assert.equal(found, -1);
    else near(away[found], away[best]);
  }
});

test("the runs of a box hold each of its points once", () => {
  const places = scattered(2000, 3);
  const grid = new Grid(places);
  const seen = new Map<number, number>();
  grid.runs([10_000, 20_000, 30_000, 25_000], (begin, end) => {
    for (let k = begin; k < end; k++) seen.set(grid.order[k], (seen.get(grid.order[k]) ?? 0) + 1);
  });
  assert.ok([...seen.values()].every((times) => times === 1));
  places.x.forEach((x, k) => {
    const y = places.y[k];
    if (x >= 10_000 && x <= 30_000 && y >= 20_000 && y <= 25_000) assert.ok(seen.has(k));
  });
  assert.ok(seen.size < 300);
});

test("points on the map's edges are in cells, too", () => {
  const corner = { x: Uint16Array.of(0, SIDE), y: Uint16Array.of(SIDE, 0) };
  assert.equal(
    new Grid(corner).nearest(SIDE, 0, 1, () => true),
    1,
  );
});

function painted(x: number, y: number, colour: string): Uint32Array {
  const pixels = new Uint32Array(11 * 11).fill(pixel("#ffffff"));
  const grid = new Grid({ x: Uint16Array.of(x), y: Uint16Array.of(y) });
  const view: View = { scale: 0.1, x: 0, y: 0, width: 11, height: 11 };
  const colours = Uint32Array.of(0, pixel(colour));
  paint(pixels, grid, view, stampOf(2, 1), Uint8Array.of(1), colours);
  return pixels;
}

test("a point is painted in its colour, around its place, as large as its area", () => {
  const pixels = painted(55, 55, "#204080");
  assert.equal(pixels[5 * 11 + 5], pixel("#204080"));
  assert.equal(pixels[0], pixel("#ffffff"));
  const red = (one: number): number => (255 - (one & 255)) / (255 - 0x20);
  const area = pixels.reduce((sum, one) => sum + red(one), 0);
  assert.ok(Math.abs(area - Math.PI * 2 ** 2) < 1.2, `${area}`);
  const middle = pixels.reduce((sum, one, k) => sum + red(one) * ((k % 11) + 0.5), 0) / area;
  assert.ok(Math.abs(middle - 5.5) < 0.3, `${middle}`);
});

test("what lies beyond the edge is left out, and colour 0 is not painted", () => {
  assert.notEqual(painted(0, 55, "#204080")[5 * 11], pixel("#ffffff"));
  assert.equal(painted(0, 55, "#204080")[4 * 11 + 10], pixel("#ffffff")); // it does not wrap
  assert.ok(painted(5000, 55, "#204080").every((one) => one === pixel("#ffffff")));
  const pixels = new Uint32Array(121);
  const grid = new Grid({ x: Uint16Array.of(55), y: Uint16Array.of(55) });
  const view: View = { scale: 0.1, x: 0, y: 0, width: 11, height: 11 };
  paint(pixels, grid, view, stampOf(2, 1), Uint8Array.of(0), Uint32Array.of(0, 1));
  assert.ok(pixels.every((one) => one === 0));
});

test("half opaque, a point is a mixture", () => {
  const pixels = Uint32Array.of(pixel("#ffffff"));
  const grid = new Grid({ x: Uint16Array.of(0), y: Uint16Array.of(0) });
  const view: View = { scale: 1, x: 0.5, y: 0.5, width: 1, height: 1 };
  paint(pixels, grid, view, stampOf(3, 0.5), Uint8Array.of(0), Uint32Array.of(pixel("#000000")));
  assert.equal(pixels[0] & 255, 127);
  assert.equal(pixels[0] >>> 24, 255);
});

test("the more points, the smaller and the paler; nearer, they grow", () => {
  const sizes = [1, 2000, 20_000, 200_000].map((count) => radiusOf(count, WHOLE_MAP));
  assert.deepEqual(
    [...sizes].sort((a, b) => b - a),
    sizes,
  );
  assert.ok(sizes[0] <= 6 && sizes[3] >= 0.7);
  const near = { ...WHOLE_MAP, view: around([0, 0], 4 * HOME.scale, SIZE) };
  assert.ok(radiusOf(20_000, near) > radiusOf(20_000, WHOLE_MAP));
  assert.ok(opacityOf(sizes[3]) < opacityOf(sizes[1]));
});

// ---- the glow ----

function lookOf(places: { x: Uint16Array; y: Uint16Array }, shades: Uint8Array): Look {
  const grid = new Grid(places);
  const colours = ["#888888", "#ff0000", "#0000ff"];
  const paper = { rest: "#dddddd", paper: "#ffffff", dust: true };
  return { grid, shades, chosen: shades.length, colours, ...paper, light: null };
}

test("what is spread keeps its sum, and lies around its cell", () => {
  const [columns, rows] = [41, 31];
  const sums = new Float32Array(4 * columns * rows);
  const middle = 15 * columns + 20;
  sums[4 * middle + 3] = 7;
  const spread = blurred(sums, columns, rows, 3);
  const weights = Array.from({ length: columns * rows }, (_, k) => spread[4 * k + 3]);
  assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 7) < 1e-4);
  assert.equal(weights.indexOf(Math.max(...weights)), middle);
  assert.ok(Math.abs(weights[middle - 5] - weights[middle + 5 * columns]) < 1e-6);
});

test("the glow has the colours of points, where they are dense, and none for dust", () => {
  const places = {
    x: Uint16Array.from({ length: 300 }, (_, k) => (k < 200 ? 20_000 + k : 50_000 + k)),
    y: Uint16Array.from({ length: 300 }, () => 30_000),
  };
  const shades = Uint8Array.from({ length: 300 }, (_, k) => (k < 200 ? 2 : k < 299 ? 3 : 1));
  const view = fitting(WHOLE, SIZE, 10);
  const look = lookOf(
    places,
    Uint8Array.from(new Grid(places).order, (k) => shades[k]),
  );
  const { columns, rows, pixels } = glowOf(look, view);
  const at = (x: number, y: number): number[] => {
    const [across, down] = pixelOf(view, [x, y]);
    const column = Math.floor(((across / WIDTH + 0.2) / 1.4) * columns);
    const row = Math.floor(((down / HEIGHT + 0.2) / 1.4) * rows);
    return [...pixels.subarray(4 * (row * columns + column)).subarray(0, 4)];
  };
  const [red, blue, none] = [at(20_100, 30_000), at(50_250, 30_000), at(35_000, 60_000)];
  assert.ok(red[0] > 250 && red[2] < 5 && red[3] > 40, `${red}`);
  assert.ok(blue[2] > 250 && blue[3] > 20 && blue[3] < red[3], `${blue}`);
  assert.deepEqual(none, [0, 0, 0, 0]);
  const dust = { ...look, shades: new Uint8Array(300).fill(1) };
  assert.ok(glowOf(dust, view).pixels.every((one) => one === 0));
});

test("lit documents stand out by how much of them is on the topic; others dim", () => {
  const places = scattered(50);
  const look = lookOf(places, new Uint8Array(50).fill(2));
  const light: Light = {
    colour: "#00ff00",
    levels: new Uint8Array(50).fill(1),
    count: 50,
    dims: true,
  };
  const [before, after] = [look, { ...look, light }].map((one) => layersOf(one, WHOLE_MAP));
  before.forEach((layer, k) => void near(after[k].opacity, 0.15 * layer.opacity));
  const lit = after.slice(before.length);
  assert.ok(lit.every(({ colours }) => [...colours.values()][0] === "#00ff00"));
  assert.ok(lit.every(({ opacity }, k) => !k || opacity > lit[k - 1].opacity));
});

// ---- names ----

// Letters are 0.55 times as wide as high.
const context = {
  font: "",
  measureText: (text: string) => ({
    width: 0.55 * Number(/([\d.]+)px/.exec(context.font)![1]) * text.length,
  }),
};
Object.assign(globalThis, { document: { createElement: () => ({ getContext: () => context }) } });

interface Naming extends Sheet, Pick<Scene, "grid" | "branches"> {
  readonly page: Pick<Page, "topics" | "shown">;
  readonly labels: readonly (Label | null)[];
  readonly selected: number;
  readonly taken: readonly Room[];
}

function naming(change: Partial<Naming> = {}): Naming {
  const labels = page().topics.map((_, k) => [10_000 + 14_000 * k, 30_000, 12_000] as const);
  const grid = new Grid({ x: new Uint16Array(), y: new Uint16Array() });
  const scene = { grid, branches: new Uint8Array(), labels, page: page() };
  return { ...scene, ...WHOLE_MAP, selected: -1, taken: [], ...change };
}

function placed(change: Partial<Naming> = {}): PlacedLabel[] {
  const all = naming(change);
  const places = { x: new Uint16Array(), y: new Uint16Array(), labels: all.labels };
  return labelsOn(all, { ...all, places }, all.page, all.selected, all.taken, []);
}

function ids(change: Partial<Naming> = {}): string[] {
  return placed(change).map(({ topic }) => topic.id);
}

/** Root topics with documents around some places. */
function islands(count: number, seed: number): Partial<Naming> {
  const next = random(seed);
  const [root] = page().topics;
  const topics = Array.from({ length: count }, (_, index) => ({
    ...root,
    index,
    id: `Z${index}`,
    title: `topic ${"of many documents ".repeat(index % 3)}${index}`,
    parent: -1,
    branch: index,
    mainly: Math.ceil(4000 * next() ** 2),
    children: [],
  }));
  const middles = topics.map((): Point => [9000 + 48_000 * next(), 9000 + 48_000 * next()]);
  const of = Array.from({ length: 4000 }, () => Math.floor(next() * count));
  const axis = (k: 0 | 1): Uint16Array =>
    Uint16Array.from(of, (one) => middles[one][k] + 9000 * (next() + next() - 1));
  const grid = new Grid({ x: axis(0), y: axis(1) });
  const view = fitting(WHOLE, { width: 1000, height: 700 }, 30);
  const branches = Uint8Array.from(grid.order, (k) => of[k] + 1);
  const labels = middles.map(([x, y]) => [Math.round(x), Math.round(y), 5000] as const);
  return { page: { topics, shown: topics }, labels, grid, branches, view, home: view };
}

test("every root topic is named, and no name touches another, a line or the edge", () => {
  for (const count of [1, 2, 5, 13, 17, 30, 45, 57, 60]) {
    const taken = [{ x: 900, y: 20, width: 180, height: 30 }];
    const change = { ...islands(count, count), taken };
    const names = placed(change);
    assert.equal(names.length, count);
    names.forEach((one, k) => {
      assert.ok(one.x - one.width / 2 >= 0 && one.x + one.width / 2 <= 1000);
      assert.ok(one.y - one.height / 2 >= 0 && one.y + one.height / 2 <= 700);
      assert.ok(!touching(one, taken[0]));
      for (const other of names.slice(0, k)) {
        assert.ok(!touching(one, other), `${one.topic.title} touches ${other.topic.title}`);
        assert.ok(!through(one.leader, other) && !through(other.leader, one));
      }
    });
    assert.deepEqual(placed(change), names); // in every run
  }
});

test("names stand off the densest points, with a line where that is far", () => {
  const next = random(3);
  const axis = (): Uint16Array =>
    Uint16Array.from({ length: 5000 }, () => 26_000 + 12_000 * next());
  const grid = new Grid({ x: axis(), y: axis() });
  const view = fitting(WHOLE, SIZE, 10);
  const crowd = new Crowd(grid, new Uint8Array(5000).fill(1), view);
  const at = pixelOf(view, [32_000, 32_000]);
  const name = { at, width: 60, height: 16, branch: 0, reach: 400, before: null };
  const [place] = stand([name], crowd, []);
  assert.equal(crowd.within(place!), 0);
  assert.ok(place!.leader);
  const [near] = stand([{ ...name, reach: 5 }], crowd, []);
  assert.ok(crowd.within(near!) > 0 && !near!.leader);
  const [kept] = stand([{ ...name, before: [100, 0] }], crowd, []);
  assert.deepEqual([kept!.x, kept!.y], [at[0] + 100, at[1]]); // as good as any, it stays
});

test("a crowd is counted where it is, points above each other less", () => {
  const places = scattered(3000, 8);
  const grid = new Grid(places);
  const branches = Uint8Array.from(grid.order, (document) => document % 3);
  const view = fitting(WHOLE, SIZE, 0);
  const crowd = new Crowd(grid, branches, view);
  const room = { x: 300, y: 204, width: 120, height: 96 }; // whole cells
  const cells = new Map<string, number[]>();
  branches.forEach((branch, k) => {
    const [x, y] = pixelOf(view, [grid.x[k], grid.y[k]]);
    const inside = x >= 240 && x < 360 && y >= 156 && y < 252;
    const cell = `${Math.floor(x / 12)} ${Math.floor(y / 12)}`;
    if (branch && inside) cells.set(cell, [...(cells.get(cell) ?? []), branch]);
  });
  const sum = (branch: number): number =>
    [...cells.values()].reduce(
      (total, all) => total + all.filter((one) => one === branch).length / Math.sqrt(all.length),
      0,
    );
  const [one, two] = [0, 1].map((branch) => crowd.within(room, branch));
  assert.ok(Math.abs(one / two - sum(1) / sum(2)) < 1e-4);
  assert.ok(Math.abs(crowd.within(room) - one - two) < 1e-4);
});

test("lines cross, or lead through a box, or neither", () => {
  const line = [[0, 0], [10, 10]] as const; // biome-ignore format: a list
  assert.ok(crossing(line, [[0, 10], [10, 0]])); // biome-ignore format: a list
  assert.ok(!crossing(line, [[0, 1], [10, 11]])); // biome-ignore format: a list
  assert.ok(!crossing(line, null));
  assert.ok(through(line, { x: 5, y: 5, width: 2, height: 2 }));
  assert.ok(!through(line, { x: 9, y: 0, width: 2, height: 2 }));
  assert.ok(!through(line, { x: 30, y: 30, width: 2, height: 2 }));
});

test("at most sixty names, but for root topics", () => {
  const change = islands(50, 2);
  const many = change.page!.topics.map((topic, k) => ({ ...topic, parent: k ? 0 : -1 }));
  const labels = many.map(() => [30_000, 30_000, 20_000] as const);
  const names = placed({ ...change, page: { topics: many, shown: many }, labels });
  assert.ok(names.length > 1 && names.length <= MOST);
});

test("general topics come first, in larger letters; the selected one and its children before", () => {
  const crowded = naming().labels.map(() => [30_000, 30_000, 12_000] as const);
  assert.equal(ids({ labels: crowded })[0], "Z3-1");
  assert.equal(ids({ labels: crowded, selected: 2 })[0], "Z2-2");
  const by = (...documents: number[]): Naming["page"] => {
    const topics = page().topics.map((topic, k) => ({ ...topic, mainly: documents[k] }));
    return { topics, shown: topics };
  };
  assert.equal(ids({ labels: crowded, page: by(5, 4, 3, 6) })[0], "Z3-2"); // though its share is smaller
  const names = placed();
  const size = (id: string): number => names.find(({ topic }) => topic.id === id)!.style.size;
  assert.ok(size("Z3-1") > size("Z2-1"));
});

test("a topic far out of sight or without a place is not named, nor one that is small there", () => {
  const [first, ...others] = naming().labels;
  assert.ok(!ids({ labels: [null, ...others] }).includes("Z3-1"));
  const away = moved(naming().view, -WIDTH, 0);
  assert.deepEqual(ids({ view: away }), []);
  const small = naming().labels.map((label) => [label![0], label![1], 100] as const);
  assert.deepEqual(ids({ labels: small }), ["Z3-1", "Z3-2"]);
  assert.ok(first);
});

test("a general topic that fills the picture gives way to those below it", () => {
  const close = around([24_000, 30_000], 30 * naming().view.scale, SIZE);
  const labels = naming().labels.map(() => [24_000, 30_000, 8000] as const);
  const from = { view: close, labels };
  assert.deepEqual(ids(from).slice(0, 1), ["Z3-2"]); // it has no children
  assert.ok(!ids(from).includes("Z3-1"));
  assert.ok(ids({ ...from, selected: 0 }).includes("Z3-1"));
});

test("a vague topic is named if it is chosen, or from near, behind others", () => {
  const { topics } = pageWithVague(3);
  const vague = { page: { topics, shown: topics } };
  assert.deepEqual(ids(vague), ["Z3-1", "Z2-1", "Z2-2"]);
  assert.ok(ids({ ...vague, selected: 3 }).includes("Z3-2"));
  const [x, y] = naming().labels[3]!;
  const close = (times: number): Partial<Naming> => ({
    ...vague,
    view: around([x, y], times * HOME.scale, SIZE),
  });
  assert.ok(!ids(close(2)).includes("Z3-2"));
  assert.deepEqual(ids(close(12)), ["Z3-2"]);
});

test("titles of documents stand beside their points, as far as they have room", () => {
  const grid = new Grid(scattered(800, 6));
  const of = {
    topics: () => [],
    name: (document: number) => `Title ${document} ${"and more ".repeat(document % 9)}`,
  };
  const documents = of as unknown as Documents;
  const taken = [{ x: 300, y: 200, width: 200, height: 60 }];
  const all = new Uint8Array(800).fill(1);
  const titles = (times: number, mask = all): PlacedTitle[] => {
    const view = around([30_000, 30_000], times * HOME.scale, SIZE);
    return titlesOn({ view, home: HOME }, { documents, grid }, mask, 5, taken);
  };
  const found = titles(2.1);
  assert.ok(found.length > 10 && found.length <= MOST_TITLES);
  found.forEach((one, k) => {
    assert.ok(one.x - one.width / 2 >= 0 && one.x + one.width / 2 <= WIDTH);
    for (const other of [...taken, ...found.slice(0, k)]) assert.ok(!touching(one, other));
    near(Math.abs(one.x - one.at[0]), one.width / 2 + 9);
  });
  const numbers = found.map(({ document }) => document);
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => a - b),
  ); // the first ones choose first
  assert.deepEqual(titles(1.9), []);
  assert.deepEqual(titles(2.1, new Uint8Array(800)), []);
});

test("titles are wrapped in lines of about one length, and cut where they have no room", () => {
  const measure = (text: string): number => 7 * text.length;
  const lines = (title: string, room: number): readonly string[] => wrapped(title, room, measure);
  assert.deepEqual(lines("dark matter", 700), ["dark matter"]);
  assert.deepEqual(lines("dark matter halo mass", 90), ["dark matter", "halo mass"]);
  const names = ["active learning,", "queries"]; // not "active", "learning, queries"
  assert.deepEqual(lines(names.join(" "), 160), names);
  assert.deepEqual(lines("x".repeat(10_000), 70), ["xxxxxxxxx…"]);
  const long = lines("words of a title ".repeat(600), 140);
  assert.equal(long.length, 3);
  assert.ok(long.every((line) => measure(line) <= 140 + 7));
  assert.deepEqual(lines("", 100), [""]);
  assert.deepEqual(lines("عنوان الموضوع", 700), ["عنوان الموضوع"]);
});

test("an outline has few corners, and holds the same places", () => {
  const circle = Array.from({ length: 2000 }, (_, k): Point => {
    const angle = (k / 2000) * 2 * Math.PI;
    return [30_000 + 9000 * Math.cos(angle), 30_000 + 9000 * Math.sin(angle)];
  });
  const corners = cornersOf(circle);
  assert.ok(corners.length / 2 <= MOST_CORNERS && corners.length / 2 > 10);
  assert.ok(corners.every((value) => Number.isInteger(value)));
  const { x, y } = scattered(3000, 9);
  x.forEach((_, k) => {
    const distance = Math.hypot(x[k] - 30_000, y[k] - 30_000);
    if (Math.abs(distance - 9000) > 400) assert.equal(inside(corners, x[k], y[k]), distance < 9000);
  });
});

test("a rectangle stays one; what encloses nothing has no corners", () => {
  assert.deepEqual(rectangle([-5, 10.4, 900, 70_000]), [
    0,
    10,
    900,
    10,
    900,
    SIDE + 1,
    0,
    SIDE + 1,
  ]);
  assert.deepEqual(cornersOf([]), []);
  assert.deepEqual(cornersOf([[5, 5], [6, 5], [5, 6]]), []); // biome-ignore format: a list
});

test("points on a line between others are left out", () => {
  const line: Point[] = [[0, 0], [5, 0.1], [10, 0], [10, 10]]; // biome-ignore format: a list
  assert.deepEqual(simplified(line, 1), [line[0], line[2], line[3]]);
});

test("documents have the hue of their main root topic, and grey without a topic", async () => {
  const found = await documents([
    { on: { 0: 0.9, 1: 0.9 }, main: [0, 1] },
    { on: { 3: 0.9 }, main: [3] },
    { on: { 0: 0.1 } },
    { on: { 0: 0.5, 2: 0.4, 3: 0.3 }, main: [0, 2] },
  ]);
  const { of, branches, entries } = byTopic(found, page());
  assert.equal(branches, 2);
  assert.equal(of[1], 2);
  assert.equal(of[2], 0);
  assert.equal(of[0], 1); // the first child: the pure hue
  assert.equal(of[3] % branches, 1); // another shade of the same
  assert.notEqual(of[3], of[0]);
  assert.deepEqual(entries, []); // names on the map tell
});

test("of a document, its most specific topics are told, the main one first", async () => {
  const on = { 0: 0.6, 1: 0.3, 2: 0.1, 3: 0.35 };
  const found = await documents([{ on, main: [0, 1] }]);
  const ids = (most: number): string[] =>
    mostSpecific(page(), found.topics(0), most).map(({ id }) => id);
  assert.deepEqual(ids(3), ["Z2-1", "Z3-2"]);
  assert.deepEqual(ids(1), ["Z2-1"]);
});

test("a document whose main topic is gone has the hue of another", async () => {
  const found = await documents([{ on: { 0: 0.5, 3: 0.3 }, main: [0] }]);
  const edited = page();
  edited.topics[0] = { ...edited.topics[0], gone: "hidden" };
  assert.equal(byTopic(found, edited).of[0], 2);
});

test("the largest groups have colours; the others and those without one are grey", async () => {
  const names = Array.from({ length: 20 }, (_, k) => `g${k}`);
  const found = await documents([{ groups: "g0\ng1" }, { groups: "g19" }, {}]);
  const { of, entries } = byGroup(found, groups(names, [], []));
  assert.deepEqual([...of], [1, 0, 0]);
  assert.deepEqual(
    entries.slice(-2).map(({ name }) => name),
    ["other groups", "no group"],
  );
  assert.deepEqual(entries.at(-1)!.selects, { kind: "group", field: "group", name: "" });
});

test("each field of the page is a way to colour documents", async () => {
  const fields = [groups(["a", "b"], [2, 1], []), groups(["x", "y", ""], [1, 1, 1], [], "kind")];
  const known = { ...page(), fields };
  assert.deepEqual([...colourings(known).keys()], ["topic", "group", "kind", "set"]);
  const found = await documents([{ groups: "a" }, { groups: "b", kinds: "x" }, { kinds: "y" }]);
  const { name, of, entries } = coloured("kind", known, found)!;
  assert.deepEqual([name, ...of], ["kind", 0, 1, 2]);
  assert.deepEqual(entries[0].selects, { kind: "group", field: "kind", name: "x" });
  assert.deepEqual(
    entries.map((entry) => entry.name),
    ["x", "y", "no kind"],
  );
});

test("times have steps of about as many documents, which hold all dates", async () => {
  const given = Array.from({ length: 70 }, (_, k) => ({ dates: `${1990 + k}-05-01` }));
  const found = await documents([...given, { dates: "0001" }, { dates: "9999-01" }, {}]);
  const { of, entries } = byDate(found);
  assert.equal(entries.length, 8);
  assert.deepEqual([...of.slice(70)], [0, 0, 0]); // years that cannot be are no dates
  assert.deepEqual(entries[0].selects, { kind: "date", from: "1990", to: "1999" });
  const many = Array.from({ length: 8 }, (_, step) => of.filter((one) => one === step).length);
  assert.ok(
    many.slice(1).every((count) => count >= 9 && count <= 12),
    `${many}`,
  );
});

test("a single date, or months of one year, have steps, too", async () => {
  const one = byDate(await documents([{ dates: "2020" }, { dates: "2020" }]));
  assert.deepEqual([...one.of], [1, 1]);
  assert.equal(one.entries[0].name, "2020");
  const given = Array.from({ length: 12 }, (_, k) => ({
    dates: `2020-${String(k + 1).padStart(2, "0")}-01`,
  }));
  assert.equal(byDate(await documents(given)).entries[0].name, "2020-01 – 2020-02");
  const strays = ["1500", "1601", "1702", "1803", "1904", "2098", "2099"].map((year) => ({
    dates: `${year}-01-01`,
  }));
  const months = Array.from({ length: 60 }, () => given).flat();
  const all = byDate(await documents([...months, ...strays]));
  assert.equal(all.entries.length, 7); // a few years far away leave the others their steps
  assert.deepEqual(
    [0, 1, 6].map((k) => all.entries[k].name),
    ["up to 2020-02", "2020-03", "from 2020-11"],
  );
  assert.deepEqual(
    byDate(await documents([{}])).entries.map(({ name }) => name),
    ["no date"],
  );
});

test("a ramp leads from one colour to another", () => {
  const ramp = ["#000000", "#ffffff", "#ff0000"];
  assert.deepEqual(
    [0, 0.25, 0.5, 1].map((share) => along(ramp, share)),
    ["#000000", "#808080", "#ffffff", "#ff0000"],
  );
});

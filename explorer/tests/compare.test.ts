import assert from "node:assert/strict";
import { test } from "node:test";
import { contrasts, runs } from "../src/pictures/compare-parts";
import { circles, shared } from "../src/pictures/compare-venn";
import { wordRows } from "../src/pictures/compare-words";
import { documents, page, shares } from "./pages";

function close(one: number, other: number, error: number): void {
  assert.ok(Math.abs(one - other) <= error, `${one} is not ${other}`);
}

test("the area that circles share is what points say", () => {
  const [r, s, distance, n] = [1, 0.7, 0.9, 400];
  let inside = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const [x, y] = [(2 * (i + 0.5)) / n - 1, (2 * (j + 0.5)) / n - 1];
      if (Math.hypot(x, y) < r && Math.hypot(x - distance, y) < s) inside++;
    }
  }
  close(shared(r, s, distance), (4 * inside) / n ** 2, 5e-3);
  assert.equal(shared(1, 0.5, 2), 0);
  close(shared(1, 0.5, 0.2), Math.PI / 4, 1e-12);
});

test("areas of circles are in proportion to documents", () => {
  for (const [a, b, both] of [
    [100, 40, 10],
    [5, 900, 3],
    [7, 7, 6],
  ]) {
    const { radii, distance } = circles(a, b, both);
    close(radii[0] ** 2 / radii[1] ** 2, a / b, 1e-9);
    close(shared(...radii, distance) / (Math.PI * radii[0] ** 2), both / a, 1e-6);
  }
  assert.equal(circles(4, 4, 0).distance, 2); // they touch
  close(circles(9, 4, 4).distance, 1 - 2 / 3, 1e-6); // one is within the other
  assert.ok(
    Object.values(circles(0, 0, 0))
      .flat()
      .every(Number.isFinite),
  );
});

test("words are counted in each topic's documents", async () => {
  const of = await documents([
    { words: [0, 1] },
    { words: [0] },
    { words: [1, 3] },
    { words: [0] },
  ]);
  const masks = [Uint8Array.of(1, 1, 0, 0), Uint8Array.of(1, 0, 1, 0)];
  const { topics } = page();
  const rows = wordRows([topics[1], topics[3]], of, masks, 2);
  assert.deepEqual(rows, [
    { word: 0, documents: [2, 1], shares: [1, 0.5] },
    { word: 4, documents: [0, 0], shares: [0, 0] },
    { word: 1, documents: [1, 2], shares: [0.5, 1] },
    { word: 3, documents: [0, 1], shares: [0, 0.5] },
  ]);
});

test("words of more than two topics stand by the topic that has most of them", async () => {
  const of = await documents([{ words: [0, 2] }, { words: [2, 3] }, { words: [1] }]);
  const masks = [Uint8Array.of(1, 0, 0), Uint8Array.of(0, 1, 0), Uint8Array.of(0, 0, 1)];
  const { topics } = page();
  const rows = wordRows([topics[0], topics[2], topics[3]], of, masks, 2);
  assert.deepEqual(
    rows.map(({ word }) => word),
    [0, 2, 4, 3, 1],
  );
  const none = wordRows([topics[0]], of, [new Uint8Array(3)], 2);
  assert.ok(none.every((row) => row.shares[0] === 0));
});

test("lines are broken where there are no documents", () => {
  assert.deepEqual(runs({ documents: [0, 3, 1, 0, 0, 2, 0] }), [[1, 2], [5]]);
  assert.deepEqual(runs({ documents: [0] }), []);
});

test("of the largest groups, those in which topics differ most come first", () => {
  const values = [
    [0.5, 0.4],
    [0.1, 0.9],
    [0.2, 0.4],
    [0, 1],
  ];
  const groups = shares(["a", "b", "c", "d"], [9, 5, 5, 1], values);
  assert.deepEqual(contrasts(groups, [{ index: 0 }, { index: 1 }], 3), [1, 2, 0]);
});

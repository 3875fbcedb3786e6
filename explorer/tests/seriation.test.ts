import assert from "node:assert/strict";
import { test } from "node:test";
import { seriated, shortWay } from "../src/pictures/seriation";

/** Blocks of ones along the diagonal, with rows and columns in another order. */
function shuffled(rows: number[], columns: number[], blocks: number): number[][] {
  return rows.map((row) => columns.map((column) => (row % blocks === column % blocks ? 1 : 0)));
}

/** How often neighbours differ. */
function changes(values: number[]): number {
  return values.slice(1).filter((value, k) => value !== values[k]).length;
}

test("blocks that were scattered stand together, along the diagonal", () => {
  const rows = [3, 0, 7, 1, 8, 2, 5, 4, 6];
  const columns = [5, 2, 0, 4, 1, 3];
  const order = seriated(shuffled(rows, columns, 3));
  const rowBlocks = order.rows.map((k) => rows[k] % 3);
  const columnBlocks = order.columns.map((k) => columns[k] % 3);
  assert.equal(changes(rowBlocks), 2);
  assert.equal(changes(columnBlocks), 2);
  assert.deepEqual([...new Set(rowBlocks)], [...new Set(columnBlocks)]);
});

test("orders are permutations, of empty and flat matrices, too", () => {
  assert.deepEqual(seriated([]), { rows: [], columns: [] });
  assert.deepEqual(seriated([[]]), { rows: [0], columns: [] });
  const flat = seriated([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  assert.deepEqual(
    [flat.rows, [...flat.columns].sort()],
    [
      [0, 1],
      [0, 1, 2],
    ],
  );
});

test("points on a line are walked from one end to the other", () => {
  const places = [4, 0, 5, 2, 1, 3];
  const way = shortWay(places.map((x) => [x])).map((k) => places[k]);
  const sorted = [0, 1, 2, 3, 4, 5];
  assert.deepEqual(way[0] === 0 ? way : [...way].reverse(), sorted);
});

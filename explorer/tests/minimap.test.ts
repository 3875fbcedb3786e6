import assert from "node:assert/strict";
import { test } from "node:test";
import type { Box } from "../src/pictures/map-view";
import { frameOf, miniSize, sharesOf } from "../src/pictures/minimap";

test("the whole keeps its form within its room, but for what would be too narrow to hit", () => {
  assert.deepEqual(miniSize(300, 200, [150, 150]), [150, 100]);
  assert.deepEqual(miniSize(200, 400, [150, 150]), [75, 150]);
  const [width, height] = miniSize(600, 60_000, [64, 320]);
  assert.ok(width >= 40);
  assert.equal(height, 320);
});

test("what is in sight is told in shares of the whole", () => {
  assert.deepEqual(sharesOf([0, 0, 10, 10], [0, 0, 10, 10]), [0, 0, 1, 1]);
  assert.deepEqual(sharesOf([10, 30, 20, 40], [0, 20, 40, 60]), [0.25, 0.25, 0.5, 0.5]);
});

test("the frame stays in the picture, and is never too small to see", () => {
  const size = [100, 50] as const;
  const boxes: Box[] = [
    [0.2, 0.3, 0.6, 0.7],
    [-0.5, -0.5, 0.1, 0.1],
    [0.5, 0.5, 0.5001, 0.5001],
    [0.999, 0.999, 1, 1],
    [2, 2, 3, 3],
    [-3, -3, -2, -2],
  ];
  assert.deepEqual(frameOf(boxes[0], size), boxes[0]);
  for (const box of boxes) {
    const [left, top, right, bottom] = frameOf(box, size);
    assert.ok(left >= 0 && top >= 0 && right <= 1 + 1e-9 && bottom <= 1 + 1e-9, `${box}`);
    assert.ok((right - left) * 100 > 5.9 && (bottom - top) * 50 > 5.9, `${box}`);
  }
});

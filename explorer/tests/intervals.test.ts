import assert from "node:assert/strict";
import { test } from "node:test";
import { divergence, surely, wilson } from "../src/pictures/intervals";

// From hlta.topics.divisions.wilson.
const PYTHON: [share: number, documents: number, low: number, high: number][] = [
  [0.3, 25, 0.15728680418423913, 0.49599009691991724],
  [0, 10, 0, 0.2775328030260577],
  [1, 10, 0.7224671969739421, 1],
  [0.05, 400, 0.032597429728024756, 0.0759636353066146],
  [0.123, 31, 0.047856747991904786, 0.2812758213521446],
];

test("intervals are those of Python", () => {
  for (const [share, documents, low, high] of PYTHON) {
    const found = wilson(share, documents);
    assert.ok(Math.abs(found.low - low) < 1e-12, `${share} of ${documents}`);
    assert.ok(Math.abs(found.high - high) < 1e-12, `${share} of ${documents}`);
  }
});

test("bounds are as far as a share may diverge, being one of seven", () => {
  const most = Math.log((2 * 7) / 0.05);
  for (const [share, documents] of PYTHON) {
    const { low, high } = surely(share, documents, 7);
    for (const bound of [low, high].filter((one) => one > 0 && one < 1)) {
      assert.ok(Math.abs(documents * divergence(share, bound) - most) < 1e-9);
    }
    assert.ok(low <= share && share <= high);
    assert.deepEqual([low === 0, high === 1], [share === 0, share === 1]);
  }
});

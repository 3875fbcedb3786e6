import assert from "node:assert/strict";
import { test } from "node:test";
import { ALMOST_SURELY, wilson } from "../src/pictures/intervals";

// From hlta.topics.tables.wilson.
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

test("intervals are wider to be surer", () => {
  const [usual, sure] = [wilson(0.3, 50), wilson(0.3, 50, ALMOST_SURELY)];
  assert.ok(sure.low < usual.low && usual.high < sure.high);
});

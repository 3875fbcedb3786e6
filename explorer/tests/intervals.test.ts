import assert from "node:assert/strict";
import { test } from "node:test";
import { surely, wilson } from "../src/pictures/intervals";

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

// From hlta.topics.turning_points.surely_within, of seven shares.
const SURELY: typeof PYTHON = [
  [0.3, 25, 0.073597473398636, 0.631175807987398],
  [0, 10, 0, 0.430774697103352],
  [1, 10, 0.569225302896648, 1],
  [0.05, 400, 0.0215226583054817, 0.0951507493307085],
  [0.123, 31, 0.0119968663649416, 0.394701512732255],
];

test("bounds are those of Python", () => {
  for (const [share, documents, low, high] of SURELY) {
    const found = surely(share, documents, 7);
    assert.ok(Math.abs(found.low - low) < 1e-12, `${share} of ${documents}`);
    assert.ok(Math.abs(found.high - high) < 1e-12, `${share} of ${documents}`);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { evidenceAgainst, required, wilson } from "../src/pictures/intervals";

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

test("evidence is the log of how much likelier a share is than another", () => {
  const likelihood = (p: number): number => 12 * Math.log(p) + 18 * Math.log(1 - p);
  const evidence = evidenceAgainst(0.3, 12 / 30, 30);
  assert.ok(Math.abs(evidence - (likelihood(0.4) - likelihood(0.3))) < 1e-12);
  assert.equal(evidenceAgainst(0.3, 0.3, 30), 0);
  assert.equal(evidenceAgainst(0.5, 0, 10), 10 * Math.log(2));
});

test("a share that differs by chance has the evidence that is required once in 20 times at most", () => {
  const [comparisons, documents, share] = [50, 40, 0.1];
  let [chance, exactly] = [0, (1 - share) ** documents];
  for (let on = 0; on <= documents; on++) {
    if (evidenceAgainst(share, on / documents, documents) >= required(comparisons))
      chance += exactly;
    exactly *= ((documents - on) / (on + 1)) * (share / (1 - share));
  }
  assert.ok(comparisons * chance < 0.05, String(comparisons * chance));
});

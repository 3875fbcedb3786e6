import assert from "node:assert/strict";
import { test } from "node:test";
import { evidenceAgainst, required } from "../src/shares/evidence";

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

import assert from "node:assert/strict";
import { test } from "node:test";
import { verdict } from "../src/panels/why";

const told = (share: number, ...parts: number[]): string =>
  verdict(
    { title: "sports" },
    share,
    parts.map((part, k) => ({ word: "abcdef"[k], part })),
  );

test("a sentence tells a topic's share, and the words that are most about it", () => {
  assert.equal(told(0.02, 0.05), "2.0% of this document is about “sports”.");
  assert.equal(told(0.37, 0.9, 0.02), "37% of this document is about “sports”: the word “a”.");
  assert.equal(
    told(0.37, 0.9, 0.8, 0.1),
    "37% of this document is about “sports”: the words “a”, “b” and “c”.",
  );
  assert.equal(
    told(0.37, 0.9, 0.8, 0.7, 0.6),
    "37% of this document is about “sports”: above all the words “a”, “b” and “c”.",
  );
});

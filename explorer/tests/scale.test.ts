import assert from "node:assert/strict";
import { test } from "node:test";
import { certainty, inContext, inWords, strength } from "../src/look/scale";

const log = (times: number): number => Math.log(times);

test("the scale has three steps, for words and for topics", () => {
  assert.deepEqual(
    [12, 10.01, 4, 1 / 4, 2, 1].map((x) => strength(log(x))),
    ["strong", "strong", "some", "some", "weak", "weak"],
  );
  assert.equal(strength(log(1 / 50)), "strong");
  assert.deepEqual([0.95, 0.9, 0.89, 0.5, 0.49].map(certainty), [
    "strong",
    "strong",
    "some",
    "some",
    "weak",
  ]);
});

test("odds are told in words, with what the other words leave to say", () => {
  assert.equal(
    inWords("cocoa", true, { alone: log(12), rest: log(1.4) }),
    "“cocoa” speaks strongly for the topic: it makes the odds 12 times as high. " +
      "Given all other words, it makes them 1.4 times as high.",
  );
  assert.equal(
    inWords("ship", false, { alone: log(1 / 3.5), rest: log(1.01) }),
    "The absence of “ship” speaks to some extent against the topic: " +
      "it makes the odds 3.5 times lower. The other words say so already.",
  );
  assert.match(inWords("x", true, { alone: 40, rest: 30 }), /more than a million times as high/);
  assert.match(inWords("x", true, { alone: log(9.97), rest: 1 }), / 10 times as high/);
});

test("what would be shown as a factor of 1.0 is not shown", () => {
  assert.equal(inContext(log(1.04)), "–");
  assert.equal(inContext(log(1.1)), "× 1.1");
  assert.equal(inContext(log(1 / 3)), "÷ 3.0");
});

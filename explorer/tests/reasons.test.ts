import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../src/inference/model";
import { likely, reasons } from "../src/inference/reasons";

// Words 0 to 2 below the one topic: the first speaks for it, the second against, the last says nothing.
const TREE = {
  parent: Int32Array.of(3, 3, 3, -1),
  states: Uint8Array.of(2),
  background: Uint8Array.of(1),
  word: Float64Array.of(0.25, 4, 1, 0.25, 1, 1), // P(present) / P(absent): off, on
  latent: Float64Array.of(1),
};
const PAGE = { words: ["for", "against", "silent"] };
const WORDS = [0, 1, 2].map((word) => ({ word, inside: 0, outside: 0, information: 0, sure: null }));
const TOPIC = { node: 3, words: WORDS };

function of(...present: number[]) {
  return reasons(PAGE, new Model(TREE), TOPIC, Uint32Array.from(present));
}

function close(one: number, other: number): void {
  assert.ok(Math.abs(one - other) < 1e-12, `${one} is not ${other}`);
}

test("reasons are the words that say something, present or missing, the strongest first", () => {
  const { words, p, has, lacks } = of(1);
  assert.deepEqual(
    words.map(({ word, present }) => [word, present]),
    [
      [0, false],
      [1, true],
    ],
  );
  const [missing, there] = words;
  close(missing.alone, Math.log(0.2 / 0.8)); // P(absent | on) / P(absent | off)
  close(there.alone, Math.log(0.2 / 0.5));
  // Words that depend on the topic alone say the same beside all others.
  close(missing.rest, missing.alone);
  close(has, there.alone);
  close(lacks, missing.alone);
  close(p, likely(has + lacks));
});

test("a probability is that of its odds", () => {
  close(likely(0), 0.5);
  close(likely(Math.log(9)), 0.9);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { evidence, Model, together } from "../src/model";

// Words 0 and 1 below latent variable 4, words 2 and 3 below 5, and 5 below 4, the root.
const WORDS = 4;
const parent = Int32Array.of(4, 4, 5, 5, -1, 4);
const probability = Float64Array.of(
  ...[0.1, 0.7],
  ...[0.05, 0.4],
  ...[0.2, 0.9],
  ...[0.3, 0.6],
  ...[0.25, 0.25], // the root, whatever its state "above"
  ...[0.1, 0.8],
);
const model = new Model(parent, probability, WORDS);

/** The log-odds of both latent variables by the sum over all their states; `null` is open. */
function oracle(words: (boolean | null)[]): number[] {
  const term = (node: number, above: number, value: boolean): number => {
    const p = probability[2 * node + above];
    return value ? p : 1 - p;
  };
  const sums = [
    [0, 0],
    [0, 0],
  ];
  for (const root of [0, 1]) {
    for (const child of [0, 1]) {
      let joint = term(4, 0, root === 1) * term(5, root, child === 1);
      words.forEach((value, word) => {
        if (value !== null) joint *= term(word, word < 2 ? root : child, value);
      });
      sums[0][root] += joint;
      sums[1][child] += joint;
    }
  }
  return sums.map(([off, on]) => Math.log(on / off));
}

function close(found: ArrayLike<number>, expected: number[]): void {
  assert.equal(found.length, expected.length);
  expected.forEach((value, k) => {
    assert.ok(Math.abs(found[k] - value) < 1e-12, `${found[k]} is not ${value}`);
  });
}

const DOCUMENTS = Array.from({ length: 2 ** WORDS }, (_, bits) =>
  Array.from({ length: WORDS }, (_, word) => Boolean(bits & (1 << word))),
);
const present = (words: boolean[]): Uint32Array =>
  Uint32Array.from(words.keys()).filter((word) => words[word]);

test("log-odds of every document are those of enumeration", () => {
  for (const words of DOCUMENTS) close(model.logOdds(present(words)), oracle(words));
});

test("log-odds with a word left open, or all that are present or absent", () => {
  for (const words of DOCUMENTS) {
    const known = present(words);
    for (let open = 0; open < WORDS; open++) {
      const rest = words.map((value, word) => (word === open ? null : value));
      close(model.logOdds(known, open), oracle(rest));
    }
    close(model.logOdds(known, "present"), oracle(words.map((value) => (value ? null : value))));
    close(model.logOdds(known, "absent"), oracle(words.map((value) => (value ? value : null))));
  }
});

test("log-odds from a single word, and from nothing", () => {
  close(model.logOddsFromAlone(-1, false), oracle([null, null, null, null]));
  close(model.logOddsFromAlone(2, true), oracle([null, null, true, null]));
  close(model.logOddsFromAlone(2, false), oracle([null, null, false, null]));
});

test("evidence is what a word changes, alone and with all others known", () => {
  const words = [true, false, true, false];
  const [whole] = oracle(words);
  const [nothing] = oracle([null, null, null, null]);
  const found = evidence(model, 0, Uint32Array.of(0, 2), [1]);
  assert.deepEqual(
    found.map(({ word, present }) => [word, present]),
    [
      [0, true],
      [2, true],
      [1, false],
    ],
  );
  close(
    found.map(({ alone }) => alone),
    [
      oracle([true, null, null, null])[0] - nothing,
      oracle([null, null, true, null])[0] - nothing,
      oracle([null, false, null, null])[0] - nothing,
    ],
  );
  close(
    found.map(({ rest }) => rest),
    [
      whole - oracle([null, false, true, false])[0],
      whole - oracle([true, false, null, false])[0],
      whole - oracle([true, null, true, false])[0],
    ],
  );
  close(together(model, 0, Uint32Array.of(0, 2)), [
    whole - oracle([null, false, null, false])[0],
    whole - oracle([true, null, true, null])[0],
  ]);
});

test("probabilities of 0 and 1 give large odds, but no NaN", () => {
  const certain = new Model(parent, probability.map(Math.round), WORDS);
  for (const words of DOCUMENTS) {
    for (const odds of certain.logOdds(present(words))) assert.ok(!Number.isNaN(odds));
  }
});

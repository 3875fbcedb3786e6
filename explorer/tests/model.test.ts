import assert from "node:assert/strict";
import { test } from "node:test";
import { evidence, Model, type Tree, together } from "../src/inference/model";

/** A tree by its probabilities, as the page holds it: of a word in each state of its parent; of
 * each state of a latent variable in each state of its parent, or for the root in one row; and the
 * number of its background states. */
function treeOf(...[parent, word, latent, background]: Probabilities): Tree {
  return {
    parent: Int32Array.from(parent),
    states: Uint8Array.from(latent, ([row]) => row.length),
    background: Uint8Array.from(background),
    word: Float64Array.from(word.flat(), (p) => p / (1 - p)),
    latent: Float64Array.from(latent.flat().flatMap(([off, ...on]) => on.map((p) => p / off))),
  };
}

/** The log-odds of every latent variable by the sum over all their states; `null` is open. */
type Oracle = (words: (boolean | null)[]) => number[];

function oracleOf(...[parent, word, latent, background]: Probabilities): Oracle {
  const n = word.length;
  return (words) => {
    const off = latent.map(() => 0);
    const on = latent.map(() => 0);
    const visit = (states: number[]): void => {
      if (states.length < latent.length) {
        for (const state of latent[states.length][0].keys()) visit([...states, state]);
        return;
      }
      let joint = 1;
      latent.forEach((rows, v) => {
        const up = parent[n + v];
        joint *= rows[up < 0 ? 0 : states[up - n]][states[v]];
      });
      words.forEach((value, w) => {
        const p = word[w][states[parent[w] - n]];
        if (value !== null) joint *= value ? p : 1 - p;
      });
      for (const [v, state] of states.entries()) {
        (state < background[v] ? off : on)[v] += joint;
      }
    };
    visit([]);
    return off.map((sum, v) => Math.log(on[v] / sum));
  };
}

type Probabilities = [
  parent: number[],
  word: number[][],
  latent: number[][][],
  background: number[],
];

// Words 0 and 1 below latent variable 4, words 2 and 3 below 5, and 5 below 4, the root.
const BINARY: Probabilities = [
  [4, 4, 5, 5, -1, 4],
  [
    [0.1, 0.7],
    [0.05, 0.4],
    [0.2, 0.9],
    [0.3, 0.6],
  ],
  [
    [[0.75, 0.25]],
    [
      [0.9, 0.1],
      [0.2, 0.8],
    ],
  ],
  [1, 1],
];

// The root, 5, has 3 states; below it are 4 with 5 states and 6 with 2; word 1 is below the root.
const MANY: Probabilities = [
  [4, 5, 6, 4, 5, -1, 5],
  [
    [0.1, 0.7, 0.02, 0.4, 0.9],
    [0.05, 0.4, 0.6],
    [0.2, 0.9],
    [0.3, 0.03, 0.5, 0.8, 0.6],
  ],
  [
    [
      [0.6, 0.1, 0.1, 0.15, 0.05],
      [0.05, 0.5, 0.15, 0.1, 0.2],
      [0.1, 0.02, 0.08, 0.3, 0.5],
    ],
    [[0.7, 0.1, 0.2]],
    [
      [0.9, 0.1],
      [0.2, 0.8],
      [0.65, 0.35],
    ],
  ],
  [3, 2, 1],
];

const WORDS = 4;

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

/** The same test of a tree with two states everywhere, and of one with two to five. */
function testBoth(name: string, check: (model: Model, oracle: Oracle) => void): void {
  for (const [kind, tree] of Object.entries({ "two states": BINARY, "many states": MANY })) {
    test(`${name}: ${kind}`, () => check(new Model(treeOf(...tree)), oracleOf(...tree)));
  }
}

testBoth("log-odds of every document are those of enumeration", (model, oracle) => {
  for (const words of DOCUMENTS) close(model.logOdds(present(words)), oracle(words));
});

testBoth("log-odds with a word left open, or all that are present or absent", (model, oracle) => {
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

testBoth("log-odds from a single word, and from nothing", (model, oracle) => {
  close(model.logOddsFromAlone(-1, false), oracle([null, null, null, null]));
  close(model.logOddsFromAlone(2, true), oracle([null, null, true, null]));
  close(model.logOddsFromAlone(2, false), oracle([null, null, false, null]));
});

testBoth("evidence is what a word changes, alone and with others known", (model, oracle) => {
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

test("probabilities as near to 0 and 1 as a model may have them give finite odds", () => {
  const [low, high] = [1e-100, 1 - 2 ** -53];
  const [parent, word, latent, background] = MANY;
  const extreme = treeOf(
    parent,
    word.map((row) => row.map((p) => (p < 0.5 ? low : high))),
    latent.map((rows) => rows.map((row) => row.map((p) => (p === Math.max(...row) ? 1 : low)))),
    background,
  );
  const model = new Model(extreme);
  for (const words of DOCUMENTS) {
    for (const odds of model.logOdds(present(words))) assert.ok(Number.isFinite(odds));
  }
});

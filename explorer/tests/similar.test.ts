import assert from "node:assert/strict";
import { test } from "node:test";
import { commonWords, nearest as found } from "../src/selection/similar";
import { documents, tenfold } from "./pages";

const ALL = [0, 1, 2, 3, 4, 5];

/** Documents of these words, and the nearest to one of them: "document: its copies". */
async function nearest(words: number[][], document: number, most = 9, among?: number[]) {
  const of = await documents(words.map((some) => ({ words: some })));
  const mask = Uint8Array.from(words, (_, k) => Number(!among || among.includes(k)));
  const { copies, others } = found(of, document, mask, most);
  return { copies, others: others.map((one) => `${one.document}: ${one.copies}`) };
}

test("likeness is the cosine: as slow sums say", async () => {
  const words = [
    [0, 1, 2],
    [0, 1, 3, 4, 5],
    [0, 2, 3],
    [1, 4],
    [2, 5],
    [0, 3, 4],
  ];
  const of = await documents(words.map((some) => ({ words: some })));
  const vector = (k: number): number[] =>
    ALL.map((word) => (words[k].includes(word) ? of.rarity(word) : 0));
  const dot = (a: number[], b: number[]): number => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const cosine = (k: number): number => {
    const [a, b] = [vector(0), vector(k)];
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };
  const expected = [1, 2, 3, 4, 5].sort((a, b) => cosine(b) - cosine(a));
  const { others } = await nearest(words, 0);
  assert.deepEqual(
    others,
    expected.map((k) => `${k}: `),
  );
  assert.deepEqual((await nearest(words, 0, 2)).others, others.slice(0, 2));
  assert.deepEqual(
    (await nearest(words, 0, 9, [3, 4])).others,
    others.filter((one) => one === "3: " || one === "4: "),
  );
});

test("copies are folded: those of the document, and those of others", async () => {
  const words = [[0, 1, 2], [0, 1, 2], [2, 3, 4], [2, 3, 4], [5]].map(tenfold);
  assert.deepEqual(await nearest(words, 0), { copies: [1], others: ["2: 3"] });
});

test("a document without words is like none", async () => {
  assert.deepEqual(await nearest([[], [0], []], 0), { copies: [], others: [] });
});

test("what documents have in common is told by its rarest words", async () => {
  const words = [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1], [0]];
  const of = await documents(words.map((some) => ({ words: some })));
  assert.deepEqual(commonWords(of, 0, 1, 2), [2, 1]);
  assert.deepEqual(commonWords(of, 0, 3, 2), [0]);
});

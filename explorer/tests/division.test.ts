import assert from "node:assert/strict";
import { test } from "node:test";
import { Sharing } from "../src/shares/division";
import { DIVIDING } from "./pages";

const WORDS = 3;

/** Codes of three words in the topics of the page of tests: 128 for as frequent as in all documents,
 * and 1 more for twice as frequent. */
function sharing(codes: Record<number, number[]>): Sharing {
  const rows = DIVIDING.prior.map((_, column) => {
    const topic = DIVIDING.columns.indexOf(column);
    return (codes[topic] ?? new Array(WORDS).fill(0)).map((code) => 128 + code);
  });
  return new Sharing(DIVIDING, Uint8Array.from(rows.flat()));
}

const close = (one: number, other: number, within = 1e-5): void =>
  assert.ok(Math.abs(one - other) < within, `${one} is not ${other}`);
const mean = (parts: Float64Array): number => parts.reduce((sum, one) => sum + one) / parts.length;

test("words that tell nothing are divided as those that are added", () => {
  const divided = sharing({}).of([Uint32Array.of(0, 2)], Uint32Array.of(0, 2), 0.2);
  [2 / 3, 4 / 9, 2 / 9, 1 / 3].forEach((share, topic) => {
    close(divided.share(topic), share);
    for (const part of divided.parts(topic)) close(part, share);
  });
});

test("words are divided among root topics, and their parts among the topics below", () => {
  const divided = sharing({ 0: [6, 6, -6], 1: [8, -8, 0], 3: [-6, -6, 6] }).of(
    [Uint32Array.of(0, 1, 2)],
    Uint32Array.of(0, 1, 2),
    0.2,
  );
  const share = (topic: number): number => divided.share(topic);
  close(share(0) + share(3), 1, 1e-12);
  close(share(1) + share(2), share(0), 1e-12);
  const [first, second, third] = divided.parts(0);
  assert.ok(first > 0.99 && second > 0.99 && third < 0.01);
  const [above, below] = [divided.parts(0), divided.parts(1)];
  assert.ok(below[0] > 0.99 * above[0] && below[1] < 0.01);
  for (const topic of [0, 1, 2, 3]) close(mean(divided.parts(topic)), share(topic), 1e-12);
});

test("the division is the likeliest one, given the words that are added", () => {
  // With one word k times as frequent in the first topic: part = (2 + k part / (k part + 1 - part)) / 4.
  const divided = sharing({ 0: [2, 0, 0] }).of([Uint32Array.of(0)], Uint32Array.of(0), 0.2);
  let part = 0.5;
  for (let step = 0; step < 200; step++) part = (2 + (4 * part) / (4 * part + 1 - part)) / 4;
  close(divided.share(0), (4 * part) / (4 * part + 1 - part));
});

test("main topics lead down from a root topic, as far as they have enough", () => {
  const main = (least: number, ...words: number[]): number[] => {
    const divided = sharing({ 0: [9, 9, -9], 1: [-9, 9, 0], 3: [-9, -9, 9] }).of(
      [Uint32Array.from(words)],
      Uint32Array.from(words),
      least,
    );
    return [0, 1, 2, 3].filter((topic) => divided.isMain(topic));
  };
  assert.deepEqual(main(0.2, 0), [0, 2]);
  assert.deepEqual(main(0.2, 0, 1), [0, 1]); // with more of the words that are added
  assert.deepEqual(main(0.2, 2), [3]);
  assert.deepEqual(main(0.9999999, 0, 2), []);
});

test("a topic of hardly any words is divided as the words that are added", () => {
  const divided = sharing({ 0: [-40, 0, 0], 1: [40, 0, 0], 3: [40, 0, 0] }).of(
    [Uint32Array.of(0)],
    Uint32Array.of(0),
    0.2,
  );
  assert.ok(divided.share(0) < 1e-6 && divided.share(0) > 0);
  close(divided.share(1) / divided.share(2), 2);
});

test("without a word, no topic has a share", () => {
  const divided = sharing({}).of([new Uint32Array(0)], new Uint32Array(0), 0.2);
  assert.deepEqual([0, 1, 2, 3].map(divided.share), [0, 0, 0, 0]);
  assert.deepEqual(
    [0, 1, 2, 3].filter((topic) => divided.isMain(topic)),
    [],
  );
  assert.equal(divided.parts(0).length, 0);
});

test("the words of a document in sections are divided section by section", () => {
  const codes = { 0: [6, 0, -6], 3: [-6, 0, 6] };
  const [one, other] = [Uint32Array.of(0, 1), Uint32Array.of(1, 2)];
  const alone = [one, other].map((words) => sharing(codes).of([words], words, 0.2));
  const words = Uint32Array.of(0, 1, 2);
  const both = sharing(codes).of([one, other], words, 0.2);
  for (const topic of [0, 3]) {
    close(both.share(topic), (alone[0].share(topic) + alone[1].share(topic)) / 2, 1e-12);
    const [first, second] = alone.map((divided) => divided.parts(topic));
    const [left, middle, right] = both.parts(topic);
    close(left, first[0], 1e-12);
    close(middle, (first[1] + second[0]) / 2, 1e-12);
    close(right, second[1], 1e-12);
  }
  assert.equal(both.isMain(0), both.share(0) > both.share(3));
  assert.equal(sharing(codes).of([one], one, 0.2).isMain(0), true);
});

test("shares along the text are those of its sections", () => {
  const sharing_ = sharing({ 0: [9, 9, -9], 1: [-9, 9, 0], 3: [-9, -9, 9] });
  const sections = [Uint32Array.of(0, 1), Uint32Array.of(2), new Uint32Array()];
  const divided = sharing_.of(sections, Uint32Array.of(0, 1, 2), 0.2);
  for (const topic of [0, 1, 2, 3]) {
    const along = divided.along(topic);
    const alone = sections.map((words) => sharing_.of([words], words, 0.2).share(topic));
    assert.deepEqual(along, alone);
    close(divided.share(topic), (2 * along[0] + along[1]) / 3, 1e-12);
  }
});

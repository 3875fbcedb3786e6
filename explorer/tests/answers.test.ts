import assert from "node:assert/strict";
import { test } from "node:test";
import { Answers } from "../src/selection/answers";
import type { Corpus, WordCounts } from "../src/selection/corpus";
import { only } from "../src/selection/terms";

const STAR = [only({ kind: "word", word: "star" })];
const MOON = [only({ kind: "word", word: "moon" })];

/** A corpus that answers when it is told to, and how often it was asked. */
function slow() {
  const asked: { resolve(words: WordCounts): void; reject(error: Error): void }[] = [];
  const words = (): Promise<WordCounts> =>
    new Promise((resolve, reject) => asked.push({ resolve, reject }));
  return { corpus: { words } as unknown as Corpus, asked };
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("a question is asked once, and it is told when all are answered", async () => {
  const { corpus, asked } = slow();
  let calls = 0;
  const answers = new Answers(corpus, () => calls++);
  assert.equal(answers.words(STAR), null);
  assert.equal(answers.words(MOON), null);
  assert.equal(answers.words(STAR), null);
  assert.equal(asked.length, 2);
  asked[0].resolve({ documents: 1, words: [1] });
  await soon();
  assert.deepEqual([answers.words(STAR)?.documents, calls], [1, 0]);
  asked[1].resolve({ documents: 2, words: [0] });
  await soon();
  assert.deepEqual([answers.words(MOON)?.documents, calls, asked.length], [2, 1, 2]);
});

test("what failed says why, and is asked again when something else is chosen", async () => {
  const { corpus, asked } = slow();
  let calls = 0;
  const answers = new Answers(corpus, () => calls++);
  answers.words(STAR);
  asked[0].reject(new Error("Nobody answers"));
  await soon();
  assert.deepEqual([answers.words(STAR), answers.trouble, calls], [null, "Nobody answers", 1]);
  assert.equal(asked.length, 1);
  answers.renew();
  assert.deepEqual([answers.words(STAR), answers.trouble, asked.length], [null, "", 2]);
});

test("an answer that nobody waits for any more is left out", async () => {
  const { corpus, asked } = slow();
  const answers = new Answers(corpus, () => assert.fail());
  answers.words(STAR);
  answers.renew();
  answers.words(STAR);
  asked[0].resolve({ documents: 1, words: [1] });
  await soon();
  assert.equal(answers.words(STAR), null);
});

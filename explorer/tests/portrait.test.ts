import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shares } from "../src/page/page";
import { frequentIn, leadingTopics } from "../src/panels/apart";
import { summary } from "../src/panels/summary";
import { typical } from "../src/selection/typicality";
import { documents, page, shares, tenfold } from "./pages";

const sentence = (change: object): string => summary({ ...page(), ...change });

test("a sentence says what the corpus is, whatever is known of it", () => {
  assert.equal(sentence({}), "4 topics, about “star” and “proof”.");
  assert.equal(sentence({ documents: 1 }), "1 document, about “star” and “proof”.");
  const periods = shares(["1999", "2000", "2001"], [3, 0, 4], []);
  const groups = shares(["a", "b"], [1, 2], []);
  assert.equal(
    sentence({ documents: 2034, periods, fields: [groups] }),
    "2,034 documents in 2 groups, 7 of them from 1999 to 2001, about “star” and “proof”.",
  );
  assert.equal(
    sentence({ documents: 7, periods, fields: [groups] }),
    "7 documents from 1999 to 2001 in 2 groups, about “star” and “proof”.",
  );
  const months = shares(["1987-03", "1987-04", "1987-05"], [0, 1, 1], []);
  const some = { ...shares(["a", "b", ""], [1, 2, 3], []), further: 100 };
  assert.equal(
    sentence({ documents: 2, periods: months, fields: [some] }),
    "2 documents from April 1987 to May 1987, some of them in 102 groups, about “star” and “proof”.",
  );
  assert.match(sentence({ documents: 9, fields: [{ ...some, further: 0 }] }), /, 6 of them in 2 /);
  assert.equal(sentence({ roots: [] }), "4 topics.");
  assert.equal(sentence({ roots: [3] }), "4 topics, about “proof”.");
});

test("the sentence names the root topics that are the main ones of most documents", () => {
  const { topics } = page(); // star 40%, galaxy 30%, dark-matter 10%, proof 20%
  const opening = (changes: object[], roots = [2, 3, 1, 0]): string =>
    sentence({ roots, topics: topics.map((topic, k) => ({ ...topic, ...changes[k] })) });
  const by = (...documents: number[]): object[] => documents.map((n) => ({ mainly: n }));
  assert.equal(opening([]), "4 topics, mostly about “star”, “galaxy” and “proof”.");
  assert.equal(
    opening(by(1, 2, 3, 4)),
    "4 topics, mostly about “proof”, “dark-matter” and “galaxy”.",
  );
  assert.equal(opening(by(5, 5, 5, 9)), "4 topics, mostly about “proof”, “star” and “galaxy”.");
  const doubtful = [{}, {}, { vague: true }, { vague: true }];
  assert.equal(opening(doubtful), "4 topics, about “star” and “galaxy”.");
});

test("typical documents have what most have; copies and others on the topic are left out", async () => {
  const given = await documents([
    { words: tenfold([0, 1, 2]), on: { 0: 0.9 } },
    { words: tenfold([0, 1, 2]), on: { 0: 0.9 } }, // the same again
    { words: tenfold([0, 1]), on: { 0: 0.8 } },
    { words: tenfold([5]), on: { 0: 0.7 } },
    { words: tenfold([3, 4]) },
    { words: tenfold([0, 1, 2]), on: { 0: 0.1 } }, // is not on it
  ]);
  const all = new Uint8Array(6).fill(1);
  const found = typical(page().topics[0], given, all, 2);
  assert.deepEqual(new Set(found), new Set([0, 2]));
  const without = Uint8Array.of(0, 0, 1, 1, 1, 1);
  assert.deepEqual(new Set(typical(page().topics[0], given, without, 9)), new Set([2, 3]));
  assert.deepEqual(typical(page().topics[3], given, all, 2), []);
});

test("groups of a topic are those in which it is surely more frequent", () => {
  const groups = shares(["a", "b", "c", ""], [1000, 500, 2, 50], [[0.1], [0.4], [1], [0.9]]);
  const names = (of: Shares): string[] => frequentIn(of, 0, 0.22, 2).map(({ name }) => name);
  assert.deepEqual(names(groups), ["b"]); // two documents do not tell
  const [{ share, low, high }] = frequentIn(groups, 0, 0.22, 2);
  assert.ok(low < share && share < high);
  assert.deepEqual(names({ ...groups, on: () => 0 }), []);
});

test("the topics of documents are the most frequent ones, none of them what was chosen", () => {
  const of = page();
  const ids = (on: number[], ...chosen: number[]): string[] =>
    leadingTopics(
      of,
      on,
      chosen.map((k) => of.topics[k]),
    ).map(({ id }) => id);
  assert.deepEqual(ids([50, 20, 0, 30]), ["Z3-1", "Z3-2", "Z2-1"]);
  assert.deepEqual(ids([50, 40, 0, 30]), ["Z3-1", "Z3-2"]); // one below tells nothing more
  assert.deepEqual(ids([50, 20, 8, 30], 1), ["Z3-2", "Z2-2"]); // nothing above or below it
  assert.deepEqual(ids([0, 0, 0, 0]), []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findTitles,
  findTopics,
  findWords,
  plain,
  step,
  topicAbove,
} from "../src/selection/finding";
import { page, WORDS } from "./pages";

const ids = (query: string): string[] => findTopics(page(), query).map((topic) => topic.id);
const words = (query: string): string[] => findWords(page(), query).map((word) => WORDS[word]);

test("text is compared in lower case, phrases word by word", () => {
  assert.equal(plain("  Dark-Matter \n halo "), "dark matter halo");
});

test("a topic is found by its keywords, the informative and early ones first", () => {
  assert.deepEqual(ids("galaxy"), ["Z2-1", "Z3-1"]);
  assert.deepEqual(ids("gal"), ["Z2-1", "Z3-1"]); // as one types
  assert.deepEqual(ids("laxy"), []); // beginnings of words only
  const even = page();
  for (const [k, topic] of even.topics.entries()) even.topics[k] = { ...topic, title: "other" };
  even.topics[1].words[0] = { ...even.topics[1].words[0], word: 0, information: 0.2 };
  even.topics[3].words[0] = { ...even.topics[3].words[0], word: 0, information: 0.4 };
  const found = findTopics(even, "star").map((topic) => topic.id);
  assert.deepEqual(found, ["Z3-2", "Z3-1", "Z2-1"]);
});

test("a topic is found by several of its keywords, and by a phrase", () => {
  assert.deepEqual(ids("theorem graph"), ["Z3-2"]);
  assert.deepEqual(ids("theorem star"), []);
  assert.deepEqual(ids("dark mat"), ["Z2-2", "Z3-1"]);
});

test("a topic is found by its id, before all others", () => {
  assert.deepEqual(ids("z2-2"), ["Z2-2"]);
  const { topics, words } = page();
  const shown = [{ ...topics[0], id: "Z2", title: "Z2" }];
  assert.equal(findTopics({ shown, words }, "z2").length, 1);
});

test("a word is found by any part, and first by its beginning", () => {
  assert.deepEqual(words("ar"), ["star", "dark-matter"]);
  assert.deepEqual(words("g"), ["graph", "galaxy"]);
  assert.deepEqual(words("p"), ["proof", "graph"]);
  assert.deepEqual(words("xyz"), []);
});

test("a word leads to the lowest topic above it", () => {
  assert.equal(topicAbove(page(), 0)?.id, "Z2-1");
  assert.equal(topicAbove(page(), 3)?.id, "Z3-2");
  const cut = page();
  cut.shown.splice(1, 1); // a latent variable that is no topic
  assert.equal(topicAbove(cut, 0)?.id, "Z3-1");
  cut.shown.length = 0;
  assert.equal(topicAbove(cut, 0), null);
});

test("titles are found by all words of the query, as many as asked for", () => {
  const titles = ["dark energy", "energy of dark stars", "stars"];
  assert.deepEqual(findTitles(titles, "dark energy", 7), [0, 1]);
  assert.deepEqual(findTitles(titles, "star", 1), [1]);
});

test("arrows go round the hits", () => {
  assert.equal(step(-1, 1, 3), 0);
  assert.equal(step(-1, -1, 3), 2);
  assert.equal(step(2, 1, 3), 0);
  assert.equal(step(0, -1, 3), 2);
});

test("topics are found by their titles before those found by keywords", () => {
  const found = page();
  const topics = found.topics.map((topic) => ({ ...topic, title: "other" }));
  topics[2].title = "Star formation, galaxies";
  const ids = (query: string): string[] =>
    findTopics({ ...found, shown: topics }, query).map((t) => t.id);
  assert.equal(ids("star")[0], "Z2-2");
  assert.deepEqual(ids("form gal"), ["Z2-2"]);
});

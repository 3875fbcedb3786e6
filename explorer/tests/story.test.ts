import assert from "node:assert/strict";
import { test } from "node:test";
import { storyName } from "../src/pictures/exporting";
import { Story } from "../src/story/story";

test("windows of the page write one story; a story that a page was saved with stays as it is", () => {
  const step = { view: "#topic=Z1-1", sentence: "first" };
  const [one, other] = [new Story("story", null), new Story("story", null)];
  const saved = new Story("story", "[]");
  one.steps = [step];
  other.follow();
  other.steps = [...other.steps, { ...step, sentence: "second" }];
  one.follow();
  saved.follow();
  assert.deepEqual(
    one.steps.map(({ sentence }) => sentence),
    ["first", "second"],
  );
  assert.deepEqual(saved.steps, []);
});

test("the file of a story is named after the heading", () => {
  assert.equal(storyName("Our papers: 1987/2025"), "Our-papers-1987-2025-story.html");
  assert.equal(storyName("論文 é"), "論文-é-story.html");
  assert.ok(storyName("x".repeat(999)).length < 100);
});

import assert from "node:assert/strict";
import { test } from "node:test";
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

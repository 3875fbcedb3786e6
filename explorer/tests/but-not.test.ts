import assert from "node:assert/strict";
import { test } from "node:test";
import { leavable } from "../src/panels/but-not";
import { page } from "./pages";

test("what can be left out are topics that some documents are on, if others are left", () => {
  const { shown } = page();
  const told = (on: number[], size: number, vague = -1): [number, boolean][] =>
    leavable(
      shown.map((topic) => ({ ...topic, vague: topic.index === vague })),
      on,
      size,
    ).map(([{ index }, many, left]) => {
      assert.equal(many, on[index]);
      return [index, left];
    });
  assert.deepEqual(told([9, 3, 0, 2], 9), [
    [0, false],
    [1, true],
    [3, true],
  ]);
  assert.deepEqual(told([9, 3, 0, 2], 9, 1), [
    [0, false],
    [3, true],
  ]);
  assert.deepEqual(told([9, 9, 0, 0], 9), []);
  assert.deepEqual(told([0, 0, 0, 0], 0), []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { keep } from "../src/look/keeping";
import { Tags } from "../src/selection/tags";

test("tags are kept, in order, and taken away again", () => {
  const tags = new Tags("tags");
  let calls = 0;
  tags.onChange(() => calls++);
  for (const number of [7, 3, 5, 3]) tags.toggle(number);
  assert.deepEqual([tags.all, tags.has(7), tags.has(3), calls], [[5, 7], true, false, 4]);
  assert.deepEqual(new Tags("tags").all, [5, 7]);
  assert.deepEqual(new Tags("other").all, []);
  tags.clear();
  assert.deepEqual(new Tags("tags").all, []);
});

test("windows of the page add to each other's tags", () => {
  const [one, other] = [new Tags("both"), new Tags("both")];
  one.toggle(1);
  other.toggle(2);
  assert.deepEqual(other.all, [1, 2]);
  one.follow();
  assert.deepEqual(one.all, [1, 2]);
});

test("what is no list of numbers holds no tags", () => {
  for (const text of ["", "{", "{}", '"1"', "null"]) {
    keep("damaged", text);
    assert.deepEqual(new Tags("damaged").all, []);
  }
  keep("damaged", '[1, "2", 2.5, null, 4]');
  assert.deepEqual(new Tags("damaged").all, [1, 4]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { placeIn } from "../src/selection/beside";

test("a document knows its place in a list", () => {
  const list = Uint32Array.of(7, 3, 9);
  assert.deepEqual(placeIn(list, 7), { at: 1, of: 3 });
  assert.deepEqual(placeIn(list, 9), { at: 3, of: 3 });
  assert.equal(placeIn(list, 4), null);
  assert.equal(placeIn([], 0), null);
});

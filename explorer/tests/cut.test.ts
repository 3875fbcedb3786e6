import assert from "node:assert/strict";
import { test } from "node:test";
import { cut } from "../src/look/dom";

test("a text is cut where it has no more room", () => {
  const within = (length: number) => (part: string) => part.length <= length;
  assert.equal(cut("galaxies", within(8)), "galaxies");
  assert.equal(cut("dark matter", within(8)), "dark ma…");
  assert.equal(cut("dark matter", within(6)), "dark…"); // no space before the sign
  assert.equal(cut("galaxies", within(2)), ""); // a single letter tells nothing
});

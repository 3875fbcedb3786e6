import assert from "node:assert/strict";
import { test } from "node:test";
import { flowing, headline } from "../src/page/text";

test("a short first line that is set apart is a headline", () => {
  assert.equal(
    headline("\n Ink helps drive democracy \n\nThe Kyrgyz Republic"),
    "Ink helps drive democracy",
  );
  assert.equal(headline("One line alone"), "");
  assert.equal(headline(`${"long ".repeat(30)}\n\nrest`), "");
  assert.equal(headline("The first line of a paragraph\nwhich goes on"), "");
  assert.equal(headline(""), "");
});

test("lines that were ended for their length flow, and others stay", () => {
  const full = "word ".repeat(12).trim();
  assert.equal(flowing(`${full}\n${full}\nend`), `${full} ${full} end`);
  assert.equal(flowing("one\ntwo"), "one\ntwo");
  assert.equal(flowing(`${full} \n \n\n${full}`), `${full}\n\n${full}`);
});

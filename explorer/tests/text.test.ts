import assert from "node:assert/strict";
import { test } from "node:test";
import { flowing, headline, opening } from "../src/page/text";

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

test("the opening of a text ends with a word", () => {
  const text = "A text without a title begins with these words, and goes on and on";
  assert.equal(opening(text), "A text without a title begins with these words, and goes on…");
  assert.equal(opening(`\n\n${text.replaceAll(" ", " \n ")}`), opening(text));
  assert.equal(opening("Short: one, two"), "Short: one, two");
  assert.equal(opening("x".repeat(60)), "x".repeat(60));
  assert.equal(opening("x".repeat(61)), `${"x".repeat(60)}…`);
  assert.equal(opening(`${"x".repeat(60)} y`), `${"x".repeat(60)}…`);
  assert.equal(
    opening(`${"word ".repeat(10)}and, so on and on`),
    `${"word ".repeat(10)}and, so on…`,
  );
  assert.equal(opening(`${"word ".repeat(11)}one, two three`), `${"word ".repeat(11)}one…`);
  assert.equal(opening("\u{1F600}".repeat(70)), `${"\u{1F600}".repeat(60)}…`);
  assert.equal(opening(" \n"), "");
});

test("lines that were ended for their length flow, and others stay", () => {
  const full = "word ".repeat(12).trim();
  assert.equal(flowing(`${full}\n${full}\nend`), `${full} ${full} end`);
  assert.equal(flowing("one\ntwo"), "one\ntwo");
  assert.equal(flowing(`${full} \n \n\n${full}`), `${full}\n\n${full}`);
});

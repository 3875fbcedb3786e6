import assert from "node:assert/strict";
import { test } from "node:test";
import { added, checkedNote, checkedTitle, folded } from "../src/page/naming";

test("titles are on one line", () => {
  assert.equal(checkedTitle(" dark\n\t matter "), "dark matter");
  assert.equal(checkedTitle("\u{1f600}".repeat(80)).length, 160); // 80 characters
});

test("titles that nobody could read are refused", () => {
  for (const title of ["", " \n", "x".repeat(81), "a\0", "a\u200fb", "\ud800"]) {
    assert.throws(() => checkedTitle(title), /title/);
  }
});

test("notes have lines, and may be empty", () => {
  assert.equal(checkedNote(" a  b \r\n\n c\u2028d "), "a b\n\nc\nd");
  assert.equal(checkedNote("\n"), "");
  assert.equal(checkedNote("می\u200cخواهم"), "می\u200cخواهم");
  for (const note of ["x".repeat(2001), "a\x07", "\ud800"]) assert.throws(() => checkedNote(note));
});

test("titles are the same whatever their case", () => {
  assert.equal(folded("STRASSE"), folded("straße"));
  assert.notEqual(folded("a"), folded("b"));
});

test("a title is followed by the keywords that it lacks", () => {
  const label = ["dark-matter", "galaxy", "halo", "dark"];
  assert.equal(added("Dark matter", label), "galaxy halo");
  assert.equal(added("dark-matter, halo", label), "galaxy");
  assert.equal(added("שלום", label), "dark-matter galaxy halo dark");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Marker } from "../src/look/marking";

/** The words that are marked in a text. */
function marked(text: string, ...words: string[]): string[] {
  const pieces = new Marker(words).pieces(text);
  assert.equal(pieces.join(""), text); // nothing is lost
  return pieces.filter((_, k) => k % 2);
}

test("words are marked as a whole, in any case", () => {
  assert.deepEqual(marked("Star stars STAR-like", "star"), ["Star", "STAR"]);
  assert.deepEqual(marked("starry", "star"), []);
  assert.deepEqual(marked("café Caf", "caf"), ["Caf"]);
});

test("accents do not matter, and a star ends the beginning of a word", () => {
  assert.deepEqual(marked("Café, cafe and ÇA", "café", "ca"), ["Café", "cafe", "ÇA"]);
  assert.deepEqual(marked("Galaxies of a galaxy", "galax*"), ["Galaxies", "galaxy"]);
  assert.deepEqual(marked("각 곡", "각"), ["각"]); // these letters are no accented ones
});

test("a snippet is the part with most of the words, or the beginning", () => {
  const marker = new Marker(["star"]);
  assert.equal(marker.around("a star", 100), "a star");
  const text = `star ${"other words ".repeat(30)}star star star ${"more words ".repeat(30)}`;
  const snippet = marker.around(text, 100);
  assert.equal(snippet.match(/star/g)?.length, 3);
  assert.ok(snippet.startsWith("… ") && snippet.endsWith(" …"));
  assert.ok(snippet.length <= 104);
  assert.ok(new Marker(["none"]).around(text, 100).startsWith("star other"));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { inflected } from "../src/look/inflection";
import { spots } from "../src/look/spots";

/** What is found in a text, as "what stands there: word". */
function found(text: string, words: string[], vocabulary: string[] = words): string[] {
  const places = spots(text, words, new Set(vocabulary));
  places.forEach(({ begin }, k) => {
    assert.ok(!k || begin >= places[k - 1].end); // in order, and apart
  });
  return places.map(({ begin, end, word }) => `${text.slice(begin, end)}: ${words[word]}`);
}

test("forms of one word differ in their endings", () => {
  for (const [one, other] of [
    ["galaxy", "galaxies"],
    ["price", "pricing"],
    ["run", "running"],
    ["matrix", "matrices"],
    ["analysis", "analyses"],
    ["criterion", "criteria"],
    ["process", "processes"],
    ["study", "studied"],
    ["leaf", "leaves"],
    ["woman", "women"],
    ["wagen", "wagens"],
    ["star", "star"],
  ]) {
    assert.ok(inflected(one, other), `${one} ${other}`);
    assert.ok(inflected(other, one), `${other} ${one}`);
  }
});

test("words that merely begin alike are two words", () => {
  for (const [one, other] of [
    ["general", "generic"],
    ["commission", "committee"],
    ["star", "starve"],
    ["is", "ies"],
    ["oil", "oily"],
    ["universe", "university"],
    ["market", "marketplace"],
    ["care", "cart"],
  ]) {
    assert.ok(!inflected(one, other), `${one} ${other}`);
    assert.ok(!inflected(other, one), `${other} ${one}`);
  }
});

test("words are found as a whole, in any case, wherever they stand", () => {
  assert.deepEqual(found("Star, STAR: starry", ["star"]), ["Star: star", "STAR: star"]);
  assert.deepEqual(found("café Caf", ["caf"]), ["Caf: caf"]);
  assert.deepEqual(found("any", []), []);
  assert.deepEqual(found("", ["star"]), []);
});

test("a word that the text does not have as it is stands there in another form", () => {
  assert.deepEqual(found("Galaxies and stars", ["galaxy", "star"]), [
    "Galaxies: galaxy",
    "stars: star",
  ]);
  // As it is, it goes before other forms; these may be other words.
  assert.deepEqual(found("galaxy, galaxies", ["galaxy"]), ["galaxy: galaxy"]);
  assert.deepEqual(found("galaxies", ["galaxy"], ["galaxy", "galaxies"]), []);
});

test("phrases go before their words, in any form, and what stands between is no letter", () => {
  assert.deepEqual(found("dark-\nmatter is dark", ["dark", "dark-matter"]), [
    "dark-\nmatter: dark-matter",
    "dark: dark",
  ]);
  const words = ["neural-network", "network"];
  assert.deepEqual(found("neural networks", ["neural-network"], [...words, "networks"]), [
    "neural networks: neural-network",
  ]);
  assert.deepEqual(found("neural and networks", ["neural-network"]), []);
});

test("scripts without spaces are found inside of runs of letters", () => {
  assert.deepEqual(found("暗黒物質の研究", ["物質"]), ["物質: 物質"]);
});

test("what would be a pattern is text", () => {
  assert.deepEqual(found("(x) a.b", ["(x)", "$&"]), []);
});

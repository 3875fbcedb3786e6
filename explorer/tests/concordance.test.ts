import assert from "node:assert/strict";
import { test } from "node:test";
import { folded, origins, patterns, spaced } from "../src/look/folding";
import { sorted } from "../src/selection/order";
import {
  leftOf,
  type Occurrence,
  rightOf,
  SEARCHED,
  surroundings,
  Texts,
} from "../src/selection/texts";
import { documents, type Given, random } from "./pages";

/** Whole numbers that look random. */
function wholes(seed: number): (below: number) => number {
  const draw = random(seed);
  return (below) => Math.floor(below * draw());
}

/** The occurrences of a query in documents. */
async function found(given: Given[], query: string): Promise<Occurrence[]> {
  const texts = new Texts(await documents(given), []);
  const wanted = patterns(query);
  return given.flatMap((_, document) => texts.occurrences(document, wanted));
}

async function lines(text: string, query: string): Promise<(readonly string[])[]> {
  return (await found([{ texts: text }], query)).map(surroundings);
}

const PIECES = [
  ..."aAbé",
  "e\u0301",
  "É",
  "İ",
  "ß",
  "Σς",
  " ",
  ", ",
  "\n\n",
  "-",
  "\u0301",
  "\ufeff",
  "天",
  "が",
  "각",
  "𝔤",
  "😀",
  "1",
];

test("every letter of spaced text has a place in the text as it is", () => {
  const any = wholes(3);
  for (let k = 0; k < 400; k++) {
    const text = Array.from({ length: any(20) }, () => PIECES[any(PIECES.length)]).join("");
    const [from, searched] = [origins(text), spaced(text)];
    assert.equal(from.length, searched.length + 1, JSON.stringify(text));
    assert.equal(from.at(-1), text.length);
    searched.split("").forEach((letter, at) => {
      const origin = String.fromCodePoint(text.codePointAt(from[at])!);
      assert.ok(spaced(origin).includes(letter), JSON.stringify([text, at]));
    });
  }
});

/** Where a query of one word or phrase is in a text without scripts that lack spaces: begins and ends
 * of words are looked at one by one. */
function naive(text: string, query: string): [begin: number, end: number][] {
  const prefix = query.endsWith("*");
  const wanted = query.replaceAll(/["*]/g, "").split(" ").map(folded);
  const words = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)];
  const places: [number, number][] = [];
  for (let k = 0; k + wanted.length <= words.length; k++) {
    const some = words.slice(k, k + wanted.length);
    const fits = some.every(([word], at) =>
      prefix ? folded(word).startsWith(wanted[at]) : folded(word) === wanted[at],
    );
    if (!fits) continue;
    const end = some[some.length - 1].index + some[some.length - 1][0].length;
    places.push([words[k].index, end]);
    k += wanted.length - 1;
  }
  return places;
}

test("what is found is what a slow search finds, and the search counts it", async () => {
  const any = wholes(5);
  const [words, gaps] = [
    ["a", "A", "ab", "Á", "é", "E\u0301", "éa", "b1"],
    [" ", ", ", "\n", " — "],
  ];
  for (const query of ["a", "É", "ab", "a*", "e*", '"a a"', '"a É a"', "B1"]) {
    const given = Array.from({ length: 60 }, () => {
      const text = Array.from(
        { length: any(14) },
        () => words[any(words.length)] + gaps[any(gaps.length)],
      );
      return { texts: text.join("") };
    });
    const texts = new Texts(await documents(given), []);
    const scores = texts.scores(query);
    given.forEach(({ texts: text }, document) => {
      const here = texts.occurrences(document, patterns(query));
      const expected = naive(text, query);
      const flat = expected.map(([begin, end]) => text.slice(begin, end).replace(/\s+/g, " "));
      assert.deepEqual(
        here.map((one) => surroundings(one)[1]),
        flat,
        JSON.stringify([query, text]),
      );
      assert.equal(scores[document], Math.fround(Math.log1p(expected.length)));
      here.forEach((one, k) => {
        const [left, , right] = surroundings(one);
        assert.equal(left, text.slice(0, expected[k][0]).replace(/\s+/g, " "));
        assert.equal(right, text.slice(expected[k][1]).replace(/\s+/g, " "));
      });
    });
  }
});

test("words stand in scripts without spaces, too", async () => {
  assert.deepEqual(await lines("人工知能の研究、知能。", "知能"), [
    ["人工", "知能", "の研究、知能。"],
    ["人工知能の研究、", "知能", "。"],
  ]);
  assert.deepEqual(await lines("がく かく", "か*"), [
    ["", "が", "く かく"],
    ["がく ", "か", "く"],
  ]);
});

test("all words and phrases are found, and those that follow each other are one place", async () => {
  const text = "Black hole in black holes; a hole";
  assert.deepEqual(
    (await lines(text, '"black hole" black hole*')).map(([, words]) => words),
    ["Black hole", "black holes", "hole"],
  );
  assert.equal((await lines("hole hole", "hole")).length, 2);
  assert.deepEqual(
    (await lines("one two three", '"one two" "two three"')).map(([, words]) => words),
    ["one two three"],
  );
  assert.deepEqual(await lines("no such word", "other"), []);
});

test("titles and ids are searched as texts are, each for itself", async () => {
  const given = [{ titles: "A star", ids: "star-1", texts: "stars and a star" }];
  const here = await found(given, "star");
  assert.deepEqual(
    here.map(({ field }) => SEARCHED[field]),
    ["titles", "ids", "texts"],
  );
  assert.deepEqual(await found(given, '"star star"'), []);
  assert.deepEqual(here.map(surroundings), [
    ["A ", "star", ""],
    ["", "star", "-1"],
    ["stars and a ", "star", ""],
  ]);
});

test("what is far from an occurrence is left out, whole words at a time", async () => {
  const [[left, words, right]] = await lines(
    `${"many ".repeat(99)}star${" more".repeat(99)}`,
    "star",
  );
  assert.equal(words, "star");
  assert.match(left, /^(many )+$/);
  assert.match(right, /^( more)+$/);
  assert.ok(left.length < 200 && right.length < 200);
});

test("occurrences are sorted by the words beside them, whatever their case and accents", async () => {
  const text = "Our star sets. a STAR Été, the star: born; Star";
  const here = await found([{ texts: text }], "star");
  assert.deepEqual(here.map(rightOf), [
    "sets a star ete the star born star",
    "ete the star born star",
    "born star",
    "",
  ]);
  assert.deepEqual(here.map(leftOf), [
    "our",
    "a sets star our",
    "the ete star a sets star our",
    "born star the ete star a sets star our",
  ]);
  const places = (key: (one: Occurrence) => string): number[] =>
    sorted(here, key).map((one) => here.indexOf(one));
  assert.deepEqual(places(rightOf), [3, 2, 1, 0]);
  assert.deepEqual(places(leftOf), [1, 3, 0, 2]);
  assert.deepEqual(
    places(() => ""),
    [0, 1, 2, 3],
  );
  const [spaceless] = await found([{ texts: "The 研究の知能" }], "知能");
  assert.equal(leftOf(spaceless), "の 究 研 the");
});

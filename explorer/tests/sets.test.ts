import assert from "node:assert/strict";
import { test } from "node:test";
import { folded, occurrences, patterns, spaced, spacedBytes } from "../src/look/folding";
import { likeness, withAnyCopy, withCopies } from "../src/selection/copies";
import { inside, members, Sets, within } from "../src/selection/sets";
import { type Clause, only, type PlainTerm, type Term } from "../src/selection/terms";
import { Typicality } from "../src/selection/typicality";
import { documents, type Given, page, random } from "./pages";

const GIVEN: Given[] = [
  {
    words: [0, 1],
    on: { 0: 0.9, 1: 0.6 },
    main: [0, 1],
    groups: "a",
    kinds: "talk",
    dates: "1987-03-02",
    at: [0, 0],
  },
  { words: [0, 1, 2], on: { 0: 0.2, 2: 0.05 }, groups: "a\nb\n", dates: "1987", at: [10, 0] },
  { words: [3, 4, 5], on: { 3: 0.8 }, main: [3], groups: "b", dates: "1988-01-01", at: [10, 10] },
  { words: [], on: { 0: 0.1999 }, texts: "Schrödinger's\nequation: oil-price", at: [4, 5] },
];

async function found(...clauses: (Clause | Term)[]): Promise<number[]> {
  const sets = new Sets(page(), await documents(GIVEN));
  return [...members(sets.of(clauses.map((one) => ("kind" in one ? only(one) : one))))];
}

test("terms stand for documents", async () => {
  const topic = { kind: "topic", id: "Z3-1", least: 0.2, main: false } as const;
  const cases: [Term, number[]][] = [
    [{ kind: "all" }, [0, 1, 2, 3]],
    [{ kind: "none" }, [3]],
    [topic, [0, 1]],
    [{ ...topic, least: 0.8 }, [0]],
    [{ ...topic, least: 0.05 }, [0, 1, 3]],
    [{ ...topic, main: true }, [0]],
    [{ ...topic, id: "Z9" }, []],
    [{ kind: "word", word: "star" }, [0, 1]],
    [{ kind: "word", word: "unknown" }, []],
    [{ kind: "text", query: "schrodinger EQUATION" }, [3]],
    [{ kind: "text", query: "equat" }, []],
    [{ kind: "text", query: "equat*" }, [3]],
    [{ kind: "text", query: '"oil price"' }, [3]],
    [{ kind: "text", query: '"price oil"' }, []],
    [{ kind: "text", query: "dark-matter" }, []], // a word of the model that no text has
    [{ kind: "text", query: "?" }, []],
    [{ kind: "group", field: "group", name: "a" }, [0, 1]],
    [{ kind: "group", field: "group", name: "b" }, [1, 2]],
    [{ kind: "group", field: "group", name: "" }, [3]],
    [{ kind: "group", field: "kind", name: "talk" }, [0]],
    [{ kind: "group", field: "kind", name: "TALK" }, [0]], // if none is spelled so
    [{ kind: "group", field: "kind", name: "" }, [1, 2, 3]],
    [{ kind: "group", field: "country", name: "a" }, []],
    [{ kind: "date", from: "1987", to: "1987" }, [0, 1]],
    [{ kind: "date", from: "1987-03", to: "1988-01" }, [0, 2]],
    [{ kind: "area", corners: [-1, -1, 13, -1, -1, 13] }, [0, 1, 3]],
  ];
  for (const [term, expected] of cases) {
    assert.deepEqual(await found(term), expected, JSON.stringify(term));
  }
});

test("where there are no texts, the words of the model stand for them", async () => {
  const given = [[0, 2], [2, 3], [1]].map((words) => ({ words }));
  const sets = new Sets(page(), await documents(given));
  const having = (query: string): number[] => [
    ...members(sets.of([only({ kind: "text", query })])),
  ];
  assert.deepEqual(having("dark-matter"), [0, 1]);
  assert.deepEqual(having('"dark matter"'), [0, 1]);
  assert.deepEqual(having("matt*"), [0, 1]);
  assert.deepEqual(having('"matter proof"'), []); // two words
  assert.deepEqual(having("gal*"), [2]);
});

test("what texts that are cut may hide bounds the size of a set", async () => {
  const given = [
    { texts: "star dust", groups: "a" },
    { texts: "star", groups: "a", cut: true },
    { texts: "moon", groups: "b", cut: true },
    { texts: "sun", groups: "b" },
  ];
  const sets = new Sets(page(), await documents(given));
  const text = (query: string): PlainTerm => ({ kind: "text", query });
  const group: Term = { kind: "group", field: "group", name: "a" };
  const cases: [Clause[], number, string][] = [
    [[], 4, ""],
    [[only(group)], 2, ""],
    [[only(text("star"))], 2, "at least"],
    [[only(text("star")), only(group)], 2, ""], // the only other text that may have it is not in the group
    [[only(text("star"), true)], 2, "at most"],
    [[only(text("dust")), only(text("star"), true)], 0, "at least"],
    [[only(text("moon"), true), only(group)], 2, "at most"],
    [[{ not: false, terms: [text("dust"), group] }], 2, "at least"],
    [[only(text("star")), only(text("dust"), true)], 1, "about"],
    [[{ not: false, terms: [group, { kind: "not", term: text("sun") }] }], 3, "at most"],
    [[only(group), { not: true, terms: [{ kind: "not", term: text("dust") }] }], 1, "at least"],
    [[only(text("sun")), only({ kind: "group", field: "group", name: "b" }, true)], 0, "at least"],
  ];
  for (const [clauses, size, bound] of cases) {
    const set = sets.of(clauses);
    assert.deepEqual([set.size, set.bound], [size, bound], JSON.stringify(clauses));
  }
});

test("clauses are joined, their terms are alternatives, and `not` leaves out", async () => {
  const [a, b] = ["a", "b"].map((name): Term => ({ kind: "group", field: "group", name }));
  const star: Term = { kind: "word", word: "dark-matter" };
  assert.deepEqual(await found(), [0, 1, 2, 3]);
  assert.deepEqual(await found(a, star), [1]);
  assert.deepEqual(await found({ not: false, terms: [b, star] }), [1, 2]);
  assert.deepEqual(await found({ not: true, terms: [b, star] }), [0, 3]);
  assert.deepEqual(await found(a, only(star, true)), [0]);
});

test("the documents of a set are counted on each topic", async () => {
  const sets = new Sets(page(), await documents(GIVEN));
  const counts = (...clauses: Clause[]): number[][] => {
    const { documents, on, main } = sets.counts(sets.of(clauses));
    return [[documents], Array.from(on), Array.from(main)];
  };
  assert.deepEqual(counts(), [[4], [2, 1, 0, 1], [1, 1, 0, 1]]);
  const some = only({ kind: "word", word: "dark-matter" });
  assert.deepEqual(counts(some), [[1], [1, 0, 0, 0], [0, 0, 0, 0]]);
});

test("dates lie within others as far as they are known", () => {
  const march = { from: "1987-03", to: "1987-03" };
  assert.ok(within("1987-03-31", march));
  assert.ok(!within("1987", march));
  assert.ok(!within("1987-04-01", march));
  assert.ok(within("0001-01-01", { from: "0001", to: "9999" }));
  assert.ok(!within("Monday", { from: "1987", to: "1988" }));
  assert.ok(!within("", { from: "1987", to: "1988" }));
});

test("a polygon has an inside, whatever its shape", () => {
  const hook = [0, 0, 10, 0, 10, 10, 8, 10, 8, 2, 0, 2];
  assert.ok(inside(hook, 9, 9));
  assert.ok(inside(hook, 1, 1));
  assert.ok(!inside(hook, 4, 6));
  assert.ok(!inside(hook, 11, 1));
});

test("text is compared without case and accents", () => {
  assert.equal(folded("Ångström ÉTÉ"), "angstrom ete");
  assert.equal(spaced("Oil-price,\n\nup!"), "oil price up ");
  assert.deepEqual(
    patterns('Été "Black  Hole" neur* oil-price "'),
    [
      ["ete", false],
      ["black hole", false],
      ["neur", true],
      ["oil price", false],
    ].map(([text, prefix]) => ({ text, prefix })),
  );
  const count = (text: string, query: string): number =>
    occurrences(spaced(text), patterns(query)[0]).length;
  assert.equal(count("oil, oils and oil", "oil"), 2);
  assert.equal(count("oil, oils and oil", "oil*"), 3);
  assert.equal(count("人工知能の研究", "知能"), 1);
  assert.equal(count("toil", "oil"), 0);
  assert.equal(count("xa b a b a", '"a b a"'), 1);
});

test("text in UTF-8 is folded as strings are", () => {
  const texts = [
    "",
    "Oil-price,\n\nup!  ",
    "É\u0301té—naïve ΣΊΣΥΦΟΣ, xΣ ŞİŞLİ",
    "研究、知能の AI 각하 ﬁn \u{1f600}\u{1d54f}",
    "...",
  ];
  for (const text of texts) {
    assert.equal(spacedBytes(new TextEncoder().encode(text)), spaced(text), text);
  }
  assert.equal(spaced("ΣΊΣΥΦΟΣ"), spaced("σίσυφοσ"));
});

test("copies are those that all pairs would give", () => {
  const draw = random(7);
  const below = (most: number): number => Math.floor(most * draw());
  const base = Array.from({ length: 12 }, () => Array.from({ length: 12 }, () => below(40)));
  const lists = Array.from({ length: 150 }, () => {
    const words = new Set(base[below(12)]);
    for (let k = below(4); k > 0; k--) words.add(below(40));
    return Uint32Array.from(words).sort();
  });
  const counts = new Map<number, number>();
  for (const word of lists.flatMap((list) => [...list])) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const same = (a: Uint32Array, b: Uint32Array): boolean =>
    Math.min(a.length, b.length) >= 10 && likeness(a, b) >= 0.8;
  const slow: [number, number[]][] = [];
  lists.forEach((list, k) => {
    const first = slow.find(([other]) => same(lists[other], list));
    if (first) first[1].push(k);
    else slow.push([k, []]);
  });
  const of = { words: (k: number) => lists[k], frequency: (word: number) => counts.get(word)! };
  const fast = withCopies([...lists.keys()], of);
  assert.deepEqual(
    fast.map(({ document, copies }) => [document, copies]),
    slow,
  );
  assert.ok(fast.some(({ copies }) => copies.length));
  const any = lists.map((list, k) =>
    Number(lists.some((other, j) => j !== k && same(list, other))),
  );
  assert.deepEqual([...withAnyCopy(lists.length, of)], any);
  assert.ok(any.includes(0) && any.includes(1));
});

test("likeness is the share of common words", () => {
  const of = (a: number[], b: number[]): number =>
    likeness(Uint32Array.from(a), Uint32Array.from(b));
  assert.equal(of([1, 2, 3], [2, 3, 4]), 0.5);
  assert.equal(of([], []), 0);
  assert.equal(of([1], [1]), 1);
});

test("typical documents have what others lack", async () => {
  const read = await documents(GIVEN);
  const rare = [2, 2, 1, 1, 1, 1].map((having) => Math.log(4 / having));
  const vectors = GIVEN.map(({ words = [] }) => rare.map((r, w) => (words.includes(w) ? r : 0)));
  const squared = vectors.map((row) => row.reduce((sum, value) => sum + value ** 2, 0));
  const average = squared.reduce((sum, one) => sum + one) / 4;
  const rows = vectors.map((row, k) => row.map((value) => value / (squared[k] + average)));
  const mean = (weights: number[]): number[] => {
    const total = weights.reduce((sum, one) => sum + one);
    return rare.map((_, w) => rows.reduce((sum, row, k) => sum + weights[k] * row[w], 0) / total);
  };
  const weights = [1, 0, 0.5, 0];
  const contrast = mean(weights).map((own, w) => own - mean([1, 1, 1, 1])[w]);
  const found = Typicality.among(read).of([2, 0], (document) => weights[document]);
  for (const [document, typicality] of found) {
    const expected = rows[document].reduce((sum, value, w) => sum + value * contrast[w], 0);
    assert.ok(Math.abs(typicality - expected) < 1e-12);
  }
  assert.deepEqual([...found.keys()], [2, 0]);
  const all = Typicality.among(read).of([0, 1, 2, 3], () => 1);
  assert.deepEqual([...all.values()], [0, 0, 0, 0]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed } from "../src/selection/query";
import {
  asParts,
  type Clause,
  only,
  type PlainTerm,
  read,
  readClauses,
  type Term,
  written,
} from "../src/selection/terms";

const FIELDS = [
  { key: "group", name: "Desk" },
  { key: "kind", name: "Kind of text" },
];
const TERMS: Term[] = [
  { kind: "all" },
  { kind: "none" },
  { kind: "copies" },
  { kind: "topic", id: "Z2-1", least: 0.2, main: false },
  { kind: "topic", id: "Z2-1", least: 0.75, main: true },
  { kind: "word", word: "dark-matter" },
  { kind: "text", query: '"black hole" star*' },
  { kind: "group", field: "group", name: "" },
  { kind: "group", field: "kind", name: "talk: 1" },
  { kind: "group", field: "group", name: "a: b|c&d=é" },
  { kind: "date", from: "1987-03", to: "1987-03" },
  { kind: "date", from: "1987", to: "1988-02-01" },
  { kind: "area", corners: [0, 1, 2, 3, 4, 5.5] },
];

test("every term comes back from its text", () => {
  for (const term of TERMS) assert.deepEqual(read(written(term), FIELDS), term);
  const quarter = { kind: "date", from: "2016-07", to: "2016-09" };
  assert.deepEqual(read("date:2016-Q3", FIELDS), quarter); // as somebody may write it
});

test("clauses come back from an address, in their order", () => {
  const clauses: Clause[] = [
    { not: false, terms: TERMS.slice(0, 3) },
    { not: true, terms: TERMS.slice(3, 5) },
    ...TERMS.slice(5).map((term) => only(term)),
  ];
  const parts = new URLSearchParams({ topic: "Z3-1" });
  asParts(clauses, parts);
  const again = new URLSearchParams(`${parts}&view=time`);
  assert.deepEqual(readClauses(again, FIELDS), { clauses, unread: 0 });
});

test("what means nothing is left out of clauses, and counted", () => {
  for (const text of [
    "",
    "topic:",
    "topic:Z1@2",
    "topic:Z1@x",
    "main:",
    "narrow:Z1", // of earlier pages
    "country:Chile", // no field of the documents
    "area:1,2",
    "area:1,2,3,4,5,x",
    "area:1,2,3,4,5,1e308",
  ]) {
    assert.equal(read(text, FIELDS), null, text);
  }
  for (const text of ["nonsense", "word:", "text: ", "date:", "date:..", "__proto__:x"]) {
    assert.equal(read(text, FIELDS), null, text);
  }
  const parts = new URLSearchParams("or=word:a&with=odd&or=word:b&without=odd&with=word:c");
  assert.deepEqual(readClauses(parts, FIELDS), {
    clauses: [only({ kind: "word", word: "b" }), only({ kind: "word", word: "c" })],
    unread: 3,
  });
});

test("a query stands for clauses", () => {
  const text = (query: string): PlainTerm => ({ kind: "text", query });
  const cases: [string, Clause[]][] = [
    ["", []],
    ["  OR NOT ", []],
    ["oil price", [only(text("oil price"))]],
    ['"interest rate" dollar', [only(text('"interest rate" dollar'))]],
    ["“interest rate” «dollar”", [only(text('"interest rate" "dollar"'))]],
    ['“a b" AND “c d"', [only(text('"a b" "c d"'))]],
    ['5" “a b” 6"', [only(text('5" "a b" 6"'))]],
    ['desk:"le «monde»"', [only({ kind: "group", field: "group", name: "le «monde»" })]],
    ["oil -iran price", [only(text("oil price")), only(text("iran"), true)]],
    ["oil NOT iran", [only(text("oil")), only(text("iran"), true)]],
    ["cocoa OR coffee", [{ not: false, terms: [text("cocoa"), text("coffee")] }]],
    ["oil a OR b OR c", [only(text("oil")), { not: false, terms: ["a", "b", "c"].map(text) }]],
    ["group:sports", [only({ kind: "group", field: "group", name: "sports" })]],
    ['group:"far away"', [only({ kind: "group", field: "group", name: "far away" })]],
    ["desk:sports", [only({ kind: "group", field: "group", name: "sports" })]],
    ["-Kind:talk", [only({ kind: "group", field: "kind", name: "talk" }, true)]],
    ["date:2010..", [only({ kind: "date", from: "2010", to: "2099" })]],
    ["date:..", [only({ kind: "date", from: "1500", to: "2099" })]],
    ["date:2015/3", [only({ kind: "date", from: "2015-03", to: "2015-03" })]],
    ["-date:1987-03", [only({ kind: "date", from: "1987-03", to: "1987-03" }, true)]],
    ["ratio:3", [only(text("ratio:3"))]],
    ["- ?", []],
    ["(oil price) OR coffee", [{ not: false, terms: [text("oil price"), text("coffee")] }]],
    ["a AND b OR c", [{ not: false, terms: [text("a b"), text("c")] }]],
    ["NOT (a OR b)", [only(text("a"), true), only(text("b"), true)]],
    ["-(a b) c", [only(text("c")), only(text("a b"), true)]],
    ["a OR -b", [{ not: false, terms: [text("a"), { kind: "not", term: text("b") }] }]],
    ["f(x) (2019)", [only(text("f(x) 2019"))]],
    [
      "(desk:sports OR a) (b",
      [
        only(text("b")),
        { not: false, terms: [{ kind: "group", field: "group", name: "sports" }, text("a")] },
      ],
    ],
  ];
  for (const [query, clauses] of cases) assert.deepEqual(parsed(query, FIELDS), clauses, query);
  const known = FIELDS.map((field) => ({ ...field, names: ["Sports", "Talk", "talk"] }));
  const values = ["desk:sports", "desk:talk", "desk:x"].map(
    (query) => (parsed(query, known)[0] as Clause).terms[0],
  );
  assert.deepEqual(
    values.map((term) => term.kind === "group" && term.name),
    ["Sports", "talk", "x"],
  );
});

test("queries that cannot be used say why", () => {
  const pairs = Array.from({ length: 9 }, (_, k) => `(a${k} -b${k})`).join(" OR ");
  assert.match(String(parsed(pairs, FIELDS)), /^This combines too many parts/);
  assert.match(String(parsed("-a ".repeat(201), FIELDS)), /^This combines too many parts/);
  const words = (count: number): string =>
    Array.from({ length: count }, (_, k) => `w${k}`).join(" ");
  assert.equal(parsed(words(100), FIELDS).length, 1);
  assert.equal(parsed("w ".repeat(101), FIELDS).length, 1);
  for (const many of [words(101), `"${words(101)}"`]) {
    assert.equal(parsed(many, FIELDS), "A search has 100 words at most; use fewer.");
  }
  for (const date of [
    "date:abc",
    "date:2015-13",
    "date:2015-02-30",
    "date:2019...2020",
    'date:""',
    "date:2019-Q5",
    "date:2019-W53",
    "x OR date:99",
    "date: 2019",
  ]) {
    assert.match(String(parsed(date, FIELDS)), /is not a date; write date:2019/, date);
  }
  assert.match(String(parsed("date:2020..2019-05", FIELDS)), /ends before it begins/);
  assert.equal(parsed("date:2019-05..2019", FIELDS).length, 1);
  const period = parsed("date:2010s..2020-q2", FIELDS);
  assert.deepEqual(period, [only({ kind: "date", from: "2010", to: "2020-06" })]);
  assert.deepEqual(parsed("(".repeat(100_000), FIELDS), []);
});

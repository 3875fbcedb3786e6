import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFigure, exactly, known } from "../src/selection/figure";
import { type Clause, only, type Term, termOf } from "../src/selection/terms";
import { groups, page, shares } from "./pages";

const topics = page().topics.map((topic) => ({
  ...topic,
  documents: 100 * (topic.index + 1),
  mainly: 10 * (topic.index + 1),
}));
const PAGE = {
  topics,
  documents: 1000,
  none: 30,
  fields: [groups(["a", "b"], [600, 400], [Array(4).fill(0.1), [0.5, 0, 0, 0]])],
  periods: shares(["1987", "1988"], [900, 100], [Array(4).fill(0.2), Array(4).fill(0)]),
};
const [first, second] = topics.map((topic) => termOf(topic));
const group = (name: string): Term => ({ kind: "group", field: "group", name });
const date = (from: string, to = from): Term => ({ kind: "date", from, to });

test("what Python counted is known of all documents, and nothing else", () => {
  const cases: [Clause[], number | null][] = [
    [[], 1000],
    [[only({ kind: "all" })], 1000],
    [[only({ kind: "all" }, true)], 0],
    [[only({ kind: "none" })], 30],
    [[only({ kind: "none" }, true)], 970],
    [[only(first)], 100],
    [[only(first), only(first)], 100],
    [[only(first), only({ kind: "all" })], 100],
    [[only({ ...second, main: true })], 20],
    [[only({ ...second, least: 0.5 })], null],
    [[only(first), only(second)], null],
    [[only(first, true)], 900],
    [[{ not: false, terms: [first, second] }], null],
    [[only(group("a"))], 600],
    [[only(group("z"))], null],
    [[only(group("b")), only(first)], 200],
    [[only(first), only(group("b"))], 200],
    [[only(first), only(group("b"), true)], null],
    [[only({ ...first, main: true }), only(group("b"))], null],
    [[only(group("b")), only(first), only(date("1987"))], null],
    [[only(date("1987"))], 900],
    [[only(date("1987")), only(second)], 180],
    [[only(date("1987", "1988"))], null],
    [[only(date("1987-03"))], null],
    [[only({ kind: "text", query: "star" })], null],
  ];
  for (const [clauses, expected] of cases) {
    assert.equal(known(PAGE, clauses), expected, JSON.stringify(clauses));
  }
});

test("a figure says what it is", () => {
  assert.equal(describeFigure(exactly(1)), "1 document");
  assert.equal(
    describeFigure({ documents: 14, bound: "at least", among: null }),
    "at least 14 documents",
  );
  const held = { documents: 2000, bound: "", among: 20_000 } as const;
  assert.equal(
    describeFigure(held, " in nips"),
    "2,000 documents in nips among the 20,000 that this page holds",
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shares } from "../src/page/page";
import { leftOut, ofChosen, ofTopics } from "../src/pictures/series";
import { dateTerm, rangeOf } from "../src/pictures/time-layout";
import { Sets } from "../src/selection/sets";
import { fromAddress } from "../src/selection/state";
import { partsOf } from "../src/selection/tally";
import { besides, clauseOf, only } from "../src/selection/terms";
import { answersOf, documents, groups, page, shares } from "./pages";

const SHARES = [
  [0.5, 0, 0, 0],
  [0.25, 0, 0, 0],
];
const months: Shares = { ...shares(["2020-01", "2020-02"], [2, 2], SHARES), unit: "month" };
const byGroups = groups(["a", "b", ""], [2, 1, 2], []);

async function given(): Promise<Sets> {
  return new Sets(
    page(),
    await documents([
      { dates: "2020-01-05", groups: "a\nb", texts: "oil", on: { 0: 0.9 } },
      { dates: "2020-01", groups: "a", on: { 0: 0.1, 3: 0.8 } },
      { dates: "2020-02-07", groups: "b", texts: "oil" },
      { dates: "2020", texts: "oil", on: { 0: 0.7 } },
      { dates: "2020-02-01", on: { 0: 0.6 } },
    ]),
  );
}

test("documents are in the part of their date, or in those of their groups", async () => {
  const { documents } = await given();
  assert.deepEqual(partsOf(documents, months), [[0], [0], [1], [], [1]]);
  assert.deepEqual(partsOf(documents, { ...byGroups, key: "kind" }), [[2], [2], [2], [2], [2]]);
  assert.deepEqual(partsOf(documents, byGroups), [[0, 1], [0], [1], [2], [2]]);
});

const state = (address: string) => fromAddress(address, page());

type Found = Exclude<ReturnType<typeof ofChosen>, "counting">;

function chosenBy(address: string, sets: Sets, of = page()): Found {
  const found = ofChosen(
    of,
    state(address),
    { answers: answersOf(sets), documents: sets.documents, sampled: false },
    months,
  );
  assert.notEqual(found, "counting");
  return found as Found;
}

test("what is chosen is set against the rest, and dates alone choose nothing", async () => {
  const sets = await given();
  assert.equal(chosenBy("#with=date:2020", sets), null);
  const chosen = chosenBy("#with=text:oil", sets)!;
  assert.equal(
    chosen.left,
    "1 document is left out: its date is missing, unreadable or without a month.",
  );
  assert.deepEqual(
    chosen.lines.map(({ points }) => points.map(({ share }) => share)),
    [[0.5, 0.5]],
  );
  assert.equal(chosen.neutral, "The documents with “oil”, by month");
  assert.match(chosen.about, /are among the 3 documents with “oil”/);
  const topic = chosenBy("#topic=Z3-1&with=text:oil", sets)!;
  assert.deepEqual(
    topic.lines.map(({ points }) => points.map(({ share }) => share)),
    [
      [1, 0],
      [0, 1],
    ],
  );
  assert.equal(topic.among, " among the documents with “oil”");
  assert.match(topic.about, /^Of the 3 documents with “oil”, how many are on the topic/);
  const two = chosenBy("#compare=Z3-1&compare=Z3-2&with=text:oil", sets)!;
  assert.deepEqual(
    two.lines.map(({ topic }) => topic),
    [0, 3],
  );
});

test("topics are measured among what is chosen, whichever topic is selected", async () => {
  const { about, among, line, of, silent } = chosenBy("#with=text:oil", await given())!.below!;
  assert.equal(among, " among the documents with “oil”");
  assert.match(about, /^How many of the 3 documents with “oil” are on each topic/);
  assert.deepEqual([of, silent], [" of the documents", false]);
  const points = line(page().topics[0]).points;
  assert.deepEqual(
    points.map(({ share, documents }) => [share, documents]),
    [
      [1, 1],
      [0, 1],
    ],
  );
});

test("periods in which a group has no documents are gaps; those without a search's are not", async () => {
  const sets = await given();
  const periods = (address: string, fields: Shares[] = [byGroups]): number[] => {
    const found = chosenBy(address, sets, { ...page(), fields })!;
    return found.lines[0].points.map(({ period }) => period);
  };
  assert.deepEqual(periods("#with=group:a"), [0]);
  assert.deepEqual(periods("#with=text:oil&with=text:oil"), [0, 1]);
  assert.deepEqual(periods("#with=text:nowhere"), [0, 1]);
});

test("everything is no choice, and a long one is shortened in titles alone", async () => {
  const sets = await given();
  assert.equal(chosenBy("#with=all", sets), null);
  const words = "oil ".repeat(30).trim();
  const { neutral, about } = chosenBy(`#with=text:${words}`, sets)!;
  assert.ok(neutral.length < 110 && neutral.includes("…"), neutral);
  assert.ok(about.includes(words));
});

test("without a choice, lines are the topics' mean shares", () => {
  const compared = ofTopics(page(), state("#compare=Z2-2&compare=Z2-1"), months, undefined);
  assert.deepEqual(
    compared.lines.map(({ topic }) => topic),
    [2, 1],
  );
  assert.equal(ofTopics(page(), state(""), months, undefined).neutral, "Topics, by month");
  const one = ofTopics(page(), state(""), months, page().topics[1]);
  assert.deepEqual([one.neutral, one.lines.length], ["“galaxy”, by month", 1]);
});

test("documents without a date, or with too coarse a one, are told of", () => {
  assert.equal(leftOut(4, months), "");
  assert.equal(leftOut(null, months), "");
  assert.equal(
    leftOut(5, { ...months, unit: "decade" }),
    "1 document is left out: its date is missing or unreadable.",
  );
  assert.equal(
    leftOut(9, months),
    "5 documents are left out: their dates are missing, unreadable or without a month.",
  );
});

test("a range of periods is a date term, and the other way round", () => {
  const names = ["2019-12", "2020-01", "2020-02", "2020-03"];
  const term = dateTerm([2, 1], names);
  assert.deepEqual(term, { kind: "date", from: "2020-01", to: "2020-02" });
  assert.deepEqual(rangeOf(only(term), names), [1, 2]);
  const range = (from: string, to: string) => rangeOf(only({ kind: "date", from, to }), names);
  assert.deepEqual(range("2020", "2020"), [1, 3]);
  assert.deepEqual(range("2020-01-15", "2020-02-10"), [1, 2]);
  assert.deepEqual(rangeOf(undefined, names), [0, 3]);
  assert.deepEqual(range("2030", "2031"), [4, 3]); // none
  const quarters = ["2019-Q4", "2020-Q1", "2020-Q2"];
  const given = dateTerm([1, 2], quarters);
  assert.deepEqual(given, { kind: "date", from: "2020-01", to: "2020-06" });
  assert.deepEqual(rangeOf(only(given), quarters), [1, 2]);
  assert.deepEqual(
    rangeOf(only({ kind: "date", from: "2020-03-31", to: "2020" }), quarters),
    [1, 2],
  );
});

test("clauses of a kind are found, and left out", () => {
  const date = only({ kind: "date", from: "2020", to: "2020" });
  const not = only({ kind: "date", from: "2021", to: "2021" }, true);
  const word = only({ kind: "word", word: "star" });
  assert.equal(clauseOf([word, not, date], "date"), date);
  assert.equal(clauseOf([word, not], "date"), undefined);
  assert.deepEqual(besides([date, word, not], "date"), [word]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { during, spoken } from "../src/look/dates";
import { count, counted, described, nats, percent, times, tooltip } from "../src/look/format";
import { page } from "./pages";

/** Asserts what a function shows for each of some values. */
function shows(format: (value: number) => string, expected: [value: number, text: string][]): void {
  for (const [value, text] of expected) assert.equal(format(value), text);
}

test("how many times as much is never told as 0.00", () => {
  shows(times, [
    [0.0004, "<0.01"],
    [0.052, "0.05"],
    [0.31, "0.3"],
    [9.94, "9.9"],
    [12.6, "13"],
  ]);
});

test("percents have a digit after the point below 10", () => {
  shows(percent, [
    [0, "0%"],
    [0.00099, "<0.1%"],
    [0.001, "0.1%"],
    [0.0944, "9.4%"],
    [0.0994, "9.9%"],
    [0.0995, "10%"], // never "10.0%"
    [0.996, "100%"],
  ]);
});

test("dates and ranges of them are as people say them", () => {
  assert.equal(during("1993-04-03"), "on 3 April 1993");
  assert.equal(during("2012", "2014"), "in 2012–2014");
  assert.equal(during("1987-03", "1987-06"), "in March–June 1987");
  assert.equal(during("1987-12", "1988-12"), "in December 1987 – December 1988");
  assert.equal(during("1987-03-21", "1987-03-22"), "on 21–22 March 1987");
  assert.equal(during("1987-03-03", "1987-04-03"), "on 3 March – 3 April 1987");
  assert.equal(during("1980s", "1990s"), "in the 1980s–1990s");
  assert.equal(during("1987-Q2"), "in Q2 1987");
  assert.equal(during("1987-Q2", "1987-Q4"), "in Q2–Q4 1987");
  assert.equal(spoken("1987-W14"), "30 March – 5 April 1987");
  assert.equal(during("1987-W10", "1987-W11"), "on 2–15 March 1987");
});

test("counts have a plural and their thousands apart", () => {
  assert.equal(count(1, "document"), "1 document");
  assert.equal(count(0, "document"), "0 documents");
  assert.equal(count(12345, "topic"), "12,345 topics");
  assert.equal(count(2, "category"), "2 categories");
});

test("documents are counted as mainly and in part on a topic, if both are known", () => {
  assert.equal(counted(1, 1234), "1 document mainly, 1,234 in part");
  assert.equal(counted(0, 1), "0 documents mainly, 1 in part");
  assert.equal(counted(null, 3), "3 documents in part");
});

test("descriptions and tooltips of a topic", () => {
  const topic = page().topics[0];
  assert.equal(described(topic), "star: galaxy dark-matter");
  assert.equal(described({ ...topic, more: "" }), "star");
  assert.equal(tooltip(topic), "star: galaxy dark-matter\nmean share 40%, level 3");
  assert.equal(nats(0.1234), "0.12 nats");
});

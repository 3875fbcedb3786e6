import assert from "node:assert/strict";
import { test } from "node:test";
import { finding, mostMarked } from "../src/pictures/findings";
import { FEW, type Line, pointsOf, relied, runs, within } from "../src/pictures/lines";
import { toldRange } from "../src/pictures/time-range";
import { shares } from "./pages";

const line = (values: number[], documents: number[], name = "“x”"): Line => ({
  name,
  topic: 0,
  hue: 0,
  points: pointsOf(
    shares(
      documents.map(String),
      documents,
      values.map((value) => [value]),
    ),
    0,
  ),
});
const YEARS = ["2011", "2012", "2013", "2014"];

test("periods without documents have no points, and break the line", () => {
  const given = shares(["2001", "2002", "2003"], [10, 0, 40], [[0.4], [0], [0.2]]);
  const points = pointsOf(given, 0);
  assert.deepEqual(
    points.map(({ period, share }) => [period, share]),
    [
      [0, 0.4],
      [2, 0.2],
    ],
  );
  assert.ok(points.every(({ low, share, high }) => low < share && share < high));
  assert.deepEqual(
    runs(points).map((run) => run.map(({ period }) => period)),
    [[0], [2]],
  );
  assert.deepEqual(runs([]), []);
  const whole = runs(line([0.1, 0.2, 0.3], [9, 9, 9]).points);
  assert.equal(whole.length, 1);
});

test("points of few documents are relied on only if there are no others", () => {
  const some = line([0.9, 0.1], [FEW - 1, FEW]);
  assert.deepEqual(
    relied([some]).map(({ share }) => share),
    [0.1],
  );
  assert.equal(relied([line([0.9, 0.1], [3, 4])]).length, 2);
});

test("a rise or a fall is said where the intervals of its ends are apart", () => {
  assert.equal(
    finding(line([0.04, 0.08, 0.12, 0.19], [400, 400, 400, 400]), YEARS),
    "“x” grew from 4.0% in 2011 to 19% in 2014",
  );
  assert.equal(
    finding(line([0.3, 0.2, 0.1, 0.05], [400, 400, 400, 400]), YEARS),
    "“x” fell from 30% in 2011 to 5.0% in 2014",
  );
  assert.equal(finding(line([0.04, 0.08], [40, 40]), YEARS), null); // 40 documents do not tell
});

test("what is above both ends, beyond chance, is a peak", () => {
  const peaked = line([0.04, 0.3, 0.1, 0.05], [400, 400, 400, 400]);
  assert.equal(finding(peaked, YEARS), "“x” peaked at 30% in 2012");
  assert.equal(finding(line([0.04, 0.09, 0.05, 0.05], [300, 300, 300, 300]), YEARS), null);
});

test("a line that turns is said to fall and grow again, or to go up and down", () => {
  const many = [900, 900, 900, 900];
  assert.equal(
    finding(line([0.3, 0.04, 0.05, 0.2], many), YEARS),
    "“x” fell to 4.0% in 2012, then grew to 20% in 2014",
  );
  assert.equal(
    finding(line([0.3, 0.04, 0.2, 0.05], many), YEARS),
    "“x” went up and down between 4.0% in 2012 and 30% in 2011",
  );
});

test("where no document is on a topic, it is not told to be frequent", () => {
  const none = (at: number, ...values: number[]): string | null => {
    const { points, ...other } = line(values, [400, 400, 400, 400]);
    const changed = points.map((point) => (point.period === at ? { ...point, on: 0 } : point));
    return finding({ ...other, points: changed }, YEARS);
  };
  assert.equal(none(0, 0.02, 0.08, 0.12, 0.19), "“x” grew from none in 2011 to 19% in 2014");
  assert.equal(none(3, 0.3, 0.2, 0.1, 0.05), "“x” fell from 30% in 2011 to none in 2014");
  assert.equal(none(3, 0.04, 0.08, 0.12, 0.19), null);
  assert.equal(none(0, 0.3, 0.2, 0.1, 0.05), "“x” fell from 20% in 2012 to 5.0% in 2014");
  assert.equal(none(1, 0.04, 0.3, 0.1, 0.05), null);
});

test("intervals go by the evidence", () => {
  const given = shares(["2011", "2012"], [400, 400], [[0.04], [0.07]]);
  const told = (evidence: number): string | null => {
    const points = pointsOf({ ...given, evidence: () => evidence }, 0);
    return finding({ name: "“x”", topic: 0, hue: 0, points }, YEARS);
  };
  assert.equal(told(1), null);
  assert.match(told(10) ?? "", /grew/);
});

test("periods of few documents say nothing", () => {
  assert.equal(finding(line([0.01, 0.9], [1000, FEW - 1]), YEARS), null);
  assert.equal(finding(line([], []), YEARS), null);
  const outlier = line([0.9, 0.1, 0.1, 0.3], [5, 500, 500, 500]);
  assert.equal(finding(outlier, YEARS), "“x” grew from 10% in 2012 to 30% in 2014");
});

test("of a range of periods, what happened there is told", () => {
  const hill = line([0.04, 0.3, 0.1, 0.05], [400, 400, 400, 400]);
  assert.equal(finding(within(hill, [1, 3]), YEARS), "“x” fell from 30% in 2012 to 5.0% in 2014");
  assert.equal(finding(within(hill, [1, 1]), YEARS), null);
  assert.deepEqual(
    [
      [1, 3],
      [1, 1],
      [4, 3],
    ].map(([first, last]) => toldRange([first, last], YEARS)),
    ["2012 to 2014", "2012", "no date of the chart"],
  );
});

test("a difference that the figures do not show is not told", () => {
  assert.equal(finding(line([0.301, 0.304], [10_000_000, 10_000_000]), YEARS), null);
});

test("of several lines, the one that changed most is told of", () => {
  const many = [500, 500];
  const lines = [line([0.1, 0.2], many, "“a”"), line([0.5, 0.1], many, "“b”")];
  const marked = mostMarked(lines, YEARS);
  assert.equal(marked?.at, 1);
  assert.match(marked.told, /^“b” fell/);
  assert.equal(mostMarked([line([0.2, 0.2], many)], YEARS), null);
  assert.equal(mostMarked([], YEARS), null);
});

test("days have another preposition than months and years", () => {
  const days = ["1993-04-03", "1993-04-04"];
  assert.match(finding(line([0.1, 0.3], [500, 500]), days) ?? "", /on 3 April 1993 to 30% on 4/);
});

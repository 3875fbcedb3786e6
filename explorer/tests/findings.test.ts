import assert from "node:assert/strict";
import { test } from "node:test";
import { percent } from "../src/look/format";
import { changesOf, differs, type Finding, surest } from "../src/pictures/findings";
import type { Line } from "../src/pictures/lines";
import { FEW, gain, type Measured, required, segments } from "../src/shares/evidence";
import { line, random } from "./pages";

const YEARS = Array.from({ length: 40 }, (_, k) => String(2011 + k));

const finding = (one: Line): Finding | null => changesOf([one], YEARS)[0];
const sentenceOf = (values: number[], documents: number[]): string | null =>
  finding(line(values, documents))?.sentence ?? null;
const MANY = [900, 900, 900, 900];

test("the turning points of a line are told, and many of them together", () => {
  assert.equal(
    sentenceOf([0.66, 0.12, 0.11, 0.36], MANY),
    "“x” fell from 66% in 2011 to 12% in 2012–2013, then rose to 36% in 2014",
  );
  assert.equal(
    sentenceOf([0.04, 0.3, 0.1, 0.05], MANY),
    "“x” rose from 4.0% in 2011 to 30% in 2012, then fell to 5.0% in 2014",
  );
  assert.equal(
    sentenceOf([0.3, 0.04, 0.2, 0.05, 0.4], [...MANY, 900]),
    "“x” went up and down between 4.0% in 2012 and 40% in 2015",
  );
  assert.equal(sentenceOf([0.04, 0.07, 0.05, 0.05], [300, 300, 300, 300]), null);
});

test("the first figure of a title says what it is a percentage of", () => {
  const of = (values: number[], unit: string): string =>
    changesOf(
      [
        line(
          values,
          values.map(() => 900),
        ),
      ],
      YEARS,
      unit,
    )[0]!.sentence;
  assert.equal(
    of([0.66, 0.12, 0.11, 0.36], " of the words"),
    "“x” fell from 66% of the words in 2011 to 12% in 2012–2013, then rose to 36% in 2014",
  );
  assert.equal(
    of([0.3, 0.04, 0.2, 0.05, 0.4], " of the documents"),
    "“x” went up and down between 4.0% of the documents in 2012 and 40% in 2015",
  );
});

test("the figures of a title have intervals and numbers of documents", () => {
  assert.equal(
    finding(line([0.04, 0.5, 0.19], [900, 12, 1200]))?.figures,
    "95% intervals of the figures in the title: 2.9% to 5.5% in 2011 (n\u00a0=\u00a0900), 17% to 22% in 2012–2013 (n\u00a0=\u00a01,212).",
  );
});

test("where no document is on a topic, it is not told to be frequent", () => {
  const none = (at: number, ...values: number[]): string | null => {
    const { points, ...other } = line(values, MANY);
    const changed = points.map((point) => (point.period === at ? { ...point, on: 0 } : point));
    return finding({ ...other, points: changed })?.sentence ?? null;
  };
  assert.equal(none(0, 0.02, 0.08, 0.12, 0.19), "“x” rose from 2.0% in 2011 to 19% in 2014");
  assert.equal(none(3, 0.3, 0.2, 0.1, 0.05), "“x” fell from 30% in 2011 to 5.0% in 2014");
  assert.equal(none(3, 0.04, 0.05, 0.05, 0.09), null);
  assert.equal(none(0, 0.3, 0.1, 0.1, 0.1), null);
});

test("a difference that the figures do not show is not told", () => {
  assert.equal(sentenceOf([0.301, 0.304], [10_000_000, 10_000_000]), null);
  const many = new Array(3).fill(10_000_000);
  assert.equal(
    sentenceOf([0.1, 0.304, 0.301], many),
    "“x” went up and down between 10% in 2011 and 30% in 2012",
  );
});

test("of several lines, the one with most evidence is told of, and not that with the largest range", () => {
  const lines = [line([0.1, 0.2], [5000, 5000], "“a”"), line([0.1, 0.6], [50, 50], "“b”")];
  const of = (some: Line[]): ReturnType<typeof surest> => surest(changesOf(some, YEARS));
  const found = of(lines);
  assert.match(found?.sentence ?? "", /^“a” rose/);
  assert.match(of(lines.slice(1))?.sentence ?? "", /^“b” rose/);
  assert.equal(of([line([0.2, 0.2, 0.2, 0.2], MANY)]), null);
  assert.equal(of([]), null);
});

test("groups are compared by the surest of the highest and of the lowest shares", () => {
  const { points } = line([0.3, 0.9, 0.5, 0.95, 0.1], [900, 800, 700, 30, 29]);
  const of = (some: readonly Measured[]): Finding | null =>
    differs("“x”", some, (one) => "abcde"[points.indexOf(one as (typeof points)[number])], 5);
  const found = of(points);
  assert.equal(found?.sentence, "“x” is more frequent in b (90%) than in a (30%)");
  assert.match(
    found.figures,
    /88% to 92% in b \(n\u00a0=\u00a0800\), 27% to 33% in a \(n\u00a0=\u00a0900\)\./,
  );
  assert.equal(of(points.slice(3)), null);
  assert.equal(of([]), null);
});

// ---- any series ----------------------------------------------------------------------------------

const draw = random(1);

/** How many of so many documents are on a topic of this share. */
function binomial(documents: number, share: number): number {
  let on = 0;
  for (let k = 0; k < documents; k++) on += Number(draw() < share);
  return on;
}

const SHAPES: Record<string, (at: number) => number> = {
  constant: () => 0.2,
  rare: () => 0.002,
  rising: (at) => 0.05 + 0.5 * at,
  valley: (at) => 0.1 + 1.2 * Math.abs(at - 0.5),
  wild: () => draw(),
};
const SIZES = [0, 3, FEW - 1, FEW, 50, 400, 3000];

/** A line of that shape, whose periods have many documents, few or none. */
function drawn(shape: string): { sizes: number[]; of: number[]; one: Line } {
  const length = 2 + Math.floor(18 * draw());
  const sizes = Array.from({ length }, () => SIZES[Math.floor(SIZES.length * draw())]);
  const of = sizes.map((size, k) => binomial(size, SHAPES[shape](k / length)) / Math.max(1, size));
  return { sizes, of, one: line(of, sizes) };
}

const FIGURE = /(<0\.1%|[\d.]+%) in (\d{4})(?:–(\d{4}))?/g;

test("every sentence says what its series does", () => {
  let said = 0;
  for (let k = 0; k < 600; k++) {
    const { sizes, of, one } = drawn(Object.keys(SHAPES)[k % 5]);
    const sentence = finding(one)?.sentence;
    if (!sentence) continue;
    said++;
    const named = Array.from(sentence.matchAll(FIGURE), ([, figure, first, last = first]) => {
      const [from, to] = [YEARS.indexOf(first), YEARS.indexOf(last) + 1];
      const size = sizes.slice(from, to).reduce((sum, one) => sum + one, 0);
      const share =
        sizes.slice(from, to).reduce((sum, one, k) => sum + one * of[from + k], 0) / size;
      assert.ok(size >= FEW, sentence);
      assert.equal(figure, percent(share), sentence);
      return { from, to, share, variance: (share * (1 - share)) / size };
    });
    const together = sentence.includes("up and down");
    const verbs = Array.from(sentence.matchAll(/rose|fell/g), ([verb]) => verb);
    assert.equal(verbs.length, together ? 0 : named.length - 1, sentence);
    named.slice(1).forEach((after, step) => {
      const before = named[step];
      const change = after.share - before.share;
      if (!together) {
        assert.ok(before.to <= after.from, sentence);
        assert.equal(verbs[step], change > 0 ? "rose" : "fell", sentence);
        if (step) assert.notEqual(verbs[step], verbs[step - 1]);
      }
      assert.ok(Math.abs(change) > 1.96 * Math.sqrt(before.variance + after.variance), sentence);
    });
  }
  assert.ok(said > 150, `${said} sentences`); // it is not silent
});

test("segments are the likeliest of all", () => {
  for (let k = 0; k < 100; k++) {
    const points = drawn(Object.keys(SHAPES)[k % 5]).one.points.slice(0, 9);
    const penalty = required(points.length);
    const ways = Array.from({ length: 2 ** Math.max(0, points.length - 1) }, (_, bits) =>
      points.flatMap((_, at) => (at === 0 || (bits >> (at - 1)) & 1 ? [at] : [])),
    ).filter((begins) => points.length && parts(points, begins).every(reliableTogether));
    const values = ways.map((begins) => {
      const gains = parts(points, begins).map((part) => -gain(part)); // within a segment, nothing changes
      return gains.reduce((sum, one) => sum + one, 0) - penalty * (begins.length - 1);
    });
    const found = segments(points, penalty);
    if (!ways.length) assert.deepEqual(found, []);
    else assert.deepEqual(found, ways[values.indexOf(Math.max(...values))]);
  }
});

function parts<T>(points: readonly T[], begins: readonly number[]): T[][] {
  return begins.map((begin, k) => points.slice(begin, begins[k + 1]));
}

function reliableTogether(points: readonly Measured[]): boolean {
  return points.reduce((sum, { documents }) => sum + documents, 0) >= FEW;
}

test("where nothing changes, a change is said of less than 5 pictures in 100", () => {
  for (const shape of ["constant", "rare"]) {
    const pictures = 200;
    const wrong = Array.from({ length: pictures }, () => finding(drawn(shape).one)).filter(Boolean);
    assert.ok(wrong.length <= 0.05 * pictures, `${shape}: ${wrong.length}`);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { pointsOf, runs } from "../src/pictures/lines";
import { FEW, relied } from "../src/shares/evidence";
import { line, shares } from "./pages";

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
    relied(some.points).map(({ share }) => share),
    [0.1],
  );
  assert.equal(relied(line([0.9, 0.1], [3, 4]).points).length, 2);
});

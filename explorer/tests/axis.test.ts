import assert from "node:assert/strict";
import { test } from "node:test";
import { axis, linear } from "../src/pictures/axis";

test("an axis has room for a value, and ends at a round number", () => {
  assert.deepEqual(axis(0.75, 4), { high: 0.8, ticks: [0, 0.2, 0.4, 0.6, 0.8] });
  assert.deepEqual(axis(0.31, 3).ticks, [0, 0.1, 0.2, 0.3, 0.4]);
  assert.deepEqual(axis(0.01, 4).ticks, [0, 0.002, 0.004, 0.006, 0.008, 0.01]);
  assert.deepEqual(axis(130, 4).ticks, [0, 50, 100, 150]);
});

test("whatever the value, steps are even, few, and none is too many", () => {
  for (let value = 1e-4; value < 1e4; value *= 1.07) {
    for (const count of [3, 4]) {
      const { high, ticks } = axis(value, count);
      const step = ticks[1];
      assert.ok(high >= value * (1 - 1e-9) && high - step < value, `${value}: ${ticks}`);
      assert.ok(ticks.length >= 3 && ticks.length <= 2 * count + 1, `${value}: ${ticks}`);
      ticks.forEach((tick, k) => {
        assert.ok(Math.abs(tick - k * step) < 1e-9 * high);
      });
      const leading = step / 10 ** Math.floor(Math.log10(step * (1 + 1e-9)));
      assert.ok(
        [1, 2, 5].some((digit) => Math.abs(leading - digit) < 1e-6),
        `${step}`,
      );
    }
  }
});

test("values lie in proportion, and none leaves its axis", () => {
  const x = linear(0.5, 100, 200);
  assert.deepEqual([-1, 0, 0.25, 0.5, 2].map(x), [100, 100, 150, 200, 200]);
  const y = linear(4, 300, 100);
  assert.deepEqual([0, 1, 4].map(y), [300, 250, 100]);
});

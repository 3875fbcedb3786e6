// Where values are along an axis that begins at 0.

/** The place of a value, in pixels. */
export type Scale = (value: number) => number;

/** The scale that takes 0 … `high` to `from` … `to`; values beyond stay at the end. */
export function linear(high: number, from: number, to: number): Scale {
  return (value) => from + Math.min(Math.max(value / high, 0), 1) * (to - from);
}

/** An axis with room for a value: its end, and round ticks from 0 on, in about `count` steps. */
export function axis(value: number, count: number): { high: number; ticks: number[] } {
  const step = stepOf(value, count);
  const steps = Math.ceil(value / step - 1e-9);
  const ticks = Array.from({ length: steps + 1 }, (_, k) => multiple(k, step));
  return { high: ticks[steps], ticks };
}

/** The power of ten, or 2 or 5 times one, that is nearest to `high` / `count` as a ratio. */
function stepOf(high: number, count: number): number {
  const rough = high / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = (rough / power) ** 2; // squared, for comparison with 1 · 2, 2 · 5 and 5 · 10
  return power * (factor >= 50 ? 10 : factor >= 10 ? 5 : factor >= 2 ? 2 : 1);
}

/** The length of `k` steps, without the rounding errors of steps such as 0.1. */
function multiple(k: number, step: number): number {
  return step < 1 ? k / Math.round(1 / step) : k * step;
}

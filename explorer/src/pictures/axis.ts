// Where values are along an axis that begins at 0.

/** The place of a value, in pixels. */
export type Scale = (value: number) => number;

/** Values from 0 to `high` between two places; what is beyond stays at the end. */
export function linear(high: number, from: number, to: number): Scale {
  return (value) => from + Math.min(Math.max(value / high, 0), 1) * (to - from);
}

/** The axis with about `count` steps that has room for a value: its end, and round numbers from 0 to that. */
export function axis(value: number, count: number): { high: number; ticks: number[] } {
  let high = value;
  for (;;) {
    const step = stepOf(high, count);
    const steps = Math.ceil(high / step - 1e-9);
    const ticks = Array.from({ length: steps + 1 }, (_, k) => multiple(k, step));
    if (ticks[steps] === high) return { high, ticks };
    high = ticks[steps];
  }
}

/** A power of ten, or 2 or 5 times one: what is nearest to `high` / `count`, as factors go. */
function stepOf(high: number, count: number): number {
  const rough = high / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = (rough / power) ** 2; // compared with products of neighbours
  return power * (factor >= 50 ? 10 : factor >= 10 ? 5 : factor >= 2 ? 2 : 1);
}

/** Some steps, without the errors of steps such as 0.1. */
function multiple(k: number, step: number): number {
  return step < 1 ? k / Math.round(1 / step) : k * step;
}

// Numbers and labels as they are shown.

import type { Page, Topic } from "./data";

export function percent(value: number): string {
  if (value === 0) return "0%";
  if (value < 0.001) return "<0.1%";
  return `${(100 * value).toFixed(value < 0.0995 ? 1 : 0)}%`;
}

export function count(value: number, what: string): string {
  const plural = what.endsWith("y") ? `${what.slice(0, -1)}ies` : `${what}s`;
  return `${value.toLocaleString("en")} ${value === 1 ? what : plural}`;
}

/** A probability: near 0 and 1 with as many digits as it takes to tell it from them. */
export function probability(value: number): string {
  if (value > 0.995) return value > 0.9995 ? ">0.999" : value.toFixed(3);
  return value < 0.005 ? "<0.01" : value.toFixed(2);
}

/** How many times likelier, or less likely. */
export function ratio(log: number): string {
  const times = Math.exp(Math.abs(log));
  const sign = log < 0 ? "÷" : "×";
  if (times < 100) return `${sign} ${times.toPrecision(2)}`;
  if (times < 1e6) return `${sign} ${Math.round(times).toLocaleString("en")}`;
  if (times < 1e9) return `${sign} ${(times / 1e6).toPrecision(2)} million`;
  const digits = String(Math.round(Math.abs(log) / Math.LN10)).replace(
    /\d/g,
    (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)],
  );
  return `${sign} 10${digits}`;
}

export function label(topic: Topic, words = 5): string {
  return topic.label.slice(0, words).join(" ");
}

/** The topics above one, from the root down to it. */
export function path(page: Page, topic: Topic): Topic[] {
  const found = [topic];
  while (found[0].parent >= 0) found.unshift(page.topics[found[0].parent]);
  return found;
}

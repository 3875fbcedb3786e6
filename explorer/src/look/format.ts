// Numbers and labels as they are shown.

import type { Topic } from "../page/page";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A share in percent: with one digit after the point below 10%. */
export function percent(value: number): string {
  if (value === 0) return "0%";
  if (value < 0.001) return "<0.1%";
  return `${(100 * value).toFixed(value < 0.0995 ? 1 : 0)}%`;
}

/** A whole number with its thousands apart. */
export function whole(value: number): string {
  return value.toLocaleString("en");
}

/** A number of things, whose name is given in the singular. */
export function count(value: number, what: string): string {
  const plural = what.endsWith("y") ? `${what.slice(0, -1)}ies` : `${what}s`;
  return `${whole(value)} ${value === 1 ? what : plural}`;
}

/** An amount of information. */
export function nats(value: number): string {
  return `${value.toPrecision(2)} nats`;
}

/** A probability: near 0 and 1 with as many digits as it takes to tell it from them. */
export function probability(value: number): string {
  if (value > 0.995) return value > 0.9995 ? ">0.999" : value.toFixed(3);
  return value < 0.005 ? "<0.01" : value.toFixed(2);
}

/** A ratio of odds, given as its logarithm: how many times more likely, or less. */
export function ratio(log: number): string {
  const times = Math.exp(Math.abs(log));
  const sign = log < 0 ? "÷" : "×";
  // Two digits or more: from 99.5 on, `toPrecision` would write 1.0e+2.
  const digits = (n: number): string => (n < 99.5 ? n.toPrecision(2) : whole(Math.round(n)));
  if (times < 1e6) return `${sign} ${digits(times)}`;
  if (times < 1e9) return `${sign} ${digits(times / 1e6)} million`;
  const exponent = String(Math.round(Math.abs(log) / Math.LN10));
  return `${sign} 10${exponent.replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)])}`;
}

/** How many times as much: two digits, and from 10 on whole numbers. */
export function times(factor: number): string {
  if (factor > 0 && factor < 0.005) return "<0.01";
  return factor < 9.95 ? factor.toFixed(factor < 0.095 ? 2 : 1) : whole(Math.round(factor));
}

/** The title of a topic and what its first keywords add to it. */
export function described({ title, more }: Topic): string {
  return more ? `${title}: ${more}` : title;
}

/** How much of a topic comes back if other documents are drawn. */
export function stability(topic: Topic): string {
  const weak = topic.weak ? ", weak: few samples of the documents confirm it" : "";
  return `stability ${percent(topic.stability ?? 0)}${weak}`;
}

/** The expected share and level of a topic. */
export function facts(topic: Topic): string {
  return `expected share ${percent(topic.size)}, level ${topic.level}${topic.weak ? ", weak" : ""}`;
}

/** All that is said of a topic, with what edits leave open, where the mouse rests on it. */
export function tooltip(topic: Topic): string {
  const before = topic.stale ? "\nThese are as before the edits" : "";
  return `${described(topic)}\n${facts(topic)}${before}`;
}

// Numbers and labels as they are shown.

import type { Topic } from "../page/page";
import { isolated } from "./lists";

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

/** How many times as much: two digits, and from 10 on whole numbers. */
export function times(factor: number): string {
  if (factor > 0 && factor < 0.005) return "<0.01";
  return factor < 9.95 ? factor.toFixed(factor < 0.095 ? 2 : 1) : whole(Math.round(factor));
}

/** The title of a topic and what its first keywords add to it. */
export function described({ title, more }: Topic): string {
  return more ? `${isolated(title)}: ${isolated(more)}` : title;
}

/** How much of a topic comes back if other documents are drawn. */
export function stability(topic: Topic): string {
  return `stability ${percent(topic.stability ?? 0)}`;
}

/** Of how many documents a topic is the main one, and how many are on it; null: nobody knows. */
export function counted(main: number | null, on: number): string {
  if (main === null) return `${count(on, "document")} in part`;
  return `${count(main, "document")} mainly, ${whole(on)} in part`;
}

/** How much of all documents is about a topic. */
export function ofAll({ size }: Pick<Topic, "size">): string {
  return `mean share ${percent(size)}`;
}

/** The share and level of a topic. */
export function facts(topic: Topic): string {
  return `${ofAll(topic)}, level ${topic.level}${topic.vague ? ", vague" : ""}`;
}

/** All that is said of a topic, with what edits leave open, where the mouse rests on it. */
export function tooltip(topic: Topic): string {
  const before = topic.stale ? "\nThese are as before the edits" : "";
  return `${described(topic)}\n${facts(topic)}${before}`;
}

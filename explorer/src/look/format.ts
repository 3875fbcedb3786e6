// Numbers, names and lists as they are shown.

import type { Topic } from "../page/page";

/** A share in percent: with one digit after the point below 10%. */
export function percent(value: number): string {
  if (value === 0) return "0%";
  if (value < 0.001) return "<0.1%";
  return `${(100 * value).toFixed(value < 0.0995 ? 1 : 0)}%`;
}

export function whole(value: number): string {
  return value.toLocaleString("en");
}

/** A number of things, whose name is given in the singular. */
export function count(value: number, what: string): string {
  const plural = what.endsWith("y") ? `${what.slice(0, -1)}ies` : `${what}s`;
  return `${whole(value)} ${value === 1 ? what : plural}`;
}

export function nats(value: number): string {
  return `${value.toPrecision(2)} nats`;
}

/** A ratio: with one decimal below 10, with two below 0.1, and whole from 10 on. */
export function times(factor: number): string {
  if (factor > 0 && factor < 0.005) return "<0.01";
  return factor < 9.95 ? factor.toFixed(factor < 0.095 ? 2 : 1) : whole(Math.round(factor));
}

export function described({ title, more }: Topic): string {
  return more ? `${isolated(title)}: ${isolated(more)}` : title;
}

/** Of how many documents a topic is the main one, and how many are on it; null: not known. */
export function counted(main: number | null, on: number): string {
  if (main === null) return `${count(on, "document")} in part`;
  return `${count(main, "document")} mainly, ${whole(on)} in part`;
}

export function ofAll({ size }: Pick<Topic, "size">): string {
  return `mean share ${percent(size)}`;
}

/** The tooltip of a topic; it says so if the figures are from before edits. */
export function tooltip(topic: Topic): string {
  const before = topic.stale ? "\nThese are as before the edits" : "";
  const vague = topic.vague ? ", vague" : "";
  return `${described(topic)}\n${ofAll(topic)}, level ${topic.level}${vague}${before}`;
}

export function listed(things: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(things);
}

// Letters that are written from right to left, and characters that change the direction.
const TURNS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]|[\u200f\u202a-\u202e\u2066-\u2069]/u;
const CONTROLS = /[\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** A name or title within a sentence. If it is written from right to left, it is isolated, so that
 * the text around it keeps its direction. */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replace(CONTROLS, "")}\u2069` : text;
}

export function commas(names: readonly string[]): string {
  return names.map(isolated).join(", ");
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function quoted(title: string): string {
  return `“${isolated(title)}”`;
}

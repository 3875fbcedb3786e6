// One scale for all that is more or less certain: strong, some, weak.

import { ratio, whole } from "./format";

/** The steps of the scale. */
export type Strength = "strong" | "some" | "weak";

const STRONG = Math.log(10); // of odds, or of what multiplies them
const SOME = Math.log(3);
/** How something speaks that is so strong. */
export const HOW = { strong: "strongly", some: "to some extent", weak: "weakly" };

const NEWS = Math.log(1.05); // below which a word would be shown as multiplying odds by 1.0

/** How much a word says: from odds that it makes 10 times as high, and 3 times. */
export function strength(log: number): Strength {
  const size = Math.abs(log);
  return size >= STRONG ? "strong" : size >= SOME ? "some" : "weak";
}

/** How surely a document is on a topic: from P(topic | document) = 0.9, and 0.5. */
export function certainty(p: number): Strength {
  return p >= 0.9 ? "strong" : p >= 0.5 ? "some" : "weak";
}

/** What a word that is present, or not, does to the odds of a topic, in a sentence or two. */
export function inWords(
  word: string,
  present: boolean,
  { alone, rest }: { alone: number; rest: number },
): string {
  const name = present ? `“${word}”` : `The absence of “${word}”`;
  const side = alone > 0 ? "for" : "against";
  const first = `${name} speaks ${HOW[strength(alone)]} ${side} the topic: it makes the odds ${times(alone)}.`;
  if (Math.abs(rest) < NEWS) return `${first} The other words say so already.`;
  return `${first} Given all other words, it makes them ${times(rest)}.`;
}

/** What a word does beside all others, if it does anything. */
export function inContext(rest: number): string {
  return Math.abs(rest) < NEWS ? "–" : ratio(rest);
}

function times(log: number): string {
  const factor = Math.exp(Math.abs(log));
  const number =
    factor < 9.95 ? factor.toPrecision(2) : factor < 1e6 ? whole(Math.round(factor)) : "";
  const many = number ? `${number} times` : "more than a million times";
  return log > 0 ? `${many} as high` : `${many} lower`;
}

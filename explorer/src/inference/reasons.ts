// Why a document is on a topic, or is not.

import type { Page, Topic } from "../page/page";
import { type Evidence, evidence, type Model, together } from "./model";

const TELLING = Math.log(1.1); // what multiplies odds by less says nothing

/** What speaks for and against a topic. All but `p` are logarithms of factors of the odds. */
export interface Reasons {
  readonly p: number; // P(topic | document)
  readonly has: number; // what all words say together that the document has
  readonly lacks: number; // and all that it lacks
  readonly words: Evidence[]; // those that say something, the strongest first
}

/** The reasons of a document with these words: what they say, and what keywords say that it lacks. */
export function reasons(
  page: Pick<Page, "words">,
  model: Model,
  topic: Pick<Topic, "node" | "words">,
  present: Uint32Array,
): Reasons {
  const latent = topic.node - page.words.length;
  const there = new Set(present);
  const lacking = topic.words.map(({ word }) => word).filter((word) => !there.has(word));
  const [has, lacks] = together(model, latent, present);
  const words = evidence(model, latent, present, lacking)
    .filter(({ alone }) => Math.abs(alone) >= TELLING)
    .sort((a, b) => Math.abs(b.alone) - Math.abs(a.alone));
  return { p: likely(model.logOdds(present)[latent]), has, lacks, words };
}

/** The probability that has these odds. */
export function likely(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

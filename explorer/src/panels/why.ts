// Why a document is on a topic: its text with the words underlined that speak for the topic or
// against it, and lists of these words.

import type { Evidence } from "../inference/model";
import type { Reasons } from "../inference/reasons";
import { h } from "../look/dom";
import { percent, probability, ratio } from "../look/format";
import { certainty, HOW, inContext, inWords, strength } from "../look/scale";
import { type Spot, spots } from "../look/spots";
import { withTip } from "../look/tips";
import type { Topic } from "../page/page";

const LISTED = 8; // words for and against
const SURELY = { strong: "is surely", some: "is probably", weak: "is probably not" };

type Child = HTMLElement | string | false;

/** Underlines the words of a document that speak for a topic or against it. */
export class Underliner {
  private readonly names: string[];
  private readonly shown = new Set<number>(); // places of words that were underlined

  constructor(
    private readonly found: readonly Evidence[], // of words that the document has
    private readonly words: readonly string[],
    private readonly vocabulary: ReadonlySet<string>,
  ) {
    this.names = found.map(({ word }) => words[word]);
  }

  /** A text with its words underlined. */
  text(text: string): Child[] {
    const pieces: Child[] = [];
    let at = 0;
    for (const spot of spots(text, this.names, this.vocabulary)) {
      pieces.push(text.slice(at, spot.begin), this.underlined(text, spot));
      at = spot.end;
    }
    return [...pieces, text.slice(at)];
  }

  /** The words that no text so far had, underlined. */
  get beyond(): Child[] {
    const hidden = [...this.names.keys()].filter((word) => !this.shown.has(word));
    return hidden.flatMap((word, k) => [
      k > 0 && ", ",
      this.underlined(this.names[word], { begin: 0, end: this.names[word].length, word }),
    ]);
  }

  private underlined(text: string, { begin, end, word }: Spot): HTMLElement {
    this.shown.add(word);
    const entry = this.found[word];
    const look = `${entry.alone > 0 ? "for" : "against"} ${strength(entry.alone)}`;
    const mark = h("mark", { class: `said ${look}` }, text.slice(begin, end));
    return withTip(mark, () => inWords(this.words[entry.word], true, entry));
  }
}

/** Whether a document is on a topic, and what its words say of that. */
export function verdict(topic: Topic, { p, has, lacks }: Reasons): HTMLElement {
  const side = (log: number): string => `${HOW[strength(log)]} ${log > 0 ? "for" : "against"} it`;
  return h(
    "p",
    {},
    `This document ${SURELY[certainty(p)]} on the topic. `,
    `Taken together, its words speak ${side(has)}; `,
    `the absence of others speaks ${side(lacks)}. `,
    h(
      "span",
      { class: "figure" },
      `The topic has probability ${percent(topic.size)} for a document of which nothing is known, and `,
      `${probability(p)} for this one. Its words multiply the odds by `,
      h("b", {}, ratio(has)),
      ", and those that it lacks by ",
      h("b", {}, ratio(lacks)),
      ".",
    ),
  );
}

/** How evidence is underlined. */
export function key(): HTMLElement {
  const sample = (kind: string, name: string): HTMLElement =>
    h("span", {}, h("span", { class: `said ${kind}` }, name));
  return h(
    "p",
    { class: "soft key", "aria-hidden": "true" },
    sample("for some", "speaks for it"),
    sample("against some", "speaks against it"),
    sample("weak", "weak"),
    sample("some", "some"),
    sample("strong", "strong"),
  );
}

/** The words that speak most for a topic and against it. */
export function lists({ words }: Reasons, names: readonly string[]): HTMLElement {
  const side = (title: string, kind: string, some: Evidence[]): HTMLElement =>
    h(
      "section",
      { class: kind },
      h("h5", {}, title, h("span", { class: "p figure" }, "alone"), context()),
      some.length
        ? h("ul", { class: "evidence" }, ...some.slice(0, LISTED).map((one) => line(one, names)))
        : h("p", { class: "soft" }, "nothing"),
    );
  return h(
    "div",
    { class: "sides" },
    side(
      "Speaks for it",
      "for",
      words.filter(({ alone }) => alone > 0),
    ),
    side(
      "Speaks against it",
      "against",
      words.filter(({ alone }) => alone < 0),
    ),
  );
}

function context(): HTMLElement {
  const title = "beside all other words; – where they say so already";
  return h("span", { class: "p figure", title }, "in context");
}

function line(entry: Evidence, names: readonly string[]): HTMLElement {
  const { word, present, alone, rest } = entry;
  const name = h("span", { class: `said ${strength(alone)}` }, names[word]);
  const item = h(
    "li",
    {},
    h("span", { class: "label" }, present ? "" : "no ", name),
    h("span", { class: "soft" }, strength(alone)),
    h("span", { class: "p figure" }, ratio(alone)),
    h("span", { class: "p soft figure" }, inContext(rest)),
  );
  return withTip(item, () => inWords(names[word], present, entry));
}

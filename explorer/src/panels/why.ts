// Why a topic has its share of a document: its text with the words underlined that are about the topic,
// and a list of these words.

import { hue } from "../look/colours";
import { h } from "../look/dom";
import { percent } from "../look/format";
import { listed, quoted } from "../look/lists";
import { type Spot, spots } from "../look/spots";
import { withTip } from "../look/tips";
import type { Topic } from "../page/page";

const NAMED = 3; // words in the sentence
const [STRONG, SOME, WEAK] = [2 / 3, 1 / 3, 0.1]; // parts of a word

type Child = HTMLElement | string | false;

/** A word of a document, and how much of it is about a topic. */
export interface Part {
  readonly word: string;
  readonly part: number;
}

/** Underlines the words of a document that are about a topic. */
export class Underliner {
  private readonly found: readonly Part[];
  private readonly shown = new Set<number>(); // places of words that were underlined

  constructor(
    parts: readonly Part[],
    private readonly topic: Topic | null, // null: there is none, and no part of a word is about it
    private readonly vocabulary: ReadonlySet<string>,
  ) {
    this.found = parts.filter(({ part }) => part >= WEAK);
  }

  /** A text with its words underlined. */
  text(text: string): Child[] {
    const pieces: Child[] = [];
    let at = 0;
    const names = this.found.map(({ word }) => word);
    for (const spot of spots(text, names, this.vocabulary)) {
      pieces.push(text.slice(at, spot.begin), this.underlined(text, spot));
      at = spot.end;
    }
    return [...pieces, text.slice(at)];
  }

  /** The words that no text so far had, underlined. */
  get beyond(): Child[] {
    const hidden = [...this.found.keys()].filter((place) => !this.shown.has(place));
    return hidden.flatMap((place, k) => {
      const { word } = this.found[place];
      return [k > 0 && ", ", this.underlined(word, { begin: 0, end: word.length, word: place })];
    });
  }

  private underlined(text: string, { begin, end, word: place }: Spot): HTMLElement {
    this.shown.add(place);
    const { word, part } = this.found[place];
    const { title, branch } = this.topic!;
    const props = { class: `said ${strength(part)}`, style: { "--hue": hue(branch) } };
    const mark = h("mark", props, text.slice(begin, end));
    return withTip(mark, () => `${percent(part)} of ${quoted(word)} is about ${quoted(title)}`);
  }
}

function strength(part: number): string {
  return part >= STRONG ? "strong" : part >= SOME ? "some" : "weak";
}

/** How much of a document is about a topic, and which words above all; the largest parts come first. */
export function verdict(
  { title }: Pick<Topic, "title">,
  share: number,
  parts: readonly Part[],
): string {
  const telling = parts.filter(({ part }) => part >= WEAK);
  const named = telling.slice(0, NAMED).map(({ word }) => quoted(word));
  const words = `${telling.length > NAMED ? "above all " : ""}the word${named.length > 1 ? "s" : ""}`;
  const which = named.length ? `: ${words} ${listed(named)}` : "";
  return `${percent(share)} of this document is about ${quoted(title)}${which}.`;
}

/** What underlines mean. */
export function key({ branch }: Topic): HTMLElement {
  const sample = (kind: string, name: string): HTMLElement =>
    h("span", {}, h("span", { class: `said ${kind}` }, name));
  return h(
    "p",
    { class: "soft key", "aria-hidden": "true", style: { "--hue": hue(branch) } },
    "About the topic:",
    sample("weak", "a tenth of the word"),
    sample("some", "a third"),
    sample("strong", "two thirds or more"),
  );
}

/** The words of a document, with what is about the topic of each if one is chosen. */
export function wordList(parts: readonly Part[], topic: Topic | null): HTMLDetailsElement {
  const item = ({ word, part }: Part): HTMLElement =>
    h("li", {}, h("span", { class: "label" }, word), topic && h("span", {}, percent(part)));
  const about = topic && `How much of each is about ${quoted(topic.title)}:`;
  return h(
    "details",
    { class: "more" },
    h("summary", {}, `Words of the vocabulary in this document (${parts.length})`),
    about && h("p", { class: "soft" }, about),
    h("ul", { class: "parts" }, ...parts.map(item)),
  );
}

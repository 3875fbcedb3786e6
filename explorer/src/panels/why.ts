// Why a topic has its share of a document: its text with the words underlined that are about the
// topic, and a list of these words.

import { hue } from "../look/colours";
import { type Child, h } from "../look/dom";
import { count, percent, quoted, whole } from "../look/format";
import type { Marker } from "../look/marking";
import { spots } from "../look/spots";
import { withTip } from "../look/tips";
import type { Topic } from "../page/page";
import { IN_PART } from "../selection/terms";

const NAMED = 5; // words in the sentence
const [STRONG, SOME, WEAK] = [2 / 3, 1 / 3, 0.1]; // the part of a word that is about the topic

export interface Part {
  readonly word: string;
  readonly part: number;
}

/** Underlines the words of a document that are about a topic, and marks what was looked for. */
export class Underliner {
  private readonly found: readonly Part[];
  private readonly shown = new Set<number>(); // places of words that were underlined

  constructor(
    parts: readonly Part[],
    private readonly topic: Topic | null, // null: there is none, and no part of a word is about it
    private readonly vocabulary: ReadonlySet<string>,
    private readonly sought: Marker,
  ) {
    this.found = parts.filter(({ part }) => part >= WEAK);
  }

  text(text: string): Child[] {
    const pieces: Child[] = [];
    const marked = this.marking(text);
    let at = 0;
    const names = this.found.map(({ word }) => word);
    for (const { begin, end, word } of spots(text, names, this.vocabulary)) {
      pieces.push(...marked(at, begin), this.underlined(word, ...marked(begin, end)));
      at = end;
    }
    return [...pieces, ...marked(at, text.length)];
  }

  /** The words that no text so far had, underlined. */
  get beyond(): Child[] {
    const hidden = [...this.found.keys()].filter((place) => !this.shown.has(place));
    return hidden.flatMap((place, k) => [
      k > 0 && ", ",
      this.underlined(place, this.found[place].word),
    ]);
  }

  /** A function that returns a part of a text, with what was searched marked. */
  private marking(text: string): (begin: number, end: number) => Child[] {
    let at = 0;
    const pieces = this.sought.pieces(text).map((piece, k) => {
      at += piece.length;
      return { begin: at - piece.length, end: at, hit: k % 2 > 0 };
    });
    return (begin, end) =>
      pieces
        .filter((piece) => piece.begin < end && piece.end > begin)
        .map((piece) => {
          const part = text.slice(Math.max(begin, piece.begin), Math.min(end, piece.end));
          return piece.hit ? h("mark.hit", part) : part;
        });
  }

  private underlined(place: number, ...content: Child[]): HTMLElement {
    this.shown.add(place);
    const { word, part } = this.found[place];
    const { title, branch } = this.topic!;
    const props = { class: `said ${strength(part)}`, style: { "--hue": hue(branch) } };
    const mark = h("mark", props, content);
    return withTip(mark, () => `${percent(part)} of ${quoted(word)} is about ${quoted(title)}`);
  }
}

function strength(part: number): string {
  return part >= STRONG ? "strong" : part >= SOME ? "some" : "weak";
}

/** Why a document is on a topic, or that it is not: the words that are most about it, named, and
 * the vector, if much of it is. */
export function reason(
  topic: HTMLElement,
  share: number,
  parts: readonly Part[],
  vector: number | null,
): Child[] {
  const words = parts.filter(({ part }) => part >= WEAK).slice(0, NAMED);
  const named: Child[] = words.map(({ word }) => h("b", h("bdi", word)));
  if (vector !== null && vector >= SOME) named.push("its vector");
  const all = named.flatMap((one, k) => [k > 0 && (k === named.length - 1 ? " and " : ", "), one]);
  if (share >= IN_PART) return ["On ", topic, ...(all.length ? [" because of ", ...all] : []), "."];
  return ["Not on ", topic, ...(all.length ? [", in spite of ", ...all] : []), "."];
}

export function ofVector(part: number | null, words: number): HTMLElement | false {
  if (part === null) return false;
  const text = `${percent(part)} of its vector, which counts as ${whole(words)} words, is about the topic.`;
  return h("p.soft", text);
}

export function key({ branch }: Topic): HTMLElement {
  const sample = (kind: string, name: string): HTMLElement =>
    h("span", h("span", { class: `said ${kind}` }, name));
  return h("p.soft.key.flow", { "aria-hidden": "true", style: { "--hue": hue(branch) } }, [
    "About the topic:",
    sample("weak", "a tenth of the word"),
    sample("some", "a third"),
    sample("strong", "two thirds or more"),
  ]);
}

/** The words of a document, and how much of each is about the topic, if one is chosen. */
export function wordList(parts: readonly Part[], topic: Topic | null): HTMLElement[] {
  const item = ({ word, part }: Part): HTMLElement =>
    h("li", h("bdi.label", word), topic && h("span", percent(part)));
  const about = topic ? `, and how much of each is about ${quoted(topic.title)}` : "";
  return [
    h("p.soft", `Its ${count(parts.length, "word")} of the vocabulary${about}:`),
    h("ul.parts", parts.map(item)),
  ];
}

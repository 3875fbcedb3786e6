// Marks words where they stand in a text.

import { h } from "./dom";

const LETTER = "[\\p{L}\\p{N}]";
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Marks some words in texts, and finds where texts have most of them. */
export class Marker {
  private readonly pattern: RegExp | null;

  /** The words as the model knows them; those of a phrase are joined by "-". */
  constructor(words: string[]) {
    const parts = [...words]
      .sort((a, b) => b.length - a.length)
      .map((word) => {
        const inner = word.split("-").map(quoted).join(`(?:[^\\p{L}\\p{N}]+)`);
        return UNSPACED.test(word) ? inner : `(?<!${LETTER})${inner}(?!${LETTER})`;
      });
    this.pattern = parts.length ? new RegExp(parts.join("|"), "giu") : null;
  }

  /** A text in pieces, with the words marked. */
  marked(text: string): (string | HTMLElement)[] {
    return this.pieces(text).map((piece, k) => (k % 2 ? h("mark", {}, piece) : piece));
  }

  /** The pieces of a text: by turns what is between words, which may be empty, and a word. */
  pieces(text: string): string[] {
    if (!this.pattern) return [text];
    const pieces: string[] = [];
    let at = 0;
    for (const match of text.matchAll(this.pattern)) {
      pieces.push(text.slice(at, match.index), match[0]);
      at = match.index + match[0].length;
    }
    return [...pieces, text.slice(at)];
  }

  /** The part of a text that has most of the words, or its beginning. */
  around(text: string, length: number): string {
    if (text.length <= length) return text;
    const places = this.pattern
      ? Array.from(text.matchAll(this.pattern), (match) => match.index)
      : [];
    let [best, most] = [0, 0];
    places.forEach((place, k) => {
      let inside = k;
      while (inside < places.length && places[inside] < place + length - 60) inside++;
      if (inside - k > most) [best, most] = [place, inside - k];
    });
    let begin = Math.max(0, best - 40);
    if (begin < 40) begin = 0;
    else begin = text.indexOf(" ", begin) + 1 || begin;
    const end = begin + length;
    return `${begin ? "… " : ""}${text.slice(begin, end).trim()}${end < text.length ? " …" : ""}`;
  }
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

// Marks words where they stand in a text.

import { h } from "./dom";

const LETTER = "[\\p{L}\\p{N}]";
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu;

/** Marks some words in texts, whatever their case and accents, and finds where texts have most of them. */
export class Marker {
  private readonly pattern: RegExp | null;

  /** The words as the model knows them; those of a phrase are joined by "-", and "*" ends a prefix. */
  constructor(words: string[]) {
    const parts = words
      .map(plain)
      .sort((a, b) => b.length - a.length)
      .map((word) => {
        const whole = word.replace(/(?<=.)\*$/, "");
        const inner = whole.split("-").map(quoted).join(`(?:[^\\p{L}\\p{N}]+)`);
        if (UNSPACED.test(word)) return inner;
        return `(?<!${LETTER})${inner}${whole === word ? `(?!${LETTER})` : `${LETTER}*`}`;
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
    for (const { 0: match, index } of plain(text).matchAll(this.pattern)) {
      pieces.push(text.slice(at, index), text.slice(index, index + match.length));
      at = index + match.length;
    }
    return [...pieces, text.slice(at)];
  }

  /** The part of a text that has most of the words, after so many letters at most; or its beginning. */
  around(text: string, length: number, before = 40): string {
    if (text.length <= length) return text;
    const places = this.pattern
      ? Array.from(plain(text).matchAll(this.pattern), (match) => match.index)
      : [];
    let [best, most] = [0, 0];
    places.forEach((place, k) => {
      let inside = k;
      while (inside < places.length && places[inside] < place + length - 60) inside++;
      if (inside - k > most) [best, most] = [place, inside - k];
    });
    let begin = Math.max(0, best - before);
    if (begin < before) begin = 0;
    else begin = text.indexOf(" ", begin) + 1 || begin;
    const end = begin + length;
    return `${begin ? "… " : ""}${text.slice(begin, end).trim()}${end < text.length ? " …" : ""}`;
  }
}

/** A text as long as it was, whose letters have no accents. */
function plain(text: string): string {
  return text.replace(ACCENTED, (letter) => {
    const [base] = letter.normalize("NFD");
    return base.length === letter.length ? base : letter;
  });
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

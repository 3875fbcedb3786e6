// Marks words where they occur in a text.

import { h } from "./dom";
import { origins, type Pattern, patterns, type Span, spaced, spans } from "./folding";

/** Marks words in texts, found as a search finds them, and picks the part that has most of them. */
export class Marker {
  private readonly wanted: readonly Pattern[];

  /** The words as the model knows them; "-" joins those of a phrase, and "*" ends a prefix. */
  constructor(words: readonly string[]) {
    this.wanted = words.flatMap(patterns);
  }

  marked(text: string): (string | HTMLElement)[] {
    return this.pieces(text).map((piece, k) => (k % 2 ? h("mark", piece) : piece));
  }

  /** The pieces of a text: by turns what is between words, which may be empty, and a word. */
  pieces(text: string): string[] {
    const pieces: string[] = [];
    let at = 0;
    for (const { begin, end } of this.spans(text)) {
      if (begin < at) continue;
      pieces.push(text.slice(at, begin), text.slice(begin, end));
      at = end;
    }
    return [...pieces, text.slice(at)];
  }

  /** The part of a text with most of the words, `length` long; the first of them comes after at
   * most `before` letters. If there are none, the beginning of the text. */
  around(text: string, length: number, before = 40): string {
    if (text.length <= length) return text;
    const places = this.spans(text).map(({ begin }) => begin);
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

  private spans(text: string): Span[] {
    if (!this.wanted.length) return [];
    const from = origins(text);
    return spans(spaced(text), this.wanted).map(({ begin, end }) => ({
      begin: from[begin],
      end: from[end],
    }));
  }
}

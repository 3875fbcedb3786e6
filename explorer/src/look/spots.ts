// Where the words of a document stand in its text.

import { UNSPACED } from "./folding";
import { inflected } from "./inflection";

const TOKEN = /[\p{L}\p{N}\p{M}_]+/gu;
const BETWEEN = /^[^\p{L}\p{N}]+$/u; // what may stand between the words of a phrase

/** A place in a text, and which of the words stands there. */
export interface Spot {
  readonly begin: number;
  readonly end: number;
  readonly word: number; // its index in the `words` that were looked for
}

interface Token {
  readonly text: string; // in lower case
  readonly begin: number;
  readonly end: number;
}

/** Where words occur in a text, in order and without overlaps. A "-" joins the words of a phrase.
 *
 * All of the words are in the document. One that the text does not have as it is may occur in
 * another form, as a model can know words by their base forms; but a token that is in the
 * `vocabulary` itself is a form of no other single word. */
export function spots(
  text: string,
  words: readonly string[],
  vocabulary: ReadonlySet<string>,
): Spot[] {
  const tokens = Array.from(text.matchAll(TOKEN), ({ 0: token, index }) => ({
    text: token.toLowerCase(),
    begin: index,
    end: index + token.length,
  }));
  const search = new Search(text, tokens);
  const order = [...words.keys()].sort((a, b) => words[b].length - words[a].length);
  const lower = words.map((word) => word.toLowerCase());
  for (const word of order) search.find(word, lower[word], (token, part) => token === part);
  for (const word of order) {
    const single = !lower[word].includes("-");
    if (search.known.has(word)) continue;
    search.find(word, lower[word], (token, part) =>
      single ? !vocabulary.has(token) && inflected(token, part) : inflected(token, part),
    );
  }
  return search.found.sort((a, b) => a.begin - b.begin);
}

type Same = (token: string, part: string) => boolean;

class Search {
  readonly found: Spot[] = [];
  private readonly taken: Uint8Array; // 1 for characters that a spot covers
  readonly known = new Set<number>(); // words that were found

  constructor(
    private readonly text: string,
    private readonly tokens: readonly Token[],
  ) {
    this.taken = new Uint8Array(text.length);
  }

  /** Finds a word wherever no other word was found. */
  find(word: number, name: string, same: Same): void {
    if (UNSPACED.test(name)) this.findWithin(word, name);
    else this.findTokens(word, name.split("-"), same);
  }

  private findTokens(word: number, parts: string[], same: Same): void {
    const { tokens } = this;
    for (let at = 0; at + parts.length <= tokens.length; at++) {
      const matches = parts.every(
        (part, k) => same(tokens[at + k].text, part) && (!k || this.adjacent(at + k)),
      );
      if (matches) this.take(word, tokens[at].begin, tokens[at + parts.length - 1].end);
    }
  }

  /** Finds a word of a script without spaces, inside of runs of letters. */
  private findWithin(word: number, name: string): void {
    const text = this.text.toLowerCase();
    if (text.length !== this.text.length) return;
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      this.take(word, at, at + name.length);
    }
  }

  private adjacent(token: number): boolean {
    const { text, tokens } = this;
    return BETWEEN.test(text.slice(tokens[token - 1].end, tokens[token].begin));
  }

  private take(word: number, begin: number, end: number): void {
    if (this.taken.subarray(begin, end).includes(1)) return;
    this.taken.fill(1, begin, end);
    this.known.add(word);
    this.found.push({ begin, end, word });
  }
}

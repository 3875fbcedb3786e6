// Search in the texts of the documents.

import type { Documents } from "../page/documents";
import { occurrences, type Pattern, patterns, spaced } from "./folding";

const IN_TITLE = 3; // how many times as much a word counts in a title as in the text

/** The documents' titles, ids, texts and words, as they are searched. */
export class Texts {
  private readonly vocabulary: string[];
  private readonly titles: string[] = []; // with the id; made when they are first needed
  private readonly bodies: string[] = [];

  constructor(
    private readonly documents: Documents,
    words: readonly string[],
  ) {
    this.vocabulary = words.map(spaced);
  }

  /** How well documents match a query: 0 where a word or phrase of it is missing. */
  scores(query: string): Float32Array {
    const wanted = patterns(query);
    const { count } = this.documents;
    const scores = new Float32Array(count);
    if (!wanted.length) return scores;
    const known = wanted.map((pattern) => this.withWord(pattern));
    for (let document = 0; document < count; document++) {
      scores[document] = this.score(document, wanted, known);
    }
    return scores;
  }

  private score(document: number, wanted: Pattern[], known: Uint8Array[]): number {
    this.prepare(document);
    const [title, body] = [this.titles[document], this.bodies[document]];
    let score = 0;
    for (let k = 0; k < wanted.length; k++) {
      const inTitle = occurrences(title, wanted[k]);
      const inBody = occurrences(body, wanted[k]);
      if (!inTitle && !inBody && !known[k][document]) return 0;
      score += IN_TITLE * Math.min(1, inTitle) + Math.log1p(inBody) + known[k][document];
    }
    return score;
  }

  /** The documents with a word of the vocabulary that is the pattern, or begins with it: what the
   * page holds of a text may end before the word. */
  private withWord(pattern: Pattern): Uint8Array {
    const { documents, vocabulary } = this;
    const matching = vocabulary.map((word) =>
      pattern.prefix ? word.startsWith(pattern.text) : word === pattern.text,
    );
    const found = new Uint8Array(documents.count);
    if (!matching.includes(true)) return found;
    for (let document = 0; document < found.length; document++) {
      const words = documents.words(document);
      for (let k = 0; k < words.length && !found[document]; k++) {
        if (matching[words[k]]) found[document] = 1;
      }
    }
    return found;
  }

  private prepare(document: number): void {
    if (this.titles[document] !== undefined) return;
    const { documents } = this;
    const id = documents.about("ids", document);
    this.titles[document] = `${spaced(documents.about("titles", document))} ${spaced(id)}`;
    this.bodies[document] = spaced(documents.about("texts", document));
  }
}

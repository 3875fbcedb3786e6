// Search in the texts of the documents.

import type { Documents } from "../page/documents";
import { occurrences, type Pattern, patterns, spaced, spacedBytes } from "./folding";

const IN_TITLE = 3; // how many times as much a word counts in a title as in the text

/** The documents' titles, ids and texts, as they are searched. Where there are no texts, the words of
 * the model stand for them. */
export class Texts {
  private readonly titles: string[] = []; // with the id; made when they are first needed
  private readonly bodies: string[] = [];

  constructor(
    private readonly documents: Documents,
    private readonly words: readonly string[],
  ) {}

  /** How well documents match a query: 0 where a word or phrase of it is missing. */
  scores(query: string): Float32Array {
    const wanted = patterns(query);
    const scores = new Float32Array(this.documents.count);
    if (!wanted.length) return scores;
    for (let document = 0; document < scores.length; document++) {
      scores[document] = this.score(document, wanted);
    }
    return scores;
  }

  private score(document: number, wanted: readonly Pattern[]): number {
    this.prepare(document);
    const [title, body] = [this.titles[document], this.bodies[document]];
    let score = 0;
    for (const pattern of wanted) {
      const inTitle = occurrences(title, pattern);
      const inBody = occurrences(body, pattern);
      if (!inTitle && !inBody) return 0;
      score += IN_TITLE * Math.min(1, inTitle) + Math.log1p(inBody);
    }
    return score;
  }

  private prepare(document: number): void {
    if (this.titles[document] !== undefined) return;
    const { documents } = this;
    const [title, id, text] = (["titles", "ids", "texts"] as const).map((what) =>
      spacedBytes(documents.bytes(what, document)),
    );
    this.titles[document] = `${title} ${id}`;
    this.bodies[document] = documents.holds("texts")
      ? text
      : Array.from(documents.words(document), (word) => spaced(this.words[word])).join("  ");
  }
}

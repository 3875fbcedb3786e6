// Search in the texts of the documents.

import {
  occurrences,
  type Pattern,
  patterns,
  type Span,
  spaced,
  spacedBytes,
  spans,
} from "../look/folding";
import type { Documents } from "../page/documents";
import type { InBlock } from "./corpus";

const IN_TITLE = 3; // how many times as much a word counts in a title as in the text

export const SEARCHED = ["titles", "ids", "texts"] as const; // what is searched of documents

/** A place where a document has what is searched. */
export interface Occurrence extends Span, InBlock {
  readonly texts: Texts; // of these documents
  readonly field: number; // of what is searched
}

/** The documents' titles, ids and texts, as they are searched. Where there are no texts, the words of
 * the model stand for them. */
export class Texts {
  private readonly prepared: string[][] = []; // made when they are first needed

  constructor(
    readonly documents: Documents,
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

  /** Where a document has any of some patterns; where several follow each other, that is one place. */
  occurrences(document: number, wanted: readonly Pattern[]): Occurrence[] {
    return this.searched(document).flatMap((text, field) => {
      const found = spans(text, wanted);
      return (wanted.length > 1 ? runs(found) : found).map(({ begin, end }) => {
        return { texts: this, documents: this.documents, document, field, begin, end };
      });
    });
  }

  /** The title, the id and the text of a document, spaced. */
  searched(document: number): readonly string[] {
    const { documents, words } = this;
    this.prepared[document] ??= SEARCHED.map((what) =>
      what !== "texts" || documents.holds(what)
        ? spacedBytes(documents.bytes(what, document))
        : Array.from(documents.words(document), (word) => spaced(words[word])).join("  "),
    );
    return this.prepared[document];
  }

  private score(document: number, wanted: readonly Pattern[]): number {
    const texts = this.searched(document);
    let score = 0;
    for (const pattern of wanted) {
      const [inTitle, inId, inBody] = texts.map((text) => occurrences(text, pattern).length);
      if (!inTitle && !inId && !inBody) return 0;
      score += (inTitle || inId ? IN_TITLE : 0) + Math.log1p(inBody);
    }
    return score;
  }
}

/** Spans, those that overlap or are a space apart as one. */
function runs(found: readonly Span[]): Span[] {
  const joined: { begin: number; end: number }[] = [];
  for (const { begin, end } of found) {
    const before = joined.at(-1);
    if (before && begin <= before.end + 1) before.end = end;
    else joined.push({ begin, end });
  }
  return joined;
}

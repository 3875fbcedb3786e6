// Search in the texts of the documents: how well they match, and where, with the text around.

import type { Pattern, Span } from "../look/folding";
import * as fold from "../look/folding";
import type { Documents } from "../page/documents";
import type { InBlock } from "./corpus";

const IN_TITLE = 3; // how many times as much a word counts in a title as in the text

export const SEARCHED = ["titles", "ids", "texts"] as const; // what is searched of documents

/** A place where a document has what is searched. */
export interface Occurrence extends Span, InBlock {
  readonly texts: Texts; // of these documents
  readonly field: number; // an index of `SEARCHED`
}

/** The documents' titles, ids and texts, prepared for searches. If there are no texts, the words of
 * the model take their place. */
export class Texts {
  private readonly prepared: string[][] = []; // made when they are first needed

  constructor(
    readonly documents: Documents,
    private readonly words: readonly string[],
  ) {}

  /** How well documents match a query: 0 where a word or phrase of it is missing. */
  scores(query: string): Float32Array {
    const wanted = fold.patterns(query);
    const scores = new Float32Array(this.documents.count);
    if (!wanted.length) return scores;
    for (let document = 0; document < scores.length; document++) {
      scores[document] = this.score(document, wanted);
    }
    return scores;
  }

  /** Where a document has any of some patterns; those that follow each other are one occurrence. */
  occurrences(document: number, wanted: readonly Pattern[]): Occurrence[] {
    return this.searched(document).flatMap((text, field) => {
      const found = fold.spans(text, wanted);
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
        ? fold.spacedBytes(documents.bytes(what, document))
        : Array.from(documents.words(document), (word) => fold.spaced(words[word])).join("  "),
    );
    return this.prepared[document];
  }

  private score(document: number, wanted: readonly Pattern[]): number {
    const texts = this.searched(document);
    let score = 0;
    for (const pattern of wanted) {
      const [inTitle, inId, inBody] = texts.map((text) => fold.occurrences(text, pattern).length);
      if (!inTitle && !inId && !inBody) return 0;
      score += (inTitle || inId ? IN_TITLE : 0) + Math.log1p(inBody);
    }
    return score;
  }
}

/** Joins spans that overlap or are one space apart. */
function runs(found: readonly Span[]): Span[] {
  const joined: { begin: number; end: number }[] = [];
  for (const { begin, end } of found) {
    const before = joined.at(-1);
    if (before && begin <= before.end + 1) before.end = end;
    else joined.push({ begin, end });
  }
  return joined;
}

const BESIDE = 160; // characters that are shown on either side
const NEAR = 60; // characters beside an occurrence by which it is sorted

/** What stands left of an occurrence, it itself, and what stands right of it. */
export type Surroundings = readonly [left: string, words: string, right: string];

let last: { documents: Documents; document: number; field: number; text: string; from: number[] };

/** An occurrence with the text around it, as it is written in the document, on one line. */
export function surroundings({ documents, document, field, begin, end }: Occurrence): Surroundings {
  if (last?.documents !== documents || last.document !== document || last.field !== field) {
    const text = documents.about(SEARCHED[field], document);
    last = { documents, document, field, text, from: fold.origins(text) };
  }
  const { text, from } = last;
  const [first, after] = [from[begin], from[end]];
  const far = after + BESIDE;
  const left = text.slice(Math.max(0, first - BESIDE), first);
  const right = text.slice(after, far);
  return [
    flat(first > BESIDE ? left.replace(/^\S*\s/, "") : left),
    flat(text.slice(first, after)),
    flat(far < text.length ? right.replace(/\s\S*$/, "") : right),
  ];
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** The text to the right of an occurrence, as a key for sorting. */
export function rightOf({ texts, document, field, end }: Occurrence): string {
  return texts
    .searched(document)
    [field].slice(end, end + NEAR)
    .trimStart();
}

/** The text to the left of an occurrence, as a key for sorting: the nearest word comes first. */
export function leftOf({ texts, document, field, begin }: Occurrence): string {
  const near = texts.searched(document)[field].slice(Math.max(0, begin - NEAR), begin);
  return fold.wordsIn(near).reverse().join(" ");
}

// Search in the texts of the documents: how well they match, and where, with what stands around it.

import {
  occurrences,
  origins,
  type Pattern,
  patterns,
  type Span,
  spaced,
  spacedBytes,
  spans,
  wordsIn,
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

const BESIDE = 160; // characters that are shown on either side
const NEAR = 60; // characters by which occurrences are sorted

/** What stands left of an occurrence, it itself, and what stands right of it. */
export type Surroundings = readonly [left: string, words: string, right: string];

let last: { documents: Documents; document: number; field: number; text: string; from: number[] };

/** An occurrence with what stands around it, in the letters of the text, in one line. */
export function surroundings({ documents, document, field, begin, end }: Occurrence): Surroundings {
  if (last?.documents !== documents || last.document !== document || last.field !== field) {
    const text = documents.about(SEARCHED[field], document);
    last = { documents, document, field, text, from: origins(text) };
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

/** What stands right of an occurrence, as it is sorted. */
export function rightOf({ texts, document, field, end }: Occurrence): string {
  return texts
    .searched(document)
    [field].slice(end, end + NEAR)
    .trimStart();
}

/** What stands left of an occurrence, as it is sorted: the nearest word first. */
export function leftOf({ texts, document, field, begin }: Occurrence): string {
  const near = texts.searched(document)[field].slice(Math.max(0, begin - NEAR), begin);
  return wordsIn(near).reverse().join(" ");
}

// Occurrences of what is searched, with what stands around them.

import { origins, wordsIn } from "../look/folding";
import type { Documents } from "../page/documents";
import { type Occurrence, SEARCHED } from "./texts";

const BESIDE = 160; // characters that are told on either side
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

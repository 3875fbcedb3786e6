// Documents that are like another one.

import type { Documents } from "../page/documents";
import { type Entry, withCopies } from "./copies";
import type { Mask } from "./sets";
import { Typicality } from "./typicality";

const SPARE = 5; // candidates for each that is listed, as some are copies of others

type Words = Pick<Documents, "count" | "words" | "rarity" | "frequency" | "vocabulary">;

export interface Similar {
  readonly copies: number[]; // of the document itself
  readonly others: Entry[]; // the most similar first, each with its copies
}

/** The documents among some whose words are most like those of one, by the cosine of vectors in
 * which rarer words weigh more. Those with no word in common are not similar. */
export function nearest(of: Words, document: number, among: Mask, most: number): Similar {
  const { squares, squared } = Typicality.among(of);
  const own = new Float64Array(squares.length);
  for (const word of of.words(document)) own[word] = squares[word];
  const found: [document: number, cosine: number][] = [];
  for (let other = 0; other < of.count; other++) {
    if (!among[other] || other === document) continue;
    let shared = 0;
    for (const word of of.words(other)) shared += own[word];
    if (shared > 0) found.push([other, shared / Math.sqrt(squared[other])]);
  }
  found.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const listed = found.slice(0, SPARE * most).map(([other]) => other);
  const [self, ...others] = withCopies([document, ...listed], of);
  return { copies: self.copies, others: others.slice(0, most) };
}

/** The rarest words that two documents have in common. */
export function commonWords(of: Words, one: number, other: number, most: number): number[] {
  const own = of.words(one);
  const both = Array.from(of.words(other)).filter((word) => own.includes(word));
  return both.sort((a, b) => of.frequency(a) - of.frequency(b) || a - b).slice(0, most);
}

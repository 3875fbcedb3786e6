// The documents that match terms and clauses.

import type { Documents } from "../page/documents";
import type { Page } from "../page/page";
import { withAnyCopy } from "./copies";
import { type Clause, IN_PART, mentions, type Term, written } from "./terms";
import { Texts } from "./texts";

const KEPT = 40; // terms whose documents are remembered

/** For each document of the page, whether it is in a set: 0 or 1. */
export type Mask = Uint8Array;

/** How exact a count is: where the page holds texts only in part, matches may be missing. */
export type Bound = "" | "at least" | "at most" | "about";

export interface DocumentSet {
  readonly mask: Mask;
  readonly size: number;
  readonly bound: Bound; // how exact its size is
}

/** How many documents of a set there are, how many of them are on each topic, and of how many each
 * is the main topic. */
export interface Counts {
  readonly documents: number;
  readonly on: ArrayLike<number>;
  readonly main: ArrayLike<number>;
}

/** Finds documents, and remembers what it found last. */
export class Sets {
  readonly texts: Texts;
  private readonly known = new Map<string, Mask>();

  constructor(
    private readonly page: Pick<Page, "topics" | "words">,
    readonly documents: Documents,
  ) {
    this.texts = new Texts(documents, page.words);
  }

  /** The documents that match all clauses; without clauses, all. */
  of(clauses: readonly Clause[]): DocumentSet {
    const mask = new Uint8Array(this.documents.count).fill(1);
    for (const { not, terms } of clauses) {
      const masks = terms.map((term) => this.having(term));
      for (let document = 0; document < mask.length; document++) {
        const found = masks.some((one) => one[document]);
        if (found === not) mask[document] = 0;
      }
    }
    const size = mask.reduce((size, one) => size + one, 0);
    return { mask, size, bound: this.bound(clauses, mask) };
  }

  /** How exact the size of a set is: a text may match in the part that the page does not hold. */
  private bound(clauses: readonly Clause[], mask: Mask): Bound {
    if (!mentions(clauses, "text")) return "";
    const masked = clauses.map(({ not, terms }) => ({
      not,
      masks: terms.map((term) => ({
        mask: this.having(term),
        more: term.kind === "text", // a cut text that seems not to match may match
        fewer: term.kind === "not" && term.term.kind === "text",
      })),
    }));
    const admitted = (document: number, gladly: boolean): boolean =>
      masked.every(({ not, masks }) => {
        const found = masks.some(({ mask, more, fewer }) =>
          gladly !== not ? more || mask[document] : !fewer && mask[document],
        );
        return found !== not;
      });
    const cut = [...this.documents.cut];
    const more = cut.some((document) => !mask[document] && admitted(document, true));
    const fewer = cut.some((document) => mask[document] > 0 && !admitted(document, false));
    return more ? (fewer ? "about" : "at least") : fewer ? "at most" : "";
  }

  having(term: Term): Mask {
    const key = written(term);
    const mask = this.known.get(key) ?? this.find(term);
    this.known.delete(key);
    this.known.set(key, mask); // the most recently used one is last
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value!);
    return mask;
  }

  counts({ mask, size }: DocumentSet): Counts {
    const { length } = this.page.topics;
    const [on, main] = [new Uint32Array(length), new Uint32Array(length)];
    this.documents.eachOn(IN_PART, (document, topic, mainly) => {
      on[topic] += mask[document];
      if (mainly) main[topic] += mask[document];
    });
    return { documents: size, on, main };
  }

  /** How many documents of a set are on each topic in each part, as a matrix with a row for each
   * part; `partsOf` has the parts that each document is in. */
  onEachIn(
    { mask }: { readonly mask: Mask },
    partsOf: readonly (readonly number[])[],
    parts: number,
  ): Uint32Array {
    const width = this.page.topics.length;
    const counts = new Uint32Array(parts * width);
    this.documents.eachOn(IN_PART, (document, topic) => {
      for (const part of partsOf[document]) counts[part * width + topic] += mask[document];
    });
    return counts;
  }

  private find(term: Term): Mask {
    const { documents, page } = this;
    switch (term.kind) {
      case "all":
        return new Uint8Array(documents.count).fill(1);
      case "none":
        return this.those((document) =>
          documents.topics(document).every(({ share }) => share < IN_PART),
        );
      case "copies":
        return withAnyCopy(documents.count, documents);
      case "topic": {
        const mask = new Uint8Array(documents.count);
        const topic = page.topics.find(({ id }) => id === term.id);
        if (!topic) return mask;
        documents.each(topic.index, (document, share, main) => {
          if (share >= term.least && (main || !term.main)) mask[document] = 1;
        });
        return mask;
      }
      case "word": {
        const word = page.words.indexOf(term.word);
        return this.those((document) => documents.words(document).includes(word));
      }
      case "text": {
        const scores = this.texts.scores(term.query);
        return this.those((document) => scores[document] > 0);
      }
      case "group": {
        const having = (same: (name: string) => boolean): Mask =>
          this.those((document) => {
            const groups = documents.values(term.field, document);
            return term.name ? groups.some(same) : !groups.length;
          });
        const exact = having((name) => name === term.name);
        const lower = term.name.toLowerCase();
        return exact.includes(1) ? exact : having((name) => name.toLowerCase() === lower);
      }
      case "date":
        return this.those((document) => within(documents.about("dates", document), term));
      case "area": {
        const { places } = documents;
        if (!places) return new Uint8Array(documents.count);
        const { x, y } = places;
        return this.those((document) => inside(term.corners, x[document], y[document]));
      }
      case "not": {
        const mask = this.having(term.term);
        return this.those((document) => !mask[document]);
      }
    }
  }

  private those(admits: (document: number) => boolean): Mask {
    const mask = new Uint8Array(this.documents.count);
    for (let document = 0; document < mask.length; document++) {
      if (admits(document)) mask[document] = 1;
    }
    return mask;
  }
}

/** The numbers of the documents in a set, ascending. */
export function members({ mask }: DocumentSet): number[] {
  return Array.from(mask.keys()).filter((document) => mask[document]);
}

/** Whether a date lies between two others, both included; not if it is coarser than one of them. */
export function within(date: string, { from, to }: { from: string; to: string }): boolean {
  if (!/^\d{4}/.test(date) || date.length < Math.max(from.length, to.length)) return false;
  return date.slice(0, from.length) >= from && date.slice(0, to.length) <= to;
}

/** Whether a point lies within a polygon with these corners: x, y, x, y, … */
export function inside(corners: readonly number[], x: number, y: number): boolean {
  let within = false;
  const last = corners.length - 2;
  let [x0, y0] = [corners[last], corners[last + 1]];
  for (let k = 0; k <= last; k += 2) {
    const [x1, y1] = [corners[k], corners[k + 1]];
    if (y1 > y !== y0 > y && x < x1 + ((y - y1) / (y0 - y1)) * (x0 - x1)) within = !within;
    [x0, y0] = [x1, y1];
  }
  return within;
}

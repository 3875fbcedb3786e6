// The documents that are like the one that is read.

import { apart, button, h } from "../look/dom";
import { commas, count } from "../look/format";
import type { Topic } from "../page/page";
import type { Entry } from "../selection/copies";
import type { Mask, Sets } from "../selection/sets";
import { commonWords, nearest } from "../selection/similar";
import { termOf } from "../selection/terms";
import type { Shared } from "./pane";

const SHOWN = 6;
const WORDS = 4; // that two documents have in common, at most

/** The nearest documents on any of some topics, or of all documents if there are no topics. */
export function similarDocuments(
  { page, store, working }: Shared,
  document: number,
  topics: readonly Topic[],
): HTMLElement[] {
  const documents = working.documents!;
  const { copies, others } = nearest(documents, document, onAny(working.sets!, topics), SHOWN);
  const link = (other: number, ...about: string[]): HTMLElement => {
    const known = [documents.about("dates", other), commas(documents.groups(other)), ...about];
    const go = (): void => store.selectDocument(documents.row(other));
    return h("li", [
      button(documents.name(other), go, { class: "title" }),
      h("div.soft", apart(known)),
    ]);
  };
  const words = (other: number): string =>
    commonWords(documents, document, other, WORDS)
      .map((word) => page.words[word])
      .join(", ");
  const folded = (some: number[]): string =>
    some.length ? `with ${count(some.length, "near-copy")}` : "";
  const similar = ({ document: other, copies }: Entry): HTMLElement =>
    link(other, folded(copies), `shares ${words(other)}`);
  const folds = h("details.more", [
    h("summary", `${count(copies.length, "near-copy")} of this document`),
    h("ol.list", ...copies.map((copy) => link(copy))),
  ]);
  return [
    ...(copies.length ? [folds] : []),
    others.length
      ? h("ol.list.similar", others.map(similar))
      : h("p.soft", "No other document on its topics has a word in common with it."),
  ];
}

function onAny(sets: Sets, topics: readonly Topic[]): Mask {
  if (!topics.length) return sets.having({ kind: "all" });
  const any = new Uint8Array(sets.documents.count);
  for (const topic of topics) {
    const mask = sets.having(termOf(topic));
    for (let document = 0; document < any.length; document++) any[document] |= mask[document];
  }
  return any;
}

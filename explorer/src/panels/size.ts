// How much there is of a topic: in the working set, and in all documents.

import { h } from "../look/dom";
import { count, counted, ofAll, percent, whole } from "../look/format";
import { withTip } from "../look/tips";
import type { Page, Topic } from "../page/page";
import type { Counts } from "../selection/sets";
import type { WorkingSet } from "../selection/working";

/** What the figures of a topic are. */
export const FIGURES =
  "A topic’s share of a document is the part of its words that is about it. A document is on a " +
  "topic in part if this is at least a fifth, and mainly if it is the document’s main topic: that " +
  "with the largest share, from the root topics down. The mean share is that over all documents; " +
  "documents whose words the model does not know have none.";

/** The figures of a topic, counted among some documents if there are any; and what these are. */
export function figures(topic: Topic, counts: Counts | null): HTMLElement {
  const { index, mainly, documents } = topic;
  const [main, on] = counts ? [counts.main[index], counts.on[index]] : [mainly, documents];
  const element = h(
    "span",
    { class: "explained", tabindex: 0 },
    on !== null && h("b", {}, counted(main, on)),
    on !== null && h("span", { class: "between" }, " · "),
    ofAll(topic),
  );
  return withTip(element, () => FIGURES);
}

/** Figures of topics for the tree. */
export class Size {
  constructor(
    private readonly page: Page,
    private readonly working: WorkingSet,
  ) {}

  /** The number of documents on a topic in the working set; without documents, its share. */
  figure(topic: Topic): string {
    const { counts } = this.working;
    return counts ? whole(counts.on[topic.index]) : percent(topic.size);
  }

  /** All figures of a topic in words. */
  told(topic: Topic): string {
    const { counts, narrowed } = this.working;
    const size = ofAll(topic) + (topic.vague ? ", vague" : "");
    if (!counts) return size;
    const both = counted(counts.main[topic.index], counts.on[topic.index]);
    const of = narrowed ? ` of ${count(counts.documents, "selected document")}` : "";
    return `${both}${of}, ${size}`;
  }

  /** A bar for the part of the working set that is on a topic; a line marks that of all documents. */
  bar(topic: Topic): HTMLElement {
    const { narrowed, counts, all } = this.working;
    const part = (one: Topic, of: Counts | null): number =>
      of ? of.on[one.index] / Math.max(1, of.documents) : one.size;
    const parts = this.page.roots.map((root) => part(this.page.topics[root], all));
    const most = narrowed ? 1 : Math.max(0.01, ...parts);
    const width = (one: number): string => `${Math.min(100, (100 * one) / most)}%`;
    return h(
      "span",
      { class: "size", "aria-hidden": "true" },
      h("i", { class: "part", style: { width: width(part(topic, counts)) } }),
      narrowed && h("i", { class: "whole", style: { left: width(part(topic, all)) } }),
    );
  }
}

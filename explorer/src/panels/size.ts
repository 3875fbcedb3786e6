// The figures of topics: in the working set, and in all documents.

import { h } from "../look/dom";
import { count, counted, ofAll, percent, whole } from "../look/format";
import { withTip } from "../look/tips";
import type { Topic } from "../page/page";
import type { Bound, Counts } from "../selection/sets";
import type { WorkingSet } from "../selection/working";
import { Pane } from "./pane";

const SIGNS: Record<Bound, string> = { "": "", "at least": "≥ ", "at most": "≤ ", about: "≈ " };

export const FIGURES =
  "A topic’s share of a document is the part of its words that is about it. A document is on a " +
  "topic in part if this is at least a fifth, and mainly if it is the document’s main topic: that " +
  "with the largest share, from the root topics down. The mean share is that over all documents; " +
  "documents whose words the model does not know have none.";

/** The figures of a topic in all documents, with how many the page holds if these are fewer; a
 * tooltip explains them. */
export function figures(topic: Topic, { sampled, allHere }: WorkingSet): HTMLElement {
  const { index, mainly, documents: on } = topic;
  const held = sampled ? allHere!.on[index] : on;
  const element = h("span.explained", { tabindex: 0 }, [
    on !== null &&
      h("b", [
        counted(mainly, on),
        held !== on && h("small.soft", ` (${whole(held!)} in this page)`),
      ]),
    on !== null && h("span.between", " · "),
    ofAll(topic),
  ]);
  return withTip(element, () => FIGURES);
}

export class Size extends Pane {
  /** The number of documents on a topic in the working set; without documents, its share. */
  figure(topic: Topic): string {
    const { counts, figure, narrowed } = this.working;
    if (!counts) return narrowed ? "…" : percent(topic.size);
    const sign = narrowed && figure ? SIGNS[figure.bound] : "";
    return sign + whole(this.working.knownOn(topic) ?? counts.on[topic.index]);
  }

  describe(topic: Topic): string {
    const { counts, narrowed, sampled } = this.working;
    const size = ofAll(topic) + (topic.vague ? ", vague" : "");
    if (!counts) return size;
    const both = counted(counts.main[topic.index], counts.on[topic.index]);
    const held = sampled ? " that this page holds" : "";
    const of = narrowed ? ` of ${count(counts.documents, "selected document")}${held}` : "";
    const known = narrowed ? this.working.knownOn(topic) : null;
    const all = known === null ? "" : `${count(known, "selected document")} in part; `;
    return `${all}${both}${of}, ${size}`;
  }

  /** A bar for the part of the working set that is on a topic; a line marks that of all. */
  bar(topic: Topic): HTMLElement {
    const { narrowed, counts } = this.working;
    const all = narrowed ? this.working.every : this.working.all;
    const part = (one: Topic, of: Counts | null): number =>
      of ? of.on[one.index] / Math.max(1, of.documents) : one.size;
    const parts = this.page.roots.map((root) => part(this.page.topics[root], all));
    const most = narrowed ? 1 : Math.max(0.01, ...parts);
    const width = (one: number): string => `${Math.min(100, (100 * one) / most)}%`;
    return h("span.size", { "aria-hidden": "true" }, [
      (counts || !narrowed) && h("i.part", { style: { width: width(part(topic, counts)) } }),
      narrowed && h("i.whole", { style: { left: width(part(topic, all)) } }),
    ]);
  }
}

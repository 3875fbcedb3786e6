// How much there is of a topic: in the working set, and in all documents.

import { h } from "../look/dom";
import { count, percent, whole } from "../look/format";
import { withTip } from "../look/tips";
import type { Page, Topic } from "../page/page";
import type { WorkingSet } from "../selection/working";

/** What the two figures of a topic are, and why they differ. */
export const FIGURES =
  "A document is on a topic if the topic’s probability, given the document, is 0.5 or more. The " +
  "expected share is the mean of this probability over all documents: it is usually larger than the " +
  "share of the documents on the topic, because the small probabilities of the others add up.";

/** An element with both figures, which says what they are. */
export function explained<E extends HTMLElement>(element: E): E {
  element.classList.add("explained");
  element.tabIndex = 0;
  return withTip(element, () => FIGURES);
}

/** Figures of topics for the tree. */
export class Size {
  constructor(
    private readonly page: Page,
    private readonly working: WorkingSet,
  ) {}

  /** The number of documents on a topic in the working set; without documents, its expected share. */
  figure(topic: Topic): string {
    const on = this.on(topic);
    return on === null ? percent(topic.size) : whole(on);
  }

  /** The same in words, with the expected share. */
  told(topic: Topic): string {
    const on = this.on(topic);
    const size = `expected share ${percent(topic.size)}`;
    const weak = (topic.weak ? ", weak" : "") + (topic.style ? ", of style" : "");
    if (on === null) return size + weak;
    const of = this.working.narrowed ? ` of ${count(this.working.size!, "selected document")}` : "";
    return `${of ? whole(on) : count(on, "document")}${of}, ${size}${weak}`;
  }

  /** A bar for the share of the working set that is on a topic; a line marks that of all. */
  bar(topic: Topic): HTMLElement {
    const { working } = this;
    const sizes = this.page.roots.map((root) => this.page.topics[root].size);
    const most = working.narrowed ? 1 : Math.max(0.01, ...sizes);
    const width = (share: number): string => `${Math.min(100, (100 * share) / most)}%`;
    const on = this.on(topic);
    const share = on === null ? topic.size : on / Math.max(1, working.size!);
    return h(
      "span",
      { class: "size", "aria-hidden": "true" },
      h("i", { class: "part", style: { width: width(share) } }),
      working.narrowed && h("i", { class: "whole", style: { left: width(topic.size) } }),
    );
  }

  private on({ index }: Topic): number | null {
    return this.working.onEach?.[index] ?? null;
  }
}

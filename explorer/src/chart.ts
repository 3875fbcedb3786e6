// What the charts over time and by group share.

import type { Page, Topic } from "./data";
import { h } from "./dom";

/** Lines of a chart over time, and columns of the table by group, at most. */
export const SERIES = 7;

/** The size of figures in charts. */
export const SMALL = { "font-size": 12 };
/** How texts are aligned that end at an axis. */
export const ENDING = { "text-anchor": "end" };

/** A chart, which scrolls, with its figures as a table that stays open once it was opened. */
export class Chart {
  readonly element: HTMLElement;
  private open = false;

  constructor(name: string) {
    const props = { class: "picture scroll chart", tabindex: 0, role: "region" };
    this.element = h("div", { ...props, "aria-label": name });
  }

  /** The figures, below the chart. */
  protected figures(title: string, table: HTMLElement): HTMLElement {
    const details = h("details", { open: this.open }, h("summary", {}, title), table);
    details.addEventListener("toggle", () => {
      this.open = details.open;
    });
    return details;
  }
}

/** The selected topic and its largest children, or the largest root topics. */
export function seriesOf(page: Pick<Page, "topics" | "roots">, selected: number): Topic[] {
  const topic = page.topics[selected];
  const below = (topic ? topic.children : page.roots).map((index) => page.topics[index]);
  return [...(topic ? [topic] : []), ...below].slice(0, SERIES);
}

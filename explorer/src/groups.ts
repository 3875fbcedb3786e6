// How much there is of a topic in each group.

import { scaleLinear } from "d3-scale";
import { Chart, ENDING, SERIES, SMALL } from "./chart";
import { palette } from "./colours";
import type { Page, Shares, Topic } from "./data";
import { FONT, fitted, h, picture, replace, s, table } from "./dom";
import { count, percent, whole } from "./format";
import type { Store } from "./state";

const BARS = 25;
const ROW = 24; // pixels

/** The picture "By group". */
export class GroupView extends Chart {
  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly shares: Shares,
  ) {
    super("By group");
  }

  /** Draws the chart of the selected topic, or of the largest one. */
  draw(): void {
    const { page, shares } = this;
    const { clientWidth } = this.element;
    if (clientWidth < 50) return;
    const chosen = page.topics[this.store.state.topic];
    const topic = chosen ?? page.topics[page.roots[0]];
    const order = byShare(shares, topic);
    const shown = order.filter((group) => group < BARS); // groups are ordered by documents
    const below = topic.children.slice(0, SERIES - 1).map((index) => page.topics[index]);
    const columns = [topic, ...below];
    const cut =
      shown.length < order.length &&
      `, for the ${shown.length} groups with the most documents; the table lists ${order.length}`;
    replace(
      this.element,
      h("h2", {}, chosen ? topic.title : `The largest topic: ${topic.title}`),
      this.plot(topic, shown, clientWidth - 32),
      h(
        "p",
        { class: "soft note" },
        "The expected share of each group's documents that are on the topic",
        cut,
        ". The line marks the share of all documents.",
      ),
      this.figures(
        "The figures as a table, with the topics below",
        table(
          ["group", "documents", ...columns.map((entry) => entry.title)],
          order.map((group) => [
            shares.names[group],
            whole(shares.documents[group]),
            ...columns.map((entry) => percent(shares.of(entry.index, group))),
          ]),
          "Share of documents by group",
        ),
      ),
    );
  }

  private plot(topic: Topic, groups: number[], width: number): SVGElement {
    const { shares } = this;
    const colours = palette();
    const [left, right] = [width < 520 ? 110 : 190, width - 56];
    const height = groups.length * ROW + 8;
    const values = groups.map((group) => shares.of(topic.index, group));
    const x = scaleLinear([0, Math.max(topic.size, 0.01, ...values)], [left, right]);
    const all = x(topic.size);
    const fill = colours.ink;
    const halo = { stroke: colours.paper, "stroke-width": 4, "paint-order": "stroke" };
    const shapes = groups.map((group, at) => {
      const name = shares.names[group];
      const share = percent(values[at]);
      const end = x(values[at]);
      const bar = { x: left, y: 3, width: Math.max(1, end - left), height: ROW - 7, rx: 3 };
      const fitting = fitted(name, left - 12, `12.5px ${FONT}`);
      return s(
        "g",
        { transform: `translate(0 ${at * ROW + 4})` },
        s("title", {}, `${name}: ${share} of ${count(shares.documents[group], "document")}`),
        s("text", { x: left - 8, y: 16, ...ENDING, "font-size": 12.5, fill }, fitting),
        s("rect", { ...bar, fill: colours.branch(topic.branch) }),
        s("text", { x: end + 6, y: 16, ...SMALL, fill, ...halo }, share),
      );
    });
    const line = { x1: all, x2: all, y1: 0, y2: height, stroke: fill, "stroke-dasharray": "3 3" };
    const label = "Shares of the topic by group; the table below has the same figures";
    return picture(width, height, label, [s("line", line), ...shapes]);
  }
}

/** Groups, those with the largest share of a topic first. */
export function byShare(shares: Shares, topic: Topic): number[] {
  return shares.names
    .map((_, group) => group)
    .sort((a, b) => shares.of(topic.index, b) - shares.of(topic.index, a));
}

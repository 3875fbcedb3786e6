// The model's tree: circles as large as topics, edges as wide as what the two tell about each other.

import { type HierarchyPointNode, hierarchy, tree as tidy } from "d3-hierarchy";
import { scaleSqrt } from "d3-scale";
import { palette } from "./colours";
import type { Page, Topic } from "./data";
import { fitted, h, replace, s } from "./dom";
import { label, percent } from "./format";
import type { Store } from "./state";

interface Node {
  readonly topic: Topic | null;
  readonly children: Node[];
}

const LEAST_SCALE = 0.05; // nats: where topics share less than that, no edge is as wide as can be
const ROW = 24;
const MARGIN = 46; // at the left, for the links among the roots
const FONT = "system-ui, sans-serif";

export class DiagramView {
  readonly element = h("div", {
    class: "picture scroll",
    tabindex: 0,
    role: "region",
    "aria-label": "Tree diagram",
  });

  constructor(
    private readonly page: Page,
    private readonly store: Store,
  ) {
    this.element.addEventListener("scroll", () => {
      if (!this.element.isConnected) return;
      this.last.scrollTop = this.element.scrollTop;
      this.last.scrollLeft = this.element.scrollLeft;
    });
  }

  draw(): void {
    const { topics, roots, links } = this.page;
    const { clientWidth } = this.element;
    if (clientWidth < 50) return;
    const { expanded, state } = this.store;
    const node = (index: number): Node => ({
      topic: topics[index],
      children: expanded.has(index) ? topics[index].children.map(node) : [],
    });
    const root = hierarchy<Node>({ topic: null, children: roots.map(node) });
    const laid = tidy<Node>().nodeSize([ROW, 1])(root);
    const nodes = laid.descendants().filter((entry) => entry.data.topic);
    const depth = Math.max(...nodes.map((entry) => entry.depth));
    const column = Math.max(190, (clientWidth - MARGIN - 10) / depth);
    const low = Math.min(...nodes.map((entry) => entry.x));
    const high = Math.max(...nodes.map((entry) => entry.x));
    const [width, height] = [MARGIN + column * depth, high - low + 3 * ROW];
    const x = (entry: HierarchyPointNode<Node>) => MARGIN + (entry.depth - 1) * column;
    const y = (entry: HierarchyPointNode<Node>) => entry.x - low + ROW;
    const place = new Map(nodes.map((entry) => [entry.data.topic!.index, entry]));
    const most = Math.max(LEAST_SCALE, ...links.map(([, , shared]) => shared));
    const thick = scaleSqrt([0, most], [0.6, 9]);
    const radius = scaleSqrt([0, 1], [2.5, 11]);
    const colours = palette();
    // The selected topic, or what is in sight of those above it.
    let marked = state.topic;
    while (marked >= 0 && !place.has(marked)) marked = topics[marked].parent;
    const edges: SVGElement[] = [];
    for (const [from, to, shared] of links) {
      const [a, b] = [place.get(from), place.get(to)];
      if (!a || !b) continue;
      const among = a.depth === b.depth; // the roots, which the model links, too
      const [ax, ay, bx, by] = [x(a), y(a), x(b), y(b)];
      const bend = Math.min(MARGIN - 8, 12 + Math.abs(by - ay) / 8);
      const d = among
        ? `M${ax} ${ay}C${ax - bend} ${ay} ${bx - bend} ${by} ${bx} ${by}`
        : `M${ax} ${ay}C${(ax + bx) / 2 + 60} ${ay} ${(ax + bx) / 2 + 40} ${by} ${bx} ${by}`;
      edges.push(
        s(
          "path",
          {
            d,
            fill: "none",
            stroke: among ? colours.soft : colours.branch(topics[to].branch),
            "stroke-opacity": among ? 0.45 : 0.4,
            "stroke-width": thick(shared).toFixed(2),
          },
          s(
            "title",
            {},
            `${label(topics[from], 3)} and ${label(topics[to], 3)} share ${shared.toPrecision(2)} nats`,
          ),
        ),
      );
    }
    const shapes = nodes.map((entry) => {
      const topic = entry.data.topic!;
      const selected = topic.index === marked;
      const r = radius(topic.size);
      const open = expanded.has(topic.index);
      const toggle = (event: Event): void => {
        if (!topic.children.length) return;
        event.stopPropagation();
        this.store.setExpanded([topic.index], !open);
      };
      const room =
        (entry.depth < depth ? column : width - x(entry)) - (entry.children ? 4 : 34 + r);
      return s(
        "g",
        {
          transform: `translate(${x(entry).toFixed(1)} ${y(entry).toFixed(1)})`,
          cursor: "pointer",
          "data-topic": topic.id,
          onclick: () => this.store.selectTopic(topic.index),
        },
        s(
          "title",
          {},
          `${topic.label.join(" ")}\n${percent(topic.size)} of the documents, level ${topic.level}`,
        ),
        s("circle", {
          r,
          fill:
            topic.children.length && !open
              ? colours.branch(topic.branch)
              : colours.tint(topic.branch, 0),
          stroke: selected ? colours.ink : colours.branch(topic.branch),
          "stroke-width": selected ? 2.5 : 1.2,
          onclick: toggle,
        }),
        s(
          "text",
          {
            // Above the edges that leave it.
            x: entry.children ? -r : r + 6,
            y: entry.children ? -r - 5 : 4,
            "font-size": 12.5,
            "font-weight": selected ? 700 : 400,
            fill: colours.ink,
            stroke: colours.paper,
            "stroke-width": 3,
            "paint-order": "stroke",
          },
          fitted(label(topic, 4), room, `${selected ? 700 : 400} 12.5px ${FONT}`),
        ),
      );
    });
    const { scrollTop, scrollLeft } = this.last;
    const tick = Number(most.toPrecision(1));
    const legend = s(
      "g",
      { transform: `translate(${MARGIN} ${height - 4})` },
      s("line", { x1: 0, x2: 34, y1: 0, y2: 0, stroke: colours.soft, "stroke-width": thick(tick) }),
      s(
        "text",
        { x: 42, y: 4, "font-size": 12, fill: colours.soft },
        `${tick} nats of mutual information`,
      ),
    );
    replace(
      this.element,
      s(
        "svg",
        {
          width,
          height,
          viewBox: `0 0 ${width} ${height}`,
          role: "img",
          "aria-label":
            "The topics as a tree; edges are as wide as what two topics tell about each other",
          "font-family": FONT,
        },
        ...edges,
        ...shapes,
        legend,
      ),
    );
    this.element.scrollTo(scrollLeft, scrollTop);
    const chosen = place.get(marked);
    if (chosen && this.last.topic !== state.topic) this.intoSight(x(chosen), y(chosen));
    this.last.topic = state.topic;
  }

  private intoSight(x: number, y: number): void {
    const { element } = this;
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
    if (y < scrollTop + ROW || y > scrollTop + clientHeight - ROW)
      element.scrollTop = y - clientHeight / 2;
    if (x < scrollLeft || x > scrollLeft + clientWidth - 150) element.scrollLeft = x - MARGIN;
    this.last.scrollTop = element.scrollTop;
    this.last.scrollLeft = element.scrollLeft;
  }

  // An element that leaves the page forgets how far it was scrolled.
  private readonly last = { topic: -1, scrollTop: 0, scrollLeft: 0 };
}

// The model's tree: circles as large as topics, edges as wide as the mutual information of the two.

import { scaleSqrt } from "d3-scale";
import { type Palette, palette } from "../look/colours";
import { FONT, fitted, h, picture, replace, s } from "../look/dom";
import { nats } from "../look/format";
import { shownAbove } from "../page/ancestry";
import type { Page } from "../page/page";
import type { Store } from "../selection/state";
import { type Edge, layoutDiagram, MARGIN, type Place, ROW } from "./diagram-layout";
import { shapesOf } from "./shapes";

type Scale = (value: number) => number;

const LEAST_SCALE = 0.05; // nats: if no two topics share more, no edge is as wide as can be
const radius: Scale = scaleSqrt([0, 1], [2.5, 11]);

/** The picture "Tree diagram". */
export class DiagramView {
  readonly element = h("div", {
    class: "picture scroll",
    tabindex: 0,
    role: "region",
    "aria-label": "Tree diagram",
  });
  // An element that leaves the page forgets how far it was scrolled.
  private readonly last = { topic: -1, scrollTop: 0, scrollLeft: 0 };

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

  /** Draws the diagram, and brings a topic that was just selected into sight. */
  draw(): void {
    const { page, store } = this;
    const { clientWidth } = this.element;
    if (clientWidth < 50) return;
    const selected = store.state.topic;
    const { places, edges, width, height } = layoutDiagram(page, store.expanded, clientWidth);
    const marked = shownAbove(page, places, selected);
    const most = Math.max(LEAST_SCALE, ...page.links.map(([, , information]) => information));
    const thick = scaleSqrt([0, most], [0.6, 9]);
    const colours = palette();
    const shapes = [
      ...edges.map((edge) => line(edge, thick, colours)),
      ...Array.from(places.values(), (place) =>
        this.circle(place, place.topic.index === marked, colours),
      ),
      legend(height, Number(most.toPrecision(1)), thick, colours),
    ];
    const name = "Topics as a tree; the widths of edges show the mutual information of two topics";
    const { scrollTop, scrollLeft } = this.last;
    replace(this.element, picture(width, height, name, shapes));
    this.element.scrollTo(scrollLeft, scrollTop);
    const chosen = places.get(marked);
    if (chosen && this.last.topic !== selected) this.intoSight(chosen);
    this.last.topic = selected;
  }

  private circle(place: Place, marked: boolean, colours: Palette): SVGElement {
    const { topic, open } = place;
    const expanded = this.store.expanded.has(topic.index);
    const closed = topic.children.length > 0 && !expanded;
    const toggle = (event: Event): void => {
      if (!topic.children.length) return;
      event.stopPropagation();
      this.store.setExpanded([topic.index], !expanded);
    };
    const r = radius(topic.size);
    const weight = marked ? 700 : 400;
    const room = place.room - (open ? 4 : 34 + r);
    return shapesOf(
      topic,
      this.store,
      place,
      s("circle", {
        r,
        fill: closed ? colours.branch(topic.branch) : colours.tint(topic.branch, 0),
        stroke: marked ? colours.ink : colours.branch(topic.branch),
        "stroke-width": marked ? 2.5 : 1.2,
        "stroke-dasharray": topic.stale ? "3 2" : null,
        onclick: toggle,
      }),
      s(
        "text",
        {
          // Above the edges that leave it.
          x: open ? -r : r + 6,
          y: open ? -r - 5 : 4,
          "font-size": 12.5,
          "font-weight": weight,
          fill: colours.ink,
          stroke: colours.paper,
          "stroke-width": 3,
          "paint-order": "stroke",
        },
        fitted(topic.title, room, `${weight} 12.5px ${FONT}`),
      ),
    );
  }

  private intoSight({ x, y }: Place): void {
    const { element } = this;
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
    const [above, below] = [scrollTop + ROW, scrollTop + clientHeight - ROW];
    if (y < above || y > below) element.scrollTop = y - clientHeight / 2;
    if (x < scrollLeft || x > scrollLeft + clientWidth - 150) element.scrollLeft = x - MARGIN;
    this.last.scrollTop = element.scrollTop;
    this.last.scrollLeft = element.scrollLeft;
  }
}

function line(edge: Edge, thick: Scale, colours: Palette): SVGElement {
  const { from, to, information, among } = edge;
  const both = `${from.topic.title} and ${to.topic.title}`;
  const known = Number.isFinite(information);
  return s(
    "path",
    {
      d: edge.curve,
      fill: "none",
      stroke: among ? colours.soft : colours.branch(to.topic.branch),
      "stroke-opacity": among ? 0.45 : 0.4,
      "stroke-width": thick(known ? information : 0).toFixed(2),
      "stroke-dasharray": known ? null : "4 3",
    },
    s("title", {}, known ? `${both}: ${nats(information)} of mutual information` : both),
  );
}

function legend(height: number, tick: number, thick: Scale, colours: Palette): SVGElement {
  const { soft } = colours;
  return s(
    "g",
    { transform: `translate(${MARGIN} ${height - 4})` },
    s("line", { x1: 0, x2: 34, y1: 0, y2: 0, stroke: soft, "stroke-width": thick(tick) }),
    s("text", { x: 42, y: 4, "font-size": 12, fill: soft }, `${tick} nats of mutual information`),
  );
}

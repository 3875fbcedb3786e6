// The model's tree: circles as large as topics, edges as wide as the mutual information of the two.

import "./bar.css";
import "./diagram.css";
import { type Palette, palette } from "../look/colours";
import { FONT, fitted, h, measured, picture, replace, s } from "../look/dom";
import { count, nats, whole } from "../look/format";
import { FIT, icon } from "../look/icons";
import { shownAbove } from "../page/ancestry";
import type { Page } from "../page/page";
import type { Store } from "../selection/state";
import { type Scale, squareRoot } from "./axis";
import { type Diagram, type Edge, layoutDiagram, type Place, ROW, titled } from "./diagram-layout";
import type { Point } from "./map-view";
import { Minimap } from "./minimap";
import { shapesOf } from "./shapes";

const LEAST_SCALE = 0.05; // nats: if no two topics share more, no edge is as wide as can be
const TWO_LINES = 34; // pixels of a row, from which on keywords have a line of their own
const KEYWORDS = 50; // pixels that they need
const STRIP: Point = [64, 320]; // pixels of the minimap, beside the diagram

/** The picture "Tree diagram". */
export class DiagramView {
  private readonly scroller = h("div", {
    class: "scroll",
    tabindex: 0,
    role: "region",
    "aria-label": "Tree diagram",
  });
  private readonly small = s("svg", { preserveAspectRatio: "none" });
  private readonly minimap = new Minimap(this.small, STRIP, (place) => this.go(place));
  private readonly told = h("span", { class: "soft" });
  private readonly fit = icon(FIT, "Show all topics (0)", () => this.turnWhole());
  private readonly bar = h(
    "div",
    { class: "picture-bar" },
    this.told,
    h("div", { class: "segments picture-tools" }, this.fit),
  );
  readonly element = h(
    "div",
    { class: "picture diagram" },
    this.bar,
    this.scroller,
    this.minimap.element,
  );
  private whole = false; // whether all topics are in view, whatever becomes of their titles
  // An element that leaves the page forgets how far it was scrolled.
  private readonly last = { topic: -1, scrollTop: 0, scrollLeft: 0 };

  constructor(
    private readonly page: Page,
    private readonly store: Store,
  ) {
    const { scroller } = this;
    scroller.addEventListener("scroll", () => {
      if (!scroller.isConnected) return;
      this.last.scrollTop = scroller.scrollTop;
      this.last.scrollLeft = scroller.scrollLeft;
      this.frame();
    });
    this.fit.setAttribute("aria-keyshortcuts", "0");
    this.element.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
      if (key === "0" && !ctrlKey && !metaKey && !altKey && !this.bar.hidden) this.turnWhole();
    });
    let panning = false;
    scroller.addEventListener("pointerdown", ({ target, pointerType }) => {
      panning = pointerType === "mouse" && !(target as Element).closest("[data-topic]");
    });
    scroller.addEventListener("pointermove", ({ buttons, movementX, movementY }) => {
      if (panning && buttons === 1) scroller.scrollBy(-movementX, -movementY);
    });
  }

  /** The diagram as a drawing; null while nobody has seen it. */
  exported(): SVGSVGElement | null {
    return this.scroller.querySelector("svg");
  }

  /** Draws the diagram, and brings a topic that was just selected into sight. */
  draw(): void {
    const { page, store, scroller } = this;
    if (this.element.clientWidth < 50) return;
    const selected = store.state.topic;
    const diagram = this.layout();
    const { places, edges, row, width, height } = diagram;
    const marked = shownAbove(page, places, selected);
    const most = Math.max(LEAST_SCALE, ...page.links.map(([, , information]) => information));
    const thick = squareRoot(most, 0.6, Math.min(Math.max(0.4 * row, 3), 9));
    const largest = Math.min(Math.max(0.45 * row, 5), 18);
    const radius = squareRoot(1, Math.min(0.25 * largest, 2.5), largest);
    const colours = palette();
    const named = titled(places, marked);
    const shapes = [
      ...edges.map((edge) => line(edge, thick, colours)),
      ...Array.from(places.values(), (place) => {
        const { index, size } = place.topic;
        return this.circle(place, radius(size), row, index === marked, named.has(index), colours);
      }),
      legend(diagram, Number(most.toPrecision(1)), thick, colours),
    ];
    const name = "Topics as a tree; the widths of edges show the mutual information of two topics";
    const { scrollTop, scrollLeft } = this.last;
    replace(scroller, picture(width, height, name, shapes));
    scroller.scrollTo(scrollLeft, scrollTop);
    const chosen = places.get(marked);
    if (chosen && this.last.topic !== selected) this.intoSight(chosen);
    this.last.topic = selected;
    this.drawSmall(diagram, colours);
    this.frame();
    const some = named.size < places.size && `; ${whole(named.size)} have room for their titles`;
    replace(this.told, count(places.size, "topic"), ", as far as the tree is expanded", some);
    this.fit.setAttribute("aria-pressed", String(this.whole));
  }

  /** The diagram as it fits; else all of it in view, or so large that it scrolls beside its minimap. */
  private layout(): Diagram {
    const { page, store, scroller, bar } = this;
    const laidOut = (aside: boolean, inView = false): Diagram => {
      this.element.toggleAttribute("data-aside", aside);
      const { clientWidth, clientHeight } = scroller;
      return layoutDiagram(page, store.expanded, clientWidth, clientHeight, inView);
    };
    bar.hidden = true;
    const diagram = laidOut(false);
    const { clientWidth, clientHeight } = scroller;
    if (diagram.width <= clientWidth && diagram.height <= clientHeight) return diagram;
    bar.hidden = false;
    return this.whole ? laidOut(false, true) : laidOut(true);
  }

  private turnWhole(): void {
    this.whole = !this.whole;
    this.last.topic = -1; // the selected topic comes into sight again
    this.draw();
  }

  private circle(
    place: Place,
    r: number,
    row: number,
    marked: boolean,
    named: boolean,
    colours: Palette,
  ): SVGElement {
    const { topic } = place;
    const expanded = this.store.expanded.has(topic.index);
    const closed = topic.children.length > 0 && !expanded;
    const toggle = (event: Event): void => {
      if (!topic.children.length) return;
      event.stopPropagation();
      this.store.setExpanded([topic.index], !expanded);
    };
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
      ...(named ? label(place, r, row, marked, colours) : []),
    );
  }

  private intoSight({ x, y }: Place): void {
    const { scroller, last } = this;
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = scroller;
    const [above, below] = [scrollTop + ROW, scrollTop + clientHeight - ROW];
    if (y < above || y > below) scroller.scrollTop = y - clientHeight / 2;
    if (x < scrollLeft || x > scrollLeft + clientWidth - 150) scroller.scrollLeft = x - 2 * ROW;
    last.scrollTop = scroller.scrollTop;
    last.scrollLeft = scroller.scrollLeft;
  }

  private drawSmall({ places, edges, width, height }: Diagram, colours: Palette): void {
    const drawn = {
      fill: "none",
      "stroke-linecap": "round",
      "vector-effect": "non-scaling-stroke",
    };
    this.small.setAttribute("viewBox", `0 0 ${width} ${height}`);
    replace(
      this.small,
      s("path", { d: edges.map((edge) => edge.curve).join(""), stroke: colours.line, ...drawn }),
      ...Array.from(places.values(), ({ x, y, topic }) => {
        const dot = { d: `M${x} ${y}h0`, stroke: colours.branch(topic.branch), "stroke-width": 3 };
        return s("path", { ...dot, ...drawn });
      }),
    );
  }

  /** Tells the minimap what is in sight. */
  private frame(): void {
    const { scrollTop, scrollLeft, scrollWidth, scrollHeight, clientWidth, clientHeight } =
      this.scroller;
    const [left, right] = [scrollLeft, scrollLeft + clientWidth].map((x) => x / scrollWidth);
    const [top, bottom] = [scrollTop, scrollTop + clientHeight].map((y) => y / scrollHeight);
    const all = clientWidth >= scrollWidth - 1 && clientHeight >= scrollHeight - 1;
    this.minimap.show(scrollWidth, scrollHeight, all ? [0, 0, 1, 1] : [left, top, right, bottom]);
  }

  private go([x, y]: Point): void {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.scroller;
    this.scroller.scrollTo(x * scrollWidth - clientWidth / 2, y * scrollHeight - clientHeight / 2);
  }
}

/** The title of a topic, and its keywords where there is room: below it, or behind it. */
function label(
  { topic, open, room }: Place,
  r: number,
  row: number,
  marked: boolean,
  colours: Palette,
): SVGElement[] {
  const two = row >= TWO_LINES && !open;
  const size = row >= TWO_LINES ? 13.5 : 12.5;
  const weight = marked ? 700 : two ? 600 : 400;
  const font = `${weight} ${size}px ${FONT}`;
  const free = open ? room - 4 : room - 10 - r;
  const title = fitted(topic.title, free, font);
  const halo = { stroke: colours.paper, "stroke-width": 3, "paint-order": "stroke" };
  const text = (x: number, y: number, content: string, props: Record<string, unknown>) =>
    s("text", { x, y, ...halo, ...props }, content);
  const bold = { "font-size": size, "font-weight": weight, fill: colours.ink };
  // Above the edges that leave it.
  if (open) return [text(-r, -r - 5, title, bold)];
  const before = two ? 0 : measured(title, font) + 8;
  const more = free - before < KEYWORDS ? "" : fitted(topic.more, free - before, `12px ${FONT}`);
  return [
    text(r + 6, two ? -2 : 4, title, bold),
    ...(more
      ? [text(r + 6 + before, two ? 14 : 4, more, { "font-size": 12, fill: colours.soft })]
      : []),
  ];
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
      "stroke-opacity": among ? 0.35 : 0.4,
      "stroke-width": thick(known ? information : 0).toFixed(2),
      "stroke-dasharray": known ? null : "4 3",
    },
    s("title", {}, known ? `${both}: ${nats(information)} of mutual information` : both),
  );
}

function legend(
  { height, margin }: Diagram,
  tick: number,
  thick: Scale,
  colours: Palette,
): SVGElement {
  const { soft } = colours;
  return s(
    "g",
    { transform: `translate(${margin} ${height - 12})` },
    s("line", { x1: 0, x2: 34, y1: 0, y2: 0, stroke: soft, "stroke-width": thick(tick) }),
    s("text", { x: 42, y: 4, "font-size": 12, fill: soft }, `${tick} nats of mutual information`),
  );
}

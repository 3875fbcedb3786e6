// The hierarchy as areas: a column a level, as high as topics are large among their siblings.

import { hierarchy, partition } from "d3-hierarchy";
import { palette } from "./colours";
import type { Page, Topic } from "./data";
import { fitted, h, replace, s } from "./dom";
import { label, path, percent } from "./format";
import type { Store } from "./state";

interface Area {
  readonly topic: Topic;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

const COLUMN = 150; // pixels that a column takes at least
const MOST_COLUMNS = 4;
const ABOVE = 30; // width of the columns of what is above
const LEAST = 1.5; // pixels of height, below which an area is left out
const TWO_LINES = 44; // pixels of height, below which an area has one line
const MILLISECONDS = 350;
const FONT = "system-ui, sans-serif";

export class MapView {
  readonly element = h("div", { class: "picture" });
  private before = new Map<number, Area>();
  private frame = 0;

  constructor(
    private readonly page: Page,
    private readonly store: Store,
  ) {}

  draw(animated = false): void {
    const { width, height } = this.element.getBoundingClientRect();
    if (width < 50 || height < 50) return;
    cancelAnimationFrame(this.frame);
    const areas = this.areas(width, height);
    const old = this.before;
    this.before = new Map(areas.map((area) => [area.topic.index, area]));
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!animated || still || !old.size) {
      this.paint(areas, width, height);
      return;
    }
    const begin = performance.now();
    const step = (now: number): void => {
      // A frame can bear a time before the one at which it was asked for.
      const t = Math.max(0, Math.min(1, (now - begin) / MILLISECONDS));
      const eased = 1 - (1 - t) ** 3;
      this.paint(
        areas.map((area) => between(old.get(area.topic.index), area, eased)),
        width,
        height,
      );
      if (t < 1) this.frame = requestAnimationFrame(step);
    };
    step(begin);
  }

  /** What is zoomed into: the selected topic, or the one above it if there is nothing below. */
  private get focus(): Topic | null {
    const { topics } = this.page;
    const chosen = topics[this.store.state.topic];
    if (!chosen) return null;
    return chosen.children.length ? chosen : (topics[chosen.parent] ?? null);
  }

  private areas(width: number, height: number): Area[] {
    const { topics, roots } = this.page;
    const focus = this.focus;
    const above = focus ? path(this.page, focus).slice(0, -1) : [];
    const size = new Map<number, number>();
    const share = (children: number[], whole: number): void => {
      const sum = children.reduce((total, child) => total + topics[child].size, 0);
      for (const child of children) {
        size.set(child, (whole * topics[child].size) / sum);
        share(topics[child].children, size.get(child)!);
      }
    };
    share(focus ? [focus.index] : roots, 1);
    const tree = hierarchy<{ topic: Topic | null; children: number[] }>(
      { topic: focus, children: focus ? focus.children : roots },
      (node) =>
        node.children.map((child) => ({ topic: topics[child], children: topics[child].children })),
    );
    tree.sum((node) => (node.children.length ? 0 : (size.get(node.topic!.index) ?? 0)));
    const laid = partition<{ topic: Topic | null; children: number[] }>().size([height, 1])(tree);
    const first = focus ? 0 : 1;
    const left = ABOVE * above.length;
    const room = Math.max(2, Math.min(MOST_COLUMNS, Math.floor((width - left) / COLUMN)));
    const columns = Math.min(room, tree.height - first + 1);
    const column = (width - left) / columns;
    const areas: Area[] = above.map((topic, depth) => ({
      topic,
      x: ABOVE * depth,
      y: 0,
      width: ABOVE,
      height,
      depth,
    }));
    for (const node of laid.descendants()) {
      const at = node.depth - first;
      if (!node.data.topic || at < 0 || at >= columns || node.x1 - node.x0 < LEAST) continue;
      areas.push({
        topic: node.data.topic,
        x: left + at * column,
        y: node.x0,
        // The last in a branch that ends early fills the rest of the width.
        width: node.children ? column : width - left - at * column,
        height: node.x1 - node.x0,
        depth: above.length + at,
      });
    }
    return areas;
  }

  private paint(areas: Area[], width: number, height: number): void {
    const colours = palette();
    const { state } = this.store;
    replace(
      this.element,
      s(
        "svg",
        {
          width,
          height,
          viewBox: `0 0 ${width} ${height}`,
          role: "img",
          "aria-label": "Topics as areas; the tree beside tells the same",
          "font-family": FONT,
        },
        ...areas.map((area) => this.shape(area, colours, area.topic.index === state.topic)),
      ),
    );
  }

  private shape(area: Area, colours: ReturnType<typeof palette>, selected: boolean): SVGElement {
    const { topic, x, y, width, height, depth } = area;
    const narrow = width <= ABOVE + 1;
    const lines: SVGElement[] = [];
    const text = (content: string, dx: number, dy: number, props: object): void => {
      if (content) lines.push(s("text", { x: dx, y: dy, fill: colours.ink, ...props }, content));
    };
    if (narrow) {
      const shown = fitted(`${label(topic)} ${percent(topic.size)}`, height - 16, `12px ${FONT}`);
      text(shown, -8, width / 2 + 4, {
        transform: "rotate(-90)",
        "text-anchor": "end",
        "font-size": 12,
      });
    } else if (height >= 17) {
      const top = height < TWO_LINES ? height / 2 + 4.5 : 19;
      const size = percent(topic.size);
      const room = width - 16;
      const first = fitted(
        height < TWO_LINES ? `${size}  ${label(topic)}` : label(topic, 3),
        room,
        `600 13px ${FONT}`,
      );
      text(first, 8, top, { "font-size": 13, "font-weight": 600 });
      if (height >= TWO_LINES) {
        text(
          fitted(`${size}  ${topic.label.slice(3).join(" ")}`, room, `12px ${FONT}`),
          8,
          top + 17,
          {
            "font-size": 12,
            fill: colours.soft,
          },
        );
      }
    }
    const full = `${topic.label.join(" ")}\n${percent(topic.size)} of the documents, level ${topic.level}`;
    return s(
      "g",
      {
        transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
        cursor: "pointer",
        "data-topic": topic.id,
        onclick: () => this.store.selectTopic(topic.index),
      },
      s("title", {}, full),
      s("rect", {
        width: Math.max(0, width - 1.5),
        height: Math.max(0.5, height - 1.5),
        rx: Math.min(4, height / 4),
        fill: colours.tint(topic.branch, depth),
        stroke: selected ? colours.ink : colours.branch(topic.branch),
        "stroke-width": selected ? 2 : height < 6 ? 0 : 0.6,
      }),
      ...lines,
    );
  }
}

function between(from: Area | undefined, to: Area, t: number): Area {
  if (!from) return to;
  const mix = (a: number, b: number) => a + (b - a) * t;
  return {
    ...to,
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    width: mix(from.width, to.width),
    height: mix(from.height, to.height),
  };
}

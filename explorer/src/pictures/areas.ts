// The hierarchy as areas.

import { type Palette, palette } from "../look/colours";
import { FONT, fitted, h, picture, replace, s } from "../look/dom";
import { percent } from "../look/format";
import { mark, type Page } from "../page/page";
import type { Store } from "../selection/state";
import { ABOVE, type Area, between, layoutMap } from "./areas-layout";
import { shapesOf } from "./shapes";

const TWO_LINES = 44; // pixels of height, below which an area has one line
const ONE_LINE = 17; // pixels of height, below which it has none
const MILLISECONDS = 350;

/** The picture "Areas". */
export class AreasView {
  readonly element = h("div", { class: "picture" });
  private before = new Map<number, Area>();
  private frame = 0;

  constructor(
    private readonly page: Page,
    private readonly store: Store,
  ) {}

  /** Draws the areas; areas that stay move from where they were. */
  draw(animated = false): void {
    const { width, height } = this.element.getBoundingClientRect();
    if (width < 50 || height < 50) return;
    const { state, expanded } = this.store;
    const areas = layoutMap(this.page, state.topic, expanded, width, height);
    const old = this.before;
    const same = areas.every((area) => alike(area, old.get(area.topic.index)));
    if (animated && this.frame && same && areas.length === old.size) return; // they move there now
    cancelAnimationFrame(this.frame);
    this.frame = 0;
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
      this.frame = t < 1 ? requestAnimationFrame(step) : 0;
    };
    step(begin);
  }

  private paint(areas: Area[], width: number, height: number): void {
    const colours = palette();
    const name = "Topics as areas; the tree shows the same topics";
    const shapes = areas.map((area) => this.shape(area, colours));
    replace(this.element, picture(width, height, name, shapes));
  }

  private shape(area: Area, colours: Palette): SVGElement {
    const { topic, width, height, depth } = area;
    const selected = topic.index === this.store.state.topic;
    return shapesOf(
      topic,
      this.store,
      area,
      s("rect", {
        width: Math.max(0, width - 1.5),
        height: Math.max(0.5, height - 1.5),
        rx: Math.min(4, height / 4),
        fill: colours.tint(topic.branch, depth),
        stroke: selected ? colours.ink : colours.branch(topic.branch),
        "stroke-width": selected ? 2 : height < 6 ? 0 : 0.6,
        "stroke-dasharray": topic.stale ? "5 3" : null,
      }),
      ...lines(area, colours),
    );
  }
}

function alike(one: Area, other: Area | undefined): boolean {
  const { x, y, width, height } = one;
  return x === other?.x && y === other.y && width === other.width && height === other.height;
}

/** What is written on an area: label and size, as far as there is room. */
function lines({ topic, width, height }: Area, colours: Palette): SVGElement[] {
  const found: SVGElement[] = [];
  const write = (text: string, x: number, y: number, size: number, props: object = {}): void => {
    if (!text) return;
    found.push(s("text", { x, y, fill: colours.ink, ...props, "font-size": size }, text));
  };
  const size = percent(topic.size) + mark(topic);
  const room = width - 16;
  if (width <= ABOVE + 1) {
    const text = fitted(`${topic.title} ${size}`, height - 16, `12px ${FONT}`);
    write(text, -8, width / 2 + 4, 12, { transform: "rotate(-90)", "text-anchor": "end" });
  } else if (height >= TWO_LINES) {
    const second = `${size}  ${topic.more}`;
    write(fitted(topic.title, room, `600 13px ${FONT}`), 8, 19, 13, { "font-weight": 600 });
    write(fitted(second, room, `12px ${FONT}`), 8, 36, 12);
  } else if (height >= ONE_LINE) {
    const text = fitted(`${size}  ${topic.title}`, room, `600 13px ${FONT}`);
    write(text, 8, height / 2 + 4.5, 13, { "font-weight": 600 });
  }
  return found;
}

// The names on the map: those of topics as buttons, which keep the focus while they move, and
// titles of documents.

import { hue } from "../look/colours";
import { button, h, replace, s } from "../look/dom";
import { tooltip } from "../look/format";
import { type PlacedLabel, type PlacedTitle, TITLE } from "./map-labels";
import type { Room } from "./map-places";
import type { Point } from "./map-view";

export interface Naming {
  select(topic: number): void;
  light(topic: number): void; // -1: none
  open(document: number): void;
}

export class Names {
  private readonly leaders = s("svg.map-leaders", { "aria-hidden": "true" });
  private readonly titles = h("div.map-titles", { "aria-hidden": "true" });
  private readonly topics = h("div", { role: "group", "aria-label": "Topics" });
  readonly element = h("div.map-names", this.leaders, this.titles, this.topics);
  private readonly shown = new Map<number, [element: HTMLButtonElement, look: string]>();

  constructor(private readonly act: Naming) {}

  /** Shows names where they were placed; `faded` says which are grey, see `MapView.isFaded`. */
  draw(
    labels: readonly PlacedLabel[],
    titles: readonly PlacedTitle[],
    selected: number,
    faded: (topic: number) => boolean,
  ): void {
    const gone = new Map(this.shown);
    for (const label of labels) {
      const { index } = label.topic;
      gone.delete(index);
      const [element] = this.shown.get(index) ?? [this.add(index)];
      const chosen = index === selected;
      this.dress(element, label, `${chosen ? "chosen" : ""} ${faded(index) ? "faded" : ""}`);
    }
    for (const [index, [element]] of gone) {
      if (element.matches(":hover, :focus")) this.act.light(-1);
      element.remove();
      this.shown.delete(index);
    }
    const titled = (title: PlacedTitle): HTMLElement =>
      button(h("span", { dir: "auto" }, title.text), () => this.act.open(title.document), {
        tabindex: -1,
        style: { "font-size": `${TITLE.size}px`, ...boxed(title) },
      });
    replace(this.titles, titles.map(titled));
    this.move(labels, titles, (at) => at);
  }

  /** Moves names with what they name, even out of sight. */
  move(
    labels: readonly PlacedLabel[],
    titles: readonly PlacedTitle[],
    to: (at: Point) => Point,
  ): void {
    const lines = labels.map(({ topic, at, leader, ...room }) => {
      const [dx, dy] = offset(at, to);
      this.shown.get(topic.index)![0].style.transform = placed(room, dx, dy);
      if (!leader) return null;
      const [[x1, y1], [x2, y2]] = leader.map(([x, y]) => [x + dx, y + dy]);
      return s("g", { style: { "--hue": hue(topic.branch) } }, [
        s("line", { x1, y1, x2, y2 }),
        s("circle", { cx: x1, cy: y1, r: 2 }),
      ]);
    });
    replace(this.leaders, lines);
    titles.forEach(({ at, ...room }, k) => {
      const element = this.titles.children[k] as HTMLElement;
      element.style.transform = placed(room, ...offset(at, to));
    });
  }

  /** Makes the name of a topic stand out, as its documents do; -1 for none. */
  light(topic: number): void {
    this.element.classList.toggle("lit", this.shown.has(topic));
    for (const [index, [element]] of this.shown) element.classList.toggle("on", index === topic);
  }

  private add(index: number): HTMLButtonElement {
    const light = (): void => this.act.light(index);
    const dim = (): void => this.act.light(-1);
    const pointed = { onpointerenter: light, onpointerleave: dim };
    const focused = { onfocus: light, onblur: dim };
    const element = button(null, () => this.act.select(index), { ...pointed, ...focused });
    this.shown.set(index, [element, ""]);
    this.topics.append(element);
    return element;
  }

  /** Changes what is written and how, where that differs from before. */
  private dress(element: HTMLButtonElement, label: PlacedLabel, state: string): void {
    const { topic, lines, style } = label;
    const look = [topic.title, topic.branch, topic.size, ...lines, style.size, state].join("\n");
    if (this.shown.get(topic.index)![1] === look) return;
    this.shown.set(topic.index, [element, look]);
    replace(element, ...lines.flatMap((line) => [h("span", { dir: "auto" }, line), " "]));
    element.className = `${state} ${element.matches(".on") ? "on" : ""}`;
    element.dataset.topic = topic.id;
    element.title = tooltip(topic);
    element.setAttribute("aria-label", topic.title);
    element.setAttribute("aria-pressed", String(state.startsWith("chosen")));
    element.style.setProperty("--hue", hue(topic.branch));
    element.style.fontSize = `${style.size}px`;
    element.style.fontWeight = String(style.weight);
    Object.assign(element.style, boxed(label));
  }
}

function boxed({ width, height }: Room): { width: string; height: string } {
  return { width: `${Math.ceil(width) + 1}px`, height: `${height}px` };
}

function placed({ x, y, width, height }: Room, dx: number, dy: number): string {
  const [left, top] = [x - width / 2 + dx, y - height / 2 + dy];
  return `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
}

function offset(at: Point, to: (at: Point) => Point): Point {
  const [x, y] = to(at);
  return [x - at[0], y - at[1]];
}

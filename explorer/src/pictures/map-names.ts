// The labels of the map as buttons, which keep the focus while they move.

import { hue } from "../look/colours";
import { button, h, replace } from "../look/dom";
import { tooltip } from "../look/format";
import type { PlacedLabel } from "./map-labels";

/** The buttons of labels. */
export class Names {
  readonly element = h("div", { class: "map-names", role: "group", "aria-label": "Topics" });
  private readonly shown = new Map<number, [element: HTMLButtonElement, look: string]>();

  constructor(private readonly select: (topic: number) => void) {}

  /** Shows labels where they were placed; `faded` tells those of topics without documents. */
  draw(labels: readonly PlacedLabel[], selected: number, faded: (topic: number) => boolean): void {
    const gone = new Map(this.shown);
    for (const label of labels) {
      const { index } = label.topic;
      gone.delete(index);
      const [element] = this.shown.get(index) ?? [this.add(index)];
      const chosen = index === selected;
      this.dress(element, label, `${chosen ? "chosen" : ""} ${faded(index) ? "faded" : ""}`);
      const [x, y] = [label.x - label.width / 2, label.y - label.height / 2];
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
    for (const [index, [element]] of gone) {
      element.remove();
      this.shown.delete(index);
    }
  }

  private add(index: number): HTMLButtonElement {
    const element = button(null, () => this.select(index));
    this.shown.set(index, [element, ""]);
    this.element.append(element);
    return element;
  }

  /** Changes what is written and how, where that differs from before. */
  private dress(element: HTMLButtonElement, label: PlacedLabel, state: string): void {
    const { topic, lines, style, width, height } = label;
    const look = [topic.title, topic.branch, topic.size, ...lines, style.size, state].join("\n");
    if (this.shown.get(topic.index)![1] === look) return;
    this.shown.set(topic.index, [element, look]);
    replace(element, ...lines.flatMap((line) => [h("span", { dir: "auto" }, line), " "]));
    element.className = `${style.serif ? "general" : ""} ${state}`;
    element.dataset.topic = topic.id;
    element.title = tooltip(topic);
    element.setAttribute("aria-label", topic.title);
    element.setAttribute("aria-pressed", String(state.startsWith("chosen")));
    const css = element.style;
    css.setProperty("--hue", hue(topic.branch));
    css.fontSize = `${style.size}px`;
    css.fontWeight = String(style.weight);
    css.width = `${Math.ceil(width) + 1}px`;
    css.height = `${height}px`;
  }
}

// The tree of topics as a list of rows, of which only those in sight are in the document.

import { hue } from "./colours";
import type { Page, Topic } from "./data";
import { button, h, replace } from "./dom";
import { label, percent } from "./format";
import type { Store } from "./state";

const SPARE = 10; // rows above and below those in sight
const MOST_AT_FIRST = 60; // rows

export class TreeView {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "rows" });
  private readonly scroller = h("div", {
    class: "tree scroll",
    role: "tree",
    "aria-label": "Topics",
  });
  private readonly slider: HTMLInputElement;
  private readonly shown = h("output", { class: "soft" });
  private rows: Topic[] = [];
  private focused = 0; // the row that the keyboard is on
  private typed = "";
  private typedAt = 0;
  private printing = false;
  private drawn = ""; // which rows
  private readonly top: number;

  constructor(
    private readonly page: Page,
    private readonly store: Store,
  ) {
    const levels = [...new Set(page.topics.map((topic) => topic.level))].sort((a, b) => b - a);
    const [top, lowest] = [levels[0], levels[levels.length - 1]];
    this.top = top;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: top - lowest,
      value: 0,
      "aria-label": "Show down to level",
      oninput: () => this.showDownTo(top - Number(this.slider.value)),
    });
    this.slider.disabled = top === lowest;
    const openable = page.topics.filter((topic) => topic.children.length).map((t) => t.index);
    this.element = h(
      "section",
      { class: "panel", id: "tree", "aria-label": "Tree of topics" },
      h(
        "div",
        { class: "bar" },
        h("label", { class: "slider" }, h("span", {}, "Down to level"), this.slider, this.shown),
        h(
          "span",
          { class: "pair" },
          button("Expand all", () => this.store.setExpanded(openable, true)),
          button("Collapse all", () => this.store.setExpanded(openable, false)),
        ),
      ),
      this.scroller,
    );
    this.scroller.append(this.list);
    this.scroller.addEventListener("scroll", () => this.draw());
    this.scroller.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    store.onExpansion(() => this.update());
    store.onChange((state, before) => {
      if (state.topic !== before.topic) this.goTo(state.topic);
    });
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.slider.value = String(top - this.firstLevel(top, lowest));
    this.showDownTo(top - Number(this.slider.value));
    store.reveal(store.state.topic);
    if (store.state.topic >= 0) requestAnimationFrame(() => this.goTo(store.state.topic));
  }

  redraw(): void {
    this.draw();
  }

  /** The lowest level down to which all topics make a list that one can still look through. */
  private firstLevel(top: number, lowest: number): number {
    let [level, rows] = [top, 0];
    for (let next = top; next >= lowest; next--) {
      rows += this.page.topics.filter((topic) => topic.level === next).length;
      if (rows <= MOST_AT_FIRST) level = next;
    }
    return level;
  }

  private showDownTo(level: number): void {
    const { topics } = this.page;
    const above = topics.filter((topic) => topic.children.length && topic.level > level);
    const below = topics.filter((topic) => topic.children.length && topic.level <= level);
    for (const topic of below) this.store.expanded.delete(topic.index);
    this.store.setExpanded(
      above.map((topic) => topic.index),
      true,
    );
  }

  private update(): void {
    const at = this.rows[this.focused]?.index ?? -1;
    this.rows = [];
    const add = (index: number): void => {
      const topic = this.page.topics[index];
      this.rows.push(topic);
      if (this.store.expanded.has(index)) topic.children.forEach(add);
    };
    this.page.roots.forEach(add);
    // The row that the keyboard was on, or what is in sight of those above it.
    const places = new Map(this.rows.map((topic, k) => [topic.index, k]));
    let up = at;
    while (up >= 0 && !places.has(up)) up = this.page.topics[up].parent;
    this.focused = places.get(up) ?? 0;
    this.tellLevel();
    this.drawn = "";
    this.draw();
    const chosen = places.get(this.store.state.topic);
    if (chosen !== undefined) this.intoSight(chosen);
  }

  /** The level down to which all is open, if there is one. */
  private tellLevel(): void {
    const { topics } = this.page;
    const { expanded } = this.store;
    const open = topics.filter((topic) => expanded.has(topic.index)).map((topic) => topic.level);
    const closed = topics.filter((topic) => topic.children.length && !expanded.has(topic.index));
    const level = open.length ? Math.min(...open) - 1 : this.top;
    const whole = closed.every((topic) => topic.level <= level);
    this.slider.value = String(this.top - level);
    this.shown.textContent = whole ? String(level) : `${level}, in part`;
    this.slider.setAttribute("aria-valuetext", `level ${this.shown.textContent}`);
  }

  private get height(): number {
    return Number.parseFloat(getComputedStyle(this.scroller).getPropertyValue("--row")) || 34;
  }

  private draw(): void {
    const height = this.height;
    const { scrollTop, clientHeight } = this.scroller;
    const first = this.printing ? 0 : Math.max(0, Math.floor(scrollTop / height) - SPARE);
    const last = this.printing
      ? this.rows.length
      : Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / height) + SPARE);
    const drawn = [first, last, height, this.focused, this.store.state.topic].join();
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const had = this.list.contains(document.activeElement);
    this.list.style.setProperty("height", `${this.rows.length * height}px`);
    const inside = this.rows.slice(first, last).map((topic, k) => this.row(topic, first + k));
    // The row that the keyboard is on stays, or the focus would be lost.
    if (this.focused < first) inside.unshift(this.row(this.rows[this.focused], this.focused));
    if (this.focused >= last) inside.push(this.row(this.rows[this.focused], this.focused));
    replace(this.list, ...inside);
    if (had) this.elementAt(this.focused)?.focus({ preventScroll: true });
  }

  private row(topic: Topic, at: number): HTMLElement {
    const { page, store } = this;
    const siblings = topic.parent < 0 ? page.roots : page.topics[topic.parent].children;
    const depth = this.depth(topic);
    const open = store.expanded.has(topic.index);
    const inner = topic.children.length > 0;
    return h(
      "div",
      {
        class: "row",
        role: "treeitem",
        id: `row-${topic.index}`,
        "data-at": at,
        "aria-level": depth + 1,
        "aria-setsize": siblings.length,
        "aria-posinset": siblings.indexOf(topic.index) + 1,
        "aria-expanded": inner ? String(open) : null,
        "aria-selected": String(store.state.topic === topic.index),
        "aria-label": `${label(topic)}, ${percent(topic.size)} of the documents, level ${topic.level}`,
        tabindex: at === this.focused ? 0 : -1,
        title: topic.label.join(" "),
        style: {
          top: `${at * this.height}px`,
          "--depth": String(depth),
          "--hue": hue(topic.branch),
        },
        onclick: (event: MouseEvent) => {
          this.focused = at;
          if ((event.target as Element).closest(".twist")) store.setExpanded([topic.index], !open);
          else store.selectTopic(topic.index);
        },
      },
      h("span", {
        class: inner ? `twist ${open ? "open" : ""}` : "twist none",
        "aria-hidden": "true",
      }),
      h("span", { class: "dot" }),
      h(
        "span",
        { class: "label" },
        h("b", {}, topic.label[0]),
        ` ${topic.label.slice(1).join(" ")}`,
      ),
      h("span", { class: "level", title: `Level ${topic.level}` }, `L${topic.level}`),
      h(
        "span",
        { class: "size" },
        h("i", { style: { width: `${Math.max(1.5, 100 * topic.size)}%` } }),
        h("span", {}, percent(topic.size)),
      ),
    );
  }

  private depth(topic: Topic): number {
    let depth = 0;
    for (let up = topic.parent; up >= 0; up = this.page.topics[up].parent) depth++;
    return depth;
  }

  private elementAt(at: number): HTMLElement | null {
    return this.list.querySelector(`[data-at="${at}"]`);
  }

  /** Brings a topic's row into sight. */
  private goTo(index: number): void {
    const at = this.rows.findIndex((topic) => topic.index === index);
    if (at >= 0) {
      this.focused = at;
      this.intoSight(at);
    }
    this.draw();
  }

  private intoSight(at: number): void {
    const height = this.height;
    const { scrollTop, clientHeight } = this.scroller;
    if (at * height < scrollTop + height) this.scroller.scrollTop = (at - 1) * height;
    else if ((at + 2) * height > scrollTop + clientHeight) {
      this.scroller.scrollTop = (at + 2) * height - clientHeight;
    }
  }

  private moveTo(at: number): void {
    this.focused = Math.max(0, Math.min(at, this.rows.length - 1));
    this.intoSight(this.focused);
    this.draw();
    this.elementAt(this.focused)?.focus({ preventScroll: true });
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const topic = this.rows[this.focused];
    const open = this.store.expanded.has(topic.index);
    const inner = topic.children.length > 0;
    switch (event.key) {
      case "ArrowDown":
        this.moveTo(this.focused + 1);
        break;
      case "ArrowUp":
        this.moveTo(this.focused - 1);
        break;
      case "Home":
        this.moveTo(0);
        break;
      case "End":
        this.moveTo(this.rows.length - 1);
        break;
      case "ArrowRight":
        if (inner && open) this.moveTo(this.focused + 1);
        else if (inner) this.store.setExpanded([topic.index], true);
        break;
      case "ArrowLeft":
        if (inner && open) this.store.setExpanded([topic.index], false);
        else if (topic.parent >= 0) {
          this.moveTo(this.rows.findIndex((row) => row.index === topic.parent));
        }
        break;
      case "*":
        this.store.setExpanded(
          (topic.parent < 0 ? this.page.roots : this.page.topics[topic.parent].children).filter(
            (index) => this.page.topics[index].children.length,
          ),
          true,
        );
        break;
      case "Enter":
      case " ":
        this.store.selectTopic(topic.index);
        break;
      default:
        if (event.key.length !== 1 || event.key === "/") return;
        this.type(event.key);
    }
    event.preventDefault();
  }

  /** Goes to the next row that begins with what was typed. */
  private type(key: string): void {
    this.typed = (Date.now() - this.typedAt < 700 ? this.typed : "") + key.toLowerCase();
    this.typedAt = Date.now();
    const from = this.focused + (this.typed.length === 1 ? 1 : 0);
    const order = [...this.rows.keys()].map((k) => (k + from) % this.rows.length);
    const found = order.find((k) => label(this.rows[k]).toLowerCase().startsWith(this.typed));
    if (found !== undefined) this.moveTo(found);
  }

  private print(on: boolean): void {
    this.printing = on;
    this.draw();
  }
}

// The tree of topics as a list of rows, of which only those in sight are in the document.

import { bright } from "../look/colours";
import { h, onPrint, replace } from "../look/dom";
import { described, whole } from "../look/format";
import { mark, siblings, type Topic } from "../page/page";
import { keyAbove } from "../page/vague";
import { Pane, type Shared } from "./pane";
import { type Row, rowAtOrAbove, rowThatBegins, visible } from "./rows";
import { Size } from "./size";

const SPARE = 10; // rows above and below those in sight

export class TreeView extends Pane {
  private readonly list = h("div.rows");
  private readonly scroller = h("div.tree.scroll", { role: "tree", "aria-label": "Topics" }, [
    this.list,
  ]);
  private readonly counted = h("p.soft.tree-counted", { hidden: true });
  readonly element = h("section", { id: "tree", "aria-label": "Tree of topics" }, [
    this.counted,
    this.scroller,
  ]);
  private rows: Row[] = [];
  private focused = 0; // the row that has the focus, or would get it
  private typed = "";
  private typedAt = 0;
  private printing = false;
  private drawn = ""; // what was drawn last
  private readonly size: Size;

  constructor(
    shared: Shared,
    private readonly rename: (topic: number) => void,
  ) {
    super(shared);
    const { store, working } = this;
    this.scroller.addEventListener("scroll", () => this.draw());
    this.scroller.addEventListener("keydown", (event) => this.press(event));
    this.scroller.addEventListener("mouseover", ({ target }) => this.light(target as Element));
    this.scroller.addEventListener("focusin", ({ target }) => {
      const row = target as Element;
      this.light(row.matches(":focus-visible") ? row : null); // not after a click
    });
    for (const event of ["mouseleave", "focusout"]) {
      this.scroller.addEventListener(event, () => this.light(null));
    }
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.scroller.addEventListener("dblclick", (event) => {
      const { target } = event;
      const label = target instanceof Element && target.closest(".label");
      const { topic } = this.rows[this.focused];
      if (label && topic) this.rename(topic.index);
    });
    this.size = new Size(this.page, working);
    store.onExpansion(() => this.update());
    working.onChange(() => this.redraw());
    working.onCount(() => this.redraw());
    store.onEdit(() => this.update());
    store.onChange((state, before) => {
      if (state.topic !== before.topic) this.goTo(state.topic);
    });
    onPrint((printing) => {
      this.printing = printing;
      this.draw();
    });
    store.reveal(store.state.topic);
    this.update();
    if (store.state.topic >= 0) requestAnimationFrame(() => this.goTo(store.state.topic));
  }

  private update(): void {
    const at = this.rows[this.focused]?.key ?? -1;
    this.rows = visible(this.page, this.store.expanded);
    this.focused = rowAtOrAbove(this.page, this.rows, at);
    this.drawn = "";
    this.draw();
    const chosen = this.rowOf(this.store.state.topic);
    if (chosen >= 0) this.intoSight(chosen);
  }

  private redraw(): void {
    const { sampled, narrowed, documents } = this.working;
    this.counted.hidden =
      !sampled || !narrowed || this.working.knownOn(this.page.topics[0]) !== null;
    this.counted.textContent = `Among the ${whole(documents?.count ?? 0)} documents in this page`;
    this.drawn = "";
    this.draw();
  }

  /** Lights up the documents of a topic on the map, if `element` is in its row; null for none. */
  private light(element: Element | null): void {
    const row = element?.closest<HTMLElement>("[data-at]");
    const topic = row ? (this.rows[Number(row.dataset.at)]?.topic?.index ?? -1) : -1;
    this.store.light(topic);
  }

  private rowOf(index: number): number {
    return this.rows.findIndex(({ key }) => key === index);
  }

  private get height(): number {
    return Number.parseFloat(getComputedStyle(this.scroller).getPropertyValue("--row")) || 40;
  }

  /** Draws the rows in sight, unless they are drawn already. */
  draw(): void {
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
    const inside = this.rows.slice(first, last).map((row, k) => this.row(row, first + k));
    // The row with the focus stays in the document, or the focus would be lost.
    if (this.focused < first) inside.unshift(this.row(this.rows[this.focused], this.focused));
    if (this.focused >= last) inside.push(this.row(this.rows[this.focused], this.focused));
    replace(this.list, inside);
    if (had) this.elementAt(this.focused)?.focus({ preventScroll: true });
  }

  private row(row: Row, at: number): HTMLElement {
    const { key, topic, name, aside, depth, place, beside, opens } = row;
    const { store } = this;
    const open = store.expanded.has(key);
    const twist = opens ? `twist ${open ? "open" : ""}` : "twist none";
    const said = topic
      ? [described(topic), this.size.describe(topic), ...(topic.pinned ? ["pinned"] : [])]
      : [name];
    const style = { top: `${at * this.height}px`, "--depth": String(depth - 1) };
    return h(
      "div",
      {
        class: topic ? (topic.stale ? "row stale" : "row") : "row vague",
        role: "treeitem",
        id: `row-${key}`,
        "data-at": at,
        "aria-level": depth,
        "aria-setsize": beside,
        "aria-posinset": place,
        "aria-expanded": opens ? String(open) : null,
        "aria-selected": String(topic !== null && store.state.topic === key),
        "aria-label": said.join(", "),
        tabindex: at === this.focused ? 0 : -1,
        title: topic ? `${described(topic)}\n${this.size.describe(topic)}` : aside,
        style: topic ? { ...style, "--hue": bright(topic.branch) } : style,
        onclick: (event: MouseEvent) => {
          this.focused = at;
          if ((event.target as Element).closest(".twist")) store.setExpanded([key], !open);
          else this.pick(at);
        },
      },
      h("span", { class: twist, "aria-hidden": "true" }),
      topic ? cells(topic, this.size) : [h("span.label", name)],
    );
  }

  /** Selects the topic of a row; a row of folded topics unfolds, or folds again. */
  private pick(at: number): void {
    const { key, topic } = this.rows[at];
    if (topic) this.store.selectTopic(key);
    else this.store.setExpanded([key], !this.store.expanded.has(key));
  }

  private elementAt(at: number): HTMLElement | null {
    return this.list.querySelector(`[data-at="${at}"]`);
  }

  /** Brings a topic's row into sight. */
  private goTo(index: number): void {
    const at = this.rowOf(index);
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
    const { key, topic, opens } = this.rows[this.focused];
    const open = this.store.expanded.has(key);
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
        if (opens && open) this.moveTo(this.focused + 1);
        else if (opens) this.store.setExpanded([key], true);
        break;
      case "ArrowLeft":
        if (opens && open) this.store.setExpanded([key], false);
        else if (keyAbove(this.page, key) !== -1) {
          this.moveTo(this.rowOf(keyAbove(this.page, key)));
        }
        break;
      case "*":
        if (topic) {
          const { topics } = this.page;
          const beside = siblings(this.page, topic).filter((one) => topics[one].children.length);
          this.store.setExpanded(beside, true);
        }
        break;
      case "F2":
        if (topic) this.rename(key);
        break;
      case "Enter":
      case " ":
        this.pick(this.focused);
        break;
      default:
        if (event.key.length !== 1 || event.key === "/") return;
        if (!this.type(event.key)) return; // the key may mean something else
    }
    event.preventDefault();
    event.stopPropagation(); // the row may be redrawn, and the key means something else elsewhere
  }

  /** Goes to the next row that begins with what was typed; returns whether there is one. */
  private type(key: string): boolean {
    this.typed = (Date.now() - this.typedAt < 700 ? this.typed : "") + key.toLowerCase();
    this.typedAt = Date.now();
    const from = this.focused + (this.typed.length === 1 ? 1 : 0);
    const found = rowThatBegins(this.rows, this.typed, from);
    if (found !== undefined) this.moveTo(found);
    return found !== undefined;
  }
}

function cells(topic: Topic, size: Size): HTMLElement[] {
  return [
    h("span.dot"),
    h("span.label", phrase(topic.title)),
    ...marks(topic),
    h("span.count", { "aria-hidden": "true" }, size.figure(topic), mark(topic)),
    size.bar(topic),
    h("span.further", { "aria-hidden": "true" }, topic.more),
  ];
}

/** A title, with its first phrase or keyword in bold. */
function phrase(title: string): (HTMLElement | string)[] {
  const at = title.indexOf(", ");
  if (at < 0) return [h("b", h("bdi", title))];
  return [h("b", h("bdi", title.slice(0, at))), " ", h("bdi", title.slice(at + 2))];
}

/** Signs of what a person did with a topic. */
function marks({ pinned, note }: Topic): HTMLElement[] {
  const found: HTMLElement[] = [];
  if (pinned) found.push(h("span.mark", { title: "Pinned", "aria-hidden": "true" }, "★"));
  if (note) found.push(h("span.mark", { title: note, "aria-hidden": "true" }, "✎"));
  return found;
}

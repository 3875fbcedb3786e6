// The tree of topics as a list of rows, of which only those in sight are in the document.

import { bright } from "../look/colours";
import { h, keyOf } from "../look/dom";
import { described, whole } from "../look/format";
import { VirtualList } from "../look/virtual";
import { mark, siblings, type Topic } from "../page/page";
import { keyAbove } from "../page/vague";
import { Pane, type Shared } from "./pane";
import { type Row, rowAtOrAbove, rowThatBegins, visible } from "./rows";
import { Size } from "./size";

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
  private readonly virtual = new VirtualList(this.list, this.scroller, (at) => this.row(at));
  private typed = "";
  private typedAt = 0;
  private readonly size: Size;

  constructor(
    shared: Shared,
    private readonly rename: (topic: number) => void,
  ) {
    super(shared);
    const { store, working } = this;
    this.scroller.addEventListener("keydown", (event) => this.press(event));
    this.scroller.addEventListener("mouseover", ({ target }) => this.light(target as Element));
    this.scroller.addEventListener("focusin", ({ target }) => {
      const row = target as Element;
      this.light(row.matches(":focus-visible") ? row : null); // not after a click
    });
    for (const event of ["mouseleave", "focusout"]) {
      this.scroller.addEventListener(event, () => this.light(null));
    }
    this.scroller.addEventListener("dblclick", (event) => {
      const { target } = event;
      const label = target instanceof Element && target.closest(".label");
      const { topic } = this.rows[this.virtual.current];
      if (label && topic) this.rename(topic.index);
    });
    this.size = new Size(this);
    store.onExpansion(() => this.update());
    working.onChange(() => this.redraw());
    working.onCount(() => this.redraw());
    store.onEdit(() => this.update());
    store.onChange((state, before) => {
      if (state.topic !== before.topic) this.goTo(state.topic);
    });
    store.reveal(store.state.topic);
    this.update();
    if (store.state.topic >= 0) requestAnimationFrame(() => this.goTo(store.state.topic));
  }

  private update(): void {
    const { virtual } = this;
    const at = this.rows[virtual.current]?.key ?? -1;
    this.rows = visible(this.page, this.store.expanded);
    virtual.current = rowAtOrAbove(this.page, this.rows, at);
    virtual.show(this.rows.length);
    const chosen = this.rowOf(this.store.state.topic);
    if (chosen >= 0) virtual.bringIntoSight(chosen);
  }

  private redraw(): void {
    const { sampled, narrowed, documents } = this.working;
    this.counted.hidden =
      !sampled || !narrowed || this.working.knownOn(this.page.topics[0]) !== null;
    this.counted.textContent = `Among the ${whole(documents?.count ?? 0)} documents in this page`;
    this.virtual.show(this.rows.length);
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

  private row(at: number): HTMLElement {
    const { key, topic, name, aside, depth, place, beside, opens } = this.rows[at];
    const { store } = this;
    const open = store.expanded.has(key);
    const twist = opens ? `twist ${open ? "open" : ""}` : "twist none";
    const said = topic
      ? [described(topic), this.size.describe(topic), ...(topic.pinned ? ["pinned"] : [])]
      : [name];
    const style = { "--depth": String(depth - 1) };
    return h(
      "div",
      {
        class: topic ? (topic.stale ? "row stale" : "row") : "row vague",
        role: "treeitem",
        id: `row-${key}`,
        "aria-level": depth,
        "aria-setsize": beside,
        "aria-posinset": place,
        "aria-expanded": opens ? String(open) : null,
        "aria-selected": String(topic !== null && store.state.topic === key),
        "aria-label": said.join(", "),
        tabindex: -1,
        title: topic ? `${described(topic)}\n${this.size.describe(topic)}` : aside,
        style: topic ? { ...style, "--hue": bright(topic.branch) } : style,
        onclick: (event: MouseEvent) => {
          this.virtual.current = at;
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

  private goTo(index: number): void {
    const at = this.rowOf(index);
    if (at >= 0) {
      this.virtual.current = at;
      this.virtual.bringIntoSight(at);
    }
    this.virtual.show(this.rows.length);
  }

  private press(event: KeyboardEvent): void {
    const pressed = keyOf(event);
    const acts = this.acts;
    if (Object.hasOwn(acts, pressed)) acts[pressed]();
    else if (pressed.length !== 1 || pressed === "/") return;
    else if (!this.type(pressed)) return; // the key may mean something else
    event.preventDefault();
    event.stopPropagation(); // the row may be redrawn, and the key means something else elsewhere
  }

  /** What keys do in the current row. */
  private get acts(): Record<string, () => void> {
    const { page, rows, store, virtual } = this;
    const at = virtual.current;
    const { key, topic, opens } = rows[at];
    const open = opens && store.expanded.has(key);
    const above = keyAbove(page, key);
    const pick = (): void => this.pick(at);
    return {
      ArrowDown: () => virtual.focus(at + 1),
      ArrowUp: () => virtual.focus(at - 1),
      Home: () => virtual.focus(0),
      End: () => virtual.focus(rows.length - 1),
      ArrowRight: () => {
        if (open) virtual.focus(at + 1);
        else if (opens) store.setExpanded([key], true);
      },
      ArrowLeft: () => {
        if (open) store.setExpanded([key], false);
        else if (above !== -1) virtual.focus(this.rowOf(above));
      },
      "*": () => {
        const beside = topic ? siblings(page, topic) : [];
        store.setExpanded(
          beside.filter((one) => page.topics[one].children.length),
          true,
        );
      },
      F2: () => topic && this.rename(key),
      Enter: pick,
      " ": pick,
    };
  }

  /** Goes to the next row that begins with what was typed; returns whether there is one. */
  private type(key: string): boolean {
    this.typed = (Date.now() - this.typedAt < 700 ? this.typed : "") + key.toLowerCase();
    this.typedAt = Date.now();
    const from = this.virtual.current + (this.typed.length === 1 ? 1 : 0);
    const found = rowThatBegins(this.rows, this.typed, from);
    if (found !== undefined) this.virtual.focus(found);
    return found !== undefined;
  }
}

function cells(topic: Topic, size: Size): HTMLElement[] {
  return [
    h("span.dot"),
    h("span.label", { dir: "auto" }, phrase(topic.title)),
    ...marks(topic),
    h("span.count", { "aria-hidden": "true" }, size.figure(topic), mark(topic)),
    size.bar(topic),
    h("span.further", { "aria-hidden": "true" }, topic.more),
  ];
}

/** A title, with its first phrase or keyword in bold. */
function phrase(title: string): (HTMLElement | string)[] {
  const at = title.indexOf(", ");
  return at < 0 ? [h("b", title)] : [h("b", title.slice(0, at)), " ", title.slice(at + 2)];
}

function marks({ pinned, note }: Topic): HTMLElement[] {
  const found: HTMLElement[] = [];
  if (pinned) found.push(h("span.mark", { title: "Pinned", "aria-hidden": "true" }, "★"));
  if (note) found.push(h("span.mark", { title: note, "aria-hidden": "true" }, "✎"));
  return found;
}

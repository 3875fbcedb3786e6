// The documents of the working set.

import "./results.css";
import { apart, button, copying, h, replace } from "../look/dom";
import { count, percent, whole } from "../look/format";
import { commas } from "../look/lists";
import { Marker } from "../look/marking";
import { VirtualList } from "../look/virtual";
import type { Page } from "../page/page";
import { saveDocuments } from "../pictures/exporting";
import { told } from "../selection/figure";
import { type Found, found, MOST_FOLDED, orderOf, orders, soughtWords } from "../selection/found";
import type { Item } from "../selection/item";
import { RemoteList } from "../selection/remote";
import { allClauses, type Order, type Sort, type Store } from "../selection/state";
import { mentions, only } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { Context } from "./context";
import { dropDown } from "./drop-down";

const [EVIDENCE, BEFORE] = [110, 14]; // characters, in all and before the first word
const MOST_PRINTED = 100;
const MOST_SCROLLED = 100_000; // rows, beyond which browsers cannot scroll
const MOST_SAVED = 10_000; // documents that are asked of the server for a file

const ORDERS: Record<Order, string> = {
  typical: "Most typical",
  share: "Largest share",
  relevant: "Best match",
  newest: "Newest",
  oldest: "Oldest",
  corpus: "As in the corpus",
};

type Child = HTMLElement | string | false;

/** A row of the list: a document, or a copy of the one above it. */
interface Row extends Item {
  readonly copies: number; // folded into this one
  readonly copy: boolean;
}

/** The pane that lists documents. It is drawn into `scroller`, below what is there already. */
export class Results {
  private readonly told = h("p", { class: "found", role: "status" });
  private readonly tools = h("div", { class: "result-tools" });
  private readonly ways = h(
    "div",
    { class: "listing", role: "group", "aria-label": "What is listed" },
    this.way("Documents", false),
    this.way("In context", true),
  );
  private readonly head = h("div", { class: "result-head" }, this.ways, this.told, this.tools);
  private readonly list = h("ol", { class: "results" });
  readonly element = h(
    "section",
    { class: "documents", "aria-label": "Documents" },
    this.head,
    this.list,
  );
  private readonly virtual: VirtualList;
  private readonly context: Context;
  private readonly picked = new Map<number, Item>(); // by their numbers in the corpus
  private readonly opened = new Set<number>(); // documents whose copies are listed
  private found: Found | null = null;
  private rows: Row[] = [];
  private remote: RemoteList | null = null; // in the place of these, if there is a server
  private marker = new Marker([]);

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly working: WorkingSet,
    scroller: HTMLElement,
  ) {
    this.virtual = new VirtualList(this.list, scroller, (at) => this.row(at), MOST_PRINTED);
    this.list.addEventListener("keydown", (event) => this.press(event));
    this.context = new Context(page, store, working, () => this.redraw());
    working.onCount(() => this.redraw());
    working.onChange(() => {
      this.forget();
      this.picked.clear();
      this.opened.clear();
    });
  }

  /** A button for one of the ways in which documents are listed. */
  private way(name: string, context: boolean): HTMLElement {
    return button(name, () => this.store.set({ context }));
  }

  /** Shows the documents as they are now, at the end of an element. */
  draw(into: Element): void {
    const { page, store, working } = this;
    if (into.lastElementChild !== this.element) into.append(this.element); // moved, it loses the focus
    const { state } = store;
    const order = orderOf(page, state);
    if (working.server) {
      if (this.remote?.listing.order !== order) this.ask(order);
    } else if (this.found?.order !== order) this.found = found(page, state, working);
    const topic = page.topics[state.topic];
    const words = topic ? topic.words.map(({ word }) => page.words[word]) : [];
    this.marker = new Marker([...soughtWords(state), ...words]);
    const { chosen, possible } = this.context;
    this.ways.hidden = !possible;
    for (const [k, way] of [...this.ways.children].entries()) {
      way.setAttribute("aria-pressed", String(Boolean(k) === chosen));
    }
    this.list.classList.toggle("in-context", chosen);
    if (chosen) this.context.read((this.remote ?? this.found)!);
    this.drawRows();
    this.drawHead();
  }

  /** How many rows there are. */
  private get length(): number {
    const { figure, waiting } = this.working;
    if (this.context.chosen) return Math.min(this.context.length, MOST_SCROLLED);
    if (!this.remote) return this.rows.length;
    return waiting ? 0 : Math.min(this.remote.rows ?? figure?.documents ?? 0, MOST_SCROLLED);
  }

  /** The row at a place; null if there is none, or it is not here yet. */
  private rowAt(at: number): Row | null {
    if (at < 0 || at >= this.length) return null;
    if (!this.remote) return this.rows[at];
    const row = this.remote.row(at);
    return row && { ...row.item, copy: row.copy };
  }

  /** A list of the server's, in the place of the one before. */
  private ask(order: Order): void {
    const { page, store, working } = this;
    const { topic, main, least } = store.state;
    const id = page.topics[topic]?.id;
    const by = id === undefined ? null : ({ kind: "topic", id, least, main } as const);
    const listing = { clauses: allClauses(store.state, page), order, by };
    this.forget();
    this.remote = new RemoteList(working.server!, listing, () => this.redraw());
    working.remote = this.remote;
  }

  /** The server has answered. */
  private redraw(): void {
    if (!this.remote) return;
    this.drawRows();
    this.drawHead();
  }

  private forget(): void {
    this.found = null;
    this.context.forget();
    this.remote?.stop();
    this.remote = null;
    this.working.remote = null;
  }

  private drawRows(): void {
    const { share = () => 1, entries = [] } = this.found ?? {};
    const { documents } = this.working;
    const row = (document: number, copies: number, copy: boolean): Row => ({
      documents: documents!,
      document,
      share: share(document),
      copies,
      copy,
    });
    this.rows = entries.flatMap(({ document, copies }) => [
      row(document, copies.length, false),
      ...(this.opened.has(document) ? copies.map((copy) => row(copy, 0, true)) : []),
    ]);
    if (!this.remote) {
      const { chosen, documents } = this.context;
      this.working.listed = chosen ? documents : this.rows.map(({ document }) => document);
    }
    this.virtual.show(this.length);
  }

  private drawHead(): void {
    const { page, store, picked } = this;
    const { chosen, sort, sorts } = this.context;
    const [what, size] = chosen ? ["lines", 0] : ["documents", picked.size];
    const order = orderOf(page, store.state);
    const possible = orders(store.state, page.periods !== null);
    const names = possible.map((one): [Order | Sort, string] => [one, ORDERS[one]]);
    if (chosen) names.push(...sorts);
    replace(this.told, ...this.toldNow());
    const select = h(
      "select",
      {
        "aria-label": "Order",
        onchange: () => store.set({ order: select.value as Order | Sort }),
      },
      ...names.map(([value, name]) =>
        h("option", { value, selected: value === (sort ?? order) }, name),
      ),
    );
    const ordering = this.tools.querySelector("select") === document.activeElement;
    const [menu, items] = dropDown(size ? `Export ${whole(size)}` : "Export", false);
    replace(
      items,
      this.lacking && h("p", { class: "soft" }, this.lacking),
      button("CSV", () => this.save("csv"), { "aria-label": `Save these ${what} as CSV` }),
      !chosen &&
        button("JSON", () => this.save("json"), { "aria-label": "Save these documents as JSON" }),
    );
    replace(
      this.tools,
      select,
      size > 0 &&
        button(`${whole(size)} chosen ×`, () => {
          picked.clear();
          this.draw(this.element.parentElement!);
        }),
      !size && copying("Copy link", () => linkTo(page), "Not copied: take it from the address bar"),
      menu,
    );
    if (ordering) select.focus({ preventScroll: true });
  }

  /** Why files may lack documents; "" if they do not. */
  private get lacking(): string {
    const { figure, sampled } = this.working;
    if (sampled) return "Only documents in this page are saved.";
    return figure?.bound ? "Texts are cut, so some documents may be missing or wrong." : "";
  }

  private toldNow(): Child[] {
    if (this.context.chosen) return this.context.told(MOST_SCROLLED);
    return this.remote ? this.toldOf(this.remote) : this.toldOfPage();
  }

  /** How many documents there are, and how many of them the page lists. */
  private toldOfPage(): Child[] {
    const figure = this.working.figure!;
    const { entries, documents } = this.found!;
    const { length } = documents;
    return [
      h("b", {}, told({ ...figure, among: null })),
      figure.among !== null && ` among the ${whole(figure.among)} that this page holds`,
      figure.documents !== length &&
        h("span", { class: "soft" }, `, ${whole(length)} of them in this page`),
      this.nearCopies(length, length - entries.length),
    ];
  }

  /** How many documents the server lists, or why it does not. */
  private toldOf({ length, trouble }: RemoteList): Child[] {
    const { figure, waiting, trouble: untold } = this.working;
    if (trouble || untold) return [trouble || untold];
    if (waiting || figure === null) return ["Loading documents …"];
    const { documents: size } = figure;
    const most = whole(MOST_SCROLLED);
    return [
      h("b", {}, count(size, "document")),
      length !== null && this.nearCopies(size, size - length),
      size > MOST_SCROLLED && `, of which the first ${most} are listed`,
    ];
  }

  /** How many documents are folded into others; it leads to those that have near-copies. */
  private nearCopies(size: number, folded: number): HTMLElement | false {
    if (!folded && size <= MOST_FOLDED) return false;
    const copies = folded === 1 ? "a near-copy" : "near-copies";
    const told = folded ? `${whole(folded)} of them ${copies}` : "near-copies not folded";
    const list = (): void => this.store.add(only({ kind: "copies" }));
    const props = { class: "link", title: "Only documents that have near-copies" };
    const listed = mentions(this.store.state.clauses, "copies");
    return h("span", { class: "soft" }, ", ", listed ? told : button(told, list, props));
  }

  private async save(kind: "csv" | "json"): Promise<void> {
    if (this.context.chosen) return this.context.save();
    const topic = this.page.topics[this.store.state.topic]?.id ?? null;
    saveDocuments(kind, await this.chosen(), topic);
  }

  /** The documents for a file: those that were picked, or all, in the order of the list. */
  private async chosen(): Promise<Item[]> {
    const { picked, remote, found } = this;
    const documents = this.working.documents!;
    if (remote) return picked.size ? [...picked.values()] : remote.first(MOST_SAVED);
    const all = Array.from(found!.documents, (document): Item => {
      return { documents, document, share: found!.share(document) };
    });
    return picked.size ? all.filter(({ document }) => picked.has(documents.row(document))) : all;
  }

  private row(at: number): HTMLElement {
    if (this.context.chosen) return this.context.row(at);
    const { page, picked, store } = this;
    const row = this.rowAt(at);
    if (!row)
      return h("li", { class: "result", "aria-busy": "true" }, h("p", { class: "soft" }, "…"));
    const { documents, document, copies, copy } = row;
    const number = documents.row(document);
    const name = documents.name(document);
    const about = [documents.about("dates", document), commas(documents.groups(document))];
    const text = documents.about("texts", document);
    const { remote } = this;
    const open = remote ? remote.isOpen(number) : this.opened.has(document);
    const box = h("input", {
      type: "checkbox",
      checked: picked.has(number),
      "aria-label": `Choose ${name.slice(0, 80)}`,
      onchange: () => {
        if (box.checked) picked.set(number, row);
        else picked.delete(number);
        this.drawHead();
      },
    });
    const more = (): void => {
      if (remote) void remote.toggle(number);
      else if (open) this.opened.delete(document);
      else this.opened.add(document);
      this.drawRows();
    };
    const select = (): void => store.selectDocument(number);
    const shares = page.topics[store.state.topic] && orderOf(page, store.state) === "share";
    return h(
      "li",
      {
        class: copy ? "result copy" : "result",
        "aria-setsize": this.length,
        "aria-posinset": at + 1,
      },
      box,
      button(h("bdi", {}, ...this.marker.marked(name)), select, { class: "title", title: name }),
      h(
        "p",
        { class: "evidence", dir: "auto" },
        ...this.marker.marked(this.marker.around(text.slice(within(text, name)), EVIDENCE, BEFORE)),
      ),
      h(
        "div",
        { class: "soft" },
        copies > 0 &&
          button(open ? "Fold" : `+ ${count(copies, "near-copy")}`, more, { class: "copies" }),
        ...apart(about),
        shares &&
          h("span", { class: "p", title: "The topic’s share of the document" }, percent(row.share)),
      ),
    );
  }

  private press(event: KeyboardEvent): void {
    const row = (event.target as Element).closest<HTMLElement>("[data-at]");
    const at = Number(row?.dataset.at ?? 0);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: this.length - 1,
      PageDown: at + 8,
      PageUp: at - 8,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.virtual.focus(to);
  }
}

/** Where a text goes on after its headline, if it begins with it. */
function within(text: string, name: string): number {
  return text.startsWith(name) ? name.length : 0;
}

/** The address of what is shown, which says of which model it is. */
function linkTo(page: Page): string {
  const link = new URL(location.href);
  link.hash = `${link.hash}&model=${page.log.model}`;
  return link.href;
}

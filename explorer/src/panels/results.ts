// The list of the documents of the working set.

import { Pane, type Shared } from "./pane";
import "./results.css";
import { apart, button, type Child, copying, h, keyOf, replace } from "../look/dom";
import { commas, count, percent, whole } from "../look/format";
import { Marker } from "../look/marking";
import { VirtualList } from "../look/virtual";
import type { Page } from "../page/page";
import { saveDocuments } from "../pictures/exporting";
import { MOST_FOLDED } from "../selection/copies";
import { numberOf } from "../selection/corpus";
import { describeFigure } from "../selection/figure";
import { MOST_SAVED } from "../selection/list";
import { orderOf, orders, soughtWords } from "../selection/listing";
import type { Order, Sort } from "../selection/state";
import { mentions, only } from "../selection/terms";
import { Context } from "./context";
import { dropDown } from "./drop-down";

const [EVIDENCE, BEFORE] = [110, 14]; // characters, in all and before the first word
const MOST_PRINTED = 100;
const MOST_SCROLLED = 100_000; // rows, beyond which browsers cannot scroll

const ORDERS: Record<Order, string> = {
  typical: "Most typical",
  share: "Largest share",
  relevant: "Best match",
  newest: "Newest",
  oldest: "Oldest",
  corpus: "As in the corpus",
};

/** The pane that lists documents. It is drawn into `scroller`, below what is there already. */
export class Results extends Pane {
  private readonly status = h("p.found", { role: "status" });
  private readonly tools = h("div.result-tools.flow.screen");
  private readonly ways = h(
    "div.listing.screen",
    { role: "group", "aria-label": "What is listed" },
    [this.way("Documents", false), this.way("In context", true)],
  );
  private readonly head = h("div.result-head", this.ways, this.status, this.tools);
  private readonly rows = h("ol.results");
  readonly element = h("section.documents", { "aria-label": "Documents" }, this.head, this.rows);
  private readonly virtual: VirtualList;
  private readonly context: Context;
  private marker = new Marker([]);

  constructor(shared: Shared, scroller: HTMLElement) {
    super(shared);
    const { working } = this;
    this.virtual = new VirtualList(this.rows, scroller, (at) => this.row(at), MOST_PRINTED);
    this.rows.addEventListener("keydown", (event) => this.press(event));
    this.context = new Context(this, () => this.redraw());
    working.onCount(() => this.redraw());
    working.onList(() => this.redraw());
    working.tags.onChange(() => this.element.isConnected && this.drawHead());
    working.onChange(() => this.context.forget());
  }

  private way(name: string, context: boolean): HTMLElement {
    return button(name, () => this.store.set({ context }));
  }

  /** Shows the documents as they are now, at the end of an element. */
  draw(into: Element): void {
    const { page, store, working } = this;
    if (into.lastElementChild !== this.element) into.append(this.element); // moving loses the focus
    const { state } = store;
    const topic = page.topics[state.topic];
    const words = topic ? topic.words.map(({ word }) => page.words[word]) : [];
    this.marker = new Marker([...soughtWords(state), ...words]);
    const { chosen, possible } = this.context;
    this.ways.hidden = !possible;
    for (const [k, way] of [...this.ways.children].entries()) {
      way.setAttribute("aria-pressed", String(Boolean(k) === chosen));
    }
    this.rows.classList.toggle("in-context", chosen);
    if (chosen) this.context.read(working.list);
    this.drawRows();
    this.drawHead();
  }

  private get length(): number {
    const { context, working } = this;
    const { figure, list, waiting } = working;
    const rows = waiting ? 0 : (list.rows ?? figure?.documents ?? 0);
    return Math.min(context.chosen ? context.length : rows, MOST_SCROLLED);
  }

  private redraw(): void {
    if (!this.element.isConnected) return;
    this.drawRows();
    this.drawHead();
  }

  private drawRows(): void {
    const { chosen, documents } = this.context;
    this.working.lines = chosen ? documents : null;
    this.virtual.show(this.length);
  }

  private drawHead(): void {
    const { page, store } = this;
    const { chosen, sort, sorts } = this.context;
    const what = chosen ? "lines" : "documents";
    const tagged = this.working.tags.all.length;
    const order = orderOf(page, store.state);
    const possible = orders(store.state, page.periods !== null);
    const names = possible.map((one): [Order | Sort, string] => [one, ORDERS[one]]);
    if (chosen) names.push(...sorts);
    replace(this.status, this.statusNow());
    const onchange = (): void => store.set({ order: select.value as Order | Sort });
    const options = names.map(([value, name]) =>
      h("option", { value, selected: value === (sort ?? order) }, name),
    );
    const select = h("select", { "aria-label": "Order", onchange }, options);
    const [menu, items] = dropDown("Export", false);
    replace(items, [
      this.lacking && h("p.soft", this.lacking),
      button("CSV", () => this.save("csv"), { "aria-label": `Save these ${what} as CSV` }),
      !chosen &&
        button("JSON", () => this.save("json"), { "aria-label": "Save these documents as JSON" }),
      tagged > 0 && button(`${count(tagged, "tagged document")} as CSV`, () => this.saveTagged()),
      tagged > 0 && button("Remove all tags", () => this.untag()),
    ]);
    replace(this.tools, [
      select,
      copying("Copy link", () => linkTo(page), "Not copied: take it from the address bar"),
      menu,
    ]);
  }

  /** Why files may lack documents; "" if they do not. */
  private get lacking(): string {
    const { figure, list, sampled } = this.working;
    if (sampled) return "Only documents in this page are saved.";
    if (!list.here && (figure?.documents ?? 0) > MOST_SAVED) {
      return `Only the first ${whole(MOST_SAVED)} documents are saved.`;
    }
    return figure?.bound ? "Texts are cut, so some documents may be missing or wrong." : "";
  }

  /** How many documents there are, and how many of them are listed, or why they are not. */
  private statusNow(): Child[] {
    const { figure, counts, list, waiting } = this.working;
    const trouble = list.trouble || this.working.trouble;
    if (trouble) {
      const again = (): void => {
        this.working.find();
        this.redraw();
      };
      return [trouble, " ", button("Try again", again, { class: "link" })];
    }
    if (this.context.chosen) return this.context.describe(MOST_SCROLLED);
    if (waiting || !figure || !counts) return ["Loading documents …"];
    const { length } = list;
    const { documents: size } = counts;
    return [
      h("b", describeFigure({ ...figure, among: null })),
      figure.among !== null && ` among the ${whole(figure.among)} that this page holds`,
      figure.documents !== size && h("span.soft", `, ${whole(size)} of them in this page`),
      length !== null && this.nearCopies(size, size - length),
      size > MOST_SCROLLED && `, of which the first ${whole(MOST_SCROLLED)} are listed`,
    ];
  }

  /** How many documents are folded into others; it leads to those that have near-copies. */
  private nearCopies(size: number, folded: number): HTMLElement | false {
    if (!folded && size <= MOST_FOLDED) return false;
    const copies = folded === 1 ? "a near-copy" : "near-copies";
    const text = folded ? `${whole(folded)} of them ${copies}` : "near-copies not folded";
    const list = (): void => this.store.add(only({ kind: "copies" }));
    const props = { class: "link", title: "Only documents that have near-copies" };
    const listed = mentions(this.store.state.clauses, "copies");
    return h("span.soft", ", ", listed ? text : button(text, list, props));
  }

  private async save(kind: "csv" | "json"): Promise<void> {
    if (this.context.chosen) return this.context.save();
    const topic = this.page.topics[this.store.state.topic]?.id ?? null;
    const items = (await this.working.list.first("file"))?.items;
    if (items) saveDocuments(kind, items, topic);
    else this.redraw();
  }

  /** Saves the documents that are tagged, wherever they are. */
  private async saveTagged(): Promise<void> {
    const { corpus, tags } = this.working;
    const found = await Promise.allSettled(tags.all.map((number) => corpus!.read(number)));
    const there = found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    saveDocuments(
      "csv",
      there.map((document) => ({ ...document, share: 0, copies: 0 })),
      null,
    );
    if (there.length < found.length)
      alert(`${count(found.length - there.length, "tagged document")} could not be read.`);
  }

  private untag(): void {
    const { tags } = this.working;
    if (!confirm(`Remove the tags of ${count(tags.all.length, "document")}?`)) return;
    tags.clear();
    this.drawRows();
  }

  private row(at: number): HTMLElement {
    if (this.context.chosen) return this.context.row(at);
    const { page, store } = this;
    const { list, tags } = this.working;
    const row = list.row(at);
    if (!row) return h("li.result", { "aria-busy": "true" }, h("p.soft", "…"));
    const { documents, document, copies, copy } = row;
    const number = numberOf(row);
    const name = documents.name(document);
    const about = [documents.about("dates", document), commas(documents.groups(document))];
    const text = documents.about("texts", document);
    const body = text.startsWith(name) ? text.slice(name.length) : text; // without its headline
    const evidence = this.marker.marked(this.marker.around(body, EVIDENCE, BEFORE));
    const box = h("input.screen", {
      type: "checkbox",
      checked: tags.has(number),
      title: "Tag this document (t)",
      "aria-label": `Tag ${name.slice(0, 80)}`,
      onchange: () => tags.toggle(number),
    });
    const fold = list.isOpen(at) ? "Fold" : `+ ${count(copies, "near-copy")}`;
    const select = (): void => store.selectDocument(number);
    const shares = page.topics[store.state.topic] && orderOf(page, store.state) === "share";
    const place = { "aria-setsize": this.length, "aria-posinset": at + 1 };
    return h("li", { class: copy ? "result copy" : "result", ...place }, [
      box,
      button(this.marker.marked(name), select, { class: "title", title: name, dir: "auto" }),
      h("p.evidence", { dir: "auto" }, evidence),
      h("div.soft", [
        copies > 0 && button(fold, () => void list.toggle(at), { class: "copies" }),
        apart(about),
        shares && h("span.p", { title: "The topic’s share of the document" }, percent(row.share)),
      ]),
    ]);
  }

  private press(event: KeyboardEvent): void {
    const row = (event.target as Element).closest<HTMLElement>("[data-at]");
    const at = Number(row?.dataset.at ?? 0);
    const key = keyOf(event);
    if (key === "t" && row) {
      event.preventDefault(); // it does nothing else
      row.querySelector<HTMLElement>("input")?.click();
    }
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: this.length - 1,
      PageDown: at + 8,
      PageUp: at - 8,
    }[key];
    if (to === undefined) return;
    event.preventDefault();
    this.virtual.focus(to);
  }
}

function linkTo(page: Page): string {
  const link = new URL(location.href);
  link.hash = `${link.hash}&model=${page.log.model}`;
  return link.href;
}

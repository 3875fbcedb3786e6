// The occurrences of what is searched, each on a line with the text around it.

import { Pane, type Shared } from "./pane";
import "./context.css";
import { button, h } from "../look/dom";
import { patterns } from "../look/folding";
import { capital, commas, count, whole } from "../look/format";
import type { Shares, Topic } from "../page/page";
import { saveOccurrences } from "../pictures/exporting";
import { type InBlock, numberOf } from "../selection/corpus";
import { List, type Part } from "../selection/list";
import { soughtWords } from "../selection/listing";
import { sorted } from "../selection/order";
import { fieldOf, type Sort } from "../selection/state";
import { leftOf, type Occurrence, rightOf, surroundings, Texts } from "../selection/texts";

const LAST = "\uffff"; // sorts after all names

const SORTS: Record<Sort, string> = {
  right: "Word to the right",
  left: "Word to the left",
  group: "Group",
  topic: "Main topic",
};

export class Context extends Pane {
  private list: List | null = null; // the list that the lines are of
  private part: Part | null = null; // the documents of the list that were searched
  private found: readonly Occurrence[] = []; // in the order of their documents
  private lines: readonly Occurrence[] = []; // as they are sorted
  sort: Sort | null = null; // what they are sorted by; null if that is the order of the documents

  /** `arrived` is called when texts were loaded, or that failed. */
  constructor(
    shared: Shared,
    private readonly arrived: () => void,
  ) {
    super(shared);
  }

  /** Whether there are texts, and something that is searched in them. */
  get possible(): boolean {
    return this.working.documents!.holds("texts") && soughtWords(this.store.state).length > 0;
  }

  get chosen(): boolean {
    return this.store.state.context && this.possible;
  }

  /** What lines can be sorted by here, with names. */
  get sorts(): [Sort, string][] {
    const { field } = this;
    const every = Object.entries(SORTS) as [Sort, string][];
    return every
      .filter(([sort]) => sort !== "group" || field)
      .map(([sort, name]) => [sort, sort === "group" && field ? capital(field.name) : name]);
  }

  get length(): number {
    return this.lines.length;
  }

  /** The documents that have lines, in the order of these. */
  get documents(): List {
    const of = new Map(this.part?.items.map((item) => [numberOf(item), item]));
    const items = [...new Set(this.lines.map(numberOf))].map((number) => of.get(number)!);
    const every = { items, length: items.length };
    return new List(() => every, this.arrived, every);
  }

  /** Takes the lines of a list, sorted as the state says. */
  read(list: List): void {
    if (list !== this.list) {
      this.forget();
      this.list = list;
      const part = list.first("search");
      if (part instanceof Promise) void this.wait(list, part);
      else this.look(part);
    }
    const { order } = this.store.state;
    const sort = this.sorts.find(([one]) => one === order)?.[0] ?? null;
    if (sort !== this.sort) this.order(sort);
  }

  /** Forgets the lines, as their list is no longer shown. */
  forget(): void {
    this.list = this.part = this.sort = null;
    this.found = this.lines = [];
  }

  private async wait(list: List, coming: Promise<Part | null>): Promise<void> {
    const part = await coming;
    if (list !== this.list) return;
    this.look(part);
    this.order(this.sort);
    this.arrived();
  }

  private look(part: Part | null): void {
    this.part = part;
    const { documents, texts } = this.working.sets!;
    const searched = new Map([[documents, texts]]);
    const wanted = soughtWords(this.store.state).flatMap(patterns);
    this.found = (part?.items ?? []).flatMap(({ documents, document }) => {
      const texts = searched.get(documents) ?? new Texts(documents, this.page.words);
      searched.set(documents, texts);
      return texts.occurrences(document, wanted);
    });
    this.lines = this.found;
  }

  private order(sort: Sort | null): void {
    this.sort = sort;
    const places = new Map(this.page.shown.map(({ index }, place) => [index, place + 1]));
    const keys = {
      right: rightOf,
      left: leftOf,
      group: (line: Occurrence) => this.groups(line),
      topic: (line: Occurrence) => places.get(this.topic(line)?.index ?? -1) ?? Infinity,
    };
    const key = sort && keys[sort];
    this.lines = key ? sorted(this.found, (one) => key(one) || LAST) : this.found;
  }

  private groups({ documents, document }: InBlock): string {
    return commas(documents.values(this.field?.key, document));
  }

  private get field(): Shares | undefined {
    return fieldOf(this.store.state, this.page);
  }

  /** The most specific main topic of the document. */
  private topic({ documents, document }: InBlock): Topic | undefined {
    const { topics } = this.page;
    const main = documents
      .topics(document)
      .filter(({ topic, main }) => main && !topics[topic].gone);
    return topics[main.at(-1)?.topic ?? -1];
  }

  /** How many lines there are in how many documents; at most `most` of them are listed. */
  describe(most: number): (HTMLElement | string | false)[] {
    const { found, lines, part } = this;
    const { figure, waiting } = this.working;
    if (!part || !figure || waiting) return ["Loading texts …"];
    const some = new Set(found.map(numberOf)).size;
    const unsure = figure.bound === "at most" || figure.bound === "about";
    const { items, length: all } = part;
    const size = items.length;
    const cut = items.some(({ documents, document }) => documents.cut.has(document));
    const bound = unsure ? "about" : cut || figure.bound ? "at least" : "";
    const of = (size < all ? `the first ${whole(size)} of ` : "") + count(all, "document");
    return [
      h("b", [bound, count(lines.length, "occurrence")].filter(Boolean).join(" ")),
      ` in ${some === size ? "" : `${whole(some)} of `}${of}`,
      figure.among !== null && ` among the ${whole(figure.among)} that this page holds`,
      lines.length > most && `, of which the first ${whole(most)} are listed`,
    ];
  }

  row(at: number): HTMLElement {
    const line = this.lines[at];
    const { documents, document } = line;
    const [left, words, right] = surroundings(line);
    const date = documents.about("dates", document);
    const groups = this.groups(line);
    const shown = { right: null, left: null, group: groups, topic: this.topic(line)?.title ?? "" };
    const edge = this.sort && shown[this.sort]; // what the line is sorted by, if it is not in it
    const name = [documents.name(document), date, groups].filter(Boolean).join(" · ");
    const open = (): void => this.store.selectDocument(numberOf(line));
    const text = h("span.line", { dir: "auto" }, [
      h("span", left),
      h("span", h("mark", words), right),
    ]);
    return h("li.occurrence", { "aria-setsize": this.length, "aria-posinset": at + 1 }, [
      button(text, open, { title: name }),
      edge !== null && h("bdi.soft", edge),
    ]);
  }

  save(): void {
    saveOccurrences(this.lines);
  }
}

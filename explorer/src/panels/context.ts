// The occurrences of what is searched, each on a line with what stands around it.

import "./context.css";
import { button, h } from "../look/dom";
import { patterns } from "../look/folding";
import { count, whole } from "../look/format";
import { commas } from "../look/lists";
import type { Documents } from "../page/documents";
import type { Page, Topic } from "../page/page";
import { saveOccurrences } from "../pictures/exporting";
import { leftOf, rightOf, surroundings } from "../selection/concordance";
import { type Found, soughtWords } from "../selection/found";
import { sorted } from "../selection/order";
import { RemoteList } from "../selection/remote";
import type { Sort, Store } from "../selection/state";
import { type Occurrence, Texts } from "../selection/texts";
import type { WorkingSet } from "../selection/working";

const MOST_ASKED = 1000; // documents whose texts are asked of the server
const LAST = "\uffff"; // sorts after all names

/** What lines can be sorted by. */
export const SORTS: Record<Sort, string> = {
  right: "Word to the right",
  left: "Word to the left",
  group: "Group",
  topic: "Main topic",
};

type List = Found | RemoteList;

/** The lines of a list of documents. */
export class Context {
  private list: List | null = null; // that the lines are of
  private found: readonly Occurrence[] | null = null; // in the order of their documents
  private lines: readonly Occurrence[] = []; // as they are sorted
  /** What they are sorted by; null if that is the order of the documents. */
  sort: Sort | null = null;
  private size = 0; // documents that were looked through
  private cut = false; // whether texts of them are
  private trouble = "";

  /** `arrived` is called when texts came from the server, or trouble. */
  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly working: WorkingSet,
    private readonly arrived: () => void,
  ) {}

  /** Whether there is something that can have lines. */
  get possible(): boolean {
    return this.working.documents!.holds("texts") && soughtWords(this.store.state).length > 0;
  }

  /** Whether lines are listed, not documents. */
  get chosen(): boolean {
    return this.store.state.context && this.possible;
  }

  /** What lines can be sorted by here, with names. */
  get sorts(): [Sort, string][] {
    const { page, working } = this;
    const lacking = { group: page.groups === null, topic: working.server !== null };
    return (Object.entries(SORTS) as [Sort, string][]).filter(
      ([sort]) => !lacking[sort as keyof typeof lacking],
    );
  }

  /** How many lines there are. */
  get length(): number {
    return this.lines.length;
  }

  /** The documents that have lines, in their order. */
  get documents(): number[] {
    return [...new Set(this.lines.map(({ document }) => document))];
  }

  /** Takes the lines of a list, sorted as the state says. */
  read(list: List): void {
    if (list !== this.list) {
      this.forget();
      this.list = list;
      const { texts } = this.working.sets!;
      if (list instanceof RemoteList) void this.ask(list);
      else this.look(Array.from(list.documents, (document) => [texts, document]));
    }
    const { order } = this.store.state;
    const sort = this.sorts.find(([one]) => one === order)?.[0] ?? null;
    if (sort !== this.sort) this.order(sort);
  }

  /** The list is no longer shown. */
  forget(): void {
    this.list = this.found = this.sort = null;
    this.lines = [];
    this.trouble = "";
  }

  private async ask(list: RemoteList): Promise<void> {
    try {
      const items = await list.first(MOST_ASKED);
      if (list !== this.list) return;
      const texts = new Map<Documents, Texts>();
      for (const { documents } of items) {
        if (!texts.has(documents)) texts.set(documents, new Texts(documents, this.page.words));
      }
      this.look(items.map(({ documents, document }) => [texts.get(documents)!, document]));
      this.order(this.sort);
    } catch (error) {
      if (list !== this.list) return;
      this.trouble = (error as Error).message;
    }
    this.arrived();
  }

  private look(some: readonly [Texts, number][]): void {
    const wanted = soughtWords(this.store.state).flatMap(patterns);
    const cut = new Set(some[0]?.[0].documents.cut);
    this.found = some.flatMap(([texts, document]) => texts.occurrences(document, wanted));
    this.lines = this.found;
    this.size = some.length;
    this.cut = some.some(([, document]) => cut.has(document));
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
    if (this.found) this.lines = key ? sorted(this.found, (one) => key(one) || LAST) : this.found;
  }

  private groups({ texts: { documents }, document }: Occurrence): string {
    return commas(documents.groups(document));
  }

  /** The most specific main topic of the document. */
  private topic({ texts: { documents }, document }: Occurrence): Topic | undefined {
    const { topics } = this.page;
    const main = documents
      .topics(document)
      .filter(({ topic, main }) => main && !topics[topic].gone);
    return topics[main.at(-1)?.topic ?? -1];
  }

  /** How many lines there are, of which so many are listed, and of which documents. */
  told(most: number): (HTMLElement | string | false)[] {
    const { cut, found, list, lines, size, trouble } = this;
    const { figure, waiting, trouble: uncounted } = this.working;
    if (trouble || uncounted) return [trouble || uncounted];
    if (!found || !figure || waiting) return ["Loading texts …"];
    const some = new Set(found.map(({ texts, document }) => texts.documents.row(document))).size;
    const unsure = figure.bound === "at most" || figure.bound === "about";
    const bound = unsure ? "about" : cut || figure.bound ? "at least" : "";
    const first = list instanceof RemoteList && size < figure.documents;
    const of = first
      ? `the first ${whole(size)} of ${count(figure.documents, "document")}`
      : count(size, "document");
    return [
      h("b", {}, [bound, count(lines.length, "occurrence")].filter(Boolean).join(" ")),
      ` in ${some === size ? "" : `${whole(some)} of `}${of}`,
      figure.among !== null && ` among the ${whole(figure.among)} that this page holds`,
      lines.length > most && `, of which the first ${whole(most)} are listed`,
    ];
  }

  /** A line. */
  row(at: number): HTMLElement {
    const line = this.lines[at];
    const { documents } = line.texts;
    const [left, words, right] = surroundings(line);
    const date = documents.about("dates", line.document);
    const groups = this.groups(line);
    const edge = { right: "", left: "", group: groups, topic: this.topic(line)?.title ?? "" };
    const name = [documents.name(line.document), date, groups].filter(Boolean).join(" · ");
    const open = (): void => this.store.selectDocument(documents.row(line.document));
    const text = h(
      "span",
      { class: "line", dir: "auto" },
      h("span", {}, left),
      h("span", {}, h("mark", {}, words), right),
    );
    return h(
      "li",
      { class: "occurrence", "aria-setsize": this.length, "aria-posinset": at + 1 },
      button(text, open, { title: name }),
      h("bdi", { class: "soft" }, (this.sort && edge[this.sort]) || date || groups),
    );
  }

  /** Saves all lines as a file. */
  save(): void {
    saveOccurrences(this.lines);
  }
}

// The reader: one document, why it is on a topic, its topics, and documents like it.

import "./document.css";
import { Model } from "../inference/model";
import { likely, reasons } from "../inference/reasons";
import { hue } from "../look/colours";
import { apart, button, h, replace } from "../look/dom";
import { figuresBox } from "../look/figures";
import { probability, whole } from "../look/format";
import { rove } from "../look/roving";
import { certainty } from "../look/scale";
import type { Documents } from "../page/documents";
import { mark, type Page, type Topic } from "../page/page";
import { type Branch, leaves, pruned } from "../page/pruned";
import { flowing } from "../page/text";
import { Likeness } from "../selection/similar";
import type { Store } from "../selection/state";
import { USUAL } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { similarDocuments } from "./similar";
import { key, lists, Underliner, verdict } from "./why";

const NO_WORD = "This document contains no word of the vocabulary.";
const TOO_FEW = "The model knows too few words of this document to say what it is about.";
const LONG_TITLE = 180; // characters, from which on the rest is folded

type Child = HTMLElement | string | false | null;

/** The details of a document. */
export class DocumentView {
  private readonly model: Model;
  private readonly vocabulary: ReadonlySet<string>;
  private likeness: Likeness | null = null; // made when it is first needed
  private into!: HTMLElement;
  private documents!: Documents; // those of the page, or others of which one is read
  private document = -1;
  private explained: Topic | null = null; // chosen here; otherwise, the one that one came from

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly working: WorkingSet,
  ) {
    this.model = new Model(page.tree);
    this.vocabulary = new Set(page.words);
  }

  /** Shows a document in the place of what was there. */
  draw(into: HTMLElement, document: number, documents = this.working.documents!): void {
    if (this.into !== into) this.begin(into);
    if (this.document !== document || this.documents !== documents) this.explained = null;
    this.document = document;
    this.documents = documents;
    const present = documents.words(document);
    const odds = this.model.logOdds(present);
    const p = (topic: Topic): number => likely(odds[topic.node - this.page.words.length]);
    const likelyOn = pruned(this.page, p, USUAL);
    const known = present.length > 0 && (!likelyOn.length || documents.isOnSome(document));
    const branches = known ? likelyOn : [];
    const main = known ? this.mainTopic(odds, branches) : null;
    const topic = this.explained ?? this.cameFrom ?? main;
    const found = topic && known ? reasons(this.page, this.model, topic, present) : null;
    const told = found?.words.filter((one) => one.present) ?? [];
    const underliner = new Underliner(told, this.page.words, this.vocabulary);
    replace(
      into,
      this.way(),
      ...title(documents.name(document), underliner),
      ...about(documents, document),
      !known && h("p", { class: "notice" }, present.length ? TOO_FEW : NO_WORD),
      topic &&
        found &&
        h("div", { class: "why-head" }, h("h3", {}, "Why ", this.named(topic), "?"), figuresBox()),
      topic && found && verdict(topic, found),
      this.text(documents, document, underliner),
      topic && found && key(),
      topic &&
        found &&
        h(
          "details",
          { class: "more reasons" },
          h("summary", {}, "The words that say most"),
          lists(found, this.page.words),
        ),
      ...this.topics(branches, known ? p : () => 0, present, documents.least),
      documents === this.working.documents && this.similar(document, branches),
      h(
        "details",
        { class: "more" },
        h("summary", {}, `Words of the vocabulary in this document (${present.length})`),
        h("p", {}, Array.from(present, (word) => this.page.words[word]).join(" · ")),
      ),
    );
  }

  private begin(into: HTMLElement): void {
    this.into = into;
    addEventListener("keydown", (event) => this.press(event));
  }

  /** The arrow keys, j and k go through the list. */
  private press({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
    const step = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[key];
    const at = target as Element;
    const here = at === document.body || this.into.contains(at);
    if (!step || !this.store.state.document || !here || ctrlKey || metaKey || altKey) return;
    if (at.closest("input, textarea, select, [contenteditable]")) return;
    this.go(step);
  }

  private async go(step: number): Promise<void> {
    const { row } = this;
    const next = await this.working.beside(row, step);
    if (next && this.store.state.document === row) this.store.selectDocument(next);
  }

  /** The number of the document in the corpus. */
  private get row(): number {
    return this.documents.row(this.document);
  }

  /** The way back to the list, and to the documents beside this one. */
  private way(): HTMLElement {
    const { page, store, working } = this;
    const { topic, clauses } = store.state;
    const chosen = page.topics[topic];
    const list = clauses.length ? "the list" : chosen ? chosen.title : "all topics";
    const place = working.place(this.row);
    const step = (name: string, sign: string, to: 1 | -1): HTMLElement =>
      button(sign, () => this.go(to), {
        "aria-label": `${name} document`,
        "aria-keyshortcuts": to > 0 ? "ArrowRight j" : "ArrowLeft k",
        disabled: place!.at === (to > 0 ? place!.of : 1),
      });
    return h(
      "nav",
      { class: "path reader-way", "aria-label": "Back" },
      button(`Back to ${list}`, () => store.set({ document: 0 }), { class: "back" }),
      place && place.of > 1
        ? h(
            "span",
            { class: "beside" },
            step("Previous", "‹", -1),
            h("span", { class: "soft" }, `${whole(place.at)} of ${whole(place.of)}`),
            step("Next", "›", 1),
          )
        : "",
    );
  }

  /** The topic that the list is of. */
  private get cameFrom(): Topic | null {
    const { topic, clauses } = this.store.state;
    if (topic >= 0) return this.page.topics[topic];
    const ids = clauses
      .filter(({ not }) => !not)
      .flatMap(({ terms }) => terms.flatMap((term) => (term.kind === "topic" ? term.id : [])));
    return this.page.shown.find(({ id }) => id === ids[0]) ?? null;
  }

  /** The topic whose odds the words of a document raise most: of the uppermost topics that it is on,
   * or of all if it is on none. */
  private mainTopic(odds: Float64Array, branches: readonly Branch[]): Topic | null {
    const before = this.model.logOddsFromAlone(-1, false);
    const gain = ({ node }: Topic): number => {
      const latent = node - this.page.words.length;
      return odds[latent] - before[latent];
    };
    const among = branches.length ? branches.map(({ topic }) => topic) : this.page.shown;
    return among.reduce<Topic | null>(
      (best, topic) => (best && gain(best) >= gain(topic) ? best : topic),
      null,
    );
  }

  /** A link, which breaks like text as a button does not. */
  private named(topic: Topic): HTMLElement {
    const onclick = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a window of its own
      event.preventDefault();
      this.store.selectTopic(topic.index);
    };
    const props = { href: `#topic=${topic.id}`, title: "Go to this topic", onclick };
    return h("a", props, h("i", {}, topic.title));
  }

  /** The text, and the evidence that is not in it. */
  private text(documents: Documents, document: number, underliner: Underliner): HTMLElement {
    const text = flowing(documents.about("texts", document));
    const shown = text && h("p", { class: "text", dir: "auto" }, ...underliner.text(text));
    const { beyond } = underliner;
    const where = !text
      ? "Words of the document, whose text this page does not hold: "
      : text.endsWith("…")
        ? "Also in the document, beyond the text that this page holds: "
        : "Also in the document, in forms that were not found in its text: ";
    const element = h(
      "div",
      { role: "group", "aria-label": "Text of the document" },
      shown,
      beyond.length > 0 && h("p", { class: "beyond" }, where, ...beyond, "."),
    );
    rove(element, ".said");
    return element;
  }

  /** Similar documents, which come when the rest can be read. */
  private similar(document: number, branches: Branch[]): HTMLElement {
    const { page, store, working } = this;
    const element = h("section", {}, h("h3", {}, "Similar documents"));
    setTimeout(() => {
      if (!element.isConnected) return;
      this.likeness ??= new Likeness(working.documents!);
      const found = similarDocuments(
        page,
        store,
        working,
        this.likeness,
        document,
        leaves(branches),
      );
      element.append(...found);
    });
    return element;
  }

  /** The topics that the document is on, as a tree; then those that it may be on. */
  private topics(
    branches: Branch[],
    p: (topic: Topic) => number,
    present: Uint32Array,
    least: number,
  ): Child[] {
    const weak = pruned(this.page, (topic) => (p(topic) < USUAL ? p(topic) : 0), least);
    const list = (some: Branch[]): HTMLElement =>
      h("ul", { class: "branches" }, ...some.map((one) => this.branch(one, list, present)));
    return [
      h("h3", {}, "Topics of this document"),
      branches.length
        ? list(branches)
        : h("p", { class: "notice" }, "This document is on no topic of this page."),
      weak.length > 0 &&
        h(
          "details",
          { class: "more" },
          h("summary", {}, `Topics that it is probably not on (${size(weak)})`),
          list(weak),
        ),
    ];
  }

  private branch(
    { topic, p, below }: Branch,
    list: (some: Branch[]) => HTMLElement,
    present: Uint32Array,
  ): HTMLElement {
    const why = h("div", { class: "why" });
    const details = h(
      "details",
      { class: "belongs", style: { "--hue": hue(topic.branch) } },
      h(
        "summary",
        {},
        h("span", { class: "label" }, topic.title, mark(topic) && ` ${mark(topic)}`),
        h("span", { class: `certainty ${certainty(p)}` }, certainty(p)),
        h("span", { class: "p figure" }, probability(p)),
      ),
      why,
    );
    details.addEventListener("toggle", () => {
      if (details.open && !why.hasChildNodes()) this.explain(why, topic, present);
    });
    return h("li", {}, details, below.length > 0 && list(below));
  }

  /** Why the document is on a topic, below its name. */
  private explain(into: HTMLElement, topic: Topic, present: Uint32Array): void {
    const found = reasons(this.page, this.model, topic, present);
    const mark = (): void => {
      this.explained = topic;
      this.draw(this.into, this.document, this.documents);
      this.into.scrollTop = 0;
      this.into.querySelector<HTMLElement>("h2")!.focus({ preventScroll: true });
    };
    replace(
      into,
      verdict(topic, found),
      lists(found, this.page.words),
      h(
        "p",
        { class: "links" },
        button("Mark in the text", mark),
        button("Go to this topic", () => this.store.selectTopic(topic.index)),
      ),
    );
  }
}

/** How many topics there are in branches. */
function size(branches: Branch[]): number {
  return branches.reduce((sum, { below }) => sum + 1 + size(below), 0);
}

/** The title, of which a long one is shown in part. */
function title(name: string, underliner: Underliner): Child[] {
  const heading = h("h2", { tabindex: -1, dir: "auto" }, ...underliner.text(name));
  if (name.length <= LONG_TITLE) return [heading];
  heading.classList.add("folded");
  const press = (): void => {
    const folded = heading.classList.toggle("folded");
    more.textContent = folded ? "Show all" : "Show less";
    more.setAttribute("aria-expanded", String(!folded));
  };
  const more = button("Show all", press, { class: "link", "aria-expanded": "false" });
  return [heading, more];
}

/** The date, group and number of a document, and a link to it or its id. */
function about(documents: Documents, document: number): Child[] {
  const id = documents.about("ids", document);
  const name = documents.name(document);
  const number = `document ${whole(documents.row(document))}`;
  const named = [id, `Document ${id}`].includes(name) || number === `document ${id}`;
  const facts = [
    documents.about("dates", document),
    documents.about("groups", document),
    /^Document [\d,]+$/.test(name) ? "" : number,
  ];
  const href = documents.about("links", document);
  const link = { href, target: "_blank", rel: "noopener noreferrer" };
  return [
    h("p", { class: "facts" }, ...apart(facts)),
    href
      ? h("p", {}, h("a", link, "Open the source"), !named && ` ${id}`)
      : id && !named
        ? h("p", { class: "soft" }, id)
        : null,
  ];
}

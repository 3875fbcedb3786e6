// The reader: one document, its topics, the words that are about a topic, and similar documents.

import { Pane, type Shared } from "./pane";
import "./document.css";
import { hue } from "../look/colours";
import { apart, button, type Child, h, keyOf, meter, opening, replace } from "../look/dom";
import { commas, isolated, percent, whole } from "../look/format";
import { Marker } from "../look/marking";
import { rove } from "../look/roving";
import { mark, type Topic } from "../page/page";
import { type Branch, leaves, pruned } from "../page/pruned";
import { flowing } from "../page/text";
import { type InBlock, numberOf } from "../selection/corpus";
import { soughtWords, topicIds } from "../selection/listing";
import { IN_PART } from "../selection/terms";
import type { Divided } from "../shares/division";
import { similarDocuments } from "./similar";
import { key, ofVector, reason, Underliner, wordList } from "./why";

const NO_WORD = "This document contains no word of the vocabulary.";
const TOO_FEW =
  "The model knows too few words of this document to say what it is about, or no topic has a " +
  "twentieth of them.";
const NONE = "This document is on no topic of this page: none has a fifth of its words.";
const CUT = "The text goes on, but this page holds only this much of it.";
const LONG_TITLE = 180; // characters: the end of a longer title is folded

export class DocumentView extends Pane {
  private readonly vocabulary: ReadonlySet<string>;
  private shown!: InBlock;
  private row = 0; // its number in the corpus
  private explained = -1; // the topic that was chosen in the reader; -1: none
  private drawTag = (): void => {}; // updates the button that tags

  constructor(
    shared: Shared,
    private readonly into: HTMLElement,
  ) {
    super(shared);
    this.vocabulary = new Set(this.page.words);
    addEventListener("keydown", (event) => this.press(event));
    this.working.tags.onChange(() => this.drawTag());
  }

  draw(shown: InBlock): void {
    if (this.row !== numberOf(shown)) this.explained = -1;
    this.shown = shown;
    this.row = numberOf(shown);
    const { page, store, row } = this;
    const { documents, document } = shown;
    const held = this.working.documents!.atRow(row); // -1: the page does not hold it
    const present = documents.words(document);
    const known = documents.topics(document).length > 0;
    const vector = documents.vector(document, page.sharing.columns);
    const divided = page.sharing.of(documents.sections(document), present, IN_PART, vector);
    const share = ({ index }: Topic): number => (known ? divided.share(index) : 0);
    const on = pruned(page, share, IN_PART);
    const asked = this.asked((topic) => share(topic) >= documents.least);
    const topic = (known && (asked ?? mainly(on, divided))) || null;
    const about = topic && divided.parts(topic.index);
    const parts = Array.from(present, (word, k) => ({
      word: page.words[word],
      part: about?.[k] ?? 0,
    })).sort((a, b) => b.part - a.part);
    const sought = new Marker(soughtWords(store.state));
    const underliner = new Underliner(parts, topic, this.vocabulary, sought);
    const branches = pruned(page, share, documents.least);
    replace(this.into, [
      this.way(),
      title(documents.name(document), underliner),
      facts(shown),
      !known && h("p.notice", present.length ? TOO_FEW : NO_WORD),
      known && !on.length && h("p.notice", NONE),
      topic &&
        h("p.why", reason(this.named(topic), share(topic), parts, divided.vector(topic.index))),
      this.chips(on, topic),
      topic && along(topic, divided.along(topic.index)),
      this.text(shown, underliner),
      opening("Shares of topics and words", { class: "more figures-of" }, [
        branches.length > 0 && h("p.soft", "How much of its words each topic has:"),
        branches.length > 0 && this.tree(branches, divided, topic),
        topic && key(topic),
        topic && ofVector(divided.vector(topic.index), page.sharing.vectorWords),
        wordList(parts, topic),
      ]),
      held >= 0
        ? this.similar(held, on)
        : h("p.soft", "Similar documents are known only for the documents that this page holds."),
    ]);
  }

  /** The arrow keys, j and k go through the list, Escape goes back to it; j opens its first
   * document, and t tags the one that is open. */
  private press(event: KeyboardEvent): void {
    const key = keyOf(event);
    const at = event.target as Element;
    const tree = at.closest?.("[role=tree]"); // it stops the keys that it uses
    if (!tree && at !== document.body && !this.into.contains(at)) return;
    const step = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[key];
    if (!this.store.state.document) {
      if (key === "j" && this.working.narrowed) this.go(1, 0);
    } else if (key === "Escape") this.store.set({ document: 0 });
    else if (key === "t") {
      event.preventDefault(); // it does nothing else
      this.working.tags.toggle(this.row);
    } else if (step) this.go(step);
  }

  private async go(step: number, row = this.row): Promise<void> {
    const next = await this.working.reading.beside(row, step);
    if (next && this.store.state.document === row) this.store.selectDocument(next);
  }

  private way(): HTMLElement {
    const { page, row, store, working } = this;
    const tag = button("", () => working.tags.toggle(row), { "aria-keyshortcuts": "t" });
    this.drawTag = () => {
      tag.textContent = working.tags.has(row) ? "Tagged" : "Tag";
      tag.setAttribute("aria-pressed", String(working.tags.has(row)));
    };
    this.drawTag();
    const { topic, clauses } = store.state;
    const chosen = page.topics[topic];
    const list = clauses.length ? "the list" : chosen ? chosen.title : "all topics";
    const { reading } = working;
    const [at, of] = [reading.rowOf(this.row), reading.rows ?? 0];
    const step = (name: string, sign: string, to: 1 | -1): HTMLElement =>
      button(sign, () => this.go(to), {
        "aria-label": `${name} document`,
        "aria-keyshortcuts": to > 0 ? "ArrowRight j" : "ArrowLeft k",
        disabled: at === (to > 0 ? of : 1),
      });
    const folded = of < (working.figure?.documents ?? 0) ? ", copies folded" : "";
    return h("nav.path.reader-way.flow.screen", { "aria-label": "Back" }, [
      button(h("span", "Back to ", h("bdi", list)), () => store.set({ document: 0 }), {
        class: "back",
      }),
      at && of > 1
        ? h("span.beside", [
            step("Previous", "‹", -1),
            h("span.soft", `${whole(at)} of ${whole(of)}${folded}`),
            step("Next", "›", 1),
          ])
        : "",
      tag,
    ]);
  }

  /** The topic that was chosen in the reader; or else the first one that the list is of and that
   * has a share. */
  private asked(shares: (topic: Topic) => boolean): Topic | null {
    const { page, store } = this;
    const { topic } = store.state;
    const listed = topicIds(store.state).map((id) => page.shown.find((one) => one.id === id));
    const possible = [page.topics[topic], ...listed].filter((one) => one !== undefined);
    return page.topics[this.explained] ?? possible.find(shares) ?? null;
  }

  /** A link to a topic. Unlike a button, it wraps like text. */
  private named(topic: Topic): HTMLElement {
    const onclick = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a window of its own
      event.preventDefault();
      this.store.selectTopic(topic.index);
    };
    const props = { href: `#topic=${topic.id}`, title: "Go to this topic", onclick };
    return h("a", props, h("bdi", topic.title));
  }

  private text({ documents, document }: InBlock, underliner: Underliner): HTMLElement {
    const text = flowing(documents.about("texts", document));
    const shown = text && h("p.text", { dir: "auto" }, underliner.text(text));
    const { beyond } = underliner;
    const where = text
      ? "Also in the document, where they were not found in its text: "
      : "Words of the document, whose text this page does not hold: ";
    const element = h("div", { role: "group", "aria-label": "Text of the document" }, [
      shown,
      documents.cut.has(document) && h("p.notice", CUT),
      beyond.length > 0 && h("p.beyond", where, beyond, "."),
    ]);
    rove(element, [...element.querySelectorAll<HTMLElement>(".said")]);
    return element;
  }

  /** The topics that the document is on, as buttons that show their words in the text. */
  private chips(on: readonly Branch[], chosen: Topic | null): HTMLElement | false {
    const every = (branches: readonly Branch[]): Topic[] =>
      branches.flatMap(({ topic, below }) => [topic, ...every(below)]);
    const topics = every(on);
    if (topics.length < 2) return false;
    const chip = (topic: Topic): HTMLElement =>
      h("li", { style: { "--hue": hue(topic.branch) } }, [
        button(h("bdi", topic.title), () => this.explain(topic, ".topics-of"), {
          "aria-pressed": String(topic === chosen),
        }),
      ]);
    const label = { class: "topics-of flow", "aria-label": "Topics of this document" };
    return h("ul", label, topics.map(chip));
  }

  /** Explains a topic; what was pressed, in a part of the reader, keeps the focus. */
  private explain(topic: Topic, part: string): void {
    const { into } = this;
    const { scrollTop } = into;
    this.explained = topic.index;
    this.draw(this.shown);
    into.scrollTop = scrollTop;
    const pressed = into.querySelector<HTMLElement>(`${part} [aria-pressed=true]`);
    pressed?.focus({ preventScroll: true });
  }

  /** Similar documents, which are found after the rest is shown. */
  private similar(document: number, branches: Branch[]): HTMLElement {
    const element = h("section", h("h3", "Similar documents"));
    setTimeout(() => {
      if (element.isConnected)
        element.append(...similarDocuments(this, document, leaves(branches)));
    });
    return element;
  }

  private tree(branches: readonly Branch[], divided: Divided, chosen: Topic | null): HTMLElement {
    const item = ({ topic, share, below }: Branch): HTMLElement =>
      h("li", [
        this.entry(topic, share, divided.isMain(topic.index), topic === chosen),
        below.length > 0 && this.tree(below, divided, chosen),
      ]);
    return h("ul.branches", branches.map(item));
  }

  /** A topic of the document, which can be chosen to see its words in the text. */
  private entry(topic: Topic, share: number, main: boolean, chosen: boolean): HTMLElement {
    const choose = (): void => this.explain(topic, ".branches");
    const entry = button("", choose, {
      class: main ? "belongs main" : share < IN_PART ? "belongs little" : "belongs",
      "aria-pressed": String(chosen),
      style: { "--hue": hue(topic.branch) },
    });
    replace(entry, [
      h("span.label", [
        h("bdi", topic.title),
        mark(topic) && ` ${mark(topic)}`,
        main && h("span.soft", " main topic"),
      ]),
      meter(share),
      h("span.p", percent(share)),
    ]);
    return entry;
  }
}

/** The topic that a document is mainly on: the main root topic or, as long as a topic below has
 * more than half of its share, that topic. */
function mainly(on: readonly Branch[], divided: Divided): Topic | null {
  const main = on.find(({ topic }) => divided.isMain(topic.index));
  if (!main) return on[0]?.topic ?? null;
  const below = main.below.filter(({ share }) => share > main.share / 2);
  return mainly(below, divided) ?? main.topic;
}

/** How much of each section of a long document is about a topic, in the order of the text. */
function along({ branch }: Topic, shares: readonly number[]): HTMLElement | null {
  if (shares.length < 2) return null;
  const bars = shares.map((share, k) =>
    h("span", { title: `Section ${whole(k + 1)} of ${whole(shares.length)}: ${percent(share)}` }, [
      h("i", { style: { height: `${100 * share}%` } }),
    ]),
  );
  const label = `Its share in each section of the text: ${shares.map(percent).join(", ")}`;
  return h("figure.along", { style: { "--hue": hue(branch) } }, [
    h("div", { role: "img", "aria-label": label }, bars),
    h("figcaption.soft", "Its share in each section of the text"),
  ]);
}

function title(name: string, underliner: Underliner): Child[] {
  const heading = h("h2", { tabindex: -1, dir: "auto" }, underliner.text(name));
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

function facts({ documents, document }: InBlock): Child[] {
  const id = documents.about("ids", document);
  const name = documents.name(document);
  const number = `document ${whole(documents.row(document))}`;
  const named = [id, `Document ${id}`].includes(name) || number === `document ${id}`;
  const known = [
    documents.about("dates", document),
    ...documents.fields.map(({ key, name }, place) => {
      const values = commas(documents.values(key, document));
      return place && values ? `${isolated(name)}: ${values}` : values;
    }),
    /^Document [\d,]+$/.test(name) ? "" : number,
  ];
  const href = documents.about("links", document);
  const link = { href, target: "_blank", rel: "noopener noreferrer" };
  return [
    h("p.facts", apart(known)),
    href
      ? h("p", h("a", link, "Open the source"), !named && ` ${id}`)
      : id && !named
        ? h("p.soft", id)
        : null,
  ];
}

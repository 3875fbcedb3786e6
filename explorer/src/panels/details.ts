// The panel of details: the portrait and the list of what is chosen, or a document.

import { button, h, replace } from "../look/dom";
import { quoted, whole } from "../look/format";
import { showTips } from "../look/tips";
import { path } from "../page/page";
import { type Corpus, type InBlock, receive } from "../selection/corpus";
import type { State } from "../selection/state";
import { asParts } from "../selection/terms";
import { DocumentView } from "./document";
import { Pane, type Shared } from "./pane";
import { Portrait } from "./portrait";
import { Results } from "./results";

export class Details extends Pane {
  readonly element = h("section.scroll", { id: "details", tabindex: 0, "aria-label": "Details" });
  private readonly scrolled = new Map<string, number>(); // scroll positions, by `key`
  private readonly portrait: Portrait;
  private readonly documentView: DocumentView;
  private readonly results: Results;

  constructor(shared: Shared) {
    super(shared);
    showTips(this.element); // first, so that Escape closes a tooltip before anything else
    this.portrait = new Portrait(this);
    this.results = new Results(this, this.element);
    this.documentView = new DocumentView(this, this.element);
  }

  /** Draws the details, and keeps them up to date from then on. */
  start(): void {
    this.store.onEdit(() => this.draw());
    this.element.addEventListener("keydown", ({ key, target }) => {
      const { topic, document } = this.store.state;
      const typing = target instanceof Element && target.closest("form");
      if (key === "F2" && topic >= 0 && !document && !typing) this.portrait.rename();
    });
    this.store.onChange((state, before) => {
      const [now, then] = [key(state), key(before)];
      if (now === then) {
        if (state.compared !== before.compared || state.by !== before.by) this.drawInPlace();
        const turned = state.context !== before.context;
        if (turned || state.order !== before.order) this.drawList(turned);
        return;
      }
      this.scrolled.set(then, this.element.scrollTop);
      this.draw();
      const back = before.document > 0 && !state.document;
      const known = back || this.store.returning ? this.scrolled.get(now) : 0;
      this.element.scrollTop = known ?? 0;
      // Screen readers then say that something else is shown.
      const { activeElement } = document;
      if (activeElement === document.body || this.element.contains(activeElement)) {
        this.element.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
      }
    });
    this.working.onBegin(() => this.draw());
    const drawPortrait = (): void => {
      if (!this.store.state.document) this.portrait.draw();
    };
    this.working.onCount(drawPortrait);
    this.working.onAnswer(drawPortrait);
    this.draw();
  }

  rename(topic: number): void {
    this.store.selectTopic(topic);
    this.portrait.rename();
  }

  draw(): void {
    const { element, page, store, working } = this;
    const { topic, document: row, missing } = store.state;
    const { corpus } = working;
    element.dataset.topic = page.topics[topic]?.id ?? "";
    if (row && corpus) this.read(corpus, row);
    else {
      this.portrait.draw();
      replace(element, this.portrait.element);
      if (corpus && working.narrowed) this.results.draw(element);
      else if (working.narrowed && page.documents !== null) {
        element.append(h("p.soft", "Loading documents …"));
      }
    }
    if (missing && !row) element.prepend(this.missing(missing));
  }

  private drawInPlace(): void {
    const { scrollTop } = this.element;
    this.draw();
    this.element.scrollTop = scrollTop;
  }

  /** Draws the list again and, if `anew`, goes back to its beginning. */
  private drawList(anew: boolean): void {
    const { element, results } = this;
    if (!results.element.isConnected) return;
    results.draw(element);
    const [top, begin] = [element, results.element].map((one) => one.getBoundingClientRect().top);
    if (anew && begin < top) results.element.scrollIntoView();
  }

  private read(corpus: Corpus, row: number): void {
    const notice = h("p.notice", { role: "status" }, "Loading the document …");
    const back = button("Back", () => this.store.set({ document: 0 }));
    replace(this.element, h("h2", { tabindex: -1 }, `Document ${whole(row)}`), notice, back);
    const show = (found: InBlock): void => {
      if (this.store.state.document === row) this.documentView.draw(found);
    };
    receive(corpus.read(row), show, (trouble) => replace(notice, trouble));
  }

  private missing(id: string): HTMLElement {
    const { edits, page, store } = this;
    const topic = page.topics.find((other) => other.id === id);
    const notice = (text: string, more?: HTMLElement): HTMLElement =>
      h("div.notice", { role: "status" }, text, " ", more);
    if (topic?.gone === "merged") {
      const into = page.topics[topic.into];
      const go = button("Go there", () => store.selectTopic(into.index));
      return notice(`${quoted(topic.title)} was merged into ${quoted(into.title)}.`, go);
    }
    if (topic?.gone === "hidden") {
      const hidden = path(page, topic).find((up) => up.gone)!;
      const show = button("Show it", () => edits.make({ edit: "show", topic: hidden.id }));
      return notice(`${quoted(hidden.title)} is hidden.`, show);
    }
    const name = id.length > 60 ? `${id.slice(0, 60)}…` : id;
    return notice(`This page has no topic ${name}. The link may belong to another model.`);
  }
}

/** What the panel shows, as a key. */
function key({ topic, clauses, least, main, document, missing }: State): string {
  const parts = new URLSearchParams({ missing, at: `${topic} ${least} ${main} ${document}` });
  return String(asParts(clauses, parts));
}

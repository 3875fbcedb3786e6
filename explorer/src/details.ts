// The panel of details: the overview, a topic or a document.

import type { Page } from "./data";
import { DocumentView } from "./document";
import type { Documents } from "./documents";
import { button, h, replace } from "./dom";
import { whole } from "./format";
import { Model } from "./model";
import { drawOverview } from "./overview";
import type { Store } from "./state";
import { TopicView } from "./topic";

/** The panel at the right. */
export class Details {
  readonly element = h("section", {
    class: "panel scroll",
    id: "details",
    tabindex: 0,
    "aria-label": "Details",
  });
  private readonly topicView: TopicView;
  private readonly documentView: DocumentView;

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly documents: () => Documents | null,
  ) {
    this.topicView = new TopicView(page, store, documents);
    const model = new Model(page.tree);
    this.documentView = new DocumentView(page, store, model);
  }

  /** Draws the details, and keeps them up to date from then on. */
  start(): void {
    this.store.onChange((state, before) => {
      if (state.topic === before.topic && state.document === before.document) return;
      this.draw();
      this.element.scrollTop = 0;
      // For those who do not see that something else stands there now.
      const { activeElement } = document;
      if (activeElement === document.body || this.element.contains(activeElement)) {
        this.element.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
      }
    });
    this.draw();
  }

  /** Draws what is selected. */
  draw(): void {
    const { element, page, store } = this;
    const { topic, document: row } = store.state;
    const documents = this.documents();
    const at = row && documents ? documents.atRow(row) : -1;
    if (documents && at >= 0) this.documentView.draw(element, documents, at);
    else if (documents && row) {
      replace(
        element,
        h("h2", { tabindex: -1 }, `Document ${whole(row)}`),
        h("p", { class: "notice" }, "This page does not include that document."),
        button("Back", () => store.set({ document: 0 })),
      );
    } else if (topic >= 0) this.topicView.draw(element, page.topics[topic]);
    else drawOverview(element, page, store, documents);
  }
}

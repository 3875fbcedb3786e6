// Lists of documents, a page at a time.

import type { Page, Topic } from "./data";
import type { Documents, Members } from "./documents";
import { button, h, replace } from "./dom";
import { saveDocuments } from "./exporting";
import { count, probability, whole } from "./format";
import { Marker } from "./marking";
import type { Store } from "./state";

const AT_ONCE = 20;
const SNIPPET = 280; // characters
const ROUNDING = 1e-4; // of probabilities as the page holds them

/** Where in a list somebody is. */
export interface Place {
  least: number;
  first: number;
}

/** The documents on a topic, the most probable first, from a probability upwards. */
export class Listing {
  readonly element = h("section", { class: "documents", "aria-label": "Documents on the topic" });
  private readonly body = h("div");
  private readonly told = h("output");

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly documents: Documents,
    private readonly topic: Topic,
    private readonly members: Members,
    private readonly place: Place,
  ) {
    const slider = h("input", {
      type: "range",
      min: Math.round(100 * documents.least),
      max: 99,
      value: Math.round(100 * place.least),
      "aria-label": "Lowest probability",
      oninput: () => {
        place.least = Number(slider.value) / 100;
        place.first = 0;
        this.draw();
      },
    });
    const name = h("span", {}, "P(topic | document) at least");
    replace(
      this.element,
      h("h3", {}, "Documents"),
      h("label", { class: "slider" }, name, slider, this.told),
      this.body,
    );
    this.draw();
  }

  private draw(focus = false): void {
    const { members, page, place, topic } = this;
    const { probabilities } = members;
    let found = probabilities.findIndex((p) => p < place.least - ROUNDING);
    if (found < 0) found = probabilities.length;
    this.told.textContent = place.least.toFixed(2);
    const last = Math.min(place.first + AT_ONCE, found);
    const marker = new Marker(topic.words.map(({ word }) => page.words[word]));
    const items = [];
    for (let k = place.first; k < last; k++) {
      items.push(this.item(members.documents[k], probabilities[k], marker));
    }
    replace(
      this.body,
      h("p", { class: "soft" }, this.range(last, found)),
      h("ol", { class: "list", start: place.first + 1 }, ...items),
      found > AT_ONCE && this.pages(last, found),
      found > 0 && this.files(found),
    );
    if (focus) this.body.querySelector<HTMLElement>("ol button")?.focus();
  }

  /** Which documents are listed, of how many. */
  private range(last: number, found: number): string {
    const { documents, place } = this;
    const range = found
      ? `${whole(place.first + 1)}–${whole(last)} of ${count(found, "document")}`
      : "No documents";
    if (documents.count === documents.total) return range;
    const sample = `${whole(documents.count)} of ${whole(documents.total)}`;
    return `${range} among the ${sample} that this page includes`;
  }

  private pages(last: number, found: number): HTMLElement {
    const { place } = this;
    const turn = (to: number): void => {
      place.first = to;
      this.draw(true);
    };
    return h(
      "nav",
      { class: "pages", "aria-label": "Pages of documents" },
      button("Previous", () => turn(Math.max(0, place.first - AT_ONCE)), {
        disabled: !place.first,
      }),
      button("Next", () => turn(last), { disabled: last >= found }),
    );
  }

  private files(found: number): HTMLElement {
    const { documents, members, topic } = this;
    const file = (kind: "csv" | "json"): HTMLElement => {
      const name = kind.toUpperCase();
      const press = (): void => {
        const which = Array.from(members.documents.subarray(0, found));
        saveDocuments(kind, documents, which, members.probabilities, topic);
      };
      return button(name, press, { "aria-label": `Save these documents as ${name}` });
    };
    return h("p", { class: "links" }, file("csv"), file("json"));
  }

  private item(document: number, p: number, marker: Marker): HTMLElement {
    const { documents } = this;
    const about = [documents.about("dates", document), documents.about("groups", document)];
    const known = about.filter(Boolean);
    const text = documents.about("texts", document);
    const select = (): void => this.store.selectDocument(documents.row(document));
    return h(
      "li",
      {},
      h(
        "div",
        { class: "headline" },
        button(documents.name(document), select, { class: "title" }),
        h("span", { class: "p", title: "P(topic | document)" }, probability(p)),
      ),
      known.length > 0 && h("div", { class: "soft" }, known.join(" · ")),
      text && h("p", { class: "snippet" }, ...marker.marked(marker.around(text, SNIPPET))),
    );
  }
}

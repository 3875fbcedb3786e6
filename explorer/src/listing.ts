// Lists of documents, a page at a time.

import type { Documents, Members, Page, Topic } from "./data";
import { button, h, replace } from "./dom";
import { saveDocuments } from "./exporting";
import { count, probability } from "./format";
import { Marker } from "./marking";
import type { Store } from "./state";

const AT_ONCE = 20;
const SNIPPET = 280;
const ROUNDING = 1e-4; // of probabilities as the page holds them

/** Where in a list somebody is. */
export interface Place {
  least: number;
  first: number;
}

/** The documents on a topic, likeliest first, from a probability upwards. */
export class Listing {
  readonly element = h("section", { class: "documents", "aria-label": "Documents on the topic" });
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
      "aria-label": "Least probability",
      oninput: () => {
        place.least = Number(slider.value) / 100;
        place.first = 0;
        this.draw();
      },
    });
    this.body = h("div", {});
    this.told = h("output", {});
    replace(
      this.element,
      h("h3", {}, "Documents"),
      h("label", { class: "slider" }, h("span", {}, "P(topic | document) from"), slider, this.told),
      this.body,
    );
    this.draw();
  }

  private readonly body: HTMLElement;
  private readonly told: HTMLElement;

  private draw(focus = false): void {
    const { documents, members, page, place, topic } = this;
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
    const turn = (to: number): void => {
      place.first = to;
      this.draw(true);
    };
    const rows = (): number[] => Array.from(members.documents.subarray(0, found));
    const sampled = documents.count < documents.total;
    replace(
      this.body,
      h(
        "p",
        { class: "soft" },
        found
          ? `${(place.first + 1).toLocaleString("en")}–${last.toLocaleString("en")} of ${count(found, "document")}`
          : "No document",
        sampled &&
          ` among the ${documents.count.toLocaleString("en")} of ${documents.total.toLocaleString("en")} that this page holds`,
      ),
      h("ol", { class: "list", start: place.first + 1 }, ...items),
      found > AT_ONCE &&
        h(
          "nav",
          { class: "pages", "aria-label": "Pages of documents" },
          button("Previous", () => turn(Math.max(0, place.first - AT_ONCE)), {
            disabled: !place.first,
          }),
          button("Next", () => turn(last), { disabled: last >= found }),
        ),
      found > 0 &&
        h(
          "p",
          { class: "links" },
          button("CSV", () => saveDocuments("csv", documents, rows(), probabilities, topic), {
            "aria-label": "Save these documents as CSV",
          }),
          button("JSON", () => saveDocuments("json", documents, rows(), probabilities, topic), {
            "aria-label": "Save these documents as JSON",
          }),
        ),
    );
    if (focus) this.body.querySelector<HTMLElement>("ol button")?.focus();
  }

  private item(document: number, p: number, marker: Marker): HTMLElement {
    const { documents } = this;
    const about = [documents.about("dates", document), documents.about("groups", document)].filter(
      Boolean,
    );
    const text = documents.about("texts", document);
    return h(
      "li",
      {},
      h(
        "div",
        { class: "headline" },
        button(documents.name(document), () => this.store.selectDocument(documents.row(document)), {
          class: "title",
        }),
        h("span", { class: "p", title: "P(topic | document)" }, probability(p)),
      ),
      about.length > 0 && h("div", { class: "soft" }, about.join(" · ")),
      text && h("p", { class: "snippet" }, ...marker.marked(marker.around(text, SNIPPET))),
    );
  }
}

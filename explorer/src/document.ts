// One document: its text, the topics it is on, and why.

import { hue } from "./colours";
import type { Documents, Page, Topic } from "./data";
import { button, h, replace } from "./dom";
import { label, percent, probability, ratio } from "./format";
import { Marker } from "./marking";
import { type Evidence, evidence, type Model, together } from "./model";
import type { Store } from "./state";

const LEAST = 0.1; // topics below are not listed
const SHOWN = 8; // words for and against
const TELLING = 0.02; // nats below which a word says nothing

export class DocumentView {
  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly model: Model,
  ) {}

  draw(into: Element, documents: Documents, document: number): void {
    const { page, store } = this;
    const present = documents.words(document);
    const odds = this.model.logOdds(present);
    const p = (topic: Topic) => 1 / (1 + Math.exp(-odds[topic.node - page.words.length]));
    const chosen = page.topics[store.state.topic] ?? null;
    const listed = page.topics
      .filter((topic) => p(topic) >= LEAST || topic === chosen)
      .sort((a, b) => b.level - a.level || p(b) - p(a));
    const levels = [...new Set(listed.map((topic) => topic.level))];
    const link = documents.about("links", document);
    const about = [documents.about("dates", document), documents.about("groups", document)].filter(
      Boolean,
    );
    const id = documents.about("ids", document);
    const untitled = !id && !documents.about("titles", document);
    const text = documents.about("texts", document).replace(/\s*\n\s*\n\s*/g, "\n\n");
    const known = Array.from(present, (word) => page.words[word]);
    const marker = new Marker(chosen ? chosen.words.map(({ word }) => page.words[word]) : []);
    replace(
      into,
      h(
        "nav",
        { class: "path", "aria-label": "Back" },
        button(
          chosen ? `Back to ${label(chosen, 2)}` : "Back to all topics",
          () => store.set({ document: 0 }),
          { class: "back" },
        ),
      ),
      h("h2", { tabindex: -1 }, documents.name(document)),
      h(
        "p",
        { class: "facts" },
        [...about, !untitled && `document ${documents.row(document).toLocaleString("en")}`]
          .filter(Boolean)
          .join(" · "),
      ),
      link
        ? h(
            "p",
            {},
            h("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, "Open the source"),
            id !== documents.name(document) && ` ${id}`,
          )
        : id && id !== documents.name(document) && h("p", { class: "soft" }, id),
      text && h("p", { class: "text" }, ...marker.marked(text)),
      h("h3", {}, "Topics of this document"),
      h(
        "p",
        { class: "soft" },
        "P(topic | document), by exact inference. Open one to see which words speak for and against it.",
      ),
      ...levels.map((level) =>
        h(
          "section",
          { class: "level-of-topics" },
          h("h4", {}, `Level ${level}`),
          ...listed
            .filter((topic) => topic.level === level)
            .map((topic) => this.topic(topic, p(topic), present, topic === chosen)),
        ),
      ),
      !present.length &&
        h("p", { class: "notice" }, "It has none of the words that the model knows."),
      !listed.length && h("p", {}, "It is on no topic with a probability above 0.1."),
      h(
        "details",
        { class: "more" },
        h("summary", {}, `Words that the model knows (${known.length})`),
        h("p", {}, known.join(" · ")),
      ),
    );
  }

  private topic(topic: Topic, p: number, present: Uint32Array, open: boolean): HTMLElement {
    const why = h("div", { class: "why" });
    const details = h(
      "details",
      { class: "belongs", style: { "--hue": hue(topic.branch) } },
      h(
        "summary",
        {},
        h("span", { class: "label" }, label(topic, 4)),
        h(
          "span",
          { class: "meter", "aria-hidden": "true" },
          h("i", { style: { width: `${100 * p}%` } }),
        ),
        h("span", { class: "p" }, probability(p)),
      ),
      why,
    );
    const explain = (): void => {
      if (details.open && !why.hasChildNodes()) this.explain(why, topic, p, present);
    };
    details.addEventListener("toggle", explain);
    if (open) {
      details.open = true;
      explain();
    }
    return details;
  }

  private explain(into: Element, topic: Topic, p: number, present: Uint32Array): void {
    const { page } = this;
    const there = new Set(present);
    const lacking = topic.words.map(({ word }) => word).filter((word) => !there.has(word));
    const found = evidence(this.model, topic.node - page.words.length, present, lacking);
    const order = (sign: number) =>
      found
        .filter((entry) => sign * entry.alone > TELLING)
        .sort((a, b) => sign * (b.alone - a.alone))
        .slice(0, SHOWN);
    const [for_, against] = [order(1), order(-1)];
    const [has, lacks] = together(this.model, topic.node - page.words.length, present);
    const most = Math.max(1, ...found.map((entry) => Math.abs(entry.alone)));
    const line = (entry: Evidence): HTMLElement =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "label" },
          entry.present ? "" : "no ",
          h("b", {}, page.words[entry.word]),
        ),
        h(
          "span",
          { class: "meter", "aria-hidden": "true" },
          h("i", { style: { width: `${(100 * Math.abs(entry.alone)) / most}%` } }),
        ),
        h("span", { class: "p", title: "if it were all that we know" }, ratio(entry.alone)),
        h("span", { class: "p soft", title: "if we know all the other words" }, ratio(entry.rest)),
      );
    const side = (title: string, entries: Evidence[], kind: string): HTMLElement =>
      h(
        "div",
        {},
        h(
          "h5",
          {},
          h("span", {}, title),
          h("span", { class: "p" }, "alone"),
          h("span", { class: "p" }, "besides"),
        ),
        entries.length
          ? h("ul", { class: `evidence ${kind}` }, ...entries.map(line))
          : h("p", { class: "soft" }, "nothing to speak of"),
      );
    replace(
      into,
      h(
        "p",
        {},
        `Of all documents ${percent(topic.size)} are on it; this one is with probability ${probability(p)}. `,
        "All the words that it has make that ",
        h("b", {}, ratio(has)),
        " as likely, in odds; all that it lacks ",
        h("b", {}, ratio(lacks)),
        ". Single words do, ",
        h("i", {}, "alone"),
        ", or ",
        h("i", {}, "besides"),
        " all the others:",
      ),
      side("For", for_, "for"),
      side("Against", against, "against"),
      button("Go to this topic", () => this.store.selectTopic(topic.index)),
    );
  }
}

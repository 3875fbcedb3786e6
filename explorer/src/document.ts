// One document: its text, the topics it is on, and why.

import { hue } from "./colours";
import type { Page, Topic } from "./data";
import type { Documents } from "./documents";
import { button, h, meter, replace } from "./dom";
import { percent, probability, ratio, whole } from "./format";
import { Marker } from "./marking";
import { type Evidence, evidence, type Model, together } from "./model";
import type { Store } from "./state";

const SHOWN = 8; // words for and against
const TELLING = 0.02; // nats, below which a word says nothing

type Child = HTMLElement | string | false | null;

/** The details of a document. */
export class DocumentView {
  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly model: Model,
  ) {}

  /** Shows a document in the place of what was there. */
  draw(into: Element, documents: Documents, document: number): void {
    const { page, store } = this;
    const present = documents.words(document);
    const chosen = page.topics[store.state.topic] ?? null;
    const marker = new Marker(chosen ? chosen.words.map(({ word }) => page.words[word]) : []);
    const text = documents.about("texts", document).replace(/\s*\n\s*\n\s*/g, "\n\n");
    const known = Array.from(present, (word) => page.words[word]);
    const back = chosen ? `Back to ${chosen.title}` : "Back to all topics";
    replace(
      into,
      h(
        "nav",
        { class: "path", "aria-label": "Back" },
        button(back, () => store.set({ document: 0 }), { class: "back" }),
      ),
      h("h2", { tabindex: -1 }, documents.name(document)),
      ...about(documents, document),
      text && h("p", { class: "text" }, ...marker.marked(text)),
      ...this.topics(present, chosen, documents.least),
      h(
        "details",
        { class: "more" },
        h("summary", {}, `Words of the vocabulary in this document (${known.length})`),
        h("p", {}, known.join(" · ")),
      ),
    );
  }

  /** The topics that the document is on, from the highest level down, and the chosen one. */
  private topics(present: Uint32Array, chosen: Topic | null, least: number): Child[] {
    const { page } = this;
    const odds = this.model.logOdds(present);
    const p = (topic: Topic): number => 1 / (1 + Math.exp(-odds[topic.node - page.words.length]));
    const listed = page.topics
      .filter((topic) => p(topic) >= least || topic === chosen)
      .sort((a, b) => b.level - a.level || p(b) - p(a));
    const levels = [...new Set(listed.map((topic) => topic.level))];
    const how =
      "P(topic | document), by exact inference. " +
      "Open a topic to see which words speak for and against it.";
    return [
      h("h3", {}, "Topics of this document"),
      h("p", { class: "soft" }, how),
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
        h("p", { class: "notice" }, "This document contains no word of the vocabulary."),
      !listed.length && h("p", {}, `No topic has a probability of ${least} or more.`),
    ];
  }

  private topic(topic: Topic, p: number, present: Uint32Array, open: boolean): HTMLElement {
    const why = h("div", { class: "why" });
    const details = h(
      "details",
      { class: "belongs", style: { "--hue": hue(topic.branch) } },
      h(
        "summary",
        {},
        h("span", { class: "label" }, topic.title),
        meter(p),
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

  /** Which words speak for and against a topic. */
  private explain(into: Element, topic: Topic, p: number, present: Uint32Array): void {
    const { page } = this;
    const latent = topic.node - page.words.length;
    const there = new Set(present);
    const lacking = topic.words.map(({ word }) => word).filter((word) => !there.has(word));
    const found = evidence(this.model, latent, present, lacking);
    const [has, lacks] = together(this.model, latent, present);
    const most = Math.max(1, ...found.map((entry) => Math.abs(entry.alone)));
    const side = (title: string, sign: 1 | -1, kind: string): HTMLElement => {
      const entries = strongest(found, sign);
      return h(
        "div",
        {},
        h("h5", {}, ...[title, "alone", "in context"].map(heading)),
        entries.length
          ? h("ul", { class: `evidence ${kind}` }, ...entries.map((one) => this.line(one, most)))
          : h("p", { class: "soft" }, "no evidence"),
      );
    };
    replace(
      into,
      h(
        "p",
        {},
        `Of all documents, ${percent(topic.size)} are on this topic; `,
        `this one is with probability ${probability(p)}. `,
        "Together, the words that it contains change the odds by ",
        h("b", {}, ratio(has)),
        ", and the words that it lacks by ",
        h("b", {}, ratio(lacks)),
        ". Each word by itself changes them as follows: ",
        h("i", {}, "alone"),
        ", if nothing else is known, and ",
        h("i", {}, "in context"),
        ", if all other words are known.",
      ),
      side("For", 1, "for"),
      side("Against", -1, "against"),
      button("Go to this topic", () => this.store.selectTopic(topic.index)),
    );
  }

  private line(entry: Evidence, most: number): HTMLElement {
    const alone = { class: "p", title: "if nothing else is known" };
    const rest = { class: "p soft", title: "if all other words are known" };
    const word = h("b", {}, this.page.words[entry.word]);
    return h(
      "li",
      {},
      h("span", { class: "label" }, entry.present ? "" : "no ", word),
      meter(Math.abs(entry.alone) / most),
      h("span", alone, ratio(entry.alone)),
      h("span", rest, ratio(entry.rest)),
    );
  }
}

/** The date, group and number of a document, and a link to it or its id. */
function about(documents: Documents, document: number): Child[] {
  const id = documents.about("ids", document);
  const named = id === documents.name(document);
  const untitled = !id && !documents.about("titles", document);
  const facts = [
    documents.about("dates", document),
    documents.about("groups", document),
    untitled ? "" : `document ${whole(documents.row(document))}`,
  ];
  const href = documents.about("links", document);
  const link = { href, target: "_blank", rel: "noopener noreferrer" };
  return [
    h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    href
      ? h("p", {}, h("a", link, "Open the source"), !named && ` ${id}`)
      : id && !named
        ? h("p", { class: "soft" }, id)
        : null,
  ];
}

/** The words that speak most for a topic (sign 1) or against it (sign -1). */
function strongest(found: Evidence[], sign: 1 | -1): Evidence[] {
  return found
    .filter((entry) => sign * entry.alone > TELLING)
    .sort((a, b) => sign * (b.alone - a.alone))
    .slice(0, SHOWN);
}

function heading(title: string, k: number): HTMLElement {
  return h("span", k ? { class: "p" } : {}, title);
}

// One topic: its words, its place, and the documents on it.

import { path, siblings } from "./ancestry";
import { hue } from "./colours";
import type { Facet, Page, Topic, Word } from "./data";
import type { Documents } from "./documents";
import { button, columns, h, replace } from "./dom";
import { count, described, nats, percent, stability } from "./format";
import { Listing, type Place } from "./listing";
import type { Store } from "./state";

const FACET_WORDS = 6;

type Entry = [topic: number, information?: number];

/** The details of a topic. */
export class TopicView {
  private narrow = false;
  private readonly places = new Map<string, Place>();

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly documents: () => Documents | null,
  ) {}

  /** Shows a topic in the place of what was there. */
  draw(into: Element, topic: Topic): void {
    const { page } = this;
    const documents = this.documents();
    const beside = siblings(page, topic).filter((index) => index !== topic.index);
    const narrow = this.narrow && topic.narrow !== null;
    const link = page.links.find(([from, to]) => from === topic.parent && to === topic.index);
    const others = topic.parent < 0 ? "Other root topics" : "Siblings";
    replace(
      into,
      this.way(topic),
      h("h2", { tabindex: -1 }, topic.title),
      h(
        "p",
        { class: "facts" },
        h("b", {}, percent(narrow ? topic.narrow! : topic.size)),
        ` expected share · level ${topic.level} · `,
        h("code", {}, topic.id),
        page.documents === null &&
          topic.documents !== null &&
          ` · ${count(topic.documents, "document")} on it`,
        topic.stability !== null && ` · ${stability(topic)}`,
        link && ` · ${nats(link[2])} of mutual information with the topic above`,
      ),
      topic.narrow !== null && this.versions(into, topic, narrow),
      this.words(topic),
      topic.facets.length > 0 && this.facets(topic),
      topic.children.length > 0 && this.others("Topics below", topic.children.map(alone)),
      topic.related.length > 0 && this.others("Related, elsewhere in the tree", topic.related),
      beside.length > 0 &&
        h(
          "details",
          { class: "more" },
          h("summary", {}, `${others} (${beside.length})`),
          this.others("", beside.map(alone)),
        ),
      documents && this.listing(documents, topic, narrow),
      !documents && page.documents !== null && h("p", { class: "soft" }, "Loading documents …"),
    );
  }

  /** The documents on a topic, where they were looked at last. */
  private listing(documents: Documents, topic: Topic, narrow: boolean): HTMLElement {
    const key = `${topic.id} ${narrow}`;
    const place = this.places.get(key) ?? { least: 0.5, first: 0 };
    this.places.set(key, place);
    const members = narrow ? documents.narrowlyOn(topic) : documents.on(topic.index);
    return new Listing(this.page, this.store, documents, topic, members, place).element;
  }

  /** The topics above a topic. */
  private way(topic: Topic): HTMLElement {
    const above = path(this.page, topic).slice(0, -1);
    const select = (to: number) => (): void => this.store.selectTopic(to);
    return h(
      "nav",
      { class: "path", "aria-label": "Topics above" },
      button("All topics", select(-1)),
      ...above.map((up) => button(up.title, select(up.index), { title: described(up) })),
    );
  }

  private versions(into: Element, topic: Topic, narrow: boolean): HTMLElement {
    const choose = (to: boolean): void => {
      this.narrow = to;
      this.draw(into, topic);
      into.querySelector<HTMLElement>(`.versions [aria-pressed="true"]`)?.focus();
    };
    return h(
      "div",
      { class: "versions", role: "group", "aria-label": "Version of the topic" },
      button(`Broad ${percent(topic.size)}`, () => choose(false), {
        "aria-pressed": String(!narrow),
        title: "The documents that are on the topic judging by all their words",
      }),
      button(`Narrow ${percent(topic.narrow!)}`, () => choose(true), {
        "aria-pressed": String(narrow),
        title: "The documents that are on the topic judging by the topic's own words alone",
      }),
    );
  }

  private words(topic: Topic): HTMLElement {
    const most = Math.max(...topic.words.map(({ inside, outside }) => Math.max(inside, outside)));
    const bar = (value: number, kind: string): HTMLElement => {
      const length = h("i", { class: kind, style: { "--share": String(value / most) } });
      return h("td", { class: "bars" }, length, h("span", {}, percent(value)));
    };
    const caption =
      "Keywords: the share of documents that contain them, on the topic and among the others";
    return h(
      "table",
      { class: "words", style: { "--hue": hue(topic.branch) } },
      h("caption", {}, caption),
      columns("word", "on the topic", "others"),
      h(
        "tbody",
        {},
        ...topic.words.map((entry) =>
          h(
            "tr",
            { title: `${nats(entry.information)} of mutual information` },
            h("th", { scope: "row" }, this.page.words[entry.word]),
            bar(entry.inside, "inside"),
            bar(entry.outside, "outside"),
          ),
        ),
      ),
    );
  }

  /** The parts of a topic that differ in kind, by the words that set them apart. */
  private facets(topic: Topic): HTMLElement {
    const title = (word: Word): string =>
      `${percent(word.inside)} here, ${percent(word.outside)} in the rest of the topic`;
    const shown = (word: Word): HTMLElement =>
      h("span", { title: title(word) }, this.page.words[word.word]);
    const item = ({ size, words }: Facet): HTMLElement =>
      h(
        "li",
        { style: { "--hue": hue(topic.branch) } },
        h(
          "span",
          { class: "facet" },
          ...words.slice(0, FACET_WORDS).flatMap((w) => [shown(w), " "]),
        ),
        h("span", { class: "soft" }, percent(size)),
      );
    return h(
      "section",
      { "aria-label": "Facets" },
      h("h3", {}, "Facets"),
      h(
        "p",
        { class: "soft" },
        "Kinds of documents on the topic, by the words that set them apart",
      ),
      h("ul", { class: "chips" }, ...topic.facets.map(item)),
    );
  }

  private others(title: string, entries: Entry[]): HTMLElement {
    return h(
      "section",
      {},
      title && h("h3", {}, title),
      h("ul", { class: "chips" }, ...entries.map((entry) => this.other(entry))),
    );
  }

  private other([index, information]: Entry): HTMLElement {
    const topic = this.page.topics[index];
    const name = h("span", {}, topic.title);
    const shared = information && `${nats(information)} of mutual information with this topic`;
    return h(
      "li",
      { style: { "--hue": hue(topic.branch) } },
      button(name, () => this.store.selectTopic(index), { title: described(topic) }),
      h("span", { class: "level" }, `L${topic.level}`),
      h("span", { class: "soft", title: shared || null }, percent(topic.size)),
    );
  }
}

function alone(topic: number): Entry {
  return [topic];
}

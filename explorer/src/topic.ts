// One topic: its words, its place, and the documents on it.

import { hue } from "./colours";
import type { Documents, Page, Topic } from "./data";
import { button, h, replace } from "./dom";
import { label, path, percent } from "./format";
import { Listing, type Place } from "./listing";
import type { Store } from "./state";

export class TopicView {
  private narrow = false;
  private readonly places = new Map<string, Place>();

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly documents: () => Documents | null,
  ) {}

  draw(into: Element, topic: Topic): void {
    const { page } = this;
    const documents = this.documents();
    const siblings = (topic.parent < 0 ? page.roots : page.topics[topic.parent].children).filter(
      (index) => index !== topic.index,
    );
    const narrow = this.narrow && topic.narrow !== null;
    const above = page.links.find(([from, to]) => from === topic.parent && to === topic.index)?.[2];
    replace(
      into,
      this.way(topic),
      h("h2", { tabindex: -1 }, label(topic)),
      h(
        "p",
        { class: "facts" },
        h("b", {}, percent(narrow ? topic.narrow! : topic.size)),
        ` of the documents · level ${topic.level} · `,
        h("code", {}, topic.id),
        above !== undefined && ` · shares ${above.toPrecision(2)} nats with the topic above`,
      ),
      topic.narrow !== null && this.versions(into, topic, narrow),
      this.words(topic),
      topic.children.length > 0 &&
        this.others(
          "Topics below",
          topic.children.map((index) => [index]),
        ),
      topic.related.length > 0 && this.others("Related, elsewhere in the tree", topic.related),
      siblings.length > 0 &&
        h(
          "details",
          { class: "more" },
          h("summary", {}, topic.parent < 0 ? "Other roots" : "Siblings", ` (${siblings.length})`),
          this.others(
            "",
            siblings.map((index) => [index]),
          ),
        ),
      documents && this.listing(documents, topic, narrow),
      !documents &&
        page.documents !== null &&
        h("p", { class: "soft" }, "Documents are being unpacked …"),
    );
  }

  /** Its documents, where they were looked at last. */
  private listing(documents: Documents, topic: Topic, narrow: boolean): HTMLElement {
    const key = `${topic.id} ${narrow}`;
    const place = this.places.get(key) ?? { least: 0.5, first: 0 };
    this.places.set(key, place);
    const members = narrow ? documents.narrowlyOn(topic) : documents.on(topic.index);
    return new Listing(this.page, this.store, documents, topic, members, place).element;
  }

  /** The topics above it. */
  private way(topic: Topic): HTMLElement {
    const above = path(this.page, topic).slice(0, -1);
    return h(
      "nav",
      { class: "path", "aria-label": "Topics above" },
      button("All topics", () => this.store.selectTopic(-1)),
      ...above.map((up) =>
        button(label(up, 2), () => this.store.selectTopic(up.index), { title: label(up) }),
      ),
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
        title: "Documents on the topic by all their words",
      }),
      button(`Narrow ${percent(topic.narrow!)}`, () => choose(true), {
        "aria-pressed": String(narrow),
        title: "Documents on the topic by the topic's own words alone",
      }),
    );
  }

  private words(topic: Topic): HTMLElement {
    const most = Math.max(...topic.words.map(({ inside, outside }) => Math.max(inside, outside)));
    const bar = (value: number, kind: string): HTMLElement =>
      h(
        "td",
        { class: "bars" },
        h("i", { class: kind, style: { "--share": String(value / most) } }),
        h("span", {}, percent(value)),
      );
    return h(
      "table",
      { class: "words", style: { "--hue": hue(topic.branch) } },
      h(
        "caption",
        {},
        "Its words: how many of the documents on the topic have them, and how many others",
      ),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "word"),
          h("th", { scope: "col" }, "on the topic"),
          h("th", { scope: "col" }, "others"),
        ),
      ),
      h(
        "tbody",
        {},
        ...topic.words.map((entry) =>
          h(
            "tr",
            { title: `${entry.information.toPrecision(2)} nats of mutual information` },
            h("th", { scope: "row" }, this.page.words[entry.word]),
            bar(entry.inside, "inside"),
            bar(entry.outside, "outside"),
          ),
        ),
      ),
    );
  }

  private others(title: string, entries: [topic: number, shared?: number][]): HTMLElement {
    return h(
      "section",
      {},
      title && h("h3", {}, title),
      h(
        "ul",
        { class: "chips" },
        ...entries.map(([index, shared]) => {
          const other = this.page.topics[index];
          return h(
            "li",
            { style: { "--hue": hue(other.branch) } },
            button(h("span", {}, label(other, 4)), () => this.store.selectTopic(index), {
              title: label(other),
            }),
            h("span", { class: "level" }, `L${other.level}`),
            h(
              "span",
              {
                class: "soft",
                title: shared ? `shares ${shared.toPrecision(2)} nats with this topic` : null,
              },
              percent(other.size),
            ),
          );
        }),
      ),
    );
  }
}

// One topic: its words, its place, and the documents on it.

import { palette } from "./colours";
import type { Documents, Page, Topic } from "./data";
import { button, h, replace } from "./dom";
import { label, path, percent } from "./format";
import { Listing } from "./listing";
import type { Store } from "./state";

export class TopicView {
  private narrow = false;

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
      ),
      topic.narrow !== null && this.versions(into, topic, narrow),
      this.words(topic),
      topic.children.length > 0 && this.others("Topics below", topic.children),
      topic.related.length > 0 &&
        this.others("Related, elsewhere in the tree", topic.related.map(([index]) => index)),
      siblings.length > 0 &&
        h(
          "details",
          { class: "more" },
          h("summary", {}, topic.parent < 0 ? "Other roots" : "Siblings", ` (${siblings.length})`),
          this.others("", siblings),
        ),
      documents &&
        new Listing(page, this.store, documents, topic, narrow ? documents.narrowlyOn(topic) : documents.on(topic.index)).element,
      !documents && page.documents !== null && h("p", { class: "soft" }, "Documents are being unpacked …"),
    );
  }

  /** The topics above it. */
  private way(topic: Topic): HTMLElement {
    const above = path(this.page, topic).slice(0, -1);
    return h(
      "nav",
      { class: "path", "aria-label": "Topics above" },
      button("All topics", () => this.store.selectTopic(-1)),
      ...above.map((up) => button(label(up, 2), () => this.store.selectTopic(up.index), { title: label(up) })),
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
    const hue = palette().branch(topic.branch);
    const most = Math.max(...topic.words.map(({ inside, outside }) => Math.max(inside, outside)));
    const bar = (value: number, kind: string): HTMLElement =>
      h("td", { class: "bars" }, h("i", { class: kind, style: { width: `${(100 * value) / most}%` } }), h("span", {}, percent(value)));
    return h(
      "table",
      { class: "words", style: { "--hue": hue } },
      h("caption", {}, "Its words: how many of the documents on the topic have them, and how many others"),
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col" }, "word"), h("th", { scope: "col" }, "on the topic"), h("th", { scope: "col" }, "others")),
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

  private others(title: string, indices: number[]): HTMLElement {
    const colours = palette();
    return h(
      "section",
      {},
      title && h("h3", {}, title),
      h(
        "ul",
        { class: "chips" },
        ...indices.map((index) => {
          const other = this.page.topics[index];
          return h(
            "li",
            { style: { "--hue": colours.branch(other.branch) } },
            button(h("span", {}, label(other, 4)), () => this.store.selectTopic(index), { title: label(other) }),
            h("span", { class: "soft" }, percent(other.size)),
          );
        }),
      ),
    );
  }
}


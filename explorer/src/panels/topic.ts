// One topic: its words, its place, and the documents on it.

import { hue } from "../look/colours";
import { button, columns, h } from "../look/dom";
import { described, nats, percent, stability } from "../look/format";
import { siblings } from "../page/ancestry";
import type { Facet, Page, Topic, Word } from "../page/page";
import type { Store } from "../selection/state";
import { only } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { figures } from "./size";
import type { TopicTools } from "./tools";

const FACET_WORDS = 6;
const HEAD_WORDS = 8;

type Entry = [topic: number, information?: number];

/** What is known of a topic, above the list of its documents. */
export class TopicView {
  private opened = false; // whether more than its head is shown

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly working: WorkingSet,
    private readonly tools: TopicTools,
  ) {}

  /** The elements for a topic. */
  draw(topic: Topic): (HTMLElement | false)[] {
    return [...this.tools.draw(topic), this.facts(topic), this.keywords(topic), this.more(topic)];
  }

  /** How much there is of a topic. */
  private facts(topic: Topic): HTMLElement {
    return h(
      "p",
      { class: topic.stale ? "facts stale" : "facts" },
      figures(topic, this.working),
      topic.stability !== null && ` · ${stability(topic)}`,
    );
  }

  /** The first keywords; each leads to the documents that have it. */
  private keywords(topic: Topic): HTMLElement {
    const pick = (word: string) => (): void => this.store.add(only({ kind: "word", word }));
    const told = ({ inside, outside }: Word): string =>
      `Expected in ${percent(inside)} of the documents on the topic, and ${percent(outside)} of the others`;
    return h(
      "ul",
      { class: "keywords", "aria-label": "Keywords" },
      ...topic.words.slice(0, HEAD_WORDS).map((entry) => {
        const word = this.page.words[entry.word];
        const props = { title: told(entry), "aria-label": `Documents with ${word}` };
        return h("li", {}, button(word, pick(word), props));
      }),
    );
  }

  /** All that is known besides. */
  private more(topic: Topic): HTMLElement {
    const { page } = this;
    const beside = siblings(page, topic).filter((index) => index !== topic.index);
    const related = topic.related.filter(([index]) => !page.topics[index].gone);
    const link = page.links.find(([from, to]) => from === topic.parent && to === topic.index);
    const details = h(
      "details",
      {
        class: "more",
        open: this.opened,
        ontoggle: () => {
          this.opened = details.open;
        },
      },
      h("summary", {}, "Words, related topics and figures"),
      this.words(topic),
      topic.children.length > 0 && this.others("Topics below", topic.children.map(alone)),
      topic.facets.length > 0 && this.facets(topic),
      related.length > 0 && this.others("Related, elsewhere in the tree", related),
      beside.length > 0 &&
        this.others(
          `${topic.parent < 0 ? "Other root topics" : "Siblings"} (${beside.length})`,
          beside.map(alone),
        ),
      h(
        "p",
        { class: "soft" },
        `Topic ${topic.id}, level ${topic.level} counted from the words`,
        link && `; ${nats(link[2])} of mutual information with the topic above`,
        ".",
      ),
    );
    return details;
  }

  /** The topics above a topic. */
  private words(topic: Topic): HTMLElement {
    const most = Math.max(...topic.words.map(({ inside, outside }) => Math.max(inside, outside)));
    const bar = (value: number, kind: string): HTMLElement => {
      const length = h("i", { class: kind, style: { "--share": String(value / most) } });
      return h("td", { class: "bars" }, length, h("span", {}, percent(value)));
    };
    const caption =
      "Keywords: the share of documents that the model expects to contain them, on the topic and among the others";
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
            { title: told(entry) },
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
      `Expected in ${percent(word.inside)} here, and ${percent(word.outside)} in the rest of the topic`;
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
        "Kinds of documents, by the words that set them apart, and what part of the topic the model expects each to be",
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
      h("span", { class: "soft", title: shared || null }, percent(topic.size)),
    );
  }
}

function alone(topic: number): Entry {
  return [topic];
}

/** What else is known of a keyword. */
function told({ information, sure }: Word): string {
  const samples = sure === null ? "" : `; in this topic in ${percent(sure)} of the samples`;
  return `${nats(information)} of mutual information${samples}`;
}

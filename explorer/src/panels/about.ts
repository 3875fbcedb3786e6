// The section "About this topic": its keywords, facets, related topics and figures.

import { hue } from "../look/colours";
import { button, h, opening } from "../look/dom";
import { described, nats, percent } from "../look/format";
import type { Facet, Topic, Word } from "../page/page";
import { Pane } from "./pane";

const FACET_WORDS = 6;

export class About extends Pane {
  draw(topic: Topic): HTMLElement {
    const { page } = this;
    const related = topic.related.filter(([index]) => !page.topics[index].gone);
    const link = page.links.find(([from, to]) => from === topic.parent && to === topic.index);
    return opening("About this topic", { class: "more" }, [
      this.words(topic),
      topic.facets.length > 0 && this.facets(topic),
      related.length > 0 && this.related(related),
      h("p.soft", [
        `Topic ${topic.id}, level ${topic.level} counted from the words`,
        topic.stability !== null && `; stability ${percent(topic.stability)}`,
        link && `; ${nats(link[2])} of mutual information with the topic above`,
        ".",
      ]),
    ]);
  }

  private words(topic: Topic): HTMLElement {
    const most = Math.max(...topic.words.map(({ inside, outside }) => Math.max(inside, outside)));
    const bar = (value: number, kind: string): HTMLElement => {
      const length = h("i", { class: kind, style: { "--share": String(value / most) } });
      return h("td.bars", length, h("span", percent(value)));
    };
    const row = (entry: Word): HTMLElement =>
      h("tr", { title: describeWord(entry) }, [
        h("th", { scope: "row" }, this.page.words[entry.word]),
        bar(entry.inside, "inside"),
        bar(entry.outside, "outside"),
      ]);
    const caption =
      "Keywords: the share of documents that the model expects to contain them, on the topic and among the others";
    const heads = ["word", "on the topic", "others"].map((name) => h("th", { scope: "col" }, name));
    return h("table.words", { style: { "--hue": hue(topic.branch) } }, [
      h("caption", caption),
      h("thead", h("tr", heads)),
      h("tbody", topic.words.map(row)),
    ]);
  }

  private facets(topic: Topic): HTMLElement {
    const title = (word: Word): string =>
      `Expected in ${percent(word.inside)} here, and ${percent(word.outside)} in the rest of the topic`;
    const shown = (word: Word): HTMLElement =>
      h("span", { title: title(word) }, this.page.words[word.word]);
    const item = ({ size, words }: Facet): HTMLElement =>
      h("li", { style: { "--hue": hue(topic.branch) } }, [
        h("span.facet", ...words.slice(0, FACET_WORDS).flatMap((w) => [shown(w), " "])),
        h("span.soft", percent(size)),
      ]);
    return h("section", { "aria-label": "Facets" }, [
      h("h3", "Facets"),
      h("p.soft", [
        "Kinds of documents, by the words that set them apart, and what part of the topic the model expects each to be",
      ]),
      h("ul.chips", topic.facets.map(item)),
    ]);
  }

  private related(entries: readonly [topic: number, information: number][]): HTMLElement {
    const item = ([index, information]: [number, number]): HTMLElement => {
      const topic = this.page.topics[index];
      const name = h("span", topic.title);
      const shared = `${nats(information)} of mutual information with this topic`;
      return h("li", { style: { "--hue": hue(topic.branch) } }, [
        button(name, () => this.store.selectTopic(index), { title: described(topic) }),
        h("span.soft", { title: shared }, percent(topic.size)),
      ]);
    };
    return h("section", [
      h("h3", "Related, elsewhere in the tree"),
      h("ul.chips", entries.map(item)),
    ]);
  }
}

function describeWord({ information, sure }: Word): string {
  const samples = sure === null ? "" : `; in this topic in ${percent(sure)} of the samples`;
  return `${nats(information)} of mutual information${samples}`;
}

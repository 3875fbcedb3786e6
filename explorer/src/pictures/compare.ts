// The picture "Compare": two to four topics beside each other.

import "./compare.css";
import { button, h, replace } from "../look/dom";
import { count, ofAll, percent, whole } from "../look/format";
import { listed, quoted } from "../look/lists";
import { siblings } from "../page/ancestry";
import type { Page, Topic } from "../page/page";
import { apart, clausesOf, onAll, type Region, regions } from "../selection/comparison";
import { ofSet, told } from "../selection/figure";
import type { DocumentSet, Mask } from "../selection/sets";
import { MOST_COMPARED, type Store } from "../selection/state";
import { only, type Term, termOf } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { drawGroups, drawTrends, drawVenn, type Series, seriesColour } from "./compare-charts";
import { finding } from "./compare-finding";
import { wordRows } from "./compare-words";

const KEYWORDS = 8; // of each topic
const PROPOSED = 8; // topics to choose from

type Child = Element | string | false | null;

/** Topics that are compared, with the documents on them. */
interface Comparison {
  readonly topics: readonly Topic[];
  readonly among: DocumentSet; // the documents of the clauses that have nothing to do with them
  readonly masks: readonly Mask[]; // of each topic
}

/** The picture "Compare". */
export class CompareView {
  readonly element = h("div", {
    class: "picture scroll compare",
    tabindex: 0,
    role: "region",
    "aria-label": "Comparison",
  });

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly working: WorkingSet,
  ) {}

  /** Draws the topics that are compared. */
  draw(): void {
    const { page, store, working } = this;
    const topics = store.state.compared.map((index) => page.topics[index]);
    if (topics.length < 2) {
      replace(this.element, ...this.invitation(topics[0]));
      return;
    }
    const { sets } = working;
    if (!sets) {
      const loading =
        page.documents === null ? "This page has no documents." : "Loading documents …";
      replace(this.element, this.chosen(topics), h("p", { class: "soft" }, loading));
      return;
    }
    const compared: Comparison = {
      topics,
      among: sets.of(apart(store.state.clauses, topics)),
      masks: topics.map((topic) => sets.having(termOf(topic))),
    };
    replace(
      this.element,
      h("h2", {}, `${finding(titles(topics), compared.masks, compared.among.mask)}.`),
      this.sample(compared),
      this.chosen(topics, compared),
      h("h3", {}, "Documents"),
      this.overlap(compared),
      h("h3", {}, "Words"),
      this.words(compared),
      ...this.parts(compared),
    );
  }

  /** Of which documents the comparison is, if not of all. */
  private sample({ among }: Comparison): Child {
    const documents = this.working.documents!;
    const narrowed = among.size < documents.count;
    const sampled = documents.count < documents.total;
    if (!narrowed && !sampled) return null;
    const held = `the ${whole(documents.count)} of ${whole(documents.total)} documents`;
    const page = `${held} that this page includes`;
    const set = `the ${told(ofSet(among))} that are selected`;
    return h(
      "p",
      { class: "soft" },
      `Among ${narrowed ? set : page}${narrowed && sampled ? `, of ${page}` : ""}.`,
    );
  }

  /** What there is to do while less than two topics are chosen. */
  private invitation(topic: Topic | undefined): Child[] {
    const { page, store } = this;
    if (!topic) return [h("p", {}, "Choose two topics to compare.")];
    const near = [...siblings(page, topic), ...topic.related.map(([index]) => index)];
    const selected = store.state.topic;
    const proposed = [...new Set([selected, ...near])]
      .filter((index) => index >= 0 && index !== topic.index && !page.topics[index].gone)
      .slice(0, PROPOSED);
    return [
      h("h2", {}, `Choose another topic to compare with ${quoted(topic.title)}.`),
      this.chosen([topic]),
      h("p", { class: "soft" }, "Topics beside it and related to it; any other can be added too."),
      h(
        "ul",
        { class: "proposed" },
        ...proposed.map((index) =>
          h(
            "li",
            {},
            button(page.topics[index].title, () => store.compare(index)),
          ),
        ),
      ),
    ];
  }

  /** The topics, each with its letter and colour, to be removed or moved. */
  private chosen(topics: readonly Topic[], compared?: Comparison): HTMLElement {
    const { store } = this;
    const swap = (k: number): void => {
      const order = [...store.state.compared];
      [order[k - 1], order[k]] = [order[k], order[k - 1]];
      store.set({ compared: order });
    };
    const item = (topic: Topic, k: number): HTMLElement =>
      h(
        "li",
        { style: { "--series": seriesColour(k) } },
        badge(k),
        h(
          "span",
          { class: "told" },
          button(topic.title, () => store.selectTopic(topic.index), { class: "link" }),
          compared && this.documents(compared, [topic], [true]),
          h("span", { class: "soft" }, ofAll(topic)),
        ),
        k > 0 &&
          button("⇄", () => swap(k), {
            "aria-label": `Swap ${quoted(topic.title)} and ${quoted(topics[k - 1].title)}`,
          }),
        button("×", () => store.compare(topic.index), {
          "aria-label": `Remove ${quoted(topic.title)} from the comparison`,
        }),
      );
    const { topic: selected, compared: indices } = store.state;
    const addable = selected >= 0 && topics.length > 1 && !indices.includes(selected);
    return h(
      "ul",
      { class: "compared", "aria-label": "Topics that are compared" },
      ...topics.map(item),
      addable &&
        topics.length < MOST_COMPARED &&
        h(
          "li",
          {},
          button(`Add ${quoted(this.page.topics[selected].title)}`, () => store.compare(selected)),
        ),
    );
  }

  /** How many documents are on some of the topics and not on others. */
  private overlap(compared: Comparison): HTMLElement {
    const { topics, masks, among } = compared;
    const found = regions(masks, among.mask);
    const shown = topics.length === 2 ? found : found.filter(({ documents }) => documents);
    const most = Math.max(1, ...shown.map(({ documents }) => documents));
    const row = ({ on, documents }: Region): HTMLElement =>
      h(
        "li",
        {},
        h("span", { class: "dots", "aria-hidden": "true" }, ...on.map((is, k) => badge(k, is))),
        h("i", { style: { "--share": String(documents / most) }, "aria-hidden": "true" }),
        this.documents(compared, topics, on, documents),
      );
    return h(
      "div",
      { class: "overlap" },
      topics.length === 2 &&
        drawVenn(
          masks.map((mask) => onAll([mask], among.mask)),
          found[0],
        ),
      h("ul", { class: "regions", "aria-label": "Documents on the topics" }, ...shown.map(row)),
    );
  }

  /** A number of documents, which selects them. */
  private documents(
    compared: Comparison,
    topics: readonly Topic[],
    on: readonly boolean[],
    documents = onAll(
      topics.map((topic) => compared.masks[compared.topics.indexOf(topic)]),
      compared.among.mask,
    ),
  ): HTMLElement {
    const some = (is: boolean): string =>
      listed(titles(topics.filter((_, k) => on[k] === is)).map(quoted));
    const without = on.includes(false) ? `, not on ${some(false)}` : "";
    const name = `${count(documents, "document")} on ${some(true)}${without}`;
    const select = (): void => this.choose(compared, topics, on);
    return button(count(documents, "document"), select, {
      class: "link count",
      "aria-label": name,
    });
  }

  private choose(
    { topics }: Pick<Comparison, "topics">,
    some: readonly Topic[],
    on: readonly (boolean | null)[],
    term?: Term,
  ): void {
    const { store } = this;
    const others = apart(store.state.clauses, topics);
    store.choose([...others, ...clausesOf(some, on), ...(term ? [only(term)] : [])]);
  }

  /** The words of the topics: two mirrored, more side by side. */
  private words(compared: Comparison): HTMLElement {
    const { topics, masks, among } = compared;
    const within = masks.map((mask) => mask.map((is, document) => is & among.mask[document]));
    const rows = wordRows(topics, this.working.documents!, within, KEYWORDS);
    const most = Math.max(0.01, ...rows.flatMap(({ shares }) => shares));
    const some = within.map((mask) => mask.some((is) => is)); // of no documents, nothing is a share
    const bar = (word: string, k: number, share: number, documents: number): HTMLElement => {
      const name = `${count(documents, "document")} on ${quoted(topics[k].title)} with ${quoted(word)}`;
      const select = (): void => this.choose(compared, [topics[k]], [true], { kind: "word", word });
      return h(
        "td",
        { style: { "--series": seriesColour(k), "--share": String(share / most) } },
        h(
          "span",
          { class: "share" },
          h("i"),
          some[k]
            ? button(percent(share), select, {
                class: "link count",
                "aria-label": `${percent(share)}: ${name}`,
                title: name,
              })
            : h("span", { class: "soft", title: name }, "–"),
        ),
      );
    };
    const head = topics.map((topic, k) =>
      h(
        "th",
        { scope: "col", style: { "--series": seriesColour(k) } },
        badge(k),
        ` ${topic.title}`,
      ),
    );
    const mirrored = topics.length === 2;
    const placed = (word: Child, cells: Child[]): Child[] =>
      mirrored ? [cells[0], word, cells[1]] : [word, ...cells];
    return h(
      "table",
      { class: mirrored ? "compared-words mirrored" : "compared-words" },
      h("caption", {}, "The share of each topic's documents that have a word"),
      h(
        "thead",
        {},
        h("tr", {}, ...placed(h("td", { class: "soft" }, mirrored ? "" : "word"), head)),
      ),
      h(
        "tbody",
        {},
        ...rows.map(({ word, shares, documents }) => {
          const name = this.page.words[word];
          const cells = shares.map((share, k) => bar(name, k, share, documents[k]));
          return h("tr", {}, ...placed(h("th", { scope: "row" }, name), cells));
        }),
      ),
    );
  }

  /** The topics over time and by group, if the page has dates and groups. */
  private parts(compared: Comparison): Child[] {
    const { periods, groups } = this.page;
    const width = Math.max(280, this.element.clientWidth - 32);
    const series: Series[] = compared.topics.map((topic, k) => ({
      topic,
      name: letter(k),
      choose: (term) => this.choose(compared, [topic], [true], term),
    }));
    return [
      periods && h("h3", {}, "Over time"),
      periods && drawTrends(periods, series, width),
      groups && h("h3", {}, "By group"),
      groups && drawGroups(groups, series, width),
    ];
  }
}

function titles(topics: readonly Topic[]): string[] {
  return topics.map(({ title }) => title);
}

/** The letter that stands for a topic. */
function letter(k: number): string {
  return "ABCD"[k];
}

/** The sign of a topic, hollow where documents are not on it. */
function badge(k: number, on = true): HTMLElement {
  const style = { "--series": seriesColour(k) };
  return h(
    "span",
    { class: on ? "badge" : "badge hollow", style, "aria-hidden": "true" },
    letter(k),
  );
}

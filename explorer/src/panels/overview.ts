// The front page: what the corpus is about, when nothing is selected.

import "./overview.css";
import { hue } from "../look/colours";
import { button, h, replace } from "../look/dom";
import { count, whole } from "../look/format";
import { isolated, listed } from "../look/lists";
import type { Documents } from "../page/documents";
import { distinguishing, leading } from "../page/leading";
import type { Page, Topic } from "../page/page";
import { sparkline } from "../pictures/sparkline";
import type { DocumentSet } from "../selection/sets";
import type { Store } from "../selection/state";
import { only } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { FIGURES, figures } from "./size";
import { summary } from "./summary";
import { groupsOf, typical } from "./typical";

const [LEAST, MOST] = [8, 12]; // cards
const WORDS = 4;
const TITLES = 2;
const GROUPS = 2;
const HOW_TO_READ =
  `A topic is a group of words that occur together. ${FIGURES} The tree leads from broad topics to ` +
  "specific ones. A question mark stands beside topics that few samples of the documents confirm.";
const KEYS =
  "Keyboard: / starts a search; in the tree, the arrow keys move and expand, and Enter selects.";

/** The front page. It remembers the typical documents, which take a while to find. */
export class Overview {
  private of: DocumentSet | null = null;
  private readonly known = new Map<Topic, number[]>();

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly working: WorkingSet,
  ) {}

  /** Shows the front page in the place of what was there. */
  draw(into: Element): void {
    const { page, store } = this;
    const { sets } = this.working;
    const cards = leading(page, LEAST, MOST).map((topic) => this.card(topic));
    replace(
      into,
      h("h2", { class: "hidden", tabindex: -1 }, "Overview"),
      h("p", { class: "lead" }, summary(page)),
      sets && ways(page, store, sets.documents, this.working),
      h("p", { class: "soft hint" }, hint(page)),
      sets && sampled(sets.documents, this.working.server !== null),
      h("ul", { class: "cards", "aria-label": "Topics to begin with" }, ...cards),
      h(
        "details",
        { class: "more" },
        h("summary", {}, "How to read this page"),
        h("p", {}, HOW_TO_READ),
        h("p", { class: "soft" }, KEYS),
      ),
    );
  }

  private card(topic: Topic): HTMLElement {
    const { page, store, working } = this;
    const words = distinguishing(page, topic, WORDS);
    const groups = groupsOf(page, topic, GROUPS);
    const above = page.topics[topic.parent];
    const select = (): void => store.selectTopic(topic.index);
    return h(
      "li",
      { class: "card", "data-topic": topic.id, style: { "--hue": hue(topic.branch) } },
      h(
        "button",
        { type: "button", class: "name-of-topic", onclick: select },
        h("bdi", {}, topic.title),
        above && h("span", { class: "within" }, " in ", h("bdi", {}, above.title)),
      ),
      words.length > 0 && h("p", { class: "soft terms" }, words.join(" · ")),
      h(
        "p",
        { class: "figures" },
        h("span", {}, figures(topic, working)),
        page.periods && sparkline(page.periods, topic.index),
      ),
      working.documents && this.titles(topic, working.documents),
      groups.length > 0 &&
        h("p", { class: "soft kinds" }, `More often in ${listed(groups.map(isolated))}`),
    );
  }

  private titles(topic: Topic, of: Documents): HTMLElement {
    const items = this.typical(topic, of).map((document) => {
      const open = (): void => this.store.selectDocument(of.row(document));
      return h("li", {}, button(of.name(document), open, { class: "title" }));
    });
    return h("ul", { class: "typical" }, ...items);
  }

  private typical(topic: Topic, of: Documents): number[] {
    const set = this.working.current!;
    if (set !== this.of) this.known.clear();
    this.of = set;
    const found = this.known.get(topic) ?? typical(topic, of, set.mask, TITLES);
    this.known.set(topic, found);
    return found;
  }
}

function hint({ documents }: Page): string {
  return documents === null
    ? "Search for any word above, or begin with one of these topics."
    : "Search for any word, “phrase in quotes” or title above, or begin with one of these topics.";
}

function sampled({ count: included, total }: Documents, served: boolean): HTMLElement | false {
  if (included === total) return false;
  const counted = served
    ? "Lists, searches and figures are of all documents."
    : "The figures of topics, groups and dates are of all documents; searches, and whatever is chosen by several things at once, are counted among those that the page holds.";
  const text = `This page holds ${whole(included)} of the ${whole(total)} documents: those with the largest shares of each topic and a random sample. ${counted}`;
  return h("p", { class: "notice" }, text);
}

/** Ways to documents without a topic. */
function ways(
  { documents: all, none }: Page,
  store: Store,
  { count: held }: Documents,
  { sampled }: WorkingSet,
): HTMLElement {
  const every = `Browse all ${count(all!, "document")}`;
  const some = `Browse the ${count(held, "document")} in this page`;
  const name = all === 1 ? "Read the document" : sampled ? some : every;
  return h(
    "p",
    { class: "ways" },
    button(name, () => store.add(only({ kind: "all" })), { class: "first" }),
    none !== null &&
      none > 0 &&
      button(`Documents on no topic (${whole(none)})`, () => store.add(only({ kind: "none" })), {
        title: "No topic has a fifth of their words",
      }),
  );
}

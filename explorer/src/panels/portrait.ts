// The portrait of what is chosen, be it a topic, a search, an outline, a group, dates, several of
// these at once, or nothing, which is everything: how many documents, what they are, when, where,
// and on which topics. Parts of which nothing is sure are left out.

import { Pane, type Shared } from "./pane";
import "./portrait.css";
import { hue } from "../look/colours";
import { period } from "../look/dates";
import { button, type Child, h, meter, replace } from "../look/dom";
import { count, isolated, percent, times, whole } from "../look/format";
import { oneFormEach, sameWord } from "../look/inflection";
import type { Documents } from "../page/documents";
import { leading } from "../page/leading";
import { type Page, path, type Shares, type Topic } from "../page/page";
import { familyOf, fieldChoice, narrowTo } from "../pictures/chart";
import { type Point, pointsOf } from "../pictures/lines";
import type { WordCounts } from "../selection/corpus";
import { distinctWords } from "../selection/distinct";
import { orders, soughtWords, topicIds } from "../selection/listing";
import { describeClauses } from "../selection/saying";
import { members } from "../selection/sets";
import { allClauses, fieldOf } from "../selection/state";
import { chosenOf } from "../selection/tally";
import { inPeriod, isAll, mentions, mentionsGroups, only, termOf } from "../selection/terms";
import { typical, typicalAmong } from "../selection/typicality";
import { FEW } from "../shares/evidence";
import { About } from "./about";
import { frequentIn, leadingTopics } from "./apart";
import { FIGURES, figures } from "./size";
import { summary } from "./summary";
import { TopicTools } from "./tools";
import { when } from "./when";

const [WORDS, GROUPS, TOPICS, FURTHER] = [8, 5, 5, 20]; // how many of each are listed
const [SHORT, TITLES] = [8, 3]; // documents: shorter lists show all; typical ones that are named
const [LEAST, MOST] = [5, 7]; // topics with a typical document, if nothing is chosen
const HOW_TO_READ =
  `A topic is a group of words that occur together. ${FIGURES} The list of topics leads from broad ones ` +
  "to specific ones. A question mark stands beside topics that few samples of the documents confirm.";
const UNDATED = "There is no view Changes: it needs documents with dates, of two periods at least.";
const KEYS =
  "Keyboard: / starts a search; in the list of topics, the arrow keys move and expand, Enter selects, " +
  "and * expands all topics beside one; t shows and hides that list.";

export class Portrait extends Pane {
  readonly element = h("section.portrait", { "aria-label": "What is chosen" });
  private readonly tools: TopicTools;
  private readonly about: About;
  private examples: HTMLElement | null = null; // for everything; slow to find
  private more = false; // whether further topics are listed

  constructor(shared: Shared) {
    super(shared);
    const { store } = this;
    this.tools = new TopicTools(this);
    this.about = new About(this);
    store.onChange(() => {
      this.more = false;
    });
    store.onEdit(() => {
      this.examples = null;
    });
  }

  rename(): void {
    this.tools.rename();
  }

  draw(): void {
    const { page, store, working } = this;
    const topic = page.topics[store.state.topic];
    const alone = topic && !store.state.clauses.length;
    this.element.style.setProperty("--hue", topic ? hue(topic.branch) : "var(--accent)");
    const { documents } = working;
    replace(this.element, [
      topic && this.above(topic),
      alone
        ? [...this.tools.draw(topic, this.toList), this.facts(topic)]
        : working.narrowed
          ? this.ofSet()
          : this.ofEverything(),
      alone ? this.keywords(topic) : working.narrowed && this.words(),
      this.times(alone ? topic : null),
      this.places(alone ? topic : null),
      working.narrowed && this.topics(),
      working.narrowed && working.answers?.trouble && h("p.notice", working.answers.trouble),
      documents && (working.narrowed ? this.typical(documents) : this.leading(documents)),
      alone && this.about.draw(topic),
      !working.narrowed && howToRead(page),
    ]);
  }

  private above(topic: Topic): HTMLElement | false {
    const steps = path(this.page, topic)
      .slice(0, -1)
      .map(({ title, index }) =>
        button(title, () => this.store.selectTopic(index), { title, dir: "auto" }),
      );
    const label = { "aria-label": "Path to the selected topic" };
    return steps.length > 0 && h("nav.path.flow", label, steps);
  }

  private facts(topic: Topic): HTMLElement {
    const props = { class: topic.stale ? "facts stale" : "facts" };
    return h("p", props, figures(topic, this.working), this.sampled("Words and other topics"));
  }

  private ofSet(): Child[] {
    const { page, store, working } = this;
    const clauses = allClauses(store.state, page);
    const names = describeClauses(clauses, page);
    const { figure } = working;
    const all = figure && (figure.among ?? page.documents);
    const every = clauses.some(isAll);
    return [
      h("h2", { tabindex: -1 }, ...names.flatMap((name, k) => [k > 0 && " and ", h("bdi", name)])),
      all && figure && !every
        ? h("p.facts", [
            h("b", [figure.bound, percent(figure.documents / all)].filter(Boolean).join(" ")),
            figure.among === null ? " of all documents" : " of the documents in this page",
            this.sampled("What follows"),
          ])
        : null,
      !every &&
        h("div.topic-tools.screen", [
          button("Compare with…", () => store.compare(clauses)),
          this.toList,
        ]),
    ];
  }

  /** A button that leads past the portrait to the list of documents. */
  private get toList(): HTMLElement | false {
    if (!this.working.documents) return false;
    const go = (): void => {
      const list = this.element.nextElementSibling;
      list?.scrollIntoView();
      list?.querySelector<HTMLElement>(".results button")?.focus({ preventScroll: true });
    };
    return button("Documents ↓", go);
  }

  private ofEverything(): Child[] {
    const { page, working } = this;
    const { documents } = working;
    return [
      h("h2.lead", { tabindex: -1 }, summary(page)),
      h("p.ways.flow.screen", documents ? this.ways(documents) : [], this.toName()),
      documents && sampled(documents, working.sampled),
    ];
  }

  /** A button that leads through the root topics that have no title by a person yet. */
  private toName(): HTMLElement | false {
    const named = this.edits.titled;
    const left = familyOf(this.page, -1).filter(({ id }) => !named.has(id));
    if (!left.length) return false;
    return button(`Name topics (${left.length})`, () => this.tools.nameEach(left), {
      title: "Give the broadest topics titles of your own, one after the other",
    });
  }

  /** Says of which documents the figures are, if the page does not hold all of them. */
  private sampled(what: string): string | false {
    const { documents, sampled } = this.working;
    if (!documents || !sampled) return false;
    return `. ${what}: among the ${whole(documents.count)} documents that this page holds`;
  }

  private ways({ count: held }: Documents): Child[] {
    const { page, store } = this;
    const { documents: all, none } = page;
    const hides = page.topics.some(({ gone }) => gone === "hidden");
    const every = `Browse all ${count(all!, "document")}`;
    const some = `Browse the ${count(held, "document")} in this page`;
    const name = all === 1 ? "Read the document" : this.working.sampled ? some : every;
    return [
      button(name, () => store.add(only({ kind: "all" })), { class: "first" }),
      none !== null &&
        none > 0 &&
        button(`Documents on no topic (${whole(none)})`, () => store.add(only({ kind: "none" })), {
          title: `No topic${hides ? ", hidden ones included," : ""} has a fifth of their words`,
        }),
    ];
  }

  /** The first keywords of a topic, with how many times as frequent they are on it. */
  private keywords(topic: Topic): Child {
    const [set, every] = this.wordCounts;
    const frequent = topic.words.map(({ word, inside, outside }) => ({
      word,
      note: `Expected in ${percent(inside)} of the documents on the topic, and ${percent(outside)} of the others`,
      times:
        set && every?.words[word]
          ? (set.words[word] / Math.max(1, set.documents) / every.words[word]) * every.documents
          : null,
    }));
    return this.wordList(frequent.filter((one) => one.times === null || one.times > 1));
  }

  private words(): Child {
    const { store, page } = this;
    const [set, every] = this.wordCounts;
    if (!set?.documents || !every || set.documents === every.documents) return null;
    const searched = soughtWords(store.state).flatMap((word) => word.toLowerCase().split("-"));
    const isSearched = (part: string): boolean => searched.some((one) => sameWord(one, part));
    return this.wordList(
      distinctWords(set, every)
        .filter(({ word }) => !page.words[word].split("-").every(isSearched))
        .map(({ word, on, times }) => ({
          word,
          times,
          note: `In ${whole(on)} of ${count(set.documents, "document")}`,
        })),
    );
  }

  private wordList(
    words: readonly { word: number; times: number | null; note: string }[],
  ): HTMLElement | null {
    if (!words.length) return null;
    const { page, store } = this;
    const chosen = oneFormEach(words, page.words, WORDS);
    return part("Words", "times as frequent as in all documents", [
      h("ul.keywords.flow", { "aria-label": "Keywords" }, [
        ...chosen.map(({ word: k, times: factor, note }) => {
          const word = page.words[k];
          const pick = (): void => store.add(only({ kind: "word", word }));
          const title = factor ? `${note}; ${times(factor)} times as frequent as in all` : note;
          const often = factor ? h("small", ` ${times(factor)}×`) : "";
          return h("li", button(h("span", word, often), pick, { title }));
        }),
      ]),
    ]);
  }

  /** How many of the chosen documents, and of all, have each word; null until that is known. */
  private get wordCounts(): (WordCounts | null)[] {
    const { page, store, working } = this;
    return [allClauses(store.state, page), []].map(
      (clauses) => working.answers?.words(clauses) ?? null,
    );
  }

  /** The working set, counted by period or group; null if it is empty, or until it is counted. */
  private counted(division: Shares, gaps = false): Shares | null {
    const { page, store, working } = this;
    const clauses = allClauses(store.state, page);
    const [chosen, all] = [clauses, []].map((one) => working.answers?.divided(one, division));
    return chosen && all && working.counts?.documents ? chosenOf(chosen, all, gaps) : null;
  }

  /** How frequent the topic, or the working set, is over time. */
  private times(topic: Topic | null): Child {
    const { page, store, working } = this;
    const { periods } = page;
    if (!periods || mentions(store.state.clauses, "date")) return null;
    const choose = (period: string): void => narrowTo(store, inPeriod(period));
    const { unit } = periods;
    if (!working.narrowed || store.state.clauses.some(isAll)) {
      const all = periods.documents.reduce((sum, one) => sum + one, 0);
      const points = periods.documents.flatMap((documents, period): Point[] =>
        documents
          ? [{ period, share: documents, documents, on: 0, effectiveSize: 0, low: 0, high: 0 }]
          : [],
      );
      const figure = ({ documents }: Point): string => whole(documents);
      const describe = ({ documents }: Point): string => count(documents, "document");
      const element = when(periods, points, figure, describe, choose, true);
      return element && part("When", `${count(all, "document")} by ${unit}`, element);
    }
    const counted = topic
      ? periods
      : this.counted(periods, mentionsGroups(store.state.clauses, page.fields));
    if (!counted) return null;
    const figure = ({ share }: Point): string => percent(share);
    const describe = ({ share, on, documents }: Point): string =>
      topic
        ? `${percent(share)} of the words of ${count(documents, "document")}`
        : `${percent(share)}, ${whole(on)} of ${count(documents, "document")}`;
    const points = pointsOf(counted, topic?.index ?? -1);
    const element = when(periods, points, figure, describe, choose);
    const what = topic ? "mean share of the words" : "share of the documents";
    return element && part("When", `${what} of each ${unit}`, element);
  }

  /** The groups in which the topic, or the working set, is frequent. */
  private places(topic: Topic | null): Child {
    const { page, store, working } = this;
    const groups = fieldOf(store.state, page);
    if (!groups) return null;
    const { key: field } = groups;
    const choose = (name: string) => (): void => narrowTo(store, { kind: "group", field, name });
    const choice = fieldChoice(page, store);
    const where = (what: string, ...rows: HTMLElement[]): HTMLElement =>
      headed("Where", [choice, " ", h("small", what)], h("ul.ranked", rows));
    if (mentions(store.state.clauses, field)) return choice && where("they are chosen by this");
    if (!working.narrowed || store.state.clauses.some(isAll)) {
      const largest = groups.names
        .map((name, k): [string, number] => [name, groups.documents[k]])
        .filter(([name]) => name)
        .slice(0, GROUPS);
      const most = Math.max(...largest.map(([, documents]) => documents));
      const rows = largest.map(([name, documents]) =>
        ranked(name, documents / most, whole(documents), choose(name)),
      );
      const named = groups.names.filter(Boolean).length + groups.further;
      const what = named > rows.length ? `the largest of ${whole(named)} groups` : "documents";
      return where(what, ...rows);
    }
    const counted = topic ? groups : this.counted(groups);
    if (!counted || !working.counts || (!topic && working.sampled)) return null;
    const all = topic ? topic.size : working.counts.documents / working.every!.documents;
    const found = frequentIn(counted, topic?.index ?? -1, all, GROUPS);
    const few = counted.names.some((name, k) => name && counted.documents[k] < FEW);
    const large = few ? ` of ${FEW} documents or more` : ""; // those that are tested
    if (!found.length) {
      return choice && where(`in no group${large} surely more than in all documents`);
    }
    const most = Math.max(...found.map(({ high }) => high));
    const rows = found.map(({ name, share, low, high }) =>
      ranked(name, share / most, `${percent(share)}`, choose(name), {
        title: `${isolated(name)}: ${percent(share)}, 95% interval ${percent(low)} to ${percent(high)}; all documents ${percent(all)}`,
        range: [low / most, high / most, all / most],
        more: `${percent(low)}–${percent(high)}`,
      }),
    );
    const what = topic ? "mean share of the words" : "share of the documents";
    const than = `${what} of groups${large} where it is surely larger; all: ${percent(all)}`;
    return where(than, ...rows);
  }

  private topics(): Child {
    const { page, store, working } = this;
    const { counts } = working;
    if (!counts?.documents) return null;
    const { topic: selected } = store.state;
    const ids = topicIds(store.state);
    const chosen = page.shown.filter(({ id, index }) => index === selected || ids.includes(id));
    const every = leadingTopics(page, counts.on, chosen);
    const shown = every.slice(0, this.more ? FURTHER : TOPICS);
    if (!shown.length) return null;
    const rows = shown.map((topic) => {
      const on = counts.on[topic.index];
      const share = on / counts.documents;
      const row = ranked(topic.title, share, percent(share), () => store.add(only(termOf(topic))), {
        title: `${whole(on)} of ${count(counts.documents, "document")}`,
        hue: hue(topic.branch),
      });
      const out = (): void => store.add(only(termOf(topic), true));
      const label = `Leave out documents on ${isolated(topic.title)}`;
      row.append(button("−", out, { class: "out screen", "aria-label": label, title: label }));
      return row;
    });
    const press = (): void => {
      this.more = true;
      const { scrollTop } = this.element.parentElement!;
      this.draw();
      this.element.parentElement!.scrollTop = scrollTop;
    };
    return part(chosen.length ? "Also on" : "Topics", "share of these documents", [
      h("ul.ranked", rows),
      every.length > shown.length &&
        shown.length < FURTHER &&
        button("More topics", press, { class: "link screen" }),
    ]);
  }

  /** Typical documents, where the list does not usually begin with them. */
  private typical(documents: Documents): Child {
    const { page, store, working } = this;
    const { current } = working;
    const [usual] = orders(store.state, page.periods !== null);
    if (!current || current.size <= SHORT || usual === "typical") return null;
    if (store.state.clauses.some(isAll)) return null;
    const found = typicalAmong(members(current), () => 1, documents, TITLES);
    const rows = found.map((document) => this.example(documents, document));
    const all = documents.count === documents.total;
    const of = all ? "of these documents" : "among those that this page holds";
    return part("Typical", of, h("ul.examples", rows));
  }

  private leading(documents: Documents): HTMLElement {
    const { mask } = this.working.current!;
    const rows = (): HTMLElement[] =>
      leading(this.page, LEAST, MOST).flatMap((topic) => {
        const [document] = typical(topic, documents, mask, 1);
        return document === undefined ? [] : this.example(documents, document, topic);
      });
    const what = "one document of each of the largest topics";
    this.examples ??= part("Typical", what, h("ul.examples", rows()));
    return this.examples;
  }

  private example(documents: Documents, document: number, topic?: Topic): HTMLElement {
    const open = (): void => this.store.selectDocument(documents.row(document));
    const props = topic ? { style: { "--hue": hue(topic.branch) }, title: topic.title } : {};
    const written = documents.about("dates", document);
    const date = period(written, 10) || period(written, 7) || period(written, 4);
    return h("li", props, [
      button(documents.name(document), open, { class: "title", dir: "auto" }),
      date && h("small", date),
    ]);
  }
}

function part(name: string, what: string, ...content: Child[]): HTMLElement {
  return headed(name, [h("small", what)], content);
}

function headed(name: string, beside: Child[], ...content: Child[]): HTMLElement {
  const props = { class: "aspect", "aria-label": name };
  return h("section", props, h("h3", name, " ", beside), content);
}

interface More {
  readonly title?: string;
  readonly hue?: string;
  readonly more?: string;
  /** Where an interval begins and ends, and the share of all, as parts of the bar. */
  readonly range?: readonly [low: number, high: number, all: number];
}

function ranked(
  name: string,
  length: number,
  figure: string,
  press: () => void,
  { title, hue, more, range }: More = {},
): HTMLElement {
  const wide = (part: number): string => `${100 * Math.min(1, part)}%`;
  return h("li", { title, style: hue ? { "--hue": hue } : null }, [
    button(name, press, { class: "name", dir: "auto" }),
    meter(
      Math.min(1, length),
      range && h("i.sure", { style: { left: wide(range[0]), width: wide(range[1] - range[0]) } }),
      range && h("i.all", { style: { left: wide(range[2]) } }),
    ),
    h("span.p", figure, more && h("small", ` ${more}`)),
  ]);
}

function sampled({ count: included, total }: Documents, some: boolean): HTMLElement | false {
  if (included === total) return false;
  const counted = some
    ? "The figures of topics, groups and dates are of all documents; searches, and whatever is chosen by several things at once, are counted among those that the page holds."
    : "Lists and figures are of all documents; the map, similar documents and typical ones are among those that the page holds.";
  const text = `This page holds ${whole(included)} of the ${whole(total)} documents: those with the largest shares of each topic and a random sample. ${counted}`;
  return h("p.notice", text);
}

function howToRead({ documents, periods }: Page): HTMLElement {
  return h("details.more", [
    h("summary", "How to read this page"),
    h("p", HOW_TO_READ),
    documents !== null && !periods && h("p", UNDATED),
    h("p.soft", KEYS),
  ]);
}

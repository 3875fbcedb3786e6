// How two sets of documents differ, in topics and in words; and the topics by group.

import { Pane, type Shared } from "../panels/pane";
import "./differences.css";
import { palette } from "../look/colours";
import { spoken } from "../look/dates";
import { button, type Child, h, replace } from "../look/dom";
import { count, isolated, percent, quoted, times, whole } from "../look/format";
import { oneFormEach } from "../look/inflection";
import { copyButton } from "../look/tables";
import { largerFirst } from "../page/leading";
import type { Page, Shares, Topic } from "../page/page";
import { leadingTopics } from "../panels/apart";
import type { WordCounts } from "../selection/corpus";
import { type Contrast, contrastWords, FEWEST } from "../selection/distinct";
import { describeFigure, exactly } from "../selection/figure";
import { type Compared, pairOf } from "../selection/pair";
import { parsed } from "../selection/query";
import { describeWhere } from "../selection/saying";
import { clausesOf, describeSide, type Side, topicOf } from "../selection/sides";
import { allClauses, fieldOf } from "../selection/state";
import { byCount } from "../selection/tally";
import { besides, inPeriod, mentions, only, termOf } from "../selection/terms";
import { FEW } from "../shares/evidence";
import {
  beforeEdits,
  captioned,
  familyOf,
  fieldChoice,
  narrowTo,
  OF_DOCUMENTS,
  OF_WORDS,
  sampled,
} from "./chart";
import { drawDumbbells, dumbbellsOf, surestOf } from "./dumbbells";
import { finding } from "./findings";
import { columnsOf, groupTable, strongest } from "./group-table";
import { drawWords, type Plotted } from "./word-scatter";

const [TOPICS, WORDS] = [14, 12]; // topics at first; words of each set
const MAYBE = 5; // words of each set, if none surely is more frequent there
const NAMED = 80; // words whose names are drawn if there is room
const ON_LINE = "Words on the dashed line are as frequent in both sets";
const ABOUT_DOTS = `${ON_LINE}; those in colour surely are not, and the other named ones may not be.`;
const ROOM = 480; // pixels, below which words are not drawn
const ELSE = "all else";
const CHOSEN = "what is chosen";

type Sides = readonly [Side, Side];

type Named = Compared & { readonly name: string };

export class DifferencesView extends Pane {
  readonly element = h("div.picture.scroll.chart.differences", {
    tabindex: 0,
    role: "region",
    "aria-label": "Differences",
  });
  private every = false; // whether all topics are drawn
  private wide = false; // whether all groups have a column

  constructor(shared: Shared) {
    super(shared);
    this.store.onChange((state, before) => {
      const drawn = ["compared", "clauses", "by"] as const;
      if (drawn.some((part) => state[part] !== before[part])) this.draw();
    });
  }

  draw(): void {
    const { element, page, working } = this;
    if (element.clientWidth < 50) return;
    const sides = this.sides;
    if (!working.answers) {
      const names = sides.map((side) => quoted(describeSide(side, page)));
      const none = page.documents === null;
      const loading = none ? "This page has no documents to compare." : "Loading documents …";
      replace(element, h("h2", names.join(" and ")), h("p.soft", loading));
      return;
    }
    const parts = [this.comparison(sides), this.byGroup()];
    replace(element, ...parts.map((part) => part.length > 0 && h("div", part)));
  }

  /** The two sets: those that somebody set beside each other, what is chosen and all else, the
   * largest groups, or the largest topics. */
  private get sides(): Sides {
    const { page, store, working } = this;
    const [one, other] = store.state.compared;
    if (one) return [one, other ?? []];
    if (working.narrowed) return [allClauses(store.state, page), []];
    const field = fieldOf(store.state, page);
    const [first, second] = field?.names.filter(Boolean) ?? [];
    if (field && second) return [ofGroup(field, first), ofGroup(field, second)];
    const roots = familyOf(page, -1).sort(largerFirst);
    const [a, b] = roots.map((topic): Side => [only(termOf(topic))]);
    return [a ?? [only({ kind: "all" })], b ?? []];
  }

  private comparison(sides: Sides): Child[] {
    const { page, working } = this;
    const answers = working.answers!;
    const found = pairOf(answers, sides);
    if (!found) return [h("p.soft", answers.trouble || "Counting …")];
    const pair = found.sets.map((set): Named => ({ ...set, name: describeSide(set.side, page) }));
    const sizes = pair.map(({ counts }) => counts.documents);
    const { both } = found;
    const shared = [both, sizes[0] - both, sizes[1] - both] as const;
    const names = pair.map(({ side, name }) =>
      topicOf(side, page) < 0 ? isolated(name) : quoted(name),
    );
    const none = names.filter((_, k) => !sizes[k]);
    const sample = sampled(working);
    if (none.length) {
      const which = sample ? "No document that this page includes" : "No document";
      const title = `${which} is in ${none.join(" or ")}`;
      return [h("h2", title), this.pickers(pair)];
    }
    const own = sides.flatMap((side) => page.topics[topicOf(side, page)] ?? []);
    const on = Float64Array.from(
      page.topics,
      (_, k) => pair[0].counts.on[k] + pair[1].counts.on[k],
    );
    const dumbbells = dumbbellsOf(
      leadingTopics(page, on, own),
      pair.map(({ counts }, k) => [names[k], counts.documents, counts.on]),
      sample !== "",
    );
    const surest = sample ? null : surestOf(dumbbells);
    const title =
      own.length > 1 && !sample
        ? `${finding([own[0].title, own[1].title], shared, working.every!.documents)}.`
        : (surest?.sentence ?? names.join(" and "));
    const dots =
      "Dots: how many of a set’s documents are on the topic, hollow if the set has fewer than 30.";
    const bars = !sample && "Bars: 95% intervals.";
    const note = [sample, own.length < 2 && surest?.figures, dots, bars, beforeEdits(page)]
      .filter(Boolean)
      .join(" ");
    const shown = this.every ? dumbbells : dumbbells.slice(0, TOPICS);
    const choose = (topic: Topic): void => this.store.selectTopic(topic.index);
    const drawing = drawDumbbells(shown, this.width, palette(), choose);
    return [
      h("h2", title),
      h("p.soft.note", note),
      this.pickers(pair),
      both > 0 && this.regions(pair, shared),
      h("h3", "Topics"),
      shown.length
        ? captioned(drawing, title, note)
        : h("p.soft", "There are no other topics on which any of them are."),
      dumbbells.length > TOPICS &&
        this.turning("every", dumbbells.length, "topics", { class: "link" }),
      h("h3", "Words"),
      this.words(pair),
    ];
  }

  private pickers(pair: readonly Named[]): HTMLElement {
    const { page, store, working } = this;
    const sides = pair.map(({ side }) => side);
    const { periods } = page;
    const known = [
      ...(working.narrowed ? [CHOSEN] : []),
      ELSE,
      ...(fieldOf(store.state, page)?.names.filter(Boolean) ?? []),
      ...(periods?.names.filter((_, k) => periods.documents[k]) ?? []),
      ...page.shown.map(({ title }) => title),
    ];
    const swap = (): void => store.set({ compared: [sides[1], sides[0]] });
    const picker = (k: 0 | 1): HTMLElement => {
      const input = h("input.screen", {
        type: "text",
        name: `side-${k}`,
        list: "known-sides",
        placeholder: "Group, date, topic, words …",
        "aria-label": k ? "Second set of documents" : "First set of documents",
        onchange: () => {
          const side = this.read(input.value);
          if (!side || (!side.length && !sides[1 - k].length)) return;
          const compared = k ? [sides[0], side] : [side, sides[1]];
          store.set({ compared });
        },
      });
      const { clauses, name, counts } = pair[k];
      const documents = count(counts.documents, "document");
      return h("div", { class: k ? "side second" : "side" }, [
        h("p.side-name", h("b", h("bdi", name))),
        clauses
          ? button(documents, () => store.choose(clauses), { class: "link count" })
          : h("span.soft", documents),
        input,
      ]);
    };
    const options = [...new Set(known)].map((value) => h("option", { value }));
    return h("div.sides", { role: "group", "aria-label": "The sets that are compared" }, [
      picker(0),
      button("⇄", swap, {
        class: "screen",
        "aria-label": "Swap the two sets",
        title: "Swap the two sets",
      }),
      picker(1),
      h("datalist", { id: "known-sides" }, options),
    ]);
  }

  /** The set that somebody typed: one that is known by name, or what a search finds. */
  private read(text: string): Side | null {
    const { page, store } = this;
    const wanted = text.trim().toLowerCase();
    if (!wanted) return null;
    if (wanted === ELSE) return [];
    if (wanted === CHOSEN) return allClauses(store.state, page);
    const same = (name: string): boolean => name.toLowerCase() === wanted;
    const usual = fieldOf(store.state, page);
    for (const field of usual ? [usual, ...page.fields] : []) {
      const group = field.names.find(same);
      if (group) return ofGroup(field, group);
    }
    const period = page.periods?.names.find((name) => same(name) || same(spoken(name)));
    if (period) return [only(inPeriod(period))];
    const topic = page.shown.find(({ title }) => same(title));
    if (topic) return [only(termOf(topic))];
    const dated = page.periods ? parsed(`date:"${text}"`, page.fields) : "";
    const found = typeof dated === "string" ? parsed(text, page.fields) : dated;
    return typeof found === "string" ? null : found;
  }

  /** How many documents are in both sets, and in one alone; each number leads to them. */
  private regions([one, other]: readonly Named[], shared: readonly number[]): HTMLElement {
    const [first, second] = [isolated(one.name), isolated(other.name)];
    const places = [`in both ${first} and ${second}`, `in ${first} alone`, `in ${second} alone`];
    const all: [Side | null, Side | null][] = [
      [one.clauses, other.clauses],
      [one.clauses, clausesOf(other.side, one.side, false)],
      [clausesOf(one.side, other.side, false), other.clauses],
    ];
    const row = ([a, b]: (typeof all)[number], k: number): HTMLElement => {
      const documents = count(shared[k], "document");
      const press = (): void => this.store.choose([...(a ?? []), ...(b ?? [])]);
      const props = { class: "link count", "aria-label": `${documents} ${places[k]}` };
      return h("li", a && b ? button(documents, press, props) : documents, ` ${places[k]}`);
    };
    return h("ul.regions.flow", { "aria-label": "Documents that are in both" }, all.map(row));
  }

  /** The words that are more frequent in one set than in the other, for both. */
  private words(pair: readonly Named[]): Child[] {
    const { words } = this.page;
    const contrasts = pair.map((one, k) =>
      contrastWords(one.words, pair[1 - k].words).map((word) => ({
        ...{ ...word, side: k },
        sure: word.sure && !this.working.sampled,
      })),
    );
    const list = (k: 0 | 1): HTMLElement => {
      const { clauses, name } = pair[k];
      const size = pair[k].counts.documents;
      const sure = contrasts[k].filter((word) => word.sure);
      const [every, most] = sure.length ? [sure, WORDS] : [contrasts[k], MAYBE];
      const found = oneFormEach(every, words, most);
      const item = ({ word: at, on, times: factor }: Contrast): HTMLElement => {
        const word = words[at];
        const press = (): void =>
          this.store.choose([...(clauses ?? []), only({ kind: "word", word })]);
        const often = Number.isFinite(factor) ? `${times(factor)}×` : "only here";
        const label = `${word}: in ${whole(on)} of ${count(size, "document")}, ${percent(on / size)}; ${often}`;
        return h("li", { title: label }, [
          button(word, press, { class: "name", "aria-label": label }),
          h("span.share", percent(on / size)),
          h("span.often", often),
        ]);
      };
      return h("div", { class: k ? "side second" : "side" }, [
        h("h4", "More often in ", h("bdi", name)),
        !sure.length && h("p.soft", `No word surely is${found.length ? "; these may be:" : "."}`),
        found.length > 0 &&
          h("ol", { class: sure.length ? "contrast" : "contrast soft" }, found.map(item)),
      ]);
    };
    const drawn = contrasts.flat().sort((a, b) => b.evidence - a.evidence);
    const scatter = drawn.length > 0 && this.scatter(pair, drawn);
    return [
      h("p.soft.note", aboutWords(this.page), scatter && ` ${this.aboutDots}`),
      scatter,
      h("div.both-words", list(0), list(1)),
    ];
  }

  /** The words of both sets as dots, if there is room; a word leads to where it occurs. */
  private scatter(
    pair: readonly Named[],
    contrasts: readonly (Contrast & { readonly side: number })[], // those with most evidence first
  ): SVGSVGElement | false {
    const width = Math.min(760, this.width);
    if (width < ROOM) return false;
    const named = oneFormEach(contrasts, this.page.words, NAMED).map(({ word }) => word);
    const side = new Map(contrasts.flatMap(({ word, side, sure }) => (sure ? [[word, side]] : [])));
    const [one, other] = pair.map(({ words }) => words);
    const share = ({ words, documents }: WordCounts, word: number): number =>
      words[word] / documents;
    const plotted = this.page.words.map((name, word): Plotted => {
      const shares = [share(one, word), share(other, word)] as const;
      return { name, shares, side: side.get(word) ?? -1, named: named.indexOf(word) };
    });
    const choose = ({ name, side }: Plotted): void =>
      this.store.choose([...(pair[side]?.clauses ?? []), only({ kind: "word", word: name })], true);
    const frequent = plotted.filter((_, word) => one.words[word] + other.words[word] >= FEWEST);
    const names = pair.map(({ name }) => name);
    const drawing = drawWords(frequent, width, palette(), names, choose);
    const title = `Words in ${names.map(quoted).join(" and ")}`;
    return captioned(drawing, title, this.aboutDots);
  }

  private get aboutDots(): string {
    return this.working.sampled ? `${ON_LINE}.` : ABOUT_DOTS;
  }

  /** A button that shows all of so many things, or fewer of them. */
  private turning(state: "every" | "wide", all: number, what: string, props = {}): HTMLElement {
    const turn = (): void => {
      this[state] = !this[state];
      this.draw();
    };
    return button(this[state] ? `Fewer ${what}` : `All ${whole(all)} ${what}`, turn, props);
  }

  private get width(): number {
    return Math.max(280, Math.min(860, this.element.clientWidth - 48));
  }

  private byGroup(): Child[] {
    const { page, store, working } = this;
    const { topics } = page;
    const groups = fieldOf(store.state, page);
    if (!groups) return [];
    const { key, name: by } = groups;
    const { topic: selected, clauses } = store.state;
    const others = besides(clauses, key);
    const set = others.length ? working.answers!.count(others) : null;
    const tally = others.length ? working.answers!.divided(others, groups) : groups;
    if (!tally || (others.length && !set)) return [];
    const sample = set ? sampled(working) : "";
    const counts = set?.counts ?? working.all!;
    const all = (topic: number): number => counts.on[topic] / Math.max(1, counts.documents);
    const shown = familyOf(page, selected).filter(({ index }) => counts.on[index]);
    const rows = selected >= 0 ? [topics[selected], ...shown] : shown;
    const silent = mentions(clauses, key);
    const chosen = topics[selected];
    const found =
      silent || sample || !rows.length
        ? null
        : chosen && !others.length
          ? strongest([chosen], groups, OF_WORDS)
          : strongest(rows, byCount(tally), OF_DOCUMENTS);
    const where = describeWhere(others, page);
    const of = describeFigure(set?.figure ?? exactly(counts.documents), where);
    const columns = columnsOf(tally, true).length;
    const few = columnsOf(tally, true).some((part) => tally.documents[part] < FEW);
    const untested = few ? ` Groups of fewer than ${FEW} documents are not tested.` : "";
    const cells = `Cells: how many of a group’s documents${where} are on the topic.`;
    const table = groupTable(rows, tally, all, this.wide, sample !== "", (topic, name) => {
      if (name !== null) narrowTo(store, { kind: "group", field: key, name });
      if (topic) store.selectTopic(topic.index);
    });
    const more = columns > columnsOf(tally, false).length || this.wide;
    return [
      h("h3", "Topics by ", fieldChoice(page, store) ?? h("bdi", by)),
      found && h("p.found-by-group", `${found.sentence}.`),
      h("p.soft.note", [
        !sample && [h("b.more-often", "Surely more"), " or ", h("b.less-often", "surely less")],
        !sample && ` frequent than in all ${of}. `,
        cells,
        sample ? ` ${sample}` : `${untested} ${found?.figures ?? ""}`,
      ]),
      h("p.table-tools.screen", [
        copyButton(table),
        more && this.turning("wide", columns, "groups"),
      ]),
      h("div.scroll.across", { tabindex: 0, role: "region", "aria-label": `Topics by ${by}` }, [
        table,
      ]),
    ];
  }
}

function aboutWords({ words }: Pick<Page, "words">): string {
  const compound = words.find((word) => word.includes("-"));
  const whole = compound
    ? ` A word such as ${quoted(compound)} counts as one, and not for its parts.`
    : "";
  return `How many of a set’s documents have a word, and how many times the other set’s share that is.${whole}`;
}

function ofGroup({ key }: Shares, name: string): Side {
  return [only({ kind: "group", field: key, name })];
}

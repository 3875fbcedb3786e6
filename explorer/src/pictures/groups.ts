// How much there is of topics in each group.

import { palette } from "../look/colours";
import { h, replace, table } from "../look/dom";
import { count, percent, whole } from "../look/format";
import { quoted } from "../look/lists";
import { leading } from "../page/leading";
import type { Page, Shares, Topic } from "../page/page";
import { ofSet, told } from "../selection/figure";
import type { DocumentSet, Sets } from "../selection/sets";
import type { Store } from "../selection/state";
import { besides, clauseOf, mentions } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { Chart, captioned, narrowTo, sampled, seriesOf } from "./chart";
import { ahead, dotsOf, drawDots } from "./dots";
import { documentsIn, type GroupRow, groupRows, MOST, shareIn } from "./group-rows";
import { drawHeat, heatOf, strongest } from "./heat";
import { wilson } from "./intervals";
import { FEW } from "./lines";
import { tallied } from "./tally";

const [LEAST, COLUMNS] = [8, 20]; // of the heat map, unless somebody chose topics
const COLOURS = "Blue: more than in all documents; orange: less.";

/** The picture "By group": a topic in each group, or each topic in each group. */
export class GroupView extends Chart {
  private filter = ""; // what is looked for in the table

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly working: WorkingSet,
    shares: Shares,
  ) {
    super("By group", shares);
  }

  /** Draws the groups of the selected topic, or of the topics to begin with. */
  draw(): void {
    const { page, store, working } = this;
    if (this.element.clientWidth < 50) return;
    const topic = page.topics[store.state.topic];
    const { sets } = working;
    if (topic) this.drawTopic(topic, sets);
    else if (sets) this.drawTopics(sets);
    else replace(this.element, h("p", { class: "soft" }, "Loading documents …"));
  }

  /** The group that the working set is narrowed to. */
  private get chosen(): string | null {
    const clause = clauseOf(this.store.state.clauses, "group");
    return clause?.terms[0].kind === "group" ? clause.terms[0].name : null;
  }

  /** Whether groups define the documents that are counted: differences of groups are no finding then. */
  private get silent(): boolean {
    return mentions(this.store.state.clauses, "group");
  }

  /** The width and height that a drawing has below its title and above the table. */
  private get room(): [width: number, height: number] {
    return [this.element.clientWidth - 24, this.element.clientHeight - 190];
  }

  /** The rows of the groups that have documents, or all of them if none has any. */
  private rowsOf(shares: Pick<Shares, "documents">): GroupRow[] {
    const rows = groupRows(this.shares, this.chosen === null ? [] : [this.chosen]);
    const filled = rows.filter((row) => documentsIn(shares, row) > 0);
    return filled.length ? filled : rows;
  }

  /** The documents that somebody chose by something else than the topic and the group. */
  private counted(sets: Sets): { set: DocumentSet; tally: Shares } {
    const set = sets.of(besides(this.store.state.clauses, "group"));
    const parts = this.parts(sets.documents);
    return { set, tally: tallied(this.page, sets, set, this.shares, parts) };
  }

  private drawTopic(topic: Topic, sets: Sets | null): void {
    const { page, store } = this;
    const narrowed = besides(store.state.clauses, "group").length > 0;
    const counted = narrowed && sets ? this.counted(sets) : null;
    const shares = counted?.tally ?? this.shares;
    const rows = this.rowsOf(shares);
    const dots = dotsOf(rows, shares, topic.index);
    const all = counted
      ? sets!.counts(counted.set).on[topic.index] / Math.max(1, counted.set.size)
      : topic.size;
    const found = this.silent ? null : ahead(quoted(topic.title), dots);
    const title = found?.told ?? `${quoted(topic.title)} by group`;
    const what = counted
      ? `Of the ${told(ofSet(counted.set), "chosen document")}, how many in each group are on the topic. ${sampled(sets!.documents)}`
      : "The mean share of the words of each group’s documents.";
    const unsure = dots.some(({ documents }) => documents < FEW);
    const few = unsure ? `Hollow, and below the others: fewer than ${FEW} documents. ` : "";
    const sure = `Bars: 95% intervals. ${few}${COLOURS}`;
    const note = [what, found?.figures, sure, this.left(counted !== null)]
      .filter(Boolean)
      .join(" ");
    const drawing = drawDots(dots, all, topic, this.chosen, this.room, palette(), (row) =>
      this.choose(row, null),
    );
    const below = seriesOf(page, { topic: topic.index, compared: [] });
    const columns = below.flatMap((entry, k) =>
      k ? [entry.title] : [entry.title, "95% interval"],
    );
    this.show(
      title,
      note,
      drawing,
      columns,
      (row) => {
        const documents = documentsIn(shares, row);
        return below.flatMap((entry, k) => {
          const share = shareIn(shares, row, entry.index);
          if (!documents) return k ? ["–"] : ["–", ""];
          const { low, high } = wilson(share, documents * shares.evidence(entry.index));
          return k ? [percent(share)] : [percent(share), `${percent(low)} to ${percent(high)}`];
        });
      },
      shares,
    );
  }

  private drawTopics(sets: Sets): void {
    const { page, store } = this;
    const { clauses, compared } = store.state;
    const chosen = besides(clauses, "group").length > 0;
    const { set, tally } = chosen ? this.counted(sets) : { set: null, tally: this.shares };
    const counts = set ? sets.counts(set) : this.working.all!;
    const topics = compared.length
      ? compared.map((index) => page.topics[index])
      : leading(page, LEAST, COLUMNS);
    const heat = heatOf(this.rowsOf(tally), topics, tally, counts);
    const named = this.silent ? null : strongest(heat);
    const title = named?.told ?? "Topics by group";
    const of = set ? told(ofSet(set), "chosen document") : count(counts.documents, "document");
    const where = set ? ` ${sampled(sets.documents)}` : "";
    const what = `How many of each group’s documents are on a topic, against how many of the ${of}.${where}`;
    const pale = `Cells of few documents are pale.${named ? " The title is about the cells in frames." : ""}`;
    const note = [what, named?.figures, COLOURS, pale, this.left(chosen)].filter(Boolean).join(" ");
    const choose = (row: GroupRow | null, topic: Topic | null): void => this.choose(row, topic);
    const drawing = drawHeat(heat, named, this.room, palette(), choose);
    this.show(
      title,
      note,
      drawing,
      topics.map(({ title }) => title),
      (row) =>
        topics.map((topic) => {
          const { both, group } = heat.counts(row, topic);
          return group ? `${percent(both / group)} (${whole(both)})` : "–";
        }),
      tally,
    );
  }

  /** Narrows the working set to a group, a topic or both. */
  private choose(row: GroupRow | null, topic: Topic | null): void {
    if (row && row.group !== null) narrowTo(this.store, { kind: "group", name: row.group });
    if (topic) this.store.selectTopic(topic.index);
  }

  /** Which groups have no row, as a sentence; `narrowed` tells that some documents were chosen. */
  private left(narrowed: boolean): string {
    const { further, names } = this.shares;
    const groups = names.filter(Boolean).length;
    if (groups <= MOST + 1) return narrowed ? "Groups without such documents have no row." : "";
    const listed = further ? `the ${whole(groups)} largest` : "all";
    return `The ${MOST} largest of ${whole(groups + further)} groups have a row${narrowed ? " if such documents are in them" : ""}; the table lists ${listed}.`;
  }

  private show(
    title: string,
    note: string,
    drawing: SVGSVGElement,
    columns: string[],
    cells: (row: GroupRow) => string[],
    shares: Shares,
  ): void {
    const every = groupRows(this.shares, [], Number.POSITIVE_INFINITY);
    const rows = every.map((row) => [row.name, whole(documentsIn(shares, row)), ...cells(row)]);
    const figures = table(["group", "documents", ...columns], rows, "Shares by group");
    replace(
      this.element,
      h("h2", {}, title),
      h("p", { class: "soft note" }, note),
      captioned(drawing, title, note),
      this.figures(
        `The figures as a table: ${count(every.filter(({ group }) => group).length, "group")}`,
        ...(every.length > MOST ? [this.finder(figures)] : []),
        figures,
      ),
    );
  }

  /** A field that finds groups in the table. */
  private finder(figures: HTMLElement): HTMLElement {
    const find = (): void => {
      const wanted = this.filter.toLowerCase();
      for (const row of figures.querySelectorAll<HTMLElement>("tbody tr")) {
        row.hidden = !row.firstElementChild!.textContent!.toLowerCase().includes(wanted);
      }
    };
    const field = h("input", {
      type: "search",
      value: this.filter,
      placeholder: "Find a group",
      "aria-label": "Find a group in the table",
      oninput: () => {
        this.filter = field.value;
        find();
      },
    });
    find();
    return h("div", { class: "filter" }, field);
  }
}

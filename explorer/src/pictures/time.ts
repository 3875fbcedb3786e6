// How topics change: one chart of what is selected, and small ones of the topics below it, the
// surest change first.

import { hue, type Palette, palette } from "../look/colours";
import { during, onAxis, spoken } from "../look/dates";
import { button, FONT, fitted, h, labelled, opening, picture, replace, s } from "../look/dom";
import { capital, count, percent, quoted, whole } from "../look/format";
import { type Cell, copyButton, sortable } from "../look/tables";
import type { Shares, Topic } from "../page/page";
import { Pane, type Shared } from "../panels/pane";
import { describeClause } from "../selection/saying";
import type { Side } from "../selection/sides";
import { type Clause, clauseOf, only, termOf } from "../selection/terms";
import { FEW, reliable, relied } from "../shares/evidence";
import { beforeEdits, captioned, comparedTopics, ENDING, familyOf, narrowTo, small } from "./chart";
import { changesOf, type Finding, surest } from "./findings";
import { type Line, type Point, runs } from "./lines";
import { type Below, ofAll, ofChosen, ofTopics, type Series } from "./series";
import { dateTerm, layoutTime, type Range, rangeOf, reach, type TimeLayout } from "./time-layout";

const DENSE = 6; // pixels from one period to the next, below which points are small
const DRAGGED = 4; // pixels, below which a press is a click

interface Change {
  readonly topic: Topic;
  readonly line: Line;
  readonly finding: Finding | null;
}

export class TimeView extends Pane {
  readonly element = h("div.picture.scroll.chart", {
    tabindex: 0,
    role: "region",
    "aria-label": "Changes",
  });

  constructor(
    shared: Shared,
    private readonly shares: Shares,
  ) {
    super(shared);
  }

  /** Draws the chart of the documents that somebody chose, of the topics that are compared, of the
   * selected one, or of the one that changed most surely; and the topics below it. */
  draw(): void {
    const { page, shares, store } = this;
    const { working } = this;
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth < 50) return;
    const { state } = store;
    const chosen = ofChosen(page, state, working, shares);
    if (chosen === "counting") {
      replace(this.element, h("p.soft", working.answers!.trouble || "Counting …"));
      return;
    }
    const below = chosen?.below ?? ofAll(shares);
    const changes = this.changes(familyOf(page, state.topic), below);
    const one = page.topics[state.topic] ?? changes[0]?.topic;
    const series = chosen ?? ofTopics(page, state, shares, one);
    const found = this.found(series, below);
    const title = found ? found.sentence + series.among : this.neutral(series);
    const isApart = state.compared.length > 0 && !comparedTopics(state, page).length;
    const shaded = !series.sampled && series.lines.some(({ points }) => bandsOf(points).length > 0);
    const unsure = series.lines.some(({ points }) => !points.every(reliable));
    const note = [
      series.about,
      found?.figures,
      shaded && `Shaded: 95% intervals${reach(series.lines).cut ? ", cut off at the top" : ""}.`,
      `Bars: how many documents there are${chosen ? " in all" : ""}.`,
      unsure && `Points of fewer than ${FEW} documents are hollow.`,
      series.left,
      isApart && "Sets other than topics are compared in Differences.",
      beforeEdits(page),
    ]
      .filter(Boolean)
      .join(" ");
    const width = Math.min(clientWidth - 48, 1100);
    const height = Math.max(230, Math.min(0.45 * clientHeight, 380));
    const table = this.table(series.lines);
    replace(this.element, [
      h("h2", title),
      h("p.soft.note", note),
      captioned(this.plot(series.lines, width, height), title, note),
      this.range(),
      !chosen && series.lines.map(({ topic }) => this.thenAndNow(page.topics[topic])),
      opening("The figures as a table", {}, copyButton(table), table),
      this.multiples(changes, below),
    ]);
  }

  /** Topics that are tested together, with most evidence of a change first, and the largest of those
   * without any. */
  private changes(family: readonly Topic[], { line, of, silent }: Below): Change[] {
    const lines = family.map((topic) => line(topic));
    const findings = silent ? [] : changesOf(lines, this.shares.names, of);
    return family
      .map((topic, k): Change => ({ topic, line: lines[k], finding: findings[k] ?? null }))
      .sort(
        (a, b) =>
          (b.finding?.evidence ?? 0) - (a.finding?.evidence ?? 0) || onOf(b.line) - onOf(a.line),
      );
  }

  /** The finding for the title, of the selected topic if there is one; null if dates are chosen.
   * Topics are tested together with their siblings, as in the small charts. */
  private found({ lines, of, silent }: Series, below: Below): Finding | null {
    const { page } = this;
    if (silent || this.given) return null;
    const drawn = lines.flatMap(({ topic }) => page.topics[topic] ?? []);
    if (!drawn.length) return surest(changesOf(lines, this.shares.names, of));
    const titled = this.store.state.topic >= 0 ? drawn.slice(0, 1) : drawn;
    const findings = titled.map((topic) => {
      const family = [...new Set([topic, ...familyOf(page, topic.parent)])];
      return this.changes(family, below).find((change) => change.topic === topic)!.finding;
    });
    return surest(findings);
  }

  /** A small chart for each of the topics, with what is sure of it. */
  private multiples(changes: readonly Change[], below: Below): Element[] {
    if (changes.length < 2) return [];
    const { shares, store } = this;
    const points = changes.flatMap(({ line }) => relied(line.points, 2));
    const few = !points.some(reliable) && `No ${shares.unit} has ${FEW} documents. `;
    const most = Math.max(0, ...points.map(({ share }) => share));
    const item = ({ topic, line, finding }: Change): HTMLElement => {
      const known = relied(line.points, 2);
      const ends = known.length ? [known[0], known[known.length - 1]] : [];
      const end = ({ period, share }: Point): HTMLElement =>
        h("span", `${spoken(shares.names[period])} `, h("b", percent(share)));
      const said = finding ? finding.sentence.slice(line.name.length + 1) : "no sure change";
      return h("li", { style: { "--hue": hue(topic.branch) } }, [
        button(h("bdi", topic.title), () => store.selectTopic(topic.index), { class: "name" }),
        sparkline(shares, line.points, most),
        h("p.ends", ends.map(end)),
        h("p", { class: finding ? "says" : "says soft" }, `${capital(said)}.`),
      ]);
    };
    const all = this.working.narrowed && store.state.topic < 0 ? " among all documents" : "";
    const where = `${store.state.topic >= 0 ? "Topics below it" : "Topics"}${below.among || all}`;
    const scale = `Lines: each on a scale of its own. Pale: all on the same scale, up to ${percent(most)}.`;
    const order = changes[0].finding ? ", the surest change first" : "";
    return [
      h("h3", where + order),
      h("p.soft.note", `${below.about} `, few, scale),
      h("ul.multiples", { "aria-label": where }, changes.map(item)),
    ];
  }

  /** A link to the words of a topic in the earlier and in the later half of its documents. */
  private thenAndNow({ index, title }: Topic): HTMLElement | false {
    const { names, on } = this.shares;
    const counts = names.map((_, period) => on(index, period));
    const all = counts.reduce((sum, count) => sum + count, 0);
    let [before, later] = [counts[0], 1];
    while (later < names.length && before + counts[later] <= all / 2) before += counts[later++];
    if (Math.min(before, all - before) < FEW) return false;
    const topic = only(termOf(this.page.topics[index]));
    const side = (range: Range): Side => [topic, only(dateTerm(range, names))];
    const [then, now]: Range[] = [
      [0, later - 1],
      [later, names.length - 1],
    ];
    const press = (): void =>
      this.store.set({ compared: [side(now), side(then)], view: "differences" });
    const [past, recent] = [then, now].map(([from, to]) => during(names[from], names[to]));
    const text = `Words of ${quoted(title)} that came and went: ${past} and ${recent}`;
    return h("p", button(text, press, { class: "link" }));
  }

  private neutral({ neutral }: Series): string {
    const { given, page } = this;
    return given ? `${neutral}, with ${describeClause(given, page)} chosen` : neutral;
  }

  /** The clause that narrows the working set to dates, if one does. */
  private get given(): Clause | undefined {
    return clauseOf(this.store.state.clauses, "date");
  }

  private table(lines: readonly Line[]): HTMLElement {
    const { shares } = this;
    const points = lines.map((line) => new Map(line.points.map((point) => [point.period, point])));
    const rows = shares.names.map((name, period): Cell[] => [
      { shown: name, value: name },
      { shown: whole(shares.documents[period]), value: shares.documents[period] },
      ...points.flatMap((of): Cell[] => {
        const point = of.get(period);
        return [
          { shown: point ? percent(point.share) : "–", value: point?.share ?? -1 },
          { shown: point ? interval(point) : "", value: point?.low ?? -1 },
        ];
      }),
    ]);
    const names = lines.flatMap(({ name }) => [name, "95% interval"]);
    const caption = `Shares by ${shares.unit}`;
    return h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption }, [
      sortable(caption, [shares.unit, "documents", ...names], rows),
    ]);
  }

  private plot(lines: readonly Line[], width: number, height: number): SVGSVGElement {
    const colours = palette();
    const layout = layoutTime(this.shares, lines, width, height);
    const name = "Shares over time; the table below has the same figures";
    const { top, floor } = layout;
    const chosen = s("rect", { y: top, height: floor - top, fill: colours.press });
    const drawing = picture(width, height, name, [
      chosen,
      ...grid(layout, colours),
      ...this.periods(layout, height, colours),
      ...lines.map((line, k) => this.line(line, k, layout, colours)),
    ]);
    drawing.setAttribute("role", "group");
    const { given } = this;
    if (given) mark(chosen, layout, rangeOf(given, this.shares.names));
    this.letDrag(drawing, chosen, layout);
    return drawing;
  }

  private letDrag(drawing: SVGSVGElement, chosen: SVGElement, layout: TimeLayout): void {
    const at = (event: PointerEvent): number =>
      event.clientX - drawing.getBoundingClientRect().left;
    let from: number | null = null;
    const range = (event: PointerEvent): Range => [
      layout.periodAt(from!),
      layout.periodAt(at(event)),
    ];
    drawing.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && at(event) >= layout.left && at(event) <= layout.right) {
        from = at(event);
      }
    });
    drawing.addEventListener("pointermove", (event) => {
      if (from === null || Math.abs(at(event) - from) < DRAGGED) return;
      if (!drawing.hasPointerCapture(event.pointerId)) drawing.setPointerCapture(event.pointerId);
      mark(chosen, layout, range(event));
    });
    drawing.addEventListener("pointerup", (event) => {
      if (from !== null && Math.abs(at(event) - from) >= DRAGGED) this.narrow(range(event));
      from = null;
    });
    drawing.addEventListener("pointercancel", () => {
      from = null;
    });
  }

  private narrow(range: Range): void {
    narrowTo(this.store, dateTerm(range, this.shares.names));
  }

  /** The first and the last period, to be chosen without dragging. */
  private range(): HTMLElement {
    const { given } = this;
    const { names } = this.shares;
    const [first, last] = rangeOf(given, names);
    const choice = (name: string, at: number, take: (period: number) => Range): HTMLElement => {
      const options = names.map((period, k) =>
        h("option", { value: k, selected: k === at }, spoken(period)),
      );
      const onchange = (): void => this.narrow(take(field.selectedIndex));
      const field = h("select", { name, onchange }, options);
      return h("label", name, " ", field);
    };
    return h("div.range.flow.screen", { role: "group", "aria-label": "Dates of the documents" }, [
      choice("From", Math.min(first, names.length - 1), (one) => [one, Math.max(one, last)]),
      choice("to", Math.max(last, 0), (one) => [Math.min(first, one), one]),
      given
        ? button("All dates", () => this.store.change(given))
        : h("span.soft", "or drag across the chart"),
    ]);
  }

  /** Bars of how many documents there are, and the names of periods. */
  private periods(layout: TimeLayout, height: number, colours: Palette): SVGElement[] {
    const { shares } = this;
    const named = new Set(layout.named);
    const width = Math.max(1, Math.min(40, layout.step * 0.7));
    return shares.names.flatMap((name, period) => {
      const tall = layout.barHeight(period);
      const x = layout.x(period);
      const place = { x: x - width / 2, y: layout.floor - tall, width, height: tall };
      const text = `${spoken(name)}: ${count(shares.documents[period], "document")}`;
      const look = { fill: colours.soft, "fill-opacity": 0.35 };
      const bar = s("rect", { ...place, ...look }, s("title", text));
      if (!named.has(period)) return [bar];
      const at = { x: layout.nameAt(period), y: height - 8, "text-anchor": "middle" };
      return [bar, small(onAxis(name), { ...at, fill: colours.soft })];
    });
  }

  /** A line, how sure it is, its points, and its label at the right. */
  private line(line: Line, k: number, layout: TimeLayout, colours: Palette): SVGElement {
    const { hue, name, topic } = line;
    const { points } = line;
    const compared = this.store.state.compared.length > 0;
    const own = (): string => (compared ? colours.series(hue).deep : colours.branch(hue));
    const stroke = hue < -1 ? colours.soft : hue < 0 ? colours.ink : own();
    const weight = hue === -1 ? 600 : 400;
    const end = layout.ends[k];
    const x = layout.right + 16; // of the label
    const letters = { "font-size": 12.5, "font-weight": weight, fill: stroke };
    const text = fitted(plainName(name), layout.beside, `${weight} 12.5px ${FONT}`);
    const select = (): void => this.store.selectTopic(topic);
    const picked = topic >= 0 && {
      cursor: "pointer",
      "data-topic": this.page.topics[topic].id,
      tabindex: 0,
      role: "link",
      onclick: select,
      onkeydown: ({ key }: KeyboardEvent) => {
        if (key === "Enter") select();
      },
    };
    return labelled(this.describe(line), { class: "line", ...(picked || { role: "img" }) }, [
      s("path.band", {
        d: bandsOf(points)
          .map((run) => band(run, layout))
          .join(""),
        fill: stroke,
        "fill-opacity": 0.14,
      }),
      strokes(points, layout, { stroke, "stroke-width": hue === -1 ? 3 : 2, fill: "none" }),
      points.map((point) => this.point(line, point, stroke, layout, colours)),
      layout.beside > 0 &&
        s("path", {
          d: `M${end.x + 6} ${end.at}L${x - 8} ${end.at}L${x - 3} ${end.y}`,
          stroke,
          fill: "none",
          "stroke-opacity": 0.4,
        }),
      layout.beside > 0 && s("text", { x, y: end.y + 4, ...letters }, text),
    ]);
  }

  private describe({ name, points }: Line): string {
    const known = relied(points);
    const [first, last] = [known[0], known.at(-1)];
    if (!first || !last) return name;
    const at = ({ share, period }: Point): string =>
      `${percent(share)} ${spoken(this.shares.names[period])}`;
    return `${name}: ${at(first)}, ${at(last)}`;
  }

  private point(
    { name }: Line,
    point: Point,
    stroke: string,
    { x, y, step }: TimeLayout,
    { paper }: Palette,
  ): SVGElement {
    const { names } = this.shares;
    const sure = reliable(point);
    const range = interval(point);
    const known = percent(point.share) + (range && ` (${range})`);
    const of = count(point.documents, "document");
    const text = `${name}, ${spoken(names[point.period])}: ${known} of ${of}`;
    const r = step < DENSE ? 1.2 : names.length > 60 ? 2 : 3;
    const look = { fill: sure ? stroke : paper, stroke, opacity: sure ? 1 : 0.6 };
    return s("circle", { cx: x(point.period), cy: y(point.share), r, ...look }, s("title", text));
  }
}

function onOf({ points }: Line): number {
  return points.reduce((sum, { on }) => sum + on, 0);
}

function mark(rectangle: SVGElement, { x, step }: TimeLayout, [one, other]: Range): void {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  rectangle.setAttribute("x", String(x(first) - step / 2));
  rectangle.setAttribute("width", String(Math.max(0, x(last) - x(first) + step)));
}

/** The lines through points; they are faint to and from points of few documents. */
function strokes(points: readonly Point[], { x, y }: TimeLayout, props: object): SVGElement[] {
  const parts = { sure: "", faint: "" };
  for (const run of runs(points)) {
    run.slice(1).forEach((to, k) => {
      const from = run[k];
      const kind = reliable(from) && reliable(to) ? "sure" : "faint";
      const [x1, x2] = [from, to].map(({ period }) => x(period).toFixed(1));
      parts[kind] += `M${x1} ${y(from.share).toFixed(1)}L${x2} ${y(to.share).toFixed(1)}`;
    });
  }
  const line = { ...props, "stroke-linecap": "round" };
  return [
    s("path.unsure", { ...line, d: parts.faint, "stroke-dasharray": "1 4", opacity: 0.7 }),
    s("path", { ...line, d: parts.sure }),
  ];
}

/** The runs of points whose intervals are drawn as bands; a single point would have no width. */
function bandsOf(points: readonly Point[]): Point[][] {
  return runs(points.filter(reliable)).filter((run) => run.length > 1);
}

function band(run: readonly Point[], { x, y }: TimeLayout): string {
  const place = (share: number, { period }: Point): string =>
    `${x(period).toFixed(1)} ${y(share).toFixed(1)}`;
  const over = run.map((point) => place(point.high, point));
  const under = run.map((point) => place(point.low, point)).reverse();
  return `M${[...over, ...under].join("L")}Z`;
}

function interval({ low, high }: Point): string {
  if (low === high) return "";
  return `${percent(low)} to ${percent(high)}`;
}

/** A name without the quotation marks that it has within a sentence. */
function plainName(name: string): string {
  return name.replace(/^\u201c(.*)\u201d$/s, "$1");
}

function grid({ left, right, ticks, y }: TimeLayout, colours: Palette): SVGElement[] {
  return ticks.flatMap((tick) => [
    s("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), stroke: colours.line }),
    small(percent(tick), { x: left - 8, y: y(tick) + 4, ...ENDING, fill: colours.soft }),
  ]);
}

const [WIDTH, HEIGHT, EDGE] = [220, 52, 2]; // pixels

/** The line of the reliable points on a scale of its own, broken where there are none, in the
 * colour of the text. Behind it, pale, is the same on the common scale, which ends at `most`. */
function sparkline({ names }: Shares, every: readonly Point[], most: number): SVGElement {
  const points = relied(every, 2);
  const own = Math.max(...points.map(({ share }) => share), 1e-9);
  const step = (WIDTH - 2 * EDGE) / Math.max(1, names.length - 1);
  const floor = HEIGHT - EDGE;
  const x = ({ period }: Point): string => (EDGE + step * period).toFixed(1);
  const y = ({ share }: Point, high: number): string =>
    (floor - (HEIGHT - 2 * EDGE) * Math.min(1, share / high)).toFixed(1);
  const line = (run: Point[], high: number): string => {
    const places = run.map((point) => `${x(point)} ${y(point, high)}`);
    return (places.length > 1 ? places : [places[0], places[0]]).join("L");
  };
  const area = runs(points).map(
    (run) =>
      `M${x(run[0])} ${floor}L${line(run, Math.max(most, 1e-9))}L${x(run[run.length - 1])} ${floor}Z`,
  );
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const preserveAspectRatio = "none"; // where there is little room, it is narrower
  return s("svg.spark", { viewBox, preserveAspectRatio, "aria-hidden": "true" }, [
    s("path", { d: area.join(""), fill: "currentColor", "fill-opacity": 0.2 }),
    s("path", {
      d: runs(points)
        .map((run) => `M${line(run, own)}`)
        .join(""),
      ...{ fill: "none", stroke: "currentColor", "stroke-width": 1.75 },
      ...{ "stroke-linecap": "round", "stroke-linejoin": "round" },
      "vector-effect": "non-scaling-stroke",
    }),
  ]);
}

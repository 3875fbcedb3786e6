// How much there is of topics in each period.

import { Chart, ENDING, SMALL, seriesOf } from "./chart";
import { type Palette, palette } from "./colours";
import type { Page, Shares, Topic } from "./data";
import { FONT, fitted, h, picture, replace, s, table } from "./dom";
import { count, described, percent, whole } from "./format";
import type { Store } from "./state";
import { layoutTime, type TimeLayout } from "./time-layout";

const FEW = 30; // documents, below which a share is drawn hollow
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "5 2", "1 4", "12 5", "4 4 1 4"];
const BESIDE = 166; // pixels that a label has beside the plot
const BESIDE_SMALL = 96; // the same where there is little room

/** The picture "Over time". */
export class TimeView extends Chart {
  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly shares: Shares,
  ) {
    super("Over time");
  }

  /** Draws the chart of the selected topic and its children, or of the root topics. */
  draw(): void {
    const { shares } = this;
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth < 50) return;
    const series = seriesOf(this.page, this.store.state.topic);
    const height = Math.max(260, Math.min(clientHeight - 110, 520));
    const share = (topic: Topic, part: number): string =>
      shares.documents[part] ? percent(shares.of(topic.index, part)) : "–";
    replace(
      this.element,
      this.plot(series, clientWidth - 32, height),
      h(
        "p",
        { class: "soft note" },
        `The expected share of each ${shares.unit}'s documents that are on a topic. `,
        `Bars: number of documents, up to ${whole(Math.max(...shares.documents))}. `,
        `Hollow points: fewer than ${FEW} documents. `,
        "Colours and dashes are specific to this plot.",
      ),
      this.figures(
        "The figures as a table",
        table(
          [shares.unit, "documents", ...series.map((topic) => topic.title)],
          shares.names.map((name, part) => [
            name,
            whole(shares.documents[part]),
            ...series.map((topic) => share(topic, part)),
          ]),
          `Share of documents by ${shares.unit}`,
        ),
      ),
    );
  }

  private plot(series: Topic[], width: number, height: number): SVGElement {
    const colours = palette();
    const layout = layoutTime(this.shares, series, width, height);
    const room = width < 520 ? BESIDE_SMALL : BESIDE;
    const name = "Shares of topics over time; the table below has the same figures";
    return picture(width, height, name, [
      ...grid(layout, colours),
      ...this.periods(layout, height, colours),
      ...series.map((topic, k) => this.line(topic, k, layout, room, colours)),
    ]);
  }

  /** Bars of how many documents there are, and the names of periods. */
  private periods(layout: TimeLayout, height: number, colours: Palette): SVGElement[] {
    const { shares } = this;
    const named = new Set(layout.named);
    return shares.names.flatMap((name, period) => {
      const tall = layout.barHeight(period);
      const x = layout.x(period);
      const place = { x: x - layout.barWidth / 2, y: layout.floor - tall };
      const size = { width: layout.barWidth, height: tall };
      const bar = s(
        "rect",
        { ...place, ...size, fill: colours.soft, "fill-opacity": 0.4 },
        s("title", {}, `${name}: ${count(shares.documents[period], "document")}`),
      );
      if (!named.has(period)) return [bar];
      const props = { x, y: height - 8, "text-anchor": "middle", ...SMALL, fill: colours.soft };
      return [bar, s("text", props, name)];
    });
  }

  /** The line of a topic, its points, and its label at the right. */
  private line(
    topic: Topic,
    k: number,
    layout: TimeLayout,
    room: number,
    colours: Palette,
  ): SVGElement {
    const { x, y, known, right } = layout;
    const selected = this.store.state.topic >= 0;
    const first = selected && k === 0;
    const branch = selected ? k - 1 : topic.branch;
    const stroke = first ? colours.ink : colours.branch(branch);
    const weight = first ? 700 : 400;
    const points = known.map((period) => [x(period), y(this.shares.of(topic.index, period))]);
    const { at, y: labelled } = layout.ends[k];
    const begin = x(known[known.length - 1]) + 5;
    const place = { x: right + 20, y: labelled + 4 };
    return s(
      "g",
      {
        cursor: "pointer",
        "data-topic": topic.id,
        onclick: () => this.store.selectTopic(topic.index),
      },
      s("title", {}, described(topic)),
      s("path", {
        d: `M${points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L")}`,
        fill: "none",
        stroke,
        "stroke-width": first ? 3 : 2,
        "stroke-dasharray": DASHES[k % DASHES.length],
        "stroke-linejoin": "round",
      }),
      ...known.map((period, n) => this.point(topic, period, points[n], stroke, colours.paper)),
      s("line", { x1: begin, y1: at, x2: right + 16, y2: labelled, stroke, "stroke-opacity": 0.5 }),
      s(
        "text",
        { ...place, "font-size": 12.5, "font-weight": weight, fill: stroke },
        fitted(`L${topic.level} ${topic.title}`, room, `${weight} 12.5px ${FONT}`),
      ),
    );
  }

  private point(
    topic: Topic,
    period: number,
    [cx, cy]: number[],
    stroke: string,
    paper: string,
  ): SVGElement {
    const { shares } = this;
    const r = shares.names.length > 60 ? 2 : 3.5;
    const fill = shares.documents[period] < FEW ? paper : stroke;
    const share = percent(shares.of(topic.index, period));
    return s(
      "circle",
      { cx, cy, r, fill, stroke, "stroke-width": 1.2 },
      s("title", {}, `${topic.title}, ${shares.names[period]}: ${share}`),
    );
  }
}

function grid({ left, right, ticks, y }: TimeLayout, colours: Palette): SVGElement[] {
  return ticks.flatMap((tick) => [
    s("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), stroke: colours.line }),
    s(
      "text",
      { x: left - 8, y: y(tick) + 4, ...ENDING, ...SMALL, fill: colours.soft },
      percent(tick),
    ),
  ]);
}

// The charts of a comparison: shared documents as circles, lines over time, dumbbells by group.

import { hue, palette } from "../look/colours";
import { FONT, fitted, h, labelled, picture, s } from "../look/dom";
import { count, percent, whole } from "../look/format";
import { isolated } from "../look/lists";
import { rove } from "../look/roving";
import type { Shares, Topic } from "../page/page";
import type { Region } from "../selection/comparison";
import type { Term } from "../selection/terms";
import { axis, linear } from "./axis";
import { contrasts, runs } from "./compare-parts";
import { circles } from "./compare-venn";

const [WIDTH, HEIGHT] = [260, 150]; // of the circles, in pixels
const TREND = 210;
const ROW = 28; // of a group
const GROUPS = 15;
const FEW = 30; // documents of a period, below which a point is hollow
const DASHES = ["", "7 4", "2 3", "10 3 2 3"];
const SMALL = { "font-size": 12 };

/** A compared topic, and what selects those of its documents that have something else in common. */
export interface Series {
  readonly topic: Topic;
  readonly name: string; // a letter
  choose(term: Term): void;
}

/** The colour of a compared topic, by its place. */
export function seriesColour(k: number): string {
  return hue(k);
}

/** Two circles for two topics. Their numbers stand beside them, too. */
export function drawVenn([a, b]: readonly number[], { documents }: Region): SVGElement {
  const { radii, distance } = circles(a, b, documents);
  const colours = palette();
  const unit = Math.min((HEIGHT - 8) / 2, (WIDTH - 8) / (radii[0] + radii[1] + distance));
  const left = (WIDTH - unit * (radii[0] + radii[1] + distance)) / 2;
  const centres = [left + unit * radii[0], left + unit * (radii[0] + distance)];
  const fills = [0, 1].map((k) => ({
    cx: centres[k],
    cy: HEIGHT / 2,
    r: Math.max(1, unit * radii[k]),
    fill: colours.series(k).deep,
    "fill-opacity": 0.22,
    stroke: colours.series(k).deep,
    "stroke-width": 1.5,
  }));
  const text = {
    y: HEIGHT / 2 + 5,
    "text-anchor": "middle",
    "font-weight": 700,
    fill: colours.ink,
  };
  const ends = [centres[0] - unit * radii[0] * 0.6, centres[1] + unit * radii[1] * 0.6];
  return picture(
    WIDTH,
    HEIGHT,
    `Circles for A and B, which share ${count(documents, "document")}`,
    [
      ...fills.map((circle) => s("circle", circle)),
      s("text", { ...text, x: ends[0] }, "A"),
      s("text", { ...text, x: ends[1] }, "B"),
    ],
  );
}

/** The shares of topics over time. */
export function drawTrends(shares: Shares, series: Series[], width: number): HTMLElement {
  const colours = palette();
  const [left, right, floor] = [44, width - 40, TREND - 24];
  const pieces = runs(shares);
  const known = pieces.flat();
  const most = Math.max(
    0.005,
    ...series.flatMap(({ topic }) => known.map((period) => shares.of(topic.index, period))),
  );
  const { high, ticks } = axis(most, 3);
  const y = linear(high, floor, 10);
  const x = linear(Math.max(1, shares.names.length - 1), left + 6, right - 6);
  const every = Math.ceil(shares.names.length / Math.max(2, Math.floor((right - left) / 70)));
  const few = (period: number): boolean => shares.documents[period] < FEW;
  const grid = [
    ...ticks.flatMap((tick) => [
      s("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), stroke: colours.line }),
      s(
        "text",
        { x: left - 6, y: y(tick) + 4, "text-anchor": "end", ...SMALL, fill: colours.soft },
        percent(tick),
      ),
    ]),
    ...shares.names.flatMap((name, period) =>
      period % every
        ? []
        : s(
            "text",
            { x: x(period), y: TREND - 6, "text-anchor": "middle", ...SMALL, fill: colours.soft },
            name,
          ),
    ),
  ];
  const line = ({ topic, name, choose }: Series, k: number): SVGElement => {
    const stroke = colours.series(k).deep;
    const at = (period: number): [number, number] => [x(period), y(shares.of(topic.index, period))];
    const last = known[known.length - 1];
    return s(
      "g",
      {},
      ...pieces.map((piece) =>
        s("path", {
          d: `M${piece.map((period) => at(period).join(" ")).join("L")}`,
          fill: "none",
          stroke,
          "stroke-width": 2,
          "stroke-dasharray": DASHES[k],
        }),
      ),
      ...known.map((period) => {
        const [cx, cy] = at(period);
        const from = shares.names[period];
        return dot(
          {
            cx,
            cy,
            r: known.length > 60 ? 2.5 : 4,
            fill: few(period) ? colours.paper : stroke,
            stroke,
          },
          told(topic, shares, period),
          () => choose({ kind: "date", from, to: from }),
        );
      }),
      s(
        "text",
        { x: right + 8, y: at(last)[1] + 4, "font-weight": 700, ...SMALL, fill: stroke },
        name,
      ),
    );
  };
  return chart(
    picture(width, TREND, "Shares of the topics over time", [...grid, ...series.map(line)]),
    `The mean share of the words of each ${shares.unit}’s documents. A point leads to its documents` +
      `${known.some(few) ? `; a hollow one tells of fewer than ${FEW}` : ""}.`,
  );
}

/** The shares of topics by group: a point for each topic, on a line of the group. */
export function drawGroups(shares: Shares, series: Series[], width: number): HTMLElement {
  const colours = palette();
  const groups = contrasts(
    shares,
    series.map(({ topic }) => topic),
    GROUPS,
  );
  const [left, right] = [Math.min(170, width / 3), width - 20];
  const value = (one: Series, group: number): number => shares.of(one.topic.index, group);
  const all = series.flatMap((one) => groups.map((group) => value(one, group)));
  const { high, ticks: steps } = axis(Math.max(0.005, ...all), 4);
  const x = linear(high, left + 8, right - 8);
  const height = groups.length * ROW + 30;
  const ticks = steps.flatMap((tick) => [
    s("line", { x1: x(tick), x2: x(tick), y1: 22, y2: height, stroke: colours.line }),
    s(
      "text",
      { x: x(tick), y: 14, "text-anchor": "middle", ...SMALL, fill: colours.soft },
      percent(tick),
    ),
  ]);
  const rows = groups.map((group, at) => {
    const places = series.map((one) => x(value(one, group)));
    const y = 22 + at * ROW + ROW / 2;
    const ends = { x1: Math.min(...places), x2: Math.max(...places), y1: y, y2: y };
    const name = fitted(shares.names[group], left - 14, `12.5px ${FONT}`);
    return s(
      "g",
      {},
      s(
        "text",
        { x: left - 8, y: y + 4, "text-anchor": "end", "font-size": 12.5, fill: colours.ink },
        name,
      ),
      s("line", { ...ends, stroke: colours.soft, "stroke-width": 2, "stroke-opacity": 0.5 }),
      ...series.map((one, k) =>
        dot(
          { cx: places[k], cy: y, r: 8, fill: colours.series(k).deep },
          told(one.topic, shares, group),
          () => one.choose({ kind: "group", name: shares.names[group] }),
          s(
            "text",
            {
              x: places[k],
              y: y + 3.5,
              "text-anchor": "middle",
              "font-size": 10,
              "font-weight": 700,
              fill: colours.paper,
              "pointer-events": "none",
            },
            one.name,
          ),
        ),
      ),
    );
  });
  const cut =
    groups.length < shares.names.length
      ? ` The ${groups.length} groups with the most documents, of ${whole(shares.names.length)}.`
      : "";
  return chart(
    picture(width, height, "Shares of the topics by group", [...ticks, ...rows]),
    `The mean share of the words of each group’s documents. A point leads to its documents.${cut}`,
  );
}

function told(topic: Topic, shares: Shares, part: number): string {
  const documents = count(shares.documents[part], "document");
  const share = percent(shares.of(topic.index, part));
  return `${isolated(topic.title)}, ${isolated(shares.names[part])}: mean share ${share} in ${documents}`;
}

/** A point that can be pressed. */
function dot(
  circle: Record<string, string | number>,
  name: string,
  press: () => void,
  ...more: SVGElement[]
): SVGElement {
  const onkeydown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  };
  const props = { class: "point", role: "button", onclick: press, onkeydown };
  return labelled(name, props, s("circle", circle), ...more);
}

/** A chart whose points are one stop for the keyboard, and what it shows. */
function chart(drawing: SVGSVGElement, note: string): HTMLElement {
  drawing.setAttribute("role", "group");
  const element = h("figure", {}, drawing, h("figcaption", { class: "soft" }, note));
  rove(element, ".point");
  return element;
}

// A topic's share of each group, with its interval, against the share of all documents.

import type { Palette } from "../look/colours";
import { FONT, fitted, labelled, picture, s } from "../look/dom";
import { count, percent } from "../look/format";
import { isolated } from "../look/lists";
import type { Shares, Topic } from "../page/page";
import { axis, linear } from "./axis";
import { ENDING, SMALL } from "./chart";
import { comparable, differs, type Finding } from "./findings";
import { documentsIn, type GroupRow, onIn, shareIn } from "./group-rows";
import { wilson } from "./intervals";
import { FEW, type Measured } from "./lines";
import { letWalk } from "./walking";

const NARROW = 520; // pixels of width, below which rows are made for fingers
const HEAD = 24; // pixels
const [LOW, HIGH] = [24, 34]; // pixels of a row

/** A group's share of a topic. */
export interface Dot extends Measured {
  readonly row: GroupRow;
}

/** The shares of groups, the largest first, those of few documents below the others; then those of
 * what is no group. */
export function dotsOf(rows: readonly GroupRow[], shares: Shares, topic: number): Dot[] {
  const dots = rows
    .map((row) => ({
      row,
      share: shareIn(shares, row, topic),
      documents: documentsIn(shares, row),
      on: onIn(shares, row, topic),
      worth: documentsIn(shares, row) * shares.evidence(topic),
    }))
    .filter(({ documents }) => documents)
    .map((dot) => ({ ...dot, ...wilson(dot.share, dot.worth) }));
  const last = ({ row, documents }: Dot): number => (!row.group ? 2 : documents < FEW ? 1 : 0);
  return dots.sort((a, b) => last(a) - last(b) || b.share - a.share);
}

/** What the picture shows: in which group the topic is surely more frequent than in which other. */
export function ahead(topic: string, dots: readonly Dot[]): Finding | null {
  const groups = dots.filter(({ row }) => row.group);
  return differs(topic, groups, ({ row }) => isolated(row.name), comparable([groups]));
}

/** A dot in words. */
export function dotTold({ row, share, low, high, documents }: Dot): string {
  const sure = `95% interval ${percent(low)} to ${percent(high)}`;
  return `${isolated(row.name)}: ${percent(share)} of ${count(documents, "document")}, ${sure}`;
}

/** Draws the dots. */
export function drawDots(
  dots: readonly Dot[],
  all: number, // the share of all documents
  topic: Topic,
  chosen: string | null,
  [width, room]: readonly [width: number, height: number],
  colours: Palette,
  choose: (row: GroupRow) => void,
): SVGSVGElement {
  const even = Math.max(LOW, Math.min((room - HEAD) / dots.length, HIGH));
  const tall = width < NARROW ? 44 : even;
  const [left, right] = [width < NARROW ? 110 : 200, width - 64];
  const height = HEAD + dots.length * tall + 8;
  const sure = dots.filter(({ documents }) => documents >= FEW);
  const high = Math.max(all, 0.01, ...(sure.length ? sure : dots).map((dot) => dot.high));
  const x = linear(axis(high, 4).high, left, right);
  const { ink, soft } = colours;
  const marks = dots.map((dot, at) => {
    const { row, share } = dot;
    const colour = dot.low > all ? colours.more : dot.high < all ? colours.less : soft;
    const y = tall / 2;
    const weight = row.group !== null && row.group === chosen ? 600 : 400;
    const label = {
      class: "name",
      x: left - 10,
      y: y + 4,
      ...ENDING,
      "font-size": 12.5,
      "font-weight": weight,
      "font-style": row.group ? null : "italic",
      fill: ink,
    };
    return labelled(
      dotTold(dot),
      {
        class: row.group === null ? null : "mark-of-chart",
        role: row.group === null ? "img" : "button",
        transform: `translate(0 ${HEAD + at * tall})`,
        onclick: row.group === null ? null : () => choose(row),
      },
      s("rect", { width, height: tall, fill: "transparent" }),
      s("text", label, fitted(row.name, left - 14, `${weight} 12.5px ${FONT}`)),
      s("line", { x1: left, x2: right, y1: y, y2: y, stroke: colours.line }),
      s("line", {
        x1: x(dot.low),
        x2: x(dot.high),
        y1: y,
        y2: y,
        stroke: colour,
        "stroke-width": 5,
        "stroke-opacity": 0.3,
        "stroke-linecap": "round",
      }),
      s("line", { x1: x(all), x2: x(share), y1: y, y2: y, stroke: colour, "stroke-width": 2 }),
      s("circle", {
        class: "tone",
        cx: x(share),
        cy: y,
        r: 4.5,
        fill: dot.documents < FEW ? colours.paper : colour,
        stroke: colour,
      }),
      s("text", { x: right + 10, y: y + 4, ...SMALL, fill: ink }, percent(share)),
    );
  });
  const line = { x1: x(all), x2: x(all), y1: HEAD - 4, y2: height, stroke: ink, "stroke-width": 1 };
  const over = { x: x(all), y: 13, "text-anchor": "middle", ...SMALL, fill: ink };
  const name = `Shares of ${topic.title} by group; the table below has the same figures`;
  const drawing = picture(width, height, name, [
    s("line", line),
    s("text", over, `all: ${percent(all)}`),
    ...marks,
  ]);
  drawing.setAttribute("role", "group");
  letWalk(
    drawing,
    marks.map((mark) => [mark]),
  );
  return drawing;
}

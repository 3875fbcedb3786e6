// Groups by topics: how often each topic is in each group, against all documents.

import type { Palette } from "../look/colours";
import { FONT, fitted, labelled, measured, picture, s } from "../look/dom";
import { count, percent, times } from "../look/format";
import { isolated, quoted } from "../look/lists";
import type { Shares, Topic } from "../page/page";
import { ENDING } from "./chart";
import { comparable, differs, type Finding, surest } from "./findings";
import { documentsIn, type GroupRow, onIn } from "./group-rows";
import { wilson } from "./intervals";
import { type Counts, cautiousLift, lift, stepOf } from "./lift";
import { seriated } from "./seriation";
import { letWalk } from "./walking";

const HEAD = 136; // pixels above the cells, for the names of topics
const LONGEST = 1.25 * HEAD; // pixels of a topic's name
const SLANT = LONGEST * Math.SQRT1_2; // pixels to the right, into which the last name leans, at most
const SHORTEST = 60; // pixels of a topic's name that is shortened so that all columns are in sight
const LEAST = 22; // pixels of a cell's width
const WRITTEN = 36; // pixels of a cell's width, from which on its share stands in it
const NARROW = 520; // pixels of width, below which cells are made for fingers
const [LOW, HIGH] = [26, 40]; // pixels of a row
const STEPS = 7;
const [NAME, HEADING] = [`12.5px ${FONT}`, `12px ${FONT}`]; // of groups and topics

/** The cells of a heat map, in the order in which blocks show. */
export interface Heat {
  readonly rows: GroupRow[];
  readonly topics: Topic[];
  counts(row: GroupRow, topic: Topic): Counts;
  documents(row: GroupRow): number;
}

/** Counts the cells, and orders groups and topics; what is no group remains below. */
export function heatOf(
  rows: readonly GroupRow[],
  topics: readonly Topic[],
  tally: Shares,
  { on, documents: all }: { readonly on: ArrayLike<number>; readonly documents: number },
): Heat {
  const counts = (row: GroupRow, { index }: Topic): Counts => ({
    both: onIn(tally, row, index),
    group: documentsIn(tally, row),
    topic: on[index],
    all,
  });
  const groups = rows.filter(({ group }) => group);
  const matrix = groups.map((row) => topics.map((topic) => cautiousLift(counts(row, topic))));
  const order = seriated(matrix);
  return {
    rows: [...order.rows.map((row) => groups[row]), ...rows.filter(({ group }) => !group)],
    topics: groups.length ? order.columns.map((column) => topics[column]) : [...topics],
    counts,
    documents: (row) => documentsIn(tally, row),
  };
}

/** What a heat map's title tells, and which cells it names. */
export interface Named extends Finding {
  readonly rows: readonly GroupRow[];
  readonly topic: Topic;
}

/** The topic that most surely differs between two groups; null if none may. */
export function strongest({ rows, topics, counts }: Heat): Named | null {
  const groups = rows.filter(({ group }) => group);
  const measured = topics.map((topic) =>
    groups.flatMap((row) => {
      const { both: on, group: documents } = counts(row, topic);
      if (!documents) return [];
      const share = on / documents;
      return [{ row, share, documents, on, worth: documents, ...wilson(share, documents) }];
    }),
  );
  const shares = comparable(measured);
  const found = measured.map((some, k) =>
    differs(quoted(topics[k].title), some, ({ row }) => isolated(row.name), shares),
  );
  const best = surest(found);
  if (!best) return null;
  return {
    ...best.finding,
    topic: topics[best.at],
    rows: best.finding.pair.map(({ row }) => row),
  };
}

/** A cell in words. */
export function cellTold(row: GroupRow, topic: Topic, cell: Counts): string {
  const found = `${quoted(topic.title)}, ${isolated(row.name)}: `;
  if (!cell.group) return `${found}no documents`;
  const share = `${cell.both} of ${count(cell.group, "document")} (${percent(cell.both / cell.group)})`;
  return cell.both
    ? `${found}${share}, ${times(lift(cell))} times the share of all`
    : `${found}${share}`;
}

/** What a press on the picture chooses: a group, a topic or both. */
export type Choose = (row: GroupRow | null, topic: Topic | null) => void;

/** Draws a heat map, with frames around what its title names; if it needs more room than there is, it
 * is larger. */
export function drawHeat(
  heat: Heat,
  named: Named | null,
  [width, room]: readonly [width: number, height: number],
  colours: Palette,
  choose: Choose,
): SVGSVGElement {
  const { rows, topics } = heat;
  const touch = width < NARROW;
  const longest = Math.max(...rows.map((row) => measured(row.name, NAME)), 0);
  const left = touch ? 92 : Math.max(112, Math.min(0.26 * width, longest + 14));
  const tall = touch ? 44 : Math.max(LOW, Math.min((room - HEAD) / rows.length, HIGH));
  const least = touch ? 44 : LEAST;
  // The last name has so many pixels if the cells are as narrow as they may be.
  const last = (width - left - least * topics.length - 4) * Math.SQRT2;
  const titles = topics.map(({ title }, k) => {
    const most = last + least * (topics.length - 1 - k) * Math.SQRT2;
    return fitted(title, last < SHORTEST ? LONGEST : Math.min(LONGEST, most), HEADING);
  });
  // How far names lean beyond the last cell: that of the last one, or a long one just before it.
  const beyond = titles.map((title, k) => {
    return measured(title, HEADING) * Math.SQRT1_2 + 4 - LEAST * (titles.length - 1 - k);
  });
  const slant = Math.min(SLANT, Math.max(0, ...beyond));
  const each = (width - left - slant) / Math.max(1, topics.length);
  const wide = Math.max(least, Math.min(68, each));
  const height = HEAD + rows.length * tall + 4;
  const full = Math.ceil(Math.max(width, left + topics.length * wide + slant));
  const fill = colours.ink;
  const mark = (label: string, press: (() => void) | null, ...shapes: SVGElement[]): SVGElement =>
    labelled(
      label,
      {
        class: press && "mark-of-chart",
        role: press ? "button" : "img",
        onclick: press,
      },
      ...shapes,
    );
  const heads = topics.map((topic, k) => {
    const x = left + (k + 0.5) * wide;
    const place = `translate(${x + 4} ${HEAD - 8}) rotate(-45)`;
    const text = s("text", { class: "name", transform: place, "font-size": 12, fill }, titles[k]);
    return mark(`topic ${quoted(topic.title)}`, () => choose(null, topic), text);
  });
  const lines = rows.map((row, at) => {
    const y = HEAD + at * tall;
    const documents = heat.documents(row);
    const props = { x: left - 8, y: y + tall / 2 + 4, ...ENDING, "font-size": 12.5, fill };
    const style = row.group ? {} : { "font-style": "italic" };
    const name = fitted(row.name, left - 12, NAME);
    const choosable = row.group !== null;
    const label = mark(
      `${isolated(row.name)}: ${count(documents, "document")}`,
      choosable ? () => choose(row, null) : null,
      s("text", { class: "name", ...props, ...style }, name),
    );
    const cells = topics.map((topic, k) => {
      const cell = heat.counts(row, topic);
      const step = stepOf(cautiousLift(cell));
      const tone = colours.diverging(step);
      const x = left + k * wide;
      const box = { x: x + 1, y: y + 1, width: wide - 2, height: tall - 2, rx: 2 };
      const share = cell.both ? percent(cell.both / cell.group) : "";
      const written = { x: x + wide / 2, y: y + tall / 2 + 4, "text-anchor": "middle" };
      return mark(
        cellTold(row, topic, cell),
        choosable ? () => choose(row, topic) : null,
        s("rect", {
          class: "tone",
          ...box,
          fill: tone.fill,
          ...(named?.rows.includes(row) && topic === named.topic
            ? { stroke: colours.ink, "stroke-width": 2 }
            : { stroke: step ? "none" : colours.line }),
        }),
        ...(wide >= WRITTEN
          ? [s("text", { ...written, "font-size": 11, fill: tone.ink }, share)]
          : []),
      );
    });
    return [label, ...cells];
  });
  const name = "How often each topic is in each group; the table below has the same figures";
  const shapes = [...heads, ...lines.flat(), ...key(left - 8, colours)];
  const drawing = picture(full, height, name, shapes);
  drawing.setAttribute("role", "group");
  letWalk(drawing, [[null, ...heads], ...lines]);
  return drawing;
}

/** The key to the colours, in the corner that names leave free. */
function key(width: number, colours: Palette): SVGElement[] {
  const wide = Math.min(20, width / STEPS);
  const left = width - STEPS * wide;
  const soft = { "font-size": 11, fill: colours.soft };
  const write = (step: number, anchor: string, text: string): SVGElement =>
    s("text", { x: left + step * wide, y: HEAD - 12, "text-anchor": anchor, ...soft }, text);
  const swatches = Array.from({ length: STEPS }, (_, step) =>
    s("rect", {
      x: left + step * wide,
      y: HEAD - 36,
      width: wide - 1,
      height: 10,
      fill: colours.diverging(step - 3).fill,
      stroke: colours.line,
      "stroke-width": step === 3 ? 1 : 0,
    }),
  );
  return [
    ...swatches,
    write(0, "start", "¼"),
    write(STEPS / 2, "middle", "as in all"),
    write(STEPS, "end", "4×"),
  ];
}

// Topics in two sets of documents: two dots on one scale, with intervals.

import type { Palette } from "../look/colours";
import { FONT, fitted, labelled, measured, picture, s } from "../look/dom";
import { count, percent, quoted } from "../look/format";
import { letWalk } from "../look/roving";
import type { Topic } from "../page/page";
import { gain, type Measured, reliable, relied, wilson } from "../shares/evidence";
import { axis, linear } from "./axis";
import { ENDING, OF_DOCUMENTS, small } from "./chart";
import { differs, type Finding, pairsOf, surest } from "./findings";

const NARROW = 520; // pixels of width, below which rows are made for fingers
const [LEGEND, HEAD] = [18, 44]; // pixels, the latter with the legend
const ROW = 27;
const BETWEEN = 24; // the names of the sets

interface End extends Measured {
  readonly name: string; // of the set
}

export interface Dumbbell {
  readonly topic: Topic;
  readonly ends: readonly [End, End];
  readonly evidence: number; // see `gain`
}

/** The topics, those that differ with most evidence first, given how many documents of either set
 * are on each. Those of a `sample`, which is no random one, have no intervals. */
export function dumbbellsOf(
  topics: readonly Topic[],
  sets: readonly [name: string, documents: number, on: ArrayLike<number>][],
  sample = false,
): Dumbbell[] {
  const found = topics.map((topic): Dumbbell => {
    const [a, b] = sets.map(([name, documents, on]): End => {
      const share = on[topic.index] / Math.max(1, documents);
      return {
        ...{ name, share, documents, on: on[topic.index], effectiveSize: documents },
        ...(sample ? { low: share, high: share } : wilson(share, Math.max(1, documents))),
      };
    });
    return { topic, ends: [a, b], evidence: gain([a, b]) };
  });
  return found.sort((one, other) => other.evidence - one.evidence);
}

/** The topic that most surely differs between the two sets; null if none surely does. */
export function surestOf(dumbbells: readonly Dumbbell[]): Finding | null {
  const pairs = pairsOf(dumbbells.map(({ ends }) => ends));
  const found = dumbbells.map(({ topic, ends }) =>
    differs(quoted(topic.title), ends, ({ name }) => name, pairs, OF_DOCUMENTS),
  );
  return surest(found);
}

export function dumbbellTold({ topic, ends }: Dumbbell): string {
  const texts = ends.map(
    ({ name, share, low, high, documents }) =>
      `${name} ${percent(share)} of ${count(documents, "document")}` +
      (low < high ? `, 95% interval ${percent(low)} to ${percent(high)}` : ""),
  );
  return `${quoted(topic.title)}: ${texts.join("; ")}`;
}

export function drawDumbbells(
  dumbbells: readonly Dumbbell[],
  width: number,
  colours: Palette,
  choose: (topic: Topic) => void,
): SVGSVGElement {
  const narrow = width < NARROW;
  const tall = narrow ? 44 : ROW;
  const [left, right] = [narrow ? 122 : Math.min(250, 0.34 * width), width - (narrow ? 74 : 96)];
  const height = HEAD + dumbbells.length * tall + 6;
  const all = dumbbells.flatMap(({ ends }) => [...ends]);
  const sure = relied(all).map(({ high }) => high);
  const most = Math.max(0.01, ...sure, ...all.map(({ share }) => share));
  const { high, ticks } = axis(Math.min(1, most), narrow ? 3 : 4);
  const x = linear(high, left + 8, right - 8);
  const { ink, soft, sides } = colours;
  const grid = ticks.flatMap((tick) => [
    s("line", { x1: x(tick), x2: x(tick), y1: HEAD - 6, y2: height, stroke: colours.line }),
    small(percent(tick), { x: x(tick), y: LEGEND + 13, "text-anchor": "middle", fill: soft }),
  ]);
  const marks = dumbbells.map((dumbbell, at) => {
    const { topic, ends } = dumbbell;
    const y = tall / 2;
    const label = { x: left - 10, y: y + 4, ...ENDING, "font-size": 12.5, fill: ink };
    const [a, b] = ends.map(({ share }) => x(share));
    return labelled(
      dumbbellTold(dumbbell),
      {
        class: "mark-of-chart",
        role: "button",
        transform: `translate(0 ${HEAD + at * tall})`,
        onclick: () => choose(topic),
      },

      s("rect", { width, height: tall, fill: "transparent" }),
      s("text.name", label, fitted(topic.title, left - 14, `12.5px ${FONT}`)),
      s("line", { x1: a, x2: b, y1: y, y2: y, stroke: soft, "stroke-width": 2 }),
      ends.flatMap((end, k) => [
        s("line", {
          ...{ x1: x(end.low), x2: x(end.high), y1: y, y2: y, stroke: sides[k] },
          ...{ "stroke-width": 7, "stroke-opacity": 0.25, "stroke-linecap": "round" },
        }),
        s("circle.tone", {
          ...{ cx: x(end.share), cy: y, r: 5, stroke: sides[k] },
          fill: reliable(end) ? sides[k] : colours.paper,
        }),
      ]),
      ends.map((end, k) => {
        const place = { x: width - (1 - k) * (narrow ? 38 : 48) - 2, y: y + 4 };
        return small(percent(end.share), { ...place, ...ENDING, fill: sides[k] });
      }),
    );
  });
  const names = (dumbbells[0]?.ends ?? []).map(({ name }) =>
    fitted(`● ${name}`, width / 2 - BETWEEN, `12px ${FONT}`),
  );
  const legend = names.map((text, k) => {
    const x = k && measured(names[0], `12px ${FONT}`) + BETWEEN;
    return small(text, { x, y: 12, fill: sides[k] });
  });
  const name = "Shares of topics in two sets of documents";
  const drawing = picture(width, height, name, [...grid, ...legend, ...marks]);
  letWalk(drawing, marks);
  return drawing;
}

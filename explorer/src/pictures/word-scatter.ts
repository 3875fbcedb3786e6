// The words of two sets of documents: a dot for each, by how many documents of either have it.

import type { Palette } from "../look/colours";
import { FONT, fitted, labelled, measured, picture, s } from "../look/dom";
import { percent } from "../look/format";
import { letWalk } from "../look/roving";
import { ENDING, small } from "./chart";
import { type Room, touching } from "./map-places";

const MOST_NAMES = 50;
const FONT_SIZE = 12.5;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 16, 12, 46]; // pixels beside the dots
const NONE = 22; // pixels between words that a set does not have and all others
const [DOT, GAP] = [3, 4]; // pixels
const NO_GAP = [0, 0] as const; // names may stand close to each other

export interface Plotted {
  readonly name: string;
  readonly shares: readonly [number, number];
  readonly side: number; // the set in which it surely is more frequent, 0 or 1; otherwise -1
  readonly named: number; // its rank among those that are named if there is room; otherwise -1
}

/** Shares as pixels on a logarithmic scale, and round shares along it. */
interface Scale {
  readonly at: (share: number) => number;
  readonly ticks: readonly number[];
}

function scaleOf(shares: readonly number[], from: number, to: number): Scale {
  const some = shares.filter((share) => share > 0);
  const [low, high] = [Math.min(1, ...some), Math.max(0, ...some)];
  const start = from + Math.sign(to - from) * NONE;
  const extent = Math.log(high / low) || 1;
  const ticks = [-4, -3, -2, -1, 0].map((power) => 10 ** power);
  const at = (share: number): number =>
    share > 0 ? start + (Math.log(share / low) / extent) * (to - start) : from;
  const apart = (tick: number): boolean => Math.abs(at(tick) - from) > 2 * NONE;
  return { at, ticks: ticks.filter((tick) => tick >= low && tick <= high && apart(tick)) };
}

/** The scatter; `choose` gets the word that was pressed. */
export function drawWords(
  words: readonly Plotted[],
  width: number,
  colours: Palette,
  sets: readonly string[], // their names
  choose: (word: Plotted) => void,
): SVGSVGElement {
  const height = Math.round(0.72 * width);
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  const every = words.flatMap(({ shares }) => [...shares]);
  const [x, y] = [scaleOf(every, LEFT, right), scaleOf(every, bottom, TOP)];
  const { line, soft, paper, sides } = colours;
  const spots = words.map(({ shares: [one, other] }) => [x.at(one), y.at(other)] as const);
  const size = { width: 2 * DOT, height: 2 * DOT };
  const taken = spots.map(([x, y]): Room => ({ x, y, ...size })); // by dots and names
  const hasRoom = (room: Room): boolean =>
    room.x - room.width / 2 >= LEFT &&
    room.x + room.width / 2 <= width &&
    !taken.some((other) => touching(room, other, NO_GAP));
  const order = [...words.keys()]
    .filter((at) => words[at].named >= 0)
    .sort((a, b) => words[a].named - words[b].named);
  const marks: SVGElement[] = [];
  for (const at of order) {
    const { name, side } = words[at];
    const [dotX, dotY] = spots[at];
    const length = measured(name, `${FONT_SIZE}px ${FONT}`);
    const beside = DOT + GAP + length / 2;
    const room = [dotX + beside, dotX - beside]
      .map((x): Room => ({ x, y: dotY, width: length, height: FONT_SIZE }))
      .find(hasRoom);
    if (!room || marks.length === MOST_NAMES) continue;
    taken.push(room);
    const place = { x: room.x, y: room.y + 4, "text-anchor": "middle", "font-size": FONT_SIZE };
    const fill = sides[side] ?? soft;
    const around = { stroke: paper, "stroke-width": 3, "paint-order": "stroke" };
    const props = { class: "mark-of-chart", role: "button", onclick: () => choose(words[at]) };
    marks.push(
      labelled(
        describeWord(words[at], sets),
        props,
        s("text.name", { ...place, ...around, fill }, name),
      ),
    );
  }
  const dots = words.map((word, at) => {
    const [cx, cy] = spots[at];
    const look = { fill: sides[word.side] ?? soft, "fill-opacity": word.side < 0 ? 0.3 : 0.85 };
    const press = (): void => choose(word);
    return s(
      "circle",
      { cx, cy, r: DOT, ...look, "aria-hidden": "true", onclick: press },
      s("title", describeWord(word, sets)),
    );
  });
  const axisName = (k: 0 | 1, room: number, place: object): SVGElement =>
    small(fitted(`${sets[k]} →`, room, `12px ${FONT}`), { ...place, ...ENDING, fill: sides[k] });
  const axes = [
    s("line", { x1: x.at(0), x2: right, y1: bottom, y2: bottom, stroke: line }),
    s("line", { x1: LEFT, x2: LEFT, y1: y.at(0), y2: TOP, stroke: line }),
    s("line", {
      ...{ x1: x.at(0) + NONE, y1: bottom - NONE, x2: right, y2: TOP, stroke: line },
      "stroke-dasharray": "3 4",
    }),
    [0, ...x.ticks].map((tick) => {
      const place = { x: x.at(tick), y: bottom + 18, "text-anchor": "middle", fill: soft };
      return small(percent(tick), place);
    }),
    [0, ...y.ticks].map((tick) =>
      small(percent(tick), { x: LEFT - 8, y: y.at(tick) + 4, ...ENDING, fill: soft }),
    ),
    axisName(0, right - LEFT, { x: right, y: height - 6 }),
    axisName(1, bottom - TOP, { transform: `translate(11 ${TOP}) rotate(-90)` }),
  ];
  const drawing = picture(width, height, "Words of two sets of documents", [
    ...axes.map((part) => s("g", { "aria-hidden": "true", "stroke-width": 1 }, part)),
    ...dots,
    ...marks,
  ]);
  letWalk(drawing, marks);
  return drawing;
}

function describeWord({ name, shares }: Plotted, sets: readonly string[]): string {
  return `${name}: ${shares.map((share, k) => `${percent(share)} of ${sets[k]}`).join(", ")}`;
}

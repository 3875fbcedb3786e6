// Where the circles and edges of the tree diagram are.

import { hierarchy, tree as tidy } from "d3-hierarchy";
import type { Page, Topic } from "../page/page";
import { isUnfolded } from "../page/vague";

/** The height of a row, in pixels: so much at least that titles can be read, more if there is room,
 * and less only if all topics are to be in view. */
export const ROW = 24;
const MOST_ROW = 56;
/** The room at the left, in pixels, for the links among the root topics: so much at least. */
export const MARGIN = 46;
const MOST_MARGIN = 140;
const COLUMN = 150; // pixels that a column takes at least, so that titles can be read
const TITLE = 15; // pixels from one title to the next below it
const BETWEEN = 24; // pixels of a column that labels leave to the edges behind them
const FAMILIES = 1.4; // rows from the last of some siblings to the first of others
const OPEN = 1.7; // rows from one that is open, since its title is above it

/** The place of a topic, in pixels. */
export interface Place {
  readonly topic: Topic;
  readonly x: number;
  readonly y: number;
  readonly depth: number; // from 1, the root topics
  readonly open: boolean; // its children are shown
  readonly room: number; // for its label, to the next column or the edge
}

/** An edge of the model between two topics that are shown. */
export interface Edge {
  readonly from: Place;
  readonly to: Place;
  readonly information: number; // NaN where an edit moved a topic, until it is computed anew
  readonly among: boolean; // both are on one level: root topics, which the model links, too
  readonly curve: string; // as a path of SVG
}

/** The whole diagram. */
export interface Diagram {
  readonly places: ReadonlyMap<number, Place>; // by topic
  readonly edges: Edge[];
  readonly row: number; // the height of a row
  readonly margin: number; // the room at the left
  readonly width: number;
  readonly height: number;
}

interface Node {
  readonly topic: Topic | null;
  readonly children: Node[];
}

/** Lays out the topics that are in sight in the tree: the root topics, and the children of those that
 * are expanded; vague ones if they are unfolded. `width` and `height` are those of the element; the
 * diagram may be larger, unless it is to be `whole` in view. */
export function layoutDiagram(
  page: Pick<Page, "topics" | "roots" | "links">,
  expanded: ReadonlySet<number>,
  width: number,
  height: number,
  whole = false,
): Diagram {
  const inSight = (index: number): boolean => isUnfolded(page, page.topics[index], expanded);
  const node = (index: number): Node => ({
    topic: page.topics[index],
    children: expanded.has(index) ? page.topics[index].children.filter(inSight).map(node) : [],
  });
  const top = hierarchy<Node>({ topic: null, children: page.roots.filter(inSight).map(node) });
  const nodes = tidy<Node>()
    .nodeSize([1, 1])
    .separation((a, b) => (a.children || b.children ? OPEN : a.parent === b.parent ? 1 : FAMILIES))(
      top,
    )
    .descendants()
    .filter((entry) => entry.data.topic);
  const depth = Math.max(...nodes.map((entry) => entry.depth));
  const spare = Math.max(0, width - MARGIN - 10 - depth * COLUMN);
  const margin = Math.min(MARGIN + 0.3 * spare, MOST_MARGIN);
  const column = Math.max(whole ? 0 : COLUMN, (width - margin - 10) / depth);
  const low = Math.min(...nodes.map((entry) => entry.x));
  const high = Math.max(...nodes.map((entry) => entry.x));
  const rows = Math.max(1, high - low);
  const row = Math.min(Math.max(whole ? 0 : ROW, (height - 3 * ROW) / rows), MOST_ROW);
  const places = new Map<number, Place>();
  for (const entry of nodes) {
    const topic = entry.data.topic!;
    places.set(topic.index, {
      topic,
      x: margin + (entry.depth - 1) * column,
      y: (entry.x - low) * row + ROW,
      depth: entry.depth,
      open: entry.children !== undefined,
      room: entry.children || entry.depth === depth ? column : column - BETWEEN,
    });
  }
  const edges: Edge[] = [];
  const joined = new Set<string>();
  for (const [a, b, information] of page.links) {
    const [from, to] = [places.get(a), places.get(b)];
    if (!from || !to || !linked(from.topic, to.topic)) continue;
    joined.add(`${a} ${b}`);
    const among = from.depth === to.depth;
    edges.push({ from, to, information, among, curve: curve(from, to, among ? margin : 0) });
  }
  for (const to of places.values()) {
    const from = places.get(to.topic.parent);
    if (!from || joined.has(`${from.topic.index} ${to.topic.index}`)) continue;
    edges.push({ from, to, information: Number.NaN, among: false, curve: curve(from, to, 0) });
  }
  return {
    places,
    edges,
    row,
    margin,
    width: margin + column * depth,
    height: (high - low) * row + 3 * ROW,
  };
}

/** The topics whose titles have room: `first`, then the larger before the smaller; none is so close
 * below another of its column that they would touch. */
export function titled(places: ReadonlyMap<number, Place>, first: number): Set<number> {
  const found = new Set<number>();
  const taken = new Map<number, number[]>(); // by column
  const rank = ({ topic }: Place): number => (topic.index === first ? 2 : topic.size);
  for (const place of Array.from(places.values()).sort((a, b) => rank(b) - rank(a))) {
    const { topic, depth, open } = place;
    const y = place.y - (open ? TITLE : 0); // above the edges that leave it
    const column = taken.get(depth) ?? [];
    if (column.some((other) => Math.abs(other - y) < TITLE)) continue;
    taken.set(depth, [...column, y]);
    found.add(topic.index);
  }
  return found;
}

/** Whether one topic is directly below the other, or both are root topics. */
function linked(from: Topic, to: Topic): boolean {
  return to.parent === from.index || (from.parent < 0 && to.parent < 0);
}

/** The curve from one place to another: to the right, or, for links among root topics, through the
 * margin at their left. */
function curve(a: Place, b: Place, margin: number): string {
  const begin = `M${a.x} ${a.y}C`;
  const end = `${b.x} ${b.y}`;
  if (margin) {
    const most = (margin - 12) / 0.75; // a curve goes three quarters of the way to its handles
    const bend = Math.min(most, 12 + Math.abs(b.y - a.y) / 3);
    return `${begin}${a.x - bend} ${a.y} ${b.x - bend} ${b.y} ${end}`;
  }
  const middle = (a.x + b.x) / 2;
  return `${begin}${middle + 60} ${a.y} ${middle + 40} ${b.y} ${end}`;
}

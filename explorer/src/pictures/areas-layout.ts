// Where the areas of the map are.

import { hierarchy, partition } from "d3-hierarchy";
import { path } from "../page/ancestry";
import type { Page, Topic } from "../page/page";
import { isUnfolded } from "../page/vague";

/** The rectangle of a topic, in pixels. */
export interface Area {
  readonly topic: Topic;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number; // topics above it
}

type Topics = Pick<Page, "topics" | "roots">;

/** The width of the columns of the topics above the one that is zoomed into. */
export const ABOVE = 30;
const COLUMN = 150; // pixels that a column takes at least
const MOST_COLUMNS = 4;
const LEAST = 1.5; // pixels of height, below which an area is left out

/** The topic that the map zooms into: the selected one, or its parent if it has no children. */
export function zoomed({ topics }: Topics, selected: number): Topic | null {
  const chosen = topics[selected];
  if (!chosen) return null;
  return chosen.children.length ? chosen : (topics[chosen.parent] ?? null);
}

/** The areas of the map: a column per level, and areas as high as the shares of topics, vague ones if
 * they are unfolded in the tree; what of a topic is about none below it stays empty. What is above the
 * zoomed topic stays at the left, each in a narrow column. */
export function layoutMap(
  page: Topics,
  selected: number,
  expanded: ReadonlySet<number>,
  width: number,
  height: number,
): Area[] {
  const focus = zoomed(page, selected);
  const above = focus ? path(page, focus).slice(0, -1) : [];
  const tree = sized(page, focus, expanded);
  const laid = partition<Node>().size([height, 1])(tree);
  const first = focus ? 0 : 1; // without a focus, the top of `tree` is no topic
  const left = ABOVE * above.length;
  const room = Math.max(2, Math.min(MOST_COLUMNS, Math.floor((width - left) / COLUMN)));
  const columns = Math.min(room, tree.height - first + 1);
  const column = (width - left) / columns;
  const areas: Area[] = above.map((topic, depth) => ({
    topic,
    x: ABOVE * depth,
    y: 0,
    width: ABOVE,
    height,
    depth,
  }));
  for (const node of laid.descendants()) {
    const at = node.depth - first;
    if (!node.data.topic || at < 0 || at >= columns || node.x1 - node.x0 < LEAST) continue;
    areas.push({
      topic: node.data.topic,
      x: left + at * column,
      y: node.x0,
      // The last in a branch that ends early fills the rest of the width.
      width: node.children ? column : width - left - at * column,
      height: node.x1 - node.x0,
      depth: above.length + at,
    });
  }
  return areas;
}

/** An area on its way from where it was, if it was anywhere; `t` goes from 0 to 1. */
export function between(from: Area | undefined, to: Area, t: number): Area {
  if (!from) return to;
  const mix = (a: number, b: number): number => a + (b - a) * t;
  return {
    ...to,
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    width: mix(from.width, to.width),
    height: mix(from.height, to.height),
  };
}

interface Node {
  readonly topic: Topic | null;
  readonly children: number[];
}

/** The topics below one, or all, for d3, which adds up what topics have beside those below them. */
function sized(page: Topics, focus: Topic | null, expanded: ReadonlySet<number>) {
  const { topics } = page;
  const unfolded = (some: number[]): number[] =>
    some.filter((index) => isUnfolded(page, topics[index], expanded));
  const node = (index: number): Node => ({
    topic: topics[index],
    children: unfolded(topics[index].children),
  });
  const top = { topic: focus, children: unfolded(focus ? focus.children : page.roots) };
  return hierarchy<Node>(top, ({ children }) => children.map(node)).sum(({ topic, children }) => {
    const below = children.reduce((sum, child) => sum + topics[child].size, 0);
    return Math.max(0, (topic?.size ?? 0) - below);
  });
}

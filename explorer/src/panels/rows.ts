// Which rows the tree has, and what its slider shows.

import { shownAbove } from "../page/ancestry";
import type { Page, Topic } from "../page/page";

type Topics = Pick<Page, "topics" | "roots">;
type Expanded = ReadonlySet<number>;

/** The topics that are in sight, from top to bottom. */
export function visible({ topics, roots }: Topics, expanded: Expanded): Topic[] {
  const rows: Topic[] = [];
  const add = (index: number): void => {
    rows.push(topics[index]);
    if (expanded.has(index)) topics[index].children.forEach(add);
  };
  roots.forEach(add);
  return rows;
}

/** The lowest level for which all topics down to it make at most `most` rows; if there is none,
 * the highest level. */
export function firstLevel(topics: Topic[], most: number): number {
  const levels = topics.map((topic) => topic.level);
  const [lowest, top] = [Math.min(...levels), Math.max(...levels)];
  let [level, rows] = [top, 0];
  for (let next = top; next >= lowest; next--) {
    rows += levels.filter((other) => other === next).length;
    if (rows <= most) level = next;
  }
  return level;
}

/** The lowest level in sight, and whether all topics down to it are. */
export function shownLevel(topics: Topic[], expanded: Expanded): { level: number; whole: boolean } {
  const open = topics.filter((topic) => expanded.has(topic.index)).map((topic) => topic.level);
  const closed = topics.filter((topic) => topic.children.length && !expanded.has(topic.index));
  const level = open.length
    ? Math.min(...open) - 1
    : Math.max(...topics.map((topic) => topic.level));
  return { level, whole: closed.every((topic) => topic.level <= level) };
}

/** The row of a topic, or of the lowest one above it that has a row; the first row if none has. */
export function rowAtOrAbove(page: Topics, rows: Topic[], topic: number): number {
  const places = new Map(rows.map((row, k) => [row.index, k]));
  return places.get(shownAbove(page, places, topic)) ?? 0;
}

/** The next row whose title begins with what was typed, from row `from` on and around. */
export function rowThatBegins(rows: Topic[], typed: string, from: number): number | undefined {
  const order = [...rows.keys()].map((k) => (k + from) % rows.length);
  return order.find((k) => rows[k].title.toLowerCase().startsWith(typed));
}

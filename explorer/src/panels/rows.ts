// Which rows the tree has.

import { count } from "../look/format";
import type { Outline, Page, Topic } from "../page/page";
import { foldOf, isFolded, keyAbove } from "../page/vague";

type Expanded = ReadonlySet<number>;

/** A row of the tree: a topic, or the vague and small ones of some siblings, which are folded. */
export interface Row {
  readonly key: number; // see `foldOf`
  readonly topic: Topic | null; // null: the row is one of folded topics
  readonly name: string;
  readonly aside: string; // why these topics are folded; "" for others
  readonly depth: number; // from 1
  readonly place: number; // from 1, among those beside it
  readonly beside: number; // how many these are, itself among them
  readonly opens: boolean; // there is something below it
}

/** The rows of the tree from top to bottom, without those below collapsed ones. */
export function visible(page: Outline, expanded: Expanded): Row[] {
  const rows: Row[] = [];
  const add = (found: Row, below: () => void): void => {
    rows.push(found);
    if (expanded.has(found.key)) below();
  };
  const list = (entries: number[], depth: number, beside: number): void =>
    entries.forEach((key, k) => {
      const topic = page.topics[key];
      const { title: name, children } = topic;
      const opens = children.length > 0;
      const found = { key, topic, name, aside: "", depth, place: k + 1, beside, opens };
      add(found, () => family(children, key, depth + 1));
    });
  const family = (entries: number[], above: number, depth: number): void => {
    const folded = entries.filter((index) => isFolded(page, page.topics[index]));
    const others = entries.filter((index) => !folded.includes(index));
    const beside = others.length + Math.min(1, folded.length);
    list(others, depth, beside);
    if (!folded.length) return;
    const [kind, aside] = kindOf(folded.map((index) => page.topics[index]));
    const name = count(sizeOf(page, folded), `${kind} topic`);
    const found = { topic: null, name, aside, depth, place: beside, beside, opens: true };
    add({ ...found, key: foldOf(above) }, () => list(folded, depth + 1, folded.length));
  };
  family(page.roots, -1, 1);
  return rows;
}

const VAGUE =
  "Few samples of the documents confirm these topics, and their words are about nothing in particular";
const SMALL = "Fewer than ten documents are on each of these topics";

/** What the topics of a row of folded ones are, and why they are folded. */
function kindOf(topics: readonly Topic[]): [kind: string, why: string] {
  if (topics.every(({ vague }) => vague)) return ["vague", VAGUE];
  if (topics.every(({ vague }) => !vague)) return ["small", SMALL];
  return ["small or vague", `${VAGUE}, or fewer than ten documents are on them`];
}

function sizeOf({ topics }: Pick<Page, "topics">, some: number[]): number {
  return some.reduce((sum, one) => sum + 1 + sizeOf({ topics }, topics[one].children), 0);
}

/** The row with a key or, if it is not among the rows, the lowest one above it; else the first. */
export function rowAtOrAbove(page: Pick<Page, "topics">, rows: Row[], key: number): number {
  const places = new Map(rows.map((row, k) => [row.key, k]));
  let at = key;
  while (at !== -1 && !places.has(at)) at = keyAbove(page, at);
  return places.get(at) ?? 0;
}

/** The next row whose name begins with what was typed, from row `from` on and around. */
export function rowThatBegins(rows: Row[], typed: string, from: number): number | undefined {
  const order = [...rows.keys()].map((k) => (k + from) % rows.length);
  return order.find((k) => rows[k].name.toLowerCase().startsWith(typed));
}

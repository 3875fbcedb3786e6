// Which topics are named on the map, where, and how large.

import { cut } from "../look/dom";
import { type Label, SIDE } from "../page/documents";
import { largerFirst } from "../page/leading";
import type { Page, Topic } from "../page/page";
import { type Box, type Point, pixelOf, type View } from "./map-view";

/** Labels at once, at most. */
export const MOST = 40;

const LONGEST = 120; // letters of a title that are looked at
const LINES = 3;
const LAST = 99; // below all ranks of topics that are not vague
const LINE = 1.15; // the height of a line, in sizes of its letters
const APART = 7; // pixels between labels above each other; beside each other, twice that
const LEAST_RADIUS = 26; // pixels around a topic below a root topic, from which on it is named
const NEAR = 6; // from so many times as large as the whole map on, vague topics are named
const EACH = 150; // pixels: a label for each square of this side, at most

/** A label where it stands: its middle, its box and its lines. */
export interface PlacedLabel {
  readonly topic: Topic;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  readonly style: LabelStyle;
}

/** How a label is set. */
export interface LabelStyle {
  readonly size: number;
  readonly weight: number;
  readonly serif: boolean;
}

/** How wide a text is in a style, in pixels. */
export type Measure = (text: string, style: LabelStyle) => number;

/** What decides which topics are named. */
export interface Naming {
  readonly page: Pick<Page, "topics" | "shown">;
  readonly labels: readonly (Label | null)[];
  readonly view: View;
  readonly width: number;
  readonly height: number;
  readonly selected: number; // a topic, or -1
  readonly covered: Box | null; // what the minimap covers
}

/** The labels in a view: the selected topic, its children, then general topics before others, those
 * that more documents are on first; vague ones last, and only from near. None touches another or the
 * minimap, or leaves the picture; the selected topic's moves above the minimap if it has to. */
export function placeLabels(naming: Naming, measure: Measure): PlacedLabel[] {
  const { width, height, view, labels, covered } = naming;
  const minimap = covered && middleAndSize(covered);
  const most = Math.min(MOST, Math.max(4, Math.ceil((width * height) / EACH ** 2)));
  const placed: PlacedLabel[] = [];
  const titles = new Set<string>();
  for (const { topic, depth, rank } of wanted(naming)) {
    if (placed.length >= most) break;
    if (titles.has(topic.title)) continue;
    const chosen = topic.index === naming.selected;
    const [x, y] = labels[topic.index]!;
    const at = pixelOf(view, [x, y]);
    const label = placedAt(topic, styleOf(topic, depth, chosen, width), at, naming, measure);
    const middles = shifts(label.height, rank <= 0).map((shift) => label.y + shift);
    if (chosen && minimap) middles.push(above(minimap, label));
    const free = middles
      .map((y) => kept({ ...label, y }, width, height))
      .find(
        (one) => ![...placed, ...(minimap ? [minimap] : [])].some((other) => touching(one, other)),
      );
    if (!free) continue;
    placed.push(free);
    titles.add(topic.title);
  }
  return placed;
}

interface Wanted {
  readonly topic: Topic;
  readonly depth: number;
  readonly rank: number;
}

/** The topics that could be named, those that matter most first. */
function wanted({ page, labels, view, width, height, selected }: Naming): Wanted[] {
  const found: Wanted[] = [];
  const depths = new Map<number, number>();
  const near = view.scale * SIDE >= NEAR * Math.min(width, height);
  for (const topic of page.shown) {
    const depth = (depths.get(topic.parent) ?? -1) + 1; // parents come first
    depths.set(topic.index, depth);
    const label = labels[topic.index];
    if (!label) continue;
    const [x, y] = pixelOf(view, [label[0], label[1]]);
    if (x < 0 || y < 0 || x > width || y > height) continue;
    const radius = label[2] * view.scale;
    const chosen = topic.index === selected;
    const child = selected >= 0 && topic.parent === selected;
    const small = depth > 0 && radius < LEAST_RADIUS;
    const large = topic.children.length > 0 && radius > 0.6 * Math.max(width, height);
    if (!chosen && (large || (small && !child) || (topic.vague && !near))) continue;
    const rank = chosen ? -2 : topic.vague ? LAST : child ? -1 : depth;
    found.push({ topic, depth, rank });
  }
  return found.sort((a, b) => a.rank - b.rank || largerFirst(a.topic, b.topic));
}

function styleOf(topic: Topic, depth: number, chosen: boolean, width: number): LabelStyle {
  const less = width < 480 ? 0.82 : 1;
  if (depth === 0) {
    const size = Math.round(less * (14 + 7 * Math.min(1, Math.sqrt(topic.size))));
    return { size, weight: 600, serif: true };
  }
  const size = Math.round(less * (depth === 1 ? 13.5 : 12.5));
  return { size: Math.max(size, 12), weight: chosen ? 700 : depth === 1 ? 550 : 400, serif: false };
}

function placedAt(
  topic: Topic,
  style: LabelStyle,
  [x, y]: Point,
  { width }: Naming,
  measure: Measure,
): PlacedLabel {
  const room = Math.min(13 * style.size, width - 2 * APART);
  const lines = wrapped(topic.title, room, (text) => measure(text, style));
  return {
    topic,
    x,
    y,
    lines,
    style,
    width: Math.max(...lines.map((line) => measure(line, style))),
    height: Math.ceil(lines.length * LINE * style.size),
  };
}

/** How far a label may be moved up or down from its place. */
function shifts(height: number, farther: boolean): number[] {
  const near = [0, -0.6 * height, 0.6 * height];
  return farther ? [...near, -1.2 * height, 1.2 * height, -1.8 * height, 1.8 * height] : near;
}

function kept(label: PlacedLabel, width: number, height: number): PlacedLabel {
  const inside = (at: number, half: number, side: number): number =>
    Math.max(Math.min(at, side - half - 2), half + 2);
  return {
    ...label,
    x: inside(label.x, label.width / 2, width),
    y: inside(label.y, label.height / 2, height),
  };
}

type Room = Pick<PlacedLabel, "x" | "y" | "width" | "height">;

function middleAndSize([left, top, right, bottom]: Box): Room {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return { x, y, width: right - left, height: bottom - top };
}

/** The y of the middle of a label that stands just above something. */
function above(below: Room, label: Room): number {
  return below.y - (below.height + label.height) / 2 - APART - 1;
}

function touching(one: Room, other: Room): boolean {
  return (
    2 * Math.abs(one.x - other.x) < one.width + other.width + 4 * APART &&
    2 * Math.abs(one.y - other.y) < one.height + other.height + 2 * APART
  );
}

/** A title on at most three lines, which are about equally long; what has no room is cut. */
export function wrapped(
  title: string,
  room: number,
  measure: (text: string) => number,
): readonly string[] {
  const words = title.slice(0, LONGEST).split(/\s+/).filter(Boolean);
  const whole = measure(words.join(" "));
  const most = Math.max(1, Math.min(LINES, words.length));
  const fits = (part: string): boolean => measure(part) <= room;
  let lines = [words.join(" ")];
  for (let count = 2; count <= most && !lines.every(fits); count++) {
    lines = balanced(words, count, whole, measure);
  }
  if (!lines.every(fits)) lines = divided(words, most, room, measure);
  const shortened = lines.map((line) => cut(line, fits) || line.slice(0, 1));
  if (title.length > LONGEST && !shortened.at(-1)!.endsWith("…"))
    shortened[lines.length - 1] += "…";
  return shortened;
}

/** Words on at most so many lines, of which the longest is about as short as it can be. */
function balanced(
  words: string[],
  count: number,
  whole: number,
  measure: (text: string) => number,
): string[] {
  for (let room = whole / count; ; room *= 1.03) {
    const lines = divided(words, words.length, room, measure);
    if (lines.length <= count) return lines;
  }
}

/** Words on at most so many lines, each as full as it may be; the last takes what is left. */
function divided(
  words: string[],
  count: number,
  room: number,
  measure: (text: string) => number,
): string[] {
  const lines = [words[0] ?? ""];
  for (const word of words.slice(1)) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (lines.length < count && measure(longer) > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

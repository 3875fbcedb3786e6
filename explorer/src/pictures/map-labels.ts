// Which topics and documents are named on the map, where, and how large.

import { cut, divided, FONT, measured, type Width } from "../look/dom";
import type { Label } from "../page/documents";
import { largerFirst } from "../page/leading";
import type { Page, Topic } from "../page/page";
import { Crowd, type Room, type Stand, stand, touching } from "./map-places";
import type { Scene } from "./map-scene";
import { clamped, inSight, type Point, pixelOf, type Sheet, type Size, timesOf } from "./map-view";

/** The most labels of topics at once, and the most titles of documents. */
export const MOST = 60;
export const MOST_TITLES = 40;

const LONGEST = 120; // letters of a title that are looked at
const LINES = 3;
const WIDTH = 14; // letters of a line, about
const LAST = 99; // below all ranks of topics that are not vague
const LINE = 1.15; // the height of a line, in sizes of its letters
const SIZES = { least: 12, most: 26, smallest: 9.5, below: 15.5, title: 11.5 }; // pixels
const FULL = 0.15; // of the picture, that names of root topics take up at most
/** A topic below a root topic is named if its radius is so large a part of the picture's side: when
 * the whole map is shown, and from nearer. */
const SPREAD = { home: 0.11, near: 0.045 };
const NEARER = 1.4; // times as large as the whole map
const LARGE = 0.6; // of the longer side: a topic with such a radius gives way to those below it
const NEAR = 6; // vague topics are named from so many times the scale of the whole map on
const EACH = 150; // pixels: a label for each square of this side, at most
const REACH = { root: 420, below: 70 }; // pixels from a topic's documents to its name
const LONGEST_TITLE = 300; // pixels
const SHRUNK = 0.88; // names shrink by this factor until root topics have room

/** A label where it stands: its middle, its box and its lines. */
export interface PlacedLabel extends Stand {
  readonly topic: Topic;
  readonly at: Point; // what it names, in pixels
  readonly lines: readonly string[];
  readonly style: LabelStyle;
}

export interface LabelStyle {
  readonly size: number;
  readonly weight: number;
}

/** The names of topics on a sheet: all root topics but vague ones, the larger the more documents they
 * have; the selected topic, its children, and then other topics whose documents fill the view. They
 * stay where they stood `before`, if they can. */
export function labelsOn(
  sheet: Sheet,
  { places: { labels }, grid, branches }: Pick<Scene, "places" | "grid" | "branches">,
  page: Pick<Page, "topics" | "shown">,
  selected: number,
  taken: readonly Room[],
  before: readonly PlacedLabel[],
): PlacedLabel[] {
  const { view } = sheet;
  const { width, height } = view;
  const stood = new Map(
    before.map(({ topic, at, x, y }) => [topic.index, [x - at[0], y - at[1]] as const]),
  );
  const crowd = new Crowd(grid, branches, view);
  const placed = (some: readonly Wanted[], times: number): (PlacedLabel | null)[] => {
    const names = some.map(({ topic, must, style }) => {
      const size = Math.max(times * style.size, SIZES.smallest);
      const set = { ...style, size: Math.round(2 * size) / 2 };
      const [x, y] = labels[topic.index]!;
      return {
        topic,
        style: set,
        ...boxOf(topic, set, width),
        at: pixelOf(view, [x, y]),
        branch: topic.branch,
        reach: must ? REACH.root : REACH.below,
        before: stood.get(topic.index) ?? null,
      };
    });
    const stands = stand(names, crowd, taken);
    return stands.map((place, k) => place && { ...names[k], ...place });
  };
  const all = wanted(sheet, labels, page, selected);
  const roots = all.filter(({ must }) => must).length;
  const room = Math.ceil((width * height) / EACH ** 2);
  const most = Math.max(roots, Math.min(MOST, Math.max(4, room)));
  let chosen = all.slice(0, most);
  let times = Math.min(1, Math.sqrt((FULL * width * height) / area(chosen)));
  for (;;) {
    const found = placed(chosen, times);
    const left = chosen.filter(({ must }, k) => must && !found[k]);
    if (!left.length || times * SIZES.most < SIZES.smallest) {
      return all.flatMap((one) => found[chosen.indexOf(one)] ?? []);
    }
    chosen = [...left, ...chosen.filter((one) => !left.includes(one))]; // these choose first now
    times *= SHRUNK;
  }
}

interface Wanted {
  readonly topic: Topic;
  readonly must: boolean; // a root topic, or the selected one
  readonly rank: number;
  readonly style: LabelStyle;
}

/** The topics that could be named, those that matter most first. */
function wanted(
  sheet: Sheet,
  labels: readonly (Label | null)[],
  page: Pick<Page, "topics" | "shown">,
  selected: number,
): Wanted[] {
  const { view } = sheet;
  const { width, height } = view;
  const times = timesOf(sheet);
  const found: Wanted[] = [];
  const depths = new Map<number, number>();
  const spread = times > NEARER ? SPREAD.near : SPREAD.home;
  const weightOf = ({ mainly, size }: Topic): number => Math.sqrt(mainly ?? size);
  const [largest, largestBelow] = [true, false].map((root) =>
    Math.max(...page.shown.filter(({ parent }) => parent < 0 === root).map(weightOf), 1e-9),
  );
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
    const small = depth > 0 && radius < spread * Math.sqrt(width * height);
    const large = topic.children.length > 0 && radius > LARGE * Math.max(width, height);
    if (!chosen && (large || (small && !child) || (topic.vague && times < NEAR))) continue;
    const rank = chosen ? -2 : topic.vague ? LAST : depth ? depth + (child ? 0 : 1) : -1;
    const part = weightOf(topic) / (depth ? largestBelow : largest);
    const most = depth ? SIZES.below : SIZES.most;
    const size = SIZES.least + (most - SIZES.least) * part;
    const style = { size, weight: chosen || !depth ? 700 : 600 };
    found.push({ topic, must: chosen || (!depth && !topic.vague), rank, style });
  }
  return found.sort((a, b) => a.rank - b.rank || largerFirst(a.topic, b.topic));
}

/** Pixels that the names of root topics would take up. */
function area(all: readonly Wanted[]): number {
  const each = all.map(({ topic, must, style }) => {
    const { width, height } = boxOf(topic, style, Number.POSITIVE_INFINITY);
    return must ? width * height : 0;
  });
  const total = each.reduce((sum, one) => sum + one, 0);
  return Math.max(total, 1);
}

function boxOf(topic: Topic, style: LabelStyle, width: number): Size & Pick<PlacedLabel, "lines"> {
  const set = (text: string): number => measure(text, style);
  const words = topic.title.slice(0, LONGEST).split(/\s+/);
  const longest = Math.max(...words.map((word) => set(word.slice(0, 2 * WIDTH))));
  const room = clamped(set("n".repeat(WIDTH)), longest, 0.9 * width);
  const lines = wrapped(topic.title, room, set);
  return {
    lines,
    width: Math.max(...lines.map(set)),
    height: Math.ceil(lines.length * LINE * style.size),
  };
}

export interface PlacedTitle extends Room {
  readonly document: number;
  readonly text: string;
  readonly at: Point; // the point
}

export const TITLE: LabelStyle = { size: SIZES.title, weight: 400 };

/** A title on at most three lines, which are about equally long; what has no room is cut. */
export function wrapped(title: string, room: number, measure: Width): readonly string[] {
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
function balanced(words: string[], count: number, whole: number, measure: Width): string[] {
  for (let room = whole / count; ; room *= 1.03) {
    const lines = divided(words, words.length, room, measure);
    if (lines.length <= count) return lines;
  }
}

const FEW = 700; // documents in sight, from which on titles are shown
const TITLES_NEARER = 2; // times as large as the whole map, at least

const widths = new Map<string, number>();

function measure(text: string, { size, weight }: LabelStyle): number {
  const font = `${weight} ${size}px ${FONT}`;
  const key = `${font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    width = measured(text, font);
    widths.set(key, width);
  }
  return width;
}

/** Titles beside the points of documents of a set in sight, if these are few, as far as they have
 * room; those most about a topic choose first. */
export function titlesOn(
  sheet: Sheet,
  { documents, grid }: Pick<Scene, "documents" | "grid">,
  mask: Uint8Array,
  radius: number,
  taken: readonly Room[],
): PlacedTitle[] {
  if (timesOf(sheet) < TITLES_NEARER) return [];
  const { view } = sheet;
  const { width, height } = view;
  const found: { document: number; at: Point; share: number }[] = [];
  grid.runs(inSight(view), (begin, end) => {
    for (let k = begin; k < end && found.length <= FEW; k++) {
      const document = grid.order[k];
      const at = pixelOf(view, [grid.x[k], grid.y[k]]);
      const inside = at[0] >= 0 && at[1] >= 0 && at[0] <= width && at[1] <= height;
      if (!mask[document] || !inside) continue;
      const share = Math.max(0, ...documents.topics(document).map((one) => one.share));
      found.push({ document, at, share });
    }
  });
  if (found.length > FEW) return [];
  found.sort((a, b) => b.share - a.share || a.document - b.document);
  const placed: PlacedTitle[] = [];
  const rooms = [...taken];
  for (const { document, at } of found) {
    if (placed.length === MOST_TITLES) break;
    const text = cut(documents.name(document), (part) => measure(part, TITLE) <= LONGEST_TITLE);
    const size = { width: measure(text, TITLE), height: LINE * TITLE.size };
    const beside = radius + 4 + size.width / 2;
    const free = [at[0] + beside, at[0] - beside]
      .map((x) => ({ ...size, x, y: at[1] }))
      .find(
        (room) =>
          room.x - room.width / 2 >= 2 &&
          room.x + room.width / 2 <= width - 2 &&
          Math.abs(room.y - height / 2) <= (height - room.height) / 2 &&
          !rooms.some((other) => touching(room, other)),
      );
    if (!free) continue;
    placed.push({ ...free, document, text, at });
    rooms.push(free);
  }
  return placed;
}

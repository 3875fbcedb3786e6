// The names that a part of the map has: of topics, and of documents where they are few.

import { FONT, measured } from "../look/dom";
import type { Page } from "../page/page";
import {
  type LabelStyle,
  type PlacedLabel,
  type PlacedTitle,
  placeLabels,
  placeTitles,
} from "./map-labels";
import { Crowd, type Room } from "./map-places";
import type { Scene, Sheet } from "./map-scene";
import { inSight, type Point, pixelOf } from "./map-view";

const FEW = 700; // documents in sight, from which on titles are shown
const NEARER = 2; // times as large as the whole map, at least

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

/** The names of topics on a sheet; they stay where they stood `before`, if they can. */
export function labelsOn(
  { view, home, width, height }: Sheet,
  { places, grid, branches }: Scene,
  page: Pick<Page, "topics" | "shown">,
  selected: number,
  taken: readonly Room[],
  before: readonly PlacedLabel[],
): PlacedLabel[] {
  const stood = before.map(({ topic, at, x, y }): [number, Point] => [
    topic.index,
    [x - at[0], y - at[1]],
  ]);
  const crowd = new Crowd(grid, branches, view, width, height);
  const times = view.scale / home.scale;
  const { labels } = places;
  const naming = { page, labels, view, times, width, height, selected, crowd, taken };
  return placeLabels({ ...naming, before: new Map(stood) }, measure);
}

/** Titles of the documents of a set in sight, if they are few: those that are most about their topics
 * first. */
export function titlesOn(
  { view, home, width, height }: Sheet,
  { documents, grid }: Scene,
  mask: Uint8Array,
  radius: number,
  taken: readonly Room[],
): PlacedTitle[] {
  if (view.scale < NEARER * home.scale) return [];
  const found: { document: number; at: Point; share: number }[] = [];
  grid.runs(inSight(view, width, height), (begin, end) => {
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
  const titled = found
    .sort((a, b) => b.share - a.share || a.document - b.document)
    .map(({ document, at }) => ({ document, at, text: documents.name(document) }));
  return placeTitles(titled, radius, taken, width, height, measure);
}

// What the map shows: what is constant about the documents, and what their points look like.

import { mixed, palette } from "../look/colours";
import type { Documents, Places } from "../page/documents";
import type { Page, Topic } from "../page/page";
import type { DocumentSet } from "../selection/sets";
import { IN_PART } from "../selection/terms";
import { LEVELS, type Light, type Look } from "./map-canvas";
import { byTopic, type Colouring } from "./map-colours";
import { Grid } from "./map-points";
import { middleOf } from "./map-view";

const STRAY = 0.003; // the share of documents at each edge that need not be in sight

export type Scene = Readonly<ReturnType<typeof sceneOf>>;

/** The scene. Its box is what is in view at first: the documents on topics, but for a few far away,
 * and the names of root topics. */
export function sceneOf(page: Page, documents: Documents, places: Places) {
  const grid = new Grid(places);
  const colouring = byTopic(documents, page);
  const { of, branches } = colouring;
  const on = of.map((colour) => Number(colour > 0));
  const box = middleOf(places.x, places.y, on, STRAY) ?? middleOf(places.x, places.y, null, 0)!;
  let [left, top, right, bottom] = box; // what is in sight at first
  for (const root of page.roots) {
    const place = places.labels[root];
    if (!place || page.topics[root].vague) continue;
    [left, top] = [Math.min(left, place[0]), Math.min(top, place[1])];
    [right, bottom] = [Math.max(right, place[0]), Math.max(bottom, place[1])];
  }
  return {
    documents,
    places,
    grid,
    box: [left, top, right, bottom] as const,
    byTopic: colouring,
    /** In the order of the grid: 1 more than the branch of the document's main topic, or 0. */
    branches: Uint8Array.from(grid.order, (document) =>
      of[document] ? 1 + ((of[document] - 1) % branches) : 0,
    ),
  };
}

/** The look of the points in a colouring; those of a set stand out. The documents on `lit` light up
 * and the others dim; those of the set on `own`, the selected topic, have its hue, whatever else
 * they are on. */
export function lookOf(
  scene: Scene,
  colouring: Colouring,
  { mask, size }: DocumentSet,
  lit: Topic | undefined,
  own: Topic | undefined,
): Look {
  const theme = palette();
  const grey = mixed(theme.soft, theme.paper, 0.55);
  const { grid } = scene;
  const chosen = size < scene.documents.count; // those on no topic are to be seen then, too
  const shade = (document: number): number =>
    mask[document] && !own ? colouring.of[document] + 1 : 0;
  return {
    grid,
    shades: Uint8Array.from(grid.order, shade),
    chosen: size,
    colours: [chosen ? mixed(theme.ink, theme.paper, 0.7) : grey, ...colouring.colours(theme)],
    dust: colouring === scene.byTopic && !chosen,
    rest: mixed(theme.soft, theme.paper, 0.3),
    paper: theme.paper,
    light: lit ? lightOf(scene, lit, null) : own ? lightOf(scene, own, mask) : null,
  };
}

/** The documents on a topic, which then dim the others; or those of a set, which do not. */
function lightOf({ documents, grid }: Scene, topic: Topic, mask: Uint8Array | null): Light {
  const levels = new Uint8Array(documents.count);
  let count = 0;
  documents.each(topic.index, (document, share) => {
    if (mask ? !mask[document] : share < IN_PART) return;
    levels[document] = Math.max(1, Math.round(LEVELS * share));
    count++;
  });
  return {
    colour: palette().bright(topic.branch),
    levels: Uint8Array.from(grid.order, (document) => levels[document]),
    count,
    dims: mask === null,
  };
}

// What the map shows: all about the documents that does not change.

import type { Documents, Places } from "../page/documents";
import type { Page } from "../page/page";
import { byTopic } from "./map-colours";
import { Grid } from "./map-grid";
import { middleOf, type View } from "./map-view";

const STRAY = 0.003; // the share of documents at each edge that need not be in sight

/** The documents, and where they are. */
export type Scene = Readonly<ReturnType<typeof sceneOf>>;

/** What is drawn on: where one looks, and how large it is. */
export interface Sheet {
  readonly view: View;
  readonly home: View; // that of all documents
  readonly width: number;
  readonly height: number;
}

/** What to look at: the documents on topics, but for a few far away, with the names of root topics. */
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

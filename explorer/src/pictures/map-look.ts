// What the points look like: in the colours that were asked for, or lit up.

import { mixed, palette } from "../look/colours";
import type { Topic } from "../page/page";
import type { DocumentSet } from "../selection/sets";
import { USUAL } from "../selection/terms";
import { LEVELS, type Light, type Look } from "./map-canvas";
import type { Colouring } from "./map-colours";
import type { Scene } from "./map-scene";

/** Points in the colours of a colouring, those of a set before others. The documents on `lit` light up
 * and the others dim; those of the set on `own`, the selected topic, have its hue, whatever else they
 * are on. */
export function lookOf(
  scene: Scene,
  colouring: Colouring,
  { mask, size }: DocumentSet,
  ramp: string[],
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
    colours: [
      chosen ? mixed(theme.ink, theme.paper, 0.7) : grey,
      ...colouring.colours(theme, ramp),
    ],
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
  const on = documents.on(topic.index);
  on.documents.forEach((document, k) => {
    const share = on.shares[k];
    if (mask ? !mask[document] : share < USUAL) return;
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

// The points of the map. They are ordered by cells, so that those near a place or in sight are
// found at once, and painted pixel by pixel without a GPU; each frame is complete.

import { rgb } from "../look/colours";
import type { Places } from "../page/documents";
import { type Box, clamped, inSight, type Sheet, timesOf, type View } from "./map-view";

const CELLS = 128; // in a row of the map
const SHIFT = 9; // a cell is 2 ** SHIFT wide

/** Points, those of a cell one after the other; cells from left to right, and then downwards. */
export class Grid {
  readonly order: Uint32Array; // the documents in that order
  readonly x: Uint16Array;
  readonly y: Uint16Array;
  private readonly starts = new Uint32Array(CELLS * CELLS + 1);

  constructor({ x, y }: Pick<Places, "x" | "y">) {
    const { starts } = this;
    const cell = (k: number): number => (y[k] >> SHIFT) * CELLS + (x[k] >> SHIFT);
    for (let k = 0; k < x.length; k++) starts[cell(k) + 1]++;
    for (let k = 0; k < CELLS * CELLS; k++) starts[k + 1] += starts[k];
    const at = starts.slice();
    this.order = new Uint32Array(x.length);
    for (let k = 0; k < x.length; k++) this.order[at[cell(k)]++] = k;
    this.x = Uint16Array.from(this.order, (k) => x[k]);
    this.y = Uint16Array.from(this.order, (k) => y[k]);
  }

  /** Calls `found` for the points in a box, and some near it, with one run of `order` at a time. */
  runs([left, top, right, bottom]: Box, found: (begin: number, end: number) => void): void {
    const cell = (value: number): number => clamped(value >> SHIFT, 0, CELLS - 1);
    for (let row = cell(top); row <= cell(bottom); row++) {
      const begin = this.starts[row * CELLS + cell(left)];
      const end = this.starts[row * CELLS + cell(right) + 1];
      if (begin < end) found(begin, end);
    }
  }

  /** The document nearest to a place of the map, of those that are admitted; -1 if all of them are
   * farther away than `radius`. */
  nearest(x: number, y: number, radius: number, admits: (document: number) => boolean): number {
    let [best, least] = [-1, radius ** 2];
    this.runs([x - radius, y - radius, x + radius, y + radius], (begin, end) => {
      for (let k = begin; k < end; k++) {
        const distance = (this.x[k] - x) ** 2 + (this.y[k] - y) ** 2;
        if (distance <= least && admits(this.order[k])) [best, least] = [this.order[k], distance];
      }
    });
    return best;
  }
}

const PLACES = 4; // within a pixel, in each direction, at which a point can be

export type Stamp = Readonly<ReturnType<typeof stampOf>>;

/** The stamp of points with a radius in pixels: how much of each pixel a point covers, from 0 to
 * 256, for each place within its pixel. */
export function stampOf(radius: number, opacity: number) {
  const reach = Math.ceil(radius + 0.5);
  const side = 2 * reach + 1;
  const covers = new Uint16Array(PLACES * PLACES * side * side);
  let at = 0;
  for (let place = 0; place < PLACES * PLACES; place++) {
    const x = reach + ((place % PLACES) + 0.5) / PLACES - 0.5;
    const y = reach + (Math.floor(place / PLACES) + 0.5) / PLACES - 0.5;
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        const share = radius + 0.5 - Math.hypot(column - x, row - y);
        covers[at++] = Math.round(256 * opacity * clamped(share, 0, 1));
      }
    }
  }
  return { side, covers };
}

/** Paints points in pixels, each of which is 0xAABBGGRR. `colours` are those of the numbers in
 * `colourOf`, which is in the order of the grid; points whose colour is 0 are left out. */
export function paint(
  pixels: Uint32Array,
  grid: Grid,
  view: View,
  stamp: Stamp,
  colourOf: Uint8Array,
  colours: Uint32Array,
): void {
  const { width, height } = view;
  const { side, covers } = stamp;
  const { x, y } = grid;
  const reach = (side - 1) / 2;
  const [left, top, right, bottom] = inSight(view);
  const beyond = (reach + 1) / view.scale;
  grid.runs([left - beyond, top - beyond, right + beyond, bottom + beyond], (begin, end) => {
    for (let k = begin; k < end; k++) {
      const colour = colours[colourOf[k]];
      if (!colour) continue;
      const across = view.x + view.scale * x[k];
      const down = view.y + view.scale * y[k];
      const column = Math.floor(across);
      const row = Math.floor(down);
      if (column < -reach || row < -reach || column >= width + reach || row >= height + reach) {
        continue;
      }
      const place =
        Math.floor((down - row) * PLACES) * PLACES + Math.floor((across - column) * PLACES);
      const from = place * side * side;
      const red_blue = colour & 0xff00ff;
      const green = colour & 0xff00;
      for (let dy = Math.max(0, reach - row); dy < side && row + dy - reach < height; dy++) {
        const line = (row + dy - reach) * width + column - reach;
        for (let dx = Math.max(0, reach - column); dx < side && column + dx - reach < width; dx++) {
          const share = covers[from + dy * side + dx];
          if (!share) continue;
          const below = pixels[line + dx];
          const rest = 256 - share;
          // Red and blue at once: 16 bits apart, the products do not overlap.
          const one = Math.imul(red_blue, share) + Math.imul(below & 0xff00ff, rest);
          const other = Math.imul(green, share) + Math.imul(below & 0xff00, rest);
          pixels[line + dx] = 0xff000000 | ((one >>> 8) & 0xff00ff) | ((other >>> 8) & 0xff00);
        }
      }
    }
  });
}

/** A colour as #rrggbb as a pixel. */
export function pixel(colour: string): number {
  const [red, green, blue] = rgb(colour);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** The radius in pixels at which points are best seen: the fewer there are, the larger. */
export function radiusOf(documents: number, sheet: Sheet): number {
  const { width, height } = sheet.view;
  const apart = timesOf(sheet) * Math.sqrt((width * height) / Math.max(documents, 1));
  return clamped(0.68 * Math.sqrt(apart), 0.7, 6);
}

/** How opaque points of a radius are: those that are small lie close together. */
export function opacityOf(radius: number): number {
  return Math.min(0.3 + 0.2 * radius, 0.88);
}

// Points painted pixel by pixel: it takes as long on any machine, and each frame is complete.

import { rgb } from "../look/colours";
import type { Grid } from "./map-grid";
import { inSight, type View } from "./map-view";

const PLACES = 4; // within a pixel, in each direction, at which a point can be

/** Pixels, each as 0xAABBGGRR. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
}

export type Stamp = Readonly<ReturnType<typeof stampOf>>;

/** The stamp of points with a radius in pixels: how much of each pixel a point covers, from 0 to 256, for
 * each place within its pixel. */
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
        covers[at++] = Math.round(256 * opacity * Math.min(Math.max(share, 0), 1));
      }
    }
  }
  return { side, covers };
}

/** Paints points. `colours` are those of the numbers in `colourOf`, which is in the order of the
 * grid; points whose colour is 0 are left out. */
export function paint(
  raster: Raster,
  grid: Grid,
  view: View,
  stamp: Stamp,
  colourOf: Uint8Array,
  colours: Uint32Array,
): void {
  const { pixels, width, height } = raster;
  const { side, covers } = stamp;
  const { x, y } = grid;
  const reach = (side - 1) / 2;
  const [left, top, right, bottom] = inSight(view, width, height);
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
          // Red and blue at once: 16 bits apart, the products do not meet.
          const one = Math.imul(red_blue, share) + Math.imul(below & 0xff00ff, rest);
          const other = Math.imul(green, share) + Math.imul(below & 0xff00, rest);
          pixels[line + dx] = 0xff000000 | ((one >>> 8) & 0xff00ff) | ((other >>> 8) & 0xff00);
        }
      }
    }
  });
}

/** A colour as #rrggbb as it stands in a raster. */
export function pixel(colour: string): number {
  const [red, green, blue] = rgb(colour);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** The radius in pixels at which points are best seen: the fewer there are, the larger. */
export function radiusOf(documents: number, width: number, height: number, times: number): number {
  const apart = times * Math.sqrt((width * height) / Math.max(documents, 1));
  return Math.min(Math.max(0.68 * Math.sqrt(apart), 0.7), 6);
}

/** How opaque points of a radius are: those that are small lie close together. */
export function opacityOf(radius: number): number {
  return Math.min(0.3 + 0.2 * radius, 0.88);
}

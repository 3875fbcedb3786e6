// The points of the map, ordered by cells, so that those near a place or in sight are found at once.

import type { Places } from "../page/documents";
import type { Box } from "./map-view";

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

  /** Calls back for the points in a box and some near it, a run in the order at a time. */
  runs([left, top, right, bottom]: Box, found: (begin: number, end: number) => void): void {
    const cell = (value: number): number => Math.min(Math.max(value >> SHIFT, 0), CELLS - 1);
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

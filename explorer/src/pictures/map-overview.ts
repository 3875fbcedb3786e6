// The minimap of the documents.

import { type Look, PointCanvas } from "./map-canvas";
import { type Box, fitting, type Point } from "./map-view";
import { Minimap, miniSize, sharesOf } from "./minimap";

const MOST: Point = [150, 150]; // pixels
const MARGIN = 0.04; // around all documents, of each side

/** All documents in small, painted anew only when they look different. */
export class MapOverview {
  private readonly canvas = new PointCanvas();
  private readonly minimap: Minimap;
  private painted: Look | null = null;
  private whole: Box = [0, 0, 1, 1];

  /** `go` brings a point of the map into the middle. */
  constructor(go: (point: Point) => void) {
    this.minimap = new Minimap(this.canvas.element, MOST, ([x, y]) => {
      const [left, top, right, bottom] = this.whole;
      go([left + x * (right - left), top + y * (bottom - top)]);
    });
  }

  /** The element, which is hidden while all documents are in sight. */
  get element(): HTMLElement {
    return this.minimap.element;
  }

  /** What it covers of the map, in pixels; null while it is hidden. */
  get box(): Box | null {
    const { offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight } = this.element;
    return offsetWidth ? [left, top, left + offsetWidth, top + offsetHeight] : null;
  }

  /** Shows what is in sight of the box around all documents. */
  show([left, top, right, bottom]: Box, seen: Box, look: Look): void {
    const [across, down] = [MARGIN * (right - left), MARGIN * (bottom - top)];
    this.whole = [left - across, top - down, right + across, bottom + down];
    const [width, height] = [right - left + 2 * across, bottom - top + 2 * down];
    const isAll = seen[0] <= left && seen[1] <= top && seen[2] >= right && seen[3] >= bottom;
    this.minimap.show(width, height, isAll ? [0, 0, 1, 1] : sharesOf(seen, this.whole));
    if (isAll || this.painted === look) return;
    const [columns, rows] = miniSize(width, height, MOST);
    this.canvas.resize(columns, rows);
    const view = fitting(this.whole, columns, rows, 0);
    this.canvas.show(view, view, look, false);
    this.painted = look;
  }
}

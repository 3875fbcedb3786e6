// The canvas with the points. If painting takes long, the last picture moves along while the view
// moves.

import { h } from "../look/dom";
import { type Grid, opacityOf, paint, pixel, radiusOf, stampOf } from "./map-points";
import { clamped, pixelOf, pointAt, type Sheet, type Size, type View } from "./map-view";

const MOST_PIXELS = 2; // for each pixel of the page, in each direction
const BUDGET = 9; // milliseconds of a frame

const DIM = 0.15; // the factor on the opacity of points that are not lit up while others are

export interface Look {
  readonly grid: Grid;
  /** In the order of the grid: 0 for what is not in the working set, else 1 more than the number
   * of the document's colour. */
  readonly shades: Uint8Array;
  readonly chosen: number; // how many documents are in the working set
  readonly colours: readonly string[]; // grey first
  readonly dust: boolean; // whether grey points are documents on no topic, drawn small and pale
  readonly rest: string; // the colour of what is not in the working set
  readonly paper: string;
  readonly light: Light | null;
}

export interface Light {
  readonly colour: string;
  /** In the order of the grid: 0 for what is not lit, otherwise how bright, up to `LEVELS`. */
  readonly levels: Uint8Array;
  readonly count: number;
  readonly dims: boolean; // whether other points are dimmed
}

export const LEVELS = 5; // how bright points that are lit up can be

export interface Layer {
  readonly of: Uint8Array; // numbers of colours, in the order of the grid
  readonly colours: ReadonlyMap<number, string>; // of those numbers that are shown
  readonly radius: number;
  readonly opacity: number;
}

/** The layers of points, from the bottom to the top. */
export function layersOf(look: Look, sheet: Sheet): Layer[] {
  const { shades, colours, rest, light, dust } = look;
  const { all, chosen } = radii(look, sheet);
  const fade = light?.dims ? DIM : 1;
  const layer = (from: number, to: number, radius: number, opacity: number): Layer => ({
    of: shades,
    colours: new Map([rest, ...colours].map((colour, k) => [k, colour] as const).slice(from, to)),
    radius,
    opacity: fade * opacity * opacityOf(radius),
  });
  const layers = [
    layer(1, 2, dust ? 0.8 * all : chosen, dust ? 0.5 : 0.8),
    layer(2, colours.length + 1, chosen, 1),
  ];
  if (look.chosen < shades.length) layers.unshift(layer(0, 1, all, 0.8));
  for (let level = 1; light && level <= LEVELS; level++) {
    layers.push({
      of: light.levels,
      colours: new Map([[level, light.colour]]),
      radius: clamped(1.25 * all, chosen, 6),
      opacity: (0.25 + (0.75 * level) / LEVELS) * opacityOf(1.6 * all),
    });
  }
  return layers;
}

/** What glows: by point, in the order of the grid, a number; by number, a colour and a weight. */
export function shownIn({ shades, colours, rest, light, dust }: Look): {
  of: Uint8Array;
  colours: readonly string[];
  weights: readonly number[];
} {
  const every = [rest, ...colours];
  if (light) {
    const levels = Array.from({ length: LEVELS + 1 }, (_, level) => level / LEVELS);
    return { of: light.levels, colours: levels.map(() => light.colour), weights: levels };
  }
  return { of: shades, colours: every, weights: every.map((_, k) => (k > (dust ? 1 : 0) ? 1 : 0)) };
}

export class PointCanvas {
  readonly element = h("canvas", { role: "img", tabindex: 0, "aria-describedby": "map-hint" });
  private readonly painted = document.createElement("canvas");
  private view: View | null = null; // that of `painted`
  private cost = 0; // milliseconds
  private image = new ImageData(1, 1);
  private width = 1;
  private height = 1;
  private sharpness = 1;

  /** Takes another size, in pixels of the page. */
  resize({ width, height }: Size): void {
    const sharpness = Math.min(devicePixelRatio || 1, MOST_PIXELS);
    if (width === this.width && height === this.height && sharpness === this.sharpness) return;
    Object.assign(this, { width, height, sharpness, view: null });
    const [columns, rows] = [width, height].map((side) =>
      Math.max(1, Math.round(side * sharpness)),
    );
    for (const canvas of [this.element, this.painted]) {
      canvas.width = columns;
      canvas.height = rows;
    }
    this.element.style.width = `${width}px`;
    this.element.style.height = `${height}px`;
    this.image = new ImageData(columns, rows);
  }

  /** Shows the points. In a `hurry`, it may move the last picture instead. */
  show(look: Look, sheet: Sheet, hurry: boolean): void {
    if (hurry && this.view && this.cost > BUDGET) {
      this.shift(sheet.view, look.paper);
      return;
    }
    const begin = performance.now();
    this.paint(look, sheet);
    this.cost = performance.now() - begin;
  }

  private paint(look: Look, sheet: Sheet): void {
    const { image, sharpness } = this;
    const { scale, x, y } = sheet.view;
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(pixel(look.paper));
    const { width, height } = image;
    const sharp = { scale: scale * sharpness, x: x * sharpness, y: y * sharpness, width, height };
    for (const layer of layersOf(look, sheet)) {
      const table = new Uint32Array(256);
      for (const [number, colour] of layer.colours) table[number] = pixel(colour);
      const stamp = stampOf(layer.radius * sharpness, layer.opacity);
      paint(pixels, look.grid, sharp, stamp, layer.of, table);
    }
    this.element.getContext("2d")!.putImageData(image, 0, 0);
    this.view = sheet.view;
    // Where painting is fast, what was painted is never moved.
    if (this.cost > BUDGET / 2) this.painted.getContext("2d")!.putImageData(image, 0, 0);
    else this.view = null;
  }

  private shift(view: View, paper: string): void {
    const { element, painted, sharpness } = this;
    const context = element.getContext("2d")!;
    const times = view.scale / this.view!.scale;
    const [x, y] = pixelOf(view, pointAt(this.view!, [0, 0]));
    context.fillStyle = paper;
    context.fillRect(0, 0, element.width, element.height);
    const [left, top] = [x * sharpness, y * sharpness];
    context.drawImage(painted, left, top, times * painted.width, times * painted.height);
  }
}

/** The radii of points: of all, and of those in the working set, the larger the fewer they are. */
export function radii({ grid, chosen }: Look, sheet: Sheet): { all: number; chosen: number } {
  const all = radiusOf(grid.order.length, sheet);
  return { all, chosen: Math.min(radiusOf(chosen, sheet), 1.7 * all, 6) };
}

// The glow of the points, which makes dense regions look solid: their colours, blurred, in large
// pixels.

import { rgb } from "../look/colours";
import { h } from "../look/dom";
import { type Look, shownIn } from "./map-canvas";
import { clamped, inSight, pixelOf, pointAt, type Size, type View } from "./map-view";

const CELLS = 200; // in a row, if the picture were a square
const BEYOND = 0.2; // of the picture, around it, so that something is there when it is moved
const MOST = 0.38; // the opacity where points are densest
const PASSES = 3; // of blurring by a box, which together are nearly round
const STRAYED = 2; // at a scale so many times larger or smaller, the glow is drawn anew

/** The glow of what a picture shows and of its surroundings: red, green, blue, opacity by cell. */
export function glowOf(look: Look, view: View) {
  const { width, height } = view;
  const cell = Math.sqrt(width * height) / CELLS; // the side of one, in pixels of the page
  const [columns, rows] = [width, height].map((side) =>
    Math.ceil(((1 + 2 * BEYOND) * side) / cell),
  );
  const { grid } = look;
  const { of, colours, weights } = shownIn(look);
  const parts = colours.map(rgb);
  const sums = new Float32Array(4 * columns * rows); // of red, green, blue, and weights
  const [left, top] = [view.x + BEYOND * width, view.y + BEYOND * height];
  let count = 0;
  const around = { ...view, x: left, y: top, width: cell * columns, height: cell * rows };
  grid.runs(inSight(around), (begin, end) => {
    for (let k = begin; k < end; k++) {
      const weight = weights[of[k]];
      if (!weight) continue;
      const column = Math.floor((left + view.scale * grid.x[k]) / cell);
      const row = Math.floor((top + view.scale * grid.y[k]) / cell);
      if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
      const at = 4 * (row * columns + column);
      for (let part = 0; part < 3; part++) sums[at + part] += weight * parts[of[k]][part];
      sums[at + 3] += weight;
      count++;
    }
  });
  const apart = Math.sqrt((width * height) / Math.max(count, 1));
  const radius = clamped(Math.round((0.5 * apart) / cell), 3, 4);
  return { columns, rows, cell, pixels: toned(blurred(sums, columns, rows, radius)) };
}

/** Blurs four channels with passes of a box, which together are nearly Gaussian. */
export function blurred(
  sums: Float32Array<ArrayBuffer>,
  columns: number,
  rows: number,
  radius: number,
): Float32Array<ArrayBuffer> {
  let [from, to] = [sums, new Float32Array(sums.length)];
  for (let pass = 0; pass < 2 * PASSES; pass++) {
    const along = pass % 2 === 0;
    const [lines, length] = along ? [rows, columns] : [columns, rows];
    const [line, step] = along ? [4 * columns, 4] : [4, 4 * columns];
    for (let one = 0; one < lines; one++) slide(from, to, one * line, step, length, radius);
    [from, to] = [to, from];
  }
  return from;
}

function slide(
  from: Float32Array,
  to: Float32Array,
  start: number,
  step: number,
  length: number,
  radius: number,
): void {
  const share = 1 / (2 * radius + 1);
  for (let part = 0; part < 4; part++) {
    const first = start + part;
    let sum = 0;
    for (let k = 0; k < Math.min(radius, length); k++) sum += from[first + k * step];
    for (let k = 0; k < length; k++) {
      if (k + radius < length) sum += from[first + (k + radius) * step];
      if (k > radius) sum -= from[first + (k - radius - 1) * step];
      to[first + k * step] = share * sum;
    }
  }
}

/** Sums as colours, the more opaque the denser. */
function toned(sums: Float32Array): Uint8ClampedArray<ArrayBuffer> {
  let [total, squares] = [0, 0];
  for (let at = 3; at < sums.length; at += 4) {
    total += sums[at];
    squares += sums[at] ** 2;
  }
  const usual = squares / Math.max(total, 1e-9); // the density around a point
  const pixels = new Uint8ClampedArray(sums.length);
  for (let at = 0; at < sums.length; at += 4) {
    const density = sums[at + 3];
    if (density < 1e-3 * usual) continue;
    for (let part = 0; part < 3; part++) pixels[at + part] = sums[at + part] / density;
    pixels[at + 3] = 255 * MOST * (1 - Math.exp((-1.1 * density) / usual));
  }
  return pixels;
}

export class GlowCanvas {
  readonly element = h("canvas.map-glow", { "aria-hidden": "true" });
  private drawn: { look: Look; view: View } | null = null;

  /** Shows the glow in a view; in a `hurry`, the last drawing, if it covers the view. */
  show(look: Look, view: View, hurry: boolean): void {
    const { drawn } = this;
    const still = drawn?.look === look && (hurry || drawn.view.scale === view.scale);
    if (!still || !covers(drawn.view, view)) this.draw(look, view);
    const from = this.drawn!.view;
    const times = view.scale / from.scale;
    const [x, y] = pixelOf(view, pointAt(from, [-BEYOND * view.width, -BEYOND * view.height]));
    this.element.style.transform = `translate(${x}px, ${y}px) scale(${times})`;
  }

  private draw(look: Look, view: View): void {
    const size = drawGlow(this.element, look, view);
    this.element.style.width = `${size.width}px`;
    this.element.style.height = `${size.height}px`;
    this.drawn = { look, view };
  }
}

/** Whether what was drawn for the view `from` covers another view of the same size, at a similar
 * scale. */
function covers(from: View, view: View): boolean {
  const { width, height } = view;
  const times = view.scale / from.scale;
  if (from.width !== width || from.height !== height) return false;
  if (times > STRAYED || times < 1 / STRAYED) return false;
  const [left, top] = pixelOf(from, pointAt(view, [0, 0]));
  const [right, bottom] = pixelOf(from, pointAt(view, [width, height]));
  const [across, down] = [BEYOND * width, BEYOND * height];
  return left >= -across && top >= -down && right <= width + across && bottom <= height + down;
}

/** The glow of a picture as a data URL, and its place and size. */
export function glowImage(look: Look, view: View) {
  const canvas = h("canvas");
  const size = drawGlow(canvas, look, view);
  return { href: canvas.toDataURL(), x: -BEYOND * view.width, y: -BEYOND * view.height, ...size };
}

/** Draws the glow on a canvas; returns how large that is to be, in pixels of the page. */
function drawGlow(canvas: HTMLCanvasElement, look: Look, view: View): Size {
  const { columns, rows, cell, pixels } = glowOf(look, view);
  canvas.width = columns;
  canvas.height = rows;
  canvas.getContext("2d")!.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  return { width: cell * columns, height: cell * rows };
}

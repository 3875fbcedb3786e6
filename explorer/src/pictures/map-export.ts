// The map as a drawing that stands alone, with a title, its key and its source.

import { mixed, type Palette } from "../look/colours";
import { FONT, fitted, measured, picture, s } from "../look/dom";
import type { Look } from "./map-canvas";
import { radii } from "./map-canvas";
import type { Colouring } from "./map-colours";
import type { PlacedLabel } from "./map-labels";
import { opacityOf } from "./map-points";
import { inSight, type View } from "./map-view";

const LAYERS = 12; // of points, so that no colour lies on top of all others
const MARGIN = 16;
const HEAD = 46;
const ROW = 20; // of the key

/** A map to draw. */
export interface Drawing {
  readonly title: string;
  readonly told: string; // what there is to see
  readonly source: string;
  readonly look: Look;
  readonly view: View;
  readonly home: View;
  readonly width: number;
  readonly height: number;
  readonly labels: readonly PlacedLabel[];
  readonly colouring: Colouring;
  readonly palette: Palette;
  readonly serif: string;
}

/** The drawing: all that is in sight, without the empty edges above and below. */
export function drawn(map: Drawing): SVGSVGElement {
  const { palette, width, title, told, source, serif } = map;
  const [top, bottom] = edges(map);
  const height = bottom - top;
  const room = width - 2 * MARGIN;
  const key = keyOf(map, room);
  const text = { x: MARGIN, fill: palette.soft, "font-size": 12 };
  const head = { ...text, y: 26, fill: palette.ink, "font-size": 18, "font-weight": 600 };
  const frame = { x: 0, y: HEAD, width, height };
  const moved = { transform: `translate(0 ${(HEAD - top).toFixed(1)})` };
  const below = HEAD + height + MARGIN;
  const end = below + key.height + 12;
  return picture(width, end + MARGIN, told, [
    s("clipPath", { id: "frame" }, s("rect", frame)),
    s("text", { ...head, "font-family": serif }, fitted(title, room, `600 18px ${serif}`)),
    s("text", { ...text, y: 44 }, fitted(told, room, `12px ${FONT}`)),
    s("g", { "clip-path": "url(#frame)" }, s("g", moved, ...points(map))),
    s("g", moved, ...map.labels.map((label) => name(label, map))),
    s("g", { transform: `translate(${MARGIN} ${below})` }, ...key.shapes),
    s("text", { ...text, y: end, "font-size": 11 }, fitted(source, room, `11px ${FONT}`)),
  ]);
}

/** Where what is drawn begins and ends, downwards. */
function edges({ look, view, width, height, labels }: Drawing): [top: number, bottom: number] {
  let [top, bottom] = [height, 0];
  const reach = (from: number, to: number): void => {
    top = Math.max(0, Math.min(top, from - MARGIN));
    bottom = Math.min(height, Math.max(bottom, to + MARGIN));
  };
  look.grid.runs(inSight(view, width, height), (begin, end) => {
    for (let k = begin; k < end; k++) {
      const y = view.y + view.scale * look.grid.y[k];
      if (y >= 0 && y <= height) reach(y, y);
    }
  });
  for (const { y, height: high } of labels) reach(y - high / 2, y + high / 2);
  return top < bottom ? [top, bottom] : [0, height];
}

/** The points in sight, as paths of dots, a colour at a time. */
function points({ look, view, home, width, height }: Drawing): SVGElement[] {
  const { grid, shades, colours, rest } = look;
  const { all, chosen } = radii(look, view.scale / home.scale, width, height);
  const every = [rest, ...colours];
  const dots: string[][] = Array.from({ length: LAYERS * every.length }, () => []);
  grid.runs(inSight(view, width, height), (begin, end) => {
    for (let k = begin; k < end; k++) {
      const [x, y] = [view.x + view.scale * grid.x[k], view.y + view.scale * grid.y[k]];
      const layer = shades[k] < 2 ? 0 : grid.order[k] % LAYERS;
      dots[layer * every.length + shades[k]].push(`M${x.toFixed(1)} ${y.toFixed(1)}h0`);
    }
  });
  return dots.flatMap((found, k) => {
    if (!found.length) return [];
    const shade = k % every.length;
    const radius = shade ? chosen : all;
    return s("path", {
      d: found.join(""),
      stroke: every[shade],
      "stroke-width": (2 * radius + 0.5).toFixed(2),
      "stroke-opacity": opacityOf(radius).toFixed(2),
      "stroke-linecap": "round",
    });
  });
}

function name({ topic, x, y, height, lines, style }: PlacedLabel, map: Drawing): SVGElement {
  const { palette, serif } = map;
  const step = height / lines.length;
  return s(
    "text",
    {
      "text-anchor": "middle",
      "font-family": style.serif ? serif : FONT,
      "font-size": style.size,
      "font-weight": style.weight,
      fill: mixed(palette.branch(topic.branch), palette.ink, 0.45),
      stroke: palette.paper,
      "stroke-width": 4,
      "stroke-linejoin": "round",
      "paint-order": "stroke",
    },
    ...lines.map((line, k) => {
      const down = y - height / 2 + (k + 0.5) * step + 0.35 * style.size;
      return s("tspan", { x: x.toFixed(1), y: down.toFixed(1) }, line);
    }),
  );
}

function keyOf(
  { look, colouring, palette }: Drawing,
  room: number,
): { shapes: SVGElement[]; height: number } {
  let [x, y] = [0, 0];
  const shapes = colouring.entries.map(({ name, colour }) => {
    const text = fitted(name, Math.min(240, room - 16), `12px ${FONT}`);
    const width = 32 + measured(text, `12px ${FONT}`);
    if (x && x + width - 16 > room) [x, y] = [0, y + ROW];
    const entry = s(
      "g",
      { transform: `translate(${x.toFixed(1)} ${y})` },
      s("circle", { cx: 5, cy: 5, r: 4.5, fill: look.colours[colour] }),
      s("text", { x: 15, y: 9, "font-size": 12, fill: palette.ink }, text),
    );
    x += width;
    return entry;
  });
  return { shapes, height: y + ROW };
}

// The map as a drawing that stands alone.

import type { Palette } from "../look/colours";
import { FONT, fitted, measured, picture, s } from "../look/dom";
import { captioned } from "./chart";
import { type Look, layersOf } from "./map-canvas";
import type { Entry } from "./map-colours";
import { glowImage } from "./map-glow";
import type { PlacedLabel } from "./map-labels";
import { inSight, type Sheet } from "./map-view";

const PARTS = 12; // of points, so that no colour lies on top of all others
const MARGIN = 16;
const ROW = 20; // of the key

export interface Drawing extends Sheet {
  readonly title: string;
  readonly description: string; // what there is to see
  readonly plain: boolean; // names have no colour
  faded(topic: number): boolean; // whether the name of a topic is grey, see `MapView.isFaded`
  readonly look: Look;
  readonly labels: readonly PlacedLabel[];
  readonly entries: readonly Entry[];
  readonly palette: Palette;
}

export function drawn(map: Drawing): SVGSVGElement {
  const { look, view, title, description } = map;
  const { width, height } = view;
  const key = keyOf(map);
  const frame = { x: 0, y: 0, width, height };
  const drawing = picture(width, height + key.height, description, [
    s("clipPath", { id: "frame" }, s("rect", frame)),
    s("g", { "clip-path": "url(#frame)" }, [
      s("image", { ...glowImage(look, view), preserveAspectRatio: "none" }),
      points(map),
    ]),
    ...map.labels.flatMap((label) => name(label, map)),
    s("g", { transform: `translate(${MARGIN} ${height + MARGIN})` }, key.shapes),
  ]);
  return captioned(drawing, title, description);
}

/** The points in sight, as paths of dots, a colour at a time. */
function points({ look, view, home }: Drawing): SVGElement[] {
  const { grid } = look;
  return layersOf(look, { view, home }).flatMap((layer) => {
    const { of, colours, radius, opacity } = layer;
    const dots = new Map<string, string[]>();
    grid.runs(inSight(view), (begin, end) => {
      for (let k = begin; k < end; k++) {
        const colour = colours.get(of[k]);
        if (!colour) continue;
        const [x, y] = [view.x + view.scale * grid.x[k], view.y + view.scale * grid.y[k]];
        const key = `${String(grid.order[k] % PARTS).padStart(2, "0")}${colour}`;
        if (!dots.has(key)) dots.set(key, []);
        dots.get(key)!.push(`M${x.toFixed(1)} ${y.toFixed(1)}h0`);
      }
    });
    const size = { "stroke-width": (2 * radius + 0.5).toFixed(2), "stroke-linecap": "round" };
    const look = { "stroke-opacity": opacity.toFixed(2), ...size };
    return [...dots]
      .sort()
      .map(([key, found]) => s("path", { d: found.join(""), stroke: key.slice(2), ...look }));
  });
}

function name(label: PlacedLabel, map: Drawing): SVGElement[] {
  const { topic, x, y, height, lines, style, leader } = label;
  const { palette } = map;
  const step = height / lines.length;
  const own = map.plain ? palette.ink : palette.branch(topic.branch);
  const colour = map.faded(topic.index) ? palette.soft : own;
  const letters = { "font-size": style.size, "font-weight": style.weight, fill: colour };
  const halo = {
    stroke: palette.paper,
    "stroke-width": 4,
    "stroke-linejoin": "round",
    "paint-order": "stroke",
  };
  const spans = lines.map((line, k) => {
    const down = y - height / 2 + (k + 0.5) * step + 0.35 * style.size;
    return s("tspan", { x: x.toFixed(1), y: down.toFixed(1) }, line);
  });
  const text = s("text", { "text-anchor": "middle", ...letters, ...halo }, spans);
  if (!leader) return [text];
  const [[x1, y1], [x2, y2]] = leader;
  return [
    s("line", { x1, y1, x2, y2, stroke: colour, "stroke-width": 0.8 }),
    s("circle", { cx: x1, cy: y1, r: 1.8, fill: colour }),
    text,
  ];
}

function keyOf({ look, entries, palette, view }: Drawing): {
  shapes: SVGElement[];
  height: number;
} {
  const room = view.width - 2 * MARGIN;
  let [x, y] = [0, 0];
  const shapes = entries.map(({ name, colour }) => {
    const text = fitted(name, Math.min(240, room - 16), `12px ${FONT}`);
    const wide = 32 + measured(text, `12px ${FONT}`);
    if (x && x + wide - 16 > room) [x, y] = [0, y + ROW];
    const entry = s("g", { transform: `translate(${x.toFixed(1)} ${y})` }, [
      s("circle", { cx: 5, cy: 5, r: 4.5, fill: look.colours[colour] }),
      s("text", { x: 15, y: 9, "font-size": 12, fill: palette.ink }, text),
    ]);
    x += wide;
    return entry;
  });
  return { shapes, height: entries.length ? MARGIN + y + ROW : 0 };
}

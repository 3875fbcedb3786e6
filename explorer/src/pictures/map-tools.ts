// The tools of the map, which float in a corner of it, and its key.

import { button, FIT, h, icon, replace } from "../look/dom";
import type { Colour } from "../selection/state";
import type { Term } from "../selection/terms";
import type { Colouring, Entry } from "./map-colours";
import type { Eye } from "./map-eye";

const ZOOM = 1.6; // of the buttons + and −

export interface Actions {
  colour(colour: Colour): void;
  outline(): void;
  selectView(): void;
}

export class Tools {
  readonly element: HTMLElement;
  private readonly outline: HTMLElement;
  private readonly colours: HTMLSelectElement;

  constructor(colours: ReadonlyMap<Colour, string>, eye: Eye, act: Actions) {
    const onchange = (): void => act.colour(this.colours.value as Colour);
    const options = Array.from(colours, ([value, name]) => h("option", { value }, `By ${name}`));
    this.colours = h("select", { "aria-label": "Colour by", onchange }, options);
    this.outline = icon(OUTLINE, "Outline documents to select them", act.outline);
    this.element = h("div.map-tools.screen", { role: "group", "aria-label": "Map" }, [
      this.colours,
      icon(PLUS, "Zoom in", () => eye.enlarge(ZOOM, null)),
      icon(MINUS, "Zoom out", () => eye.enlarge(1 / ZOOM, null)),
      icon(FIT, "Show all documents", () => eye.goHome(true)),
      this.outline,
      icon(FRAME, "Select what is in view", act.selectView),
    ]);
  }

  draw(colour: Colour, outlines: boolean): void {
    this.colours.value = colour;
    if (this.colours.selectedIndex < 0) this.colours.selectedIndex = 0; // there are no such colours
    this.outline.setAttribute("aria-pressed", String(outlines));
  }
}

const PLUS = "M3 8h10M8 3v10";
const MINUS = "M3 8h10";
const OUTLINE =
  "M5 11.5C1.500 10 1.500 4.500 6 3C10.500 1.500 15 4 14 7.500C13.200 10.500 9 12 6.500 11.200" +
  "M6.500 11.200C4 10.500 3.500 13.500 6 13.300C7.500 13.200 7.500 11.800 6.500 11.200";
const FRAME = "M2.500 3.500h11v9h-11zM5.500 8l2 2l3.500-4";

/** Draws the key, where names do not tell what the colours stand for: one line, whose entries
 * narrow the working set. */
export function drawKey(
  into: HTMLElement,
  { entries }: Colouring,
  colours: readonly string[],
  choose: (term: Term) => void,
): void {
  into.hidden = !entries.length;
  const item = ({ name, colour, selects }: Entry): HTMLElement => {
    const dot = h("i", { "aria-hidden": "true", style: { background: colours[colour] } });
    const shown = [dot, h("span", { dir: "auto" }, name)];
    const props = { title: `Select ${name}`.slice(0, 200) };
    return h("li", selects ? button(shown, () => choose(selects), props) : h("span", shown));
  };
  replace(into, entries.map(item));
}

// The key of the map, where names do not tell what the colours stand for: one line, whose entries
// narrow the working set.

import { button, h, replace } from "../look/dom";
import type { Colouring, Entry } from "./map-colours";

export function drawKey(
  into: HTMLElement,
  { entries }: Colouring,
  colours: readonly string[],
  choose: (entry: Entry) => void,
): void {
  into.hidden = !entries.length;
  replace(into, [
    ...entries.map((entry) => {
      const dot = h("i", { "aria-hidden": "true", style: { background: colours[entry.colour] } });
      const name = h("span", { dir: "auto" }, entry.name);
      if (entry.selects === null) return h("li", h("span", dot, name));
      const props = { title: `Select ${entry.name}`.slice(0, 200) };
      const choice = button(dot, () => choose(entry), props);
      choice.append(name);
      return h("li", choice);
    }),
  ]);
}

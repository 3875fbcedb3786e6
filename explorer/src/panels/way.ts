// The topics above the selected one.

import { button, h, replace } from "../look/dom";
import { path } from "../page/page";
import type { Shared } from "./pane";

/** The path to the selected topic, which follows the selection; root topics have none. */
export function way({ page, store }: Shared): HTMLElement {
  const nav = h("nav.path", { "aria-label": "Path to the selected topic" });
  const draw = (): void => {
    const topic = page.topics[store.state.topic];
    const above = topic ? path(page, topic).slice(0, -1) : [];
    nav.hidden = !above.length;
    const steps = above.map(({ title, index }) =>
      button(h("bdi", title), () => store.selectTopic(index), { title }),
    );
    replace(nav, steps);
  };
  store.onChange((state, before) => {
    if (state.topic !== before.topic) draw();
  });
  store.onEdit(draw);
  draw();
  return nav;
}

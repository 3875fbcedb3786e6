// The path from all topics down to the selected one.

import { button, h, replace } from "../look/dom";
import { path } from "../page/ancestry";
import type { Page } from "../page/page";
import type { Store } from "../selection/state";

/** The path to the selected topic, which follows the selection. */
export function way(page: Page, store: Store): HTMLElement {
  const nav = h("nav", { class: "path", "aria-label": "Path to the selected topic" });
  const step = (name: string, index: number, current: boolean): HTMLElement =>
    button(h("bdi", {}, name), () => store.selectTopic(index), {
      "aria-current": current ? "true" : null,
      title: name,
    });
  const draw = (): void => {
    const topic = page.topics[store.state.topic];
    const above = topic ? path(page, topic) : [];
    nav.hidden = !topic;
    replace(
      nav,
      step("All topics", -1, false),
      ...above.map((up) => step(up.title, up.index, up === topic)),
    );
  };
  store.onChange((state, before) => {
    if (state.topic !== before.topic) draw();
  });
  store.onEdit(draw);
  draw();
  return nav;
}

// The menu that leaves the documents on a topic out of the working set.

import { button, h, replace } from "../look/dom";
import { whole } from "../look/format";
import { path } from "../page/ancestry";
import type { Page, Topic } from "../page/page";
import { plainly } from "../page/vague";
import type { Store } from "../selection/state";
import { only, termOf } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { dropDown } from "./drop-down";

/** The topics that some documents are on, given how many are on each, and whether leaving these out
 * leaves any of `size`; no vague ones, and none at all if nothing would be left. */
export function leavable(
  shown: readonly Topic[],
  onEach: ArrayLike<number>,
  size: number,
): [topic: Topic, on: number, left: boolean][] {
  const some = plainly(shown)
    .map((topic): [Topic, number, boolean] => [
      topic,
      onEach[topic.index],
      onEach[topic.index] < size,
    ])
    .filter(([, on]) => on > 0);
  return some.some(([, , left]) => left) ? some : [];
}

/** The menu "But not on …"; false if there is nothing to leave out. */
export function butNot(
  page: Pick<Page, "topics" | "shown">,
  store: Store,
  { counts }: WorkingSet,
): HTMLElement | false {
  const topics = counts ? leavable(page.shown, counts.on, counts.documents) : [];
  if (!topics.length) return false;
  const [menu, items] = dropDown("But not on …", false);
  menu.classList.add("but-not");
  const item = ([topic, on, left]: (typeof topics)[number]): HTMLElement => {
    const name = h("span", {}, h("bdi", {}, topic.title), " ", h("span", {}, whole(on)));
    return button(name, () => store.add(only(termOf(topic), true)), {
      disabled: !left,
      style: { "--depth": String(path(page, topic).length - 1) },
    });
  };
  menu.addEventListener("toggle", () => {
    if (menu.open) replace(items, ...topics.map(item));
  });
  return menu;
}

// Shapes that stand for topics in pictures.

import { s } from "../look/dom";
import { tooltip } from "../look/format";
import type { Topic } from "../page/page";
import type { Store } from "../selection/state";

/** The shapes of a topic, moved to their place; a click selects the topic. */
export function shapesOf(
  topic: Topic,
  store: Store,
  { x, y }: { x: number; y: number },
  ...shapes: SVGElement[]
): SVGElement {
  return s(
    "g",
    {
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
      cursor: "pointer",
      "data-topic": topic.id,
      onclick: () => store.selectTopic(topic.index),
    },
    s("title", {}, tooltip(topic)),
    ...shapes,
  );
}

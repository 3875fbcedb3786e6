// Shapes that stand for topics in pictures.

import type { Topic } from "./data";
import { s } from "./dom";
import { tooltip } from "./format";
import type { Store } from "./state";

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

// What there is, when nothing is selected.

import { hue } from "./colours";
import type { Documents, Page } from "./data";
import { button, h, replace } from "./dom";
import { count, percent } from "./format";
import type { Store } from "./state";

export function drawOverview(
  into: Element,
  page: Page,
  store: Store,
  documents: Documents | null,
): void {
  const levels = new Map<number, number>();
  for (const topic of page.topics) levels.set(topic.level, (levels.get(topic.level) ?? 0) + 1);
  const sampled = documents && documents.count < documents.total;
  replace(
    into,
    h("h2", { tabindex: -1 }, "What is in here"),
    h(
      "p",
      {},
      page.documents !== null && `${count(page.documents, "document")}, `,
      `${count(page.words.length, "word")}. `,
      `${count(page.topics.length, "topic")}: `,
      [...levels]
        .sort((a, b) => b[0] - a[0])
        .map(([level, n]) => `${n} on level ${level}`)
        .join(", "),
      ".",
    ),
    sampled &&
      h(
        "p",
        { class: "notice" },
        `This page holds ${documents.count.toLocaleString("en")} of the ${documents.total.toLocaleString("en")} documents: the likeliest of each topic and a random sample. Sizes and shares count all of them.`,
      ),
    h(
      "ul",
      { class: "cards" },
      ...page.roots.map((index) => {
        const topic = page.topics[index];
        return h(
          "li",
          { style: { "--hue": hue(topic.branch) } },
          button(
            h("span", {}, h("b", {}, topic.label[0]), ` ${topic.label.slice(1).join(" ")}`),
            () => store.selectTopic(index),
          ),
          h(
            "span",
            { class: "meter", "aria-hidden": "true" },
            h("i", { style: { width: `${100 * topic.size}%` } }),
          ),
          h("span", { class: "soft" }, percent(topic.size)),
        );
      }),
    ),
    h("h3", {}, "How to read it"),
    h(
      "p",
      {},
      "A topic is a group of words that occur together, and the share of the documents that are on it. A document can be on any number of topics, at every level; the tree goes from general topics to specific ones. Words are ordered by how much they tell about the topic.",
    ),
    h(
      "p",
      { class: "soft" },
      "Keys: / searches; in the tree the arrows move and open, Enter selects.",
    ),
  );
}

// What the page has, when nothing is selected.

import { hue } from "./colours";
import type { Page, Topic } from "./data";
import type { Documents } from "./documents";
import { button, h, meter, replace } from "./dom";
import { count, percent, whole } from "./format";
import type { Store } from "./state";

const WHAT =
  "A topic is a group of words that occur together, and its title is a phrase of the documents " +
  "that tells most about it. Its expected share is the mean probability of the topic over all " +
  "documents; a document is on it if its own is above 0.5. A document can be on any number of " +
  "topics, at every level. The tree leads from general topics to specific ones. Words are ordered " +
  "by how much they tell about the topic.";
const KEYS =
  "Keyboard: / starts a search; in the tree, the arrow keys move and expand, and Enter selects.";

/** Shows the overview in the place of what was there. */
export function drawOverview(
  into: Element,
  page: Page,
  store: Store,
  documents: Documents | null,
): void {
  replace(
    into,
    h("h2", { tabindex: -1 }, "Overview"),
    h("p", {}, summary(page)),
    documents &&
      documents.count < documents.total &&
      h(
        "p",
        { class: "notice" },
        `This page includes ${whole(documents.count)} of the ${whole(documents.total)} documents: `,
        "the most probable of each topic and a random sample. ",
        "Sizes and shares are computed from all documents.",
      ),
    h("ul", { class: "cards" }, ...page.roots.map((root) => card(page.topics[root], store))),
    h("h3", {}, "How to read this page"),
    h("p", {}, WHAT),
    h("p", { class: "soft" }, KEYS),
  );
}

function summary(page: Page): string {
  const levels = new Map<number, number>();
  for (const { level } of page.topics) levels.set(level, (levels.get(level) ?? 0) + 1);
  const documents = page.documents === null ? "" : `${count(page.documents, "document")}, `;
  const topics = [...levels]
    .sort((a, b) => b[0] - a[0])
    .map(([level, n]) => `${n} at level ${level}`);
  const words = count(page.words.length, "word");
  return `${documents}${words}. ${count(page.topics.length, "topic")}: ${topics.join(", ")}.`;
}

function card(topic: Topic, store: Store): HTMLElement {
  const name = h("span", {}, h("b", {}, topic.title), ` ${topic.more}`);
  return h(
    "li",
    { style: { "--hue": hue(topic.branch) } },
    button(name, () => store.selectTopic(topic.index)),
    meter(topic.size),
    h("span", { class: "soft" }, percent(topic.size)),
  );
}

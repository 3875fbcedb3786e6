// Search as you type: words, topics, titles.

import type { Documents, Page } from "./data";
import { h, replace } from "./dom";
import { label, percent } from "./format";
import type { Model } from "./model";
import type { Store } from "./state";

interface Hit {
  readonly text: string;
  readonly more: string;
  readonly go: () => void;
}

/** Text as it is compared: lower case, with words and the parts of phrases apart by a space. */
function plain(text: string): string {
  return text
    .toLocaleLowerCase()
    .replace(/[\s-]+/g, " ")
    .trim();
}

const OF_EACH = 7;
const WAIT = 60; // milliseconds after a key
let titles: string[] | null = null;

export class Search {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly list = h("div", {
    class: "hits",
    role: "listbox",
    id: "hits",
    "aria-label": "Found",
  });
  private readonly told = h("div", { class: "hidden", role: "status" });
  private hits: Hit[] = [];
  private at = -1;
  private timer = 0;
  private waiting = false; // for what was typed to be looked for

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly model: Model,
    private readonly documents: () => Documents | null,
  ) {
    this.input = h("input", {
      type: "search",
      role: "combobox",
      placeholder: "Search words, topics, titles",
      "aria-label": "Search words, topics and titles",
      "aria-autocomplete": "list",
      "aria-controls": "hits",
      "aria-expanded": "false",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.find(), WAIT);
        this.waiting = true;
      },
      onfocus: () => this.find(),
      onblur: () => this.close(),
      onkeydown: (event: KeyboardEvent) => this.press(event),
    });
    this.list.hidden = true;
    this.element = h("div", { class: "search", role: "search" }, this.input, this.list, this.told);
    addEventListener("keydown", (event) => {
      const inside = (event.target as Element).closest?.("input, textarea, [contenteditable]");
      if (event.key === "/" && !inside && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        this.input.focus();
      }
    });
  }

  private find(): void {
    clearTimeout(this.timer);
    this.waiting = false;
    const query = plain(this.input.value);
    if (!query) {
      this.close();
      return;
    }
    const groups: [string, Hit[]][] = [
      ["Topics", this.topics(query)],
      ["Words", this.words(query)],
      ["Documents", this.titles(query)],
    ];
    this.hits = groups.flatMap(([, hits]) => hits);
    this.at = -1;
    let number = 0;
    replace(
      this.list,
      ...groups
        .filter(([, hits]) => hits.length)
        .map(([name, hits]) =>
          h(
            "div",
            { role: "group", "aria-label": name },
            h("div", { class: "kind", "aria-hidden": "true" }, name),
            ...hits.map((hit) => {
              const k = number++;
              return h(
                "div",
                {
                  role: "option",
                  id: `hit-${k}`,
                  "aria-selected": "false",
                  onmousedown: (event: Event) => event.preventDefault(),
                  onclick: () => this.take(k),
                },
                h("span", {}, hit.text),
                h("span", { class: "soft" }, hit.more),
              );
            }),
          ),
        ),
      !this.hits.length &&
        h(
          "div",
          { class: "nothing", role: "option", "aria-selected": "false", "aria-disabled": "true" },
          "Nothing found",
        ),
    );
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.input.removeAttribute("aria-activedescendant");
    this.told.textContent = `${this.hits.length} found`;
  }

  /** Topics with the word among their own: those that it tells most of first. */
  private topics(query: string): Hit[] {
    const { page } = this;
    const found: [score: number, topic: number][] = [];
    for (const topic of page.topics) {
      if (topic.id.toLowerCase() === query) found.push([-1e9, topic.index]);
      const text = topic.words.map(({ word }) => plain(page.words[word]));
      const whole = text.findIndex((word) => word.startsWith(query));
      const parts = whole >= 0 ? [query] : query.split(" ");
      const places = parts.map((part) => text.findIndex((word) => word.startsWith(part)));
      if (places.every((place) => place >= 0)) {
        found.push([
          places.reduce((a, b) => a + b, 0) - topic.words[places[0]].information,
          topic.index,
        ]);
      }
    }
    return found
      .sort((a, b) => a[0] - b[0])
      .slice(0, OF_EACH)
      .map(([, index]) => {
        const topic = page.topics[index];
        return {
          text: label(topic),
          more: `${percent(topic.size)} · level ${topic.level}`,
          go: () => this.store.selectTopic(index),
        };
      });
  }

  private words(query: string): Hit[] {
    const { page, model } = this;
    const ofNode = new Map(page.topics.map((topic) => [topic.node, topic]));
    const found: [number, number][] = [];
    page.words.forEach((word, k) => {
      const place = plain(word).indexOf(query);
      if (place >= 0) found.push([(place ? 1000 : 0) + word.length, k]);
    });
    return found
      .sort((a, b) => a[0] - b[0])
      .slice(0, OF_EACH)
      .flatMap(([, word]) => {
        let node = model.above(word);
        while (node >= 0 && !ofNode.has(node)) node = model.above(node);
        const topic = ofNode.get(node);
        if (!topic) return [];
        return [
          {
            text: page.words[word],
            more: `in ${label(topic, 3)}`,
            go: () => this.store.selectTopic(topic.index),
          },
        ];
      });
  }

  private titles(query: string): Hit[] {
    const documents = this.documents();
    if (!documents) return [];
    titles ??= Array.from({ length: documents.count }, (_, k) => plain(documents.name(k)));
    const parts = query.split(" ");
    const hits: Hit[] = [];
    for (let k = 0; k < titles.length && hits.length < OF_EACH; k++) {
      if (parts.every((part) => titles![k].includes(part))) {
        hits.push({
          text: documents.name(k),
          more: documents.about("dates", k).slice(0, 10),
          go: () => this.store.selectDocument(documents.row(k)),
        });
      }
    }
    return hits;
  }

  private press(event: KeyboardEvent): void {
    if (this.waiting && ["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) this.find();
    const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (move && this.list.hidden) this.find();
    if (move && this.hits.length) {
      this.list.querySelector(`#hit-${this.at}`)?.setAttribute("aria-selected", "false");
      this.at =
        (this.at + move + this.hits.length + (this.at < 0 && move < 0 ? 1 : 0)) % this.hits.length;
      const chosen = this.list.querySelector(`#hit-${this.at}`)!;
      chosen.setAttribute("aria-selected", "true");
      chosen.scrollIntoView({ block: "nearest" });
      this.input.setAttribute("aria-activedescendant", chosen.id);
    } else if (event.key === "Enter" && this.hits.length) {
      this.take(Math.max(0, this.at));
    } else if (event.key === "Escape") {
      if (this.list.hidden) this.input.value = "";
      this.close();
    } else return;
    event.preventDefault();
  }

  private take(k: number): void {
    const { go } = this.hits[k];
    this.close();
    this.input.value = "";
    this.input.blur();
    go();
  }

  private close(): void {
    clearTimeout(this.timer);
    this.waiting = false;
    this.hits = [];
    this.at = -1;
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}

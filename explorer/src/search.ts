// Search as you type: words, topics, titles.

import type { Page } from "./data";
import type { Documents } from "./documents";
import { h, replace } from "./dom";
import { findTitles, findTopics, findWords, plain, step, topicAbove } from "./finding";
import { percent } from "./format";
import type { Store } from "./state";

interface Hit {
  readonly text: string;
  readonly more: string;
  readonly go: () => void;
}

const OF_EACH = 7;
const WAIT = 60; // milliseconds after a key

/** The field for searching, and the list of what it finds. */
export class Search {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly list = h("div", {
    class: "hits",
    role: "listbox",
    id: "hits",
    "aria-label": "Search results",
  });
  private readonly told = h("div", { class: "hidden", role: "status" });
  private titles: string[] | null = null; // plain; made when they are first needed
  private hits: Hit[] = [];
  private at = -1;
  private timer = 0;
  private waiting = false; // what was typed was not looked for yet

  constructor(
    private readonly page: Page,
    private readonly store: Store,
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
      ["Documents", this.documentsTitled(query)],
    ];
    this.hits = groups.flatMap(([, hits]) => hits);
    this.at = -1;
    this.draw(groups.filter(([, hits]) => hits.length));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.input.removeAttribute("aria-activedescendant");
    this.told.textContent = `${this.hits.length} found`;
  }

  private draw(groups: [string, Hit[]][]): void {
    let number = 0;
    const nothing = { class: "nothing", role: "option", "aria-selected": "false" };
    replace(
      this.list,
      ...groups.map(([name, hits]) =>
        h(
          "div",
          { role: "group", "aria-label": name },
          h("div", { class: "kind", "aria-hidden": "true" }, name),
          ...hits.map((hit) => this.option(hit, number++)),
        ),
      ),
      !groups.length && h("div", { ...nothing, "aria-disabled": "true" }, "Nothing found"),
    );
  }

  private option(hit: Hit, k: number): HTMLElement {
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
  }

  private topics(query: string): Hit[] {
    return findTopics(this.page, query)
      .slice(0, OF_EACH)
      .map((topic) => ({
        text: topic.title,
        more: `${percent(topic.size)} · level ${topic.level}`,
        go: () => this.store.selectTopic(topic.index),
      }));
  }

  private words(query: string): Hit[] {
    return findWords(this.page, query)
      .slice(0, OF_EACH)
      .flatMap((word) => {
        const topic = topicAbove(this.page, word);
        if (!topic) return [];
        const go = (): void => this.store.selectTopic(topic.index);
        return [{ text: this.page.words[word], more: `in ${topic.title}`, go }];
      });
  }

  private documentsTitled(query: string): Hit[] {
    const documents = this.documents();
    if (!documents) return [];
    this.titles ??= Array.from({ length: documents.count }, (_, k) => plain(documents.name(k)));
    return findTitles(this.titles, query, OF_EACH).map((document) => ({
      text: documents.name(document),
      more: documents.about("dates", document).slice(0, 10),
      go: () => this.store.selectDocument(documents.row(document)),
    }));
  }

  private press(event: KeyboardEvent): void {
    if (this.waiting && ["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) this.find();
    const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (move && this.list.hidden) this.find();
    if (move && this.hits.length) {
      this.list.querySelector(`#hit-${this.at}`)?.setAttribute("aria-selected", "false");
      this.at = step(this.at, move, this.hits.length);
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

// Search as you type: texts, topics, words, groups, titles.

import { h, keyOf, replace } from "../look/dom";
import { isolated, ofAll } from "../look/format";
import { receive, type Soon, type Tally } from "../selection/corpus";
import { describeFigure, exactly, known } from "../selection/figure";
import { findTitles, findTopics, findWords, plain, step, topicAbove } from "../selection/finding";
import { parsed } from "../selection/query";
import { describeClauses } from "../selection/saying";
import { allClauses } from "../selection/state";
import { type Clause, only } from "../selection/terms";
import { Pane, type Shared } from "./pane";

interface Hit {
  readonly text: string;
  readonly more: Soon<string>;
  readonly go: () => void;
}

const OF_EACH = 5;
const WAIT = 120; // milliseconds after a key

export class Search extends Pane {
  private readonly input = h("input", {
    type: "search",
    role: "combobox",
    placeholder: "Search texts, topics, words, groups",
    "aria-label": "Search texts, topics, words and groups",
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
  private readonly list = h("div.hits", {
    role: "listbox",
    id: "hits",
    "aria-label": "Search results",
    hidden: true,
  });
  private readonly status = h("div.hidden", { role: "status" });
  readonly element = h("div.search.screen", { role: "search" }, this.input, this.list, this.status);
  private titles: string[] | null = null; // plain; made when they are first needed
  private hits: Hit[] = [];
  private at = -1;
  private timer = 0;
  private waiting = false; // whether what was typed was not searched yet

  constructor(shared: Shared) {
    super(shared);
    addEventListener("keydown", (event) => {
      if (keyOf(event) !== "/") return;
      event.preventDefault();
      this.input.focus();
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
    const read = parsed(this.input.value, this.page.fields);
    const [clauses, trouble] = typeof read === "string" ? [[], read] : [read, ""];
    const isEmpty = !trouble && !clauses.length; // symbols alone, such as a single quotation mark
    const groups: [string, Hit[]][] = isEmpty
      ? []
      : [
          ["Documents", this.texts(clauses)],
          ["Topics", this.topics(query)],
          ["Words", this.words(query)],
          ["Groups", this.groups(query)],
          ["Titles", !trouble && isPlain(clauses) ? this.titled(query) : []],
        ];
    this.hits = groups.flatMap(([, hits]) => hits);
    this.at = -1;
    this.draw(
      groups.filter(([, hits]) => hits.length),
      trouble,
    );
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.input.removeAttribute("aria-activedescendant");
    this.status.textContent = `${this.hits.length} found`;
  }

  private draw(groups: [string, Hit[]][], trouble: string): void {
    let number = 0;
    const nothing = { role: "option", "aria-selected": "false", "aria-disabled": "true" };
    const text = trouble || (!groups.length && "Nothing found");
    replace(this.list, [
      text && h("div.nothing", nothing, text),
      groups.map(([name, hits]) =>
        h("div", { role: "group", "aria-label": name }, [
          h("div.kind", { "aria-hidden": "true" }, name),
          hits.map((hit) => this.option(hit, number++)),
        ]),
      ),
    ]);
  }

  private option(hit: Hit, k: number): HTMLElement {
    const more = h("span.soft");
    const tell = (text: string): void => replace(more, text);
    receive(hit.more, tell, tell);
    const onmousedown = (event: Event): void => event.preventDefault();
    const onclick = (): void => this.take(k);
    const props = { role: "option", id: `hit-${k}`, "aria-selected": "false" };
    return h("div", { ...props, onmousedown, onclick }, h("span", hit.text), more);
  }

  private texts(clauses: Clause[]): Hit[] {
    const { page, store, working } = this;
    if (!working.sets || !clauses.length) return [];
    const said = describeClauses(clauses, page).join(" and ");
    const hit = (text: string, context: Clause[], go: () => void): Hit => ({
      text,
      more: this.counted([...context, ...clauses]),
      go,
    });
    const all = hit(working.narrowed ? `All with ${said}` : `With ${said}`, [], () =>
      store.choose(clauses),
    );
    if (!working.narrowed) return [all];
    const now = allClauses(store.state, page);
    return [hit(`Of these, with ${said}`, now, () => store.add(...clauses)), all];
  }

  private counted(clauses: Clause[], before = ""): Soon<string> {
    const all = known(this.page, clauses);
    if (all !== null) return before + describeFigure(exactly(all));
    const tally = this.working.corpus!.count(clauses);
    const tell = ({ figure }: Tally): string => before + describeFigure(figure);
    return tally instanceof Promise ? tally.then(tell) : tell(tally);
  }

  private topics(query: string): Hit[] {
    return findTopics(this.page, query)
      .slice(0, OF_EACH)
      .map((topic) => ({
        text: topic.title,
        more: ofAll(topic),
        go: () => this.store.selectTopic(topic.index),
      }));
  }

  private words(query: string): Hit[] {
    const { page, store } = this;
    const { documents } = this.working;
    return findWords(page, query)
      .slice(0, OF_EACH)
      .map((k) => {
        const word = page.words[k];
        const above = topicAbove(page, k);
        if (documents) {
          const clause = only({ kind: "word", word });
          const more = this.counted([...allClauses(store.state, page), clause]);
          return { text: word, more, go: () => store.add(clause) };
        }
        const more = above ? `in ${isolated(above.title)}` : "in no topic";
        return { text: word, more, go: () => store.selectTopic(above?.index ?? -1) };
      });
  }

  private groups(query: string): Hit[] {
    const { page, store } = this;
    const { fields } = page;
    if (!this.working.documents) return [];
    const now = allClauses(store.state, page);
    return fields
      .flatMap((field) => field.names.map((name) => ({ field, name })))
      .filter(({ name }) => plain(name).includes(query))
      .slice(0, OF_EACH)
      .map(({ field, name }) => {
        const clause = only({ kind: "group", field: field.key, name });
        const before = fields.length > 1 ? `${isolated(field.name)}, ` : "";
        return {
          text: name,
          more: this.counted([...now, clause], before),
          go: () => store.add(clause),
        };
      });
  }

  private titled(query: string): Hit[] {
    const { documents } = this.working;
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

/** Whether clauses ask for nothing but words and phrases, all of which must be there. */
function isPlain(clauses: readonly Clause[]): boolean {
  return clauses.every(({ not, terms: [{ kind }, more] }) => !not && !more && kind === "text");
}

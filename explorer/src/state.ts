// What is selected, for all views; kept in the address, so that "back" goes back.

import type { Page } from "./data";

export type View = "map" | "diagram" | "time" | "groups";
export type Panel = "tree" | "picture" | "details";

export interface State {
  readonly topic: number; // -1: none
  readonly document: number; // its row in the corpus, from 1; 0: none
  readonly view: View;
}

type Listener = (state: State, before: State) => void;

export class Store {
  private current: State = { topic: -1, document: 0, view: "map" };
  private readonly listeners: Listener[] = [];
  readonly expanded = new Set<number>();
  private readonly expansionListeners: (() => void)[] = [];
  private readonly pickListeners: (() => void)[] = [];

  constructor(private readonly page: Page) {
    addEventListener("popstate", () => this.take(this.fromAddress()));
    this.current = this.fromAddress();
  }

  get state(): State {
    return this.current;
  }

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  onExpansion(listener: () => void): void {
    this.expansionListeners.push(listener);
  }

  /** Changes some of the state. A topic or document is a step that "back" undoes. */
  set(change: Partial<State>): void {
    const next = { ...this.current, ...change };
    const stepped = next.topic !== this.current.topic || next.document !== this.current.document;
    const address = this.address(next);
    try {
      if (stepped) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    } catch {
      // In a frame without an address of its own there is no going back, but all else.
    }
    this.take(next);
  }

  selectTopic(topic: number): void {
    this.set({ topic, document: 0 });
    for (const listener of this.pickListeners) listener();
  }

  selectDocument(document: number): void {
    this.set({ document });
    for (const listener of this.pickListeners) listener();
  }

  /** Told of every topic or document that is picked, though it be the one that was. */
  onPick(listener: () => void): void {
    this.pickListeners.push(listener);
  }

  setExpanded(topics: Iterable<number>, open: boolean): void {
    for (const topic of topics) {
      if (open) this.expanded.add(topic);
      else this.expanded.delete(topic);
    }
    for (const listener of this.expansionListeners) listener();
  }

  private take(next: State): void {
    const before = this.current;
    this.current = next;
    if (next.topic !== before.topic) this.reveal(next.topic);
    for (const listener of this.listeners) listener(next, before);
  }

  /** Opens everything above a topic. */
  reveal(topic: number): void {
    const above: number[] = [];
    for (
      let up = this.page.topics[topic]?.parent ?? -1;
      up >= 0;
      up = this.page.topics[up].parent
    ) {
      above.push(up);
    }
    if (above.some((up) => !this.expanded.has(up))) this.setExpanded(above, true);
  }

  private address(state: State): string {
    const parts = new URLSearchParams();
    if (state.topic >= 0) parts.set("topic", this.page.topics[state.topic].id);
    if (state.document) parts.set("document", String(state.document));
    if (state.view !== "map") parts.set("view", state.view);
    return `#${parts}`;
  }

  private fromAddress(): State {
    const parts = new URLSearchParams(location.hash.slice(1));
    const view = parts.get("view") as View;
    return {
      topic: this.page.topics.findIndex((topic) => topic.id === parts.get("topic")),
      document: Math.max(0, Math.trunc(Number(parts.get("document")) || 0)),
      view: ["diagram", "time", "groups"].includes(view) ? view : "map",
    };
  }
}

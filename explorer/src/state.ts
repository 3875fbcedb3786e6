// What is selected, for all views; kept in the address, so that "back" goes back.

import type { Page } from "./data";

const VIEWS = ["map", "diagram", "time", "groups"] as const;

/** A picture that can be looked at. */
export type View = (typeof VIEWS)[number];

/** What is selected. */
export interface State {
  readonly topic: number; // -1: none
  readonly document: number; // its number in the corpus, from 1; 0: none
  readonly view: View;
}

type Listener = (state: State, before: State) => void;
type Topics = Pick<Page, "topics">;

/** The fragment of the address that holds a state. */
export function toAddress(state: State, page: Topics): string {
  const parts = new URLSearchParams();
  if (state.topic >= 0) parts.set("topic", page.topics[state.topic].id);
  if (state.document) parts.set("document", String(state.document));
  if (state.view !== "map") parts.set("view", state.view);
  return `#${parts}`;
}

/** The state that a fragment of an address holds; what it does not name is not selected. */
export function fromAddress(fragment: string, page: Topics): State {
  const parts = new URLSearchParams(fragment.slice(1));
  return {
    topic: page.topics.findIndex((topic) => topic.id === parts.get("topic")),
    document: Math.max(0, Math.trunc(Number(parts.get("document")) || 0)),
    view: VIEWS.find((view) => view === parts.get("view")) ?? "map",
  };
}

/** The state, and which topics are expanded. Tells its listeners of every change. */
export class Store {
  private current: State;
  private readonly listeners: Listener[] = [];
  readonly expanded = new Set<number>();
  private readonly expansionListeners: (() => void)[] = [];
  private readonly pickListeners: (() => void)[] = [];

  constructor(private readonly page: Topics) {
    addEventListener("popstate", () => this.take(fromAddress(location.hash, page)));
    this.current = fromAddress(location.hash, page);
  }

  /** What is selected now. */
  get state(): State {
    return this.current;
  }

  /** Calls the listener after every change of the state. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Calls the listener when topics are expanded or collapsed. */
  onExpansion(listener: () => void): void {
    this.expansionListeners.push(listener);
  }

  /** Calls the listener when a topic or document is picked, even if it was selected already. */
  onPick(listener: () => void): void {
    this.pickListeners.push(listener);
  }

  /** Changes some of the state. A topic or document is a step that "back" undoes. */
  set(change: Partial<State>): void {
    const next = { ...this.current, ...change };
    const stepped = next.topic !== this.current.topic || next.document !== this.current.document;
    const address = toAddress(next, this.page);
    try {
      if (stepped) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    } catch {
      // A frame without an address of its own has no history; all else works there.
    }
    this.take(next);
  }

  /** Picks a topic; -1 picks none. */
  selectTopic(topic: number): void {
    this.set({ topic, document: 0 });
    for (const listener of this.pickListeners) listener();
  }

  /** Picks a document by its number in the corpus, from 1. */
  selectDocument(document: number): void {
    this.set({ document });
    for (const listener of this.pickListeners) listener();
  }

  /** Expands or collapses topics. */
  setExpanded(topics: Iterable<number>, open: boolean): void {
    for (const topic of topics) {
      if (open) this.expanded.add(topic);
      else this.expanded.delete(topic);
    }
    for (const listener of this.expansionListeners) listener();
  }

  /** Expands everything above a topic. */
  reveal(topic: number): void {
    const { topics } = this.page;
    const above: number[] = [];
    for (let up = topics[topic]?.parent ?? -1; up >= 0; up = topics[up].parent) above.push(up);
    if (above.some((up) => !this.expanded.has(up))) this.setExpanded(above, true);
  }

  private take(next: State): void {
    const before = this.current;
    this.current = next;
    if (next.topic !== before.topic) this.reveal(next.topic);
    for (const listener of this.listeners) listener(next, before);
  }
}

// The selection, which all views share. The address keeps it, so that "back" goes back.

import { telling } from "../look/telling";
import type { Page, Shares } from "../page/page";
import { keyAbove } from "../page/vague";
import { readSide, type Side, writeSide } from "./sides";
import {
  asParts,
  type Clause,
  IN_PART,
  isAll,
  only,
  type PlainTerm,
  readClauses,
  share,
  written,
} from "./terms";

const VIEWS = ["map", "changes", "differences"] as const;
/** The names of views in addresses of earlier versions of the page. */
const EARLIER = new Map<string, View>([
  ["time", "changes"],
  ["groups", "differences"],
  ["compare", "differences"],
]);
const COLOURS = ["topic", "date", "set"] as const; // besides the keys of fields
const ORDERS = ["typical", "share", "relevant", "newest", "oldest", "corpus"] as const;
const SORTS = ["right", "left", "group", "topic"] as const;

export type View = (typeof VIEWS)[number];

/** What the map is coloured by: topics, dates, the selection, or the field with this key. */
export type Colour = string;

export type Order = (typeof ORDERS)[number];

/** What occurrences are sorted by, if not in the order of their documents. */
export type Sort = (typeof SORTS)[number];

/** The part of the map in view: the point in its middle, and how many times it is enlarged. */
export interface Sight {
  readonly x: number;
  readonly y: number;
  readonly times: number;
}

export interface State {
  readonly topic: number; // -1: none
  readonly least: number; // the share from which on documents are on the topic
  readonly main: boolean; // only documents whose main topic it is
  readonly clauses: readonly Clause[]; // what the working set must match besides the topic
  readonly document: number; // its number in the corpus, from 1; 0: none
  readonly context: boolean; // whether occurrences of what is searched are listed, not documents
  readonly order: Order | Sort | null; // null: the default
  readonly compared: readonly Side[]; // at most two sets of documents that are compared
  readonly missing: string; // the id of a topic that was asked for and is not shown
  readonly unread: number; // how many parts of the address could not be read
  readonly foreign: boolean; // whether the address is of a page of another model
  readonly view: View;
  readonly colour: Colour;
  readonly by: string; // the key of the field to compare by; "": the default
  readonly sight: Sight | null; // null: the view that the selection leads to
}

type Topics = Pick<Page, "topics" | "shown" | "log" | "fields">;

/** The fragment of the address that holds a state. */
export function toAddress(state: State, { topics }: Pick<Page, "topics">): string {
  const parts = new URLSearchParams();
  const id = topics[state.topic]?.id ?? state.missing;
  if (id) parts.set("topic", id);
  if (state.topic >= 0 && state.least !== IN_PART) parts.set("least", String(state.least));
  if (state.topic >= 0 && state.main) parts.set("main", "1");
  asParts(state.clauses, parts);
  if (state.document) parts.set("document", String(state.document));
  if (state.context) parts.set("context", "1");
  if (state.order) parts.set("order", state.order);
  for (const side of state.compared) parts.append("compare", writeSide(side, { topics }));
  if (state.view !== "map") parts.set("view", state.view);
  if (state.colour !== "topic") parts.set("colour", state.colour);
  if (state.by) parts.set("by", state.by);
  if (state.sight) parts.set("at", [state.sight.x, state.sight.y, state.sight.times].join("_"));
  return `#${parts}`;
}

/** The state that a fragment of an address holds; what it does not name is not selected. */
export function fromAddress(fragment: string, { shown, log, fields }: Topics): State {
  const parts = new URLSearchParams(fragment.slice(1));
  const { clauses, unread } = readClauses(parts, fields);
  const keys = fields.map(({ key }) => key);
  const index = (id: string): number => shown.find((topic) => topic.id === id)?.index ?? -1;
  const [id, name] = ["topic", "view"].map((part) => parts.get(part) ?? "");
  const topic = index(id);
  return narrowed({
    topic,
    least: share(parts.get("least") ?? "") ?? IN_PART,
    main: parts.get("main") === "1",
    clauses,
    document: Math.max(0, Math.trunc(Number(parts.get("document")) || 0)),
    context: parts.get("context") === "1",
    order: [...ORDERS, ...SORTS].find((order) => order === parts.get("order")) ?? null,
    compared: comparable(parts.getAll("compare").map((text) => readSide(text, { shown, fields }))),
    missing: topic < 0 ? id : "",
    unread,
    foreign: (parts.get("model") ?? log.model) !== log.model,
    view: VIEWS.find((view) => view === name) ?? EARLIER.get(name) ?? "map",
    colour: [...COLOURS, ...keys].find((colour) => colour === parts.get("colour")) ?? "topic",
    by: keys.slice(1).find((key) => key === parts.get("by")) ?? "",
    sight: sightIn(parts.get("at") ?? ""),
  });
}

/** The state without its clause for all documents, if anything else is chosen. */
function narrowed(state: State): State {
  const clauses = state.clauses.filter((clause) => !isAll(clause));
  const same = clauses.length === state.clauses.length;
  return same || (state.topic < 0 && !clauses.length) ? state : { ...state, clauses };
}

/** The field by which documents are compared; undefined if they have none. */
export function fieldOf({ by }: State, { fields }: Pick<Page, "fields">): Shares | undefined {
  return fields.find(({ key }) => key === by) ?? fields[0];
}

function sightIn(text: string): Sight | null {
  const [x, y, times] = text.split("_").map(Number);
  return x >= 0 && y >= 0 && times > 0 ? { x, y, times } : null;
}

/** The first two sides, without null ones; none if all of these are without clauses. */
function comparable(sides: readonly (Side | null)[]): Side[] {
  const given = sides.filter((side) => side !== null).slice(0, 2);
  return given.some((side) => side.length) ? given : [];
}

/** The clauses of the working set, that of the selected topic first. */
export function allClauses(state: State, { topics }: Pick<Page, "topics">): Clause[] {
  const topic = topics[state.topic];
  if (!topic) return [...state.clauses];
  const { least, main } = state;
  return [only({ kind: "topic", id: topic.id, least, main }), ...state.clauses];
}

/** The state, and which topics are expanded. Tells its listeners of every change. */
export class Store {
  private current: State;
  /** Whether the current change is a step back or forward in the history. */
  returning = false;
  readonly expanded = new Set<number>();
  lit = -1; // the topic whose documents are lit up on the map; -1: none
  /** Tells of every change of the state, with the new state and the one before. */
  readonly onChange = telling<[state: State, before: State]>();
  readonly onExpansion = telling(); // tells when topics are expanded or collapsed
  /** Tells when a topic or document is picked, even if it was selected already. */
  readonly onPick = telling();
  /** Tells when topics were edited: their titles, places, and which are shown. */
  readonly onEdit = telling();
  readonly onLight = telling(); // tells when the documents of another topic are lit up

  constructor(private readonly page: Topics) {
    addEventListener("popstate", () => {
      this.returning = true;
      this.take(fromAddress(location.hash, page));
      this.returning = false;
    });
    this.current = fromAddress(location.hash, page);
  }

  get state(): State {
    return this.current;
  }

  /** Lights up the documents of a topic on the map, or with -1 none. */
  light(topic: number): void {
    if (topic === this.lit) return;
    this.lit = topic;
    this.onLight.tell();
  }

  /** Tells that topics were edited. If the selected topic is gone, the one that it was merged into,
   * or its parent, is selected; if the missing topic is shown now, that is selected. */
  edited(): void {
    const { topics, shown } = this.page;
    let { topic, missing } = this.current;
    while (topics[topic]?.gone) {
      topic = topics[topic].into >= 0 ? topics[topic].into : topics[topic].parent;
    }
    const found = shown.find(({ id }) => id === missing);
    if (found) [topic, missing] = [found.index, ""];
    this.set({ topic, missing, compared: comparable(this.current.compared.map(this.left)) });
    this.reveal(topic);
    this.onEdit.tell();
  }

  /** A side after edits: merged topics become those that they are in; null if a topic is hidden. */
  private readonly left = (side: Side): Side | null => {
    const { topics } = this.page;
    let hidden = false;
    const leftOf = (term: PlainTerm): PlainTerm => {
      if (term.kind !== "topic") return term;
      let topic = topics.find(({ id }) => id === term.id);
      while (topic?.gone === "merged") topic = topics[topic.into];
      hidden ||= topic?.gone === "hidden";
      return topic ? { ...term, id: topic.id } : term;
    };
    const clauses = side.map(({ not, terms }) => ({
      not,
      terms: terms.map((term) =>
        term.kind === "not" ? { ...term, term: leftOf(term.term) } : leftOf(term),
      ),
    }));
    return hidden ? null : clauses;
  };

  /** Changes some of the state. Some changes are steps that "back" undoes. */
  set(change: Partial<State>): void {
    const next = narrowed({ ...this.current, ...change });
    const steps = ["topic", "document", "clauses", "context", "view", "compared"] as const;
    const [before, address] = [this.current, next].map((state) => toAddress(state, this.page));
    const stepped = address !== before && steps.some((step) => next[step] !== this.current[step]);
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
    this.set({ topic, document: 0, missing: "", least: IN_PART, main: false });
    this.onPick.tell();
  }

  /** Picks a document by its number in the corpus, from 1. */
  selectDocument(document: number): void {
    this.set({ document });
    this.onPick.tell();
  }

  add(...clauses: Clause[]): void {
    const had = this.current.clauses.map(key);
    const added = clauses.filter((clause) => !had.includes(key(clause)));
    this.set({ clauses: [...this.current.clauses, ...added], document: 0 });
    this.onPick.tell();
  }

  /** Narrows the working set to these clauses, whatever topic was selected; with `context`,
   * occurrences of what is searched are listed in place of documents. */
  choose(clauses: readonly Clause[], context = this.current.context): void {
    this.set({ topic: -1, clauses, document: 0, missing: "", context });
    this.onPick.tell();
  }

  /** Compares a side with the one chosen before, if that is alone, or else with all other
   * documents. */
  compare(side: Side): void {
    const [one, other] = this.current.compared;
    const waits = one && !other && writeSide(one, this.page) !== writeSide(side, this.page);
    this.set({ compared: waits ? [one, side] : [side], view: "differences" });
  }

  /** Replaces a clause of the working set by others or, without these, removes it. */
  change(clause: Clause, ...to: Clause[]): void {
    const { clauses } = this.current;
    this.set({ clauses: clauses.flatMap((one) => (one === clause ? to : one)) });
  }

  clear(): void {
    this.set({ topic: -1, clauses: [], document: 0, missing: "", unread: 0, foreign: false });
  }

  setExpanded(topics: Iterable<number>, open: boolean): void {
    for (const topic of topics) {
      if (open) this.expanded.add(topic);
      else this.expanded.delete(topic);
    }
    this.onExpansion.tell();
  }

  reveal(topic: number): void {
    const above: number[] = [];
    for (let key = topic; key !== -1; key = keyAbove(this.page, key)) {
      if (key !== topic) above.push(key);
    }
    if (above.some((up) => !this.expanded.has(up))) this.setExpanded(above, true);
  }

  private take(next: State): void {
    const before = this.current;
    this.current = next;
    if (next.topic !== before.topic) this.reveal(next.topic);
    this.onChange.tell(next, before);
  }
}

function key({ not, terms }: Clause): string {
  return `${not} ${terms.map(written).join("\n")}`;
}

// The edits that are made in the page: applied, undone, kept in the browser, written to a file.

import { telling } from "../look/telling";
import type { Outline, Page } from "../page/page";
import { type Checked, checked, record, text } from "../page/schema";
import { Editing } from "./editing";
import { beyond, type Edit, type Entry, editOf, type Log, readLog, writeLog } from "./log";

const WORDS_KEPT = 10; // first keywords of a topic, by which another model finds it again

/** Where edits are kept between visits: the browser's storage, or a part of it. */
export type Keeper = Pick<Storage, "getItem" | "setItem">;

const NOT_KEPT = "This browser keeps no edits. Export them before you close the page.";
const KEPT = record({ begun: text, log: text });
type Kept = Checked<typeof KEPT>;

type EditablePage = { -readonly [K in keyof Outline]: Page[K] } & Page;

/** The edits of the page. They change its outline in place and tell their listeners. */
export class Edits {
  /** A log of this model that the browser keeps, and that conflicts with the edits of the page. */
  aside: Log | null = null;
  /** Why edits could not be read or kept, as a text to show; otherwise "". */
  trouble = "";
  unsaved = false; // whether there are edits that are neither kept nor exported
  private readonly base: Outline;
  readonly onChange = telling();
  private readonly before: (readonly Entry[])[] = []; // what undo goes back to
  private readonly begun: string; // the log of the page before anything was done in it
  private made: readonly Entry[] = [];

  /** `embedded` is the log that a saved page has of its own; null if there is none. */
  constructor(
    private readonly page: EditablePage,
    private readonly keeper: () => Keeper,
    embedded: string | null = null,
  ) {
    const { topics, roots, shown } = page;
    this.base = { topics, roots, shown };
    if (embedded !== null) this.made = this.embeddedIn(embedded);
    this.begun = writeLog(this.log);
    this.recall();
    this.apply();
  }

  get key(): string {
    return `hlta-edits-${this.page.log.model}`;
  }

  get count(): number {
    return this.made.length;
  }

  get log(): Log {
    return { ...this.page.log, edits: [...this.page.log.edits, ...this.made] };
  }

  get titled(): ReadonlySet<string> {
    const renamed = this.log.edits.filter(({ edit }) => edit === "rename");
    return new Set(renamed.flatMap(({ titles }) => Object.keys(Object(titles))));
  }

  get canUndo(): boolean {
    return this.before.length > 0 || this.made.length > 0;
  }

  get descriptions(): string[] {
    const editing = new Editing({ ...this.base, cut: this.page.cut });
    return this.made.map((entry) => {
      const edit = editOf(entry);
      const text = editing.describe(edit);
      editing.make(edit);
      return text;
    });
  }

  /** The topics as they are now, to see which edits could be made. */
  get editing(): Editing {
    return this.edited(this.made);
  }

  /** Makes an edit; throws, and changes nothing, if it cannot be made. */
  make(edit: Edit): void {
    this.editing.make(edit);
    const words = Object.fromEntries(named(edit).map((id) => [id, this.firstWords(id)]));
    this.change([...this.made, { ...edit, words }]);
  }

  undo(): void {
    const last = this.before.pop() ?? this.made.slice(0, -1);
    this.replace(last);
  }

  /** Puts the edits of a log in the place of those made here; throws if it is not of this model. */
  take(log: Log): void {
    const made = this.madeIn(log);
    this.aside = null;
    this.change(made);
  }

  /** Forgets the edits that the browser keeps besides those of the page. */
  dropAside(): void {
    this.aside = null;
    this.keep();
    this.onChange.tell();
  }

  exported(): string {
    this.unsaved = false;
    return writeLog(this.log);
  }

  /** Takes over what another window of the same page keeps. */
  follow(): void {
    const before = this.made;
    this.made = [];
    this.aside = null;
    this.recall();
    if (this.aside || this.trouble) this.made = before;
    this.apply();
    this.onChange.tell();
  }

  private change(made: readonly Entry[]): void {
    this.before.push(this.made);
    this.replace(made);
  }

  private replace(made: readonly Entry[]): void {
    this.made = made;
    this.apply();
    this.keep();
    this.onChange.tell();
  }

  private apply(): void {
    Object.assign(this.page, this.edited(this.made).outline());
  }

  private edited(made: readonly Entry[]): Editing {
    const editing = new Editing({ ...this.base, cut: this.page.cut });
    made.forEach((entry, k) => {
      try {
        editing.make(editOf(entry));
      } catch (error) {
        throw new Error(`edit ${this.page.log.edits.length + k + 1}: ${(error as Error).message}`);
      }
    });
    return editing;
  }

  /** The edits of a log beyond those of the model; throws if the page cannot show them. */
  private madeIn(log: Log): Entry[] {
    const { page } = this;
    if (log.model !== page.log.model) {
      throw new Error(
        "the log is of another model; “hlta edit MODEL LOG --match” finds its topics by their words",
      );
    }
    const made = beyond(log, page.log);
    if (made === null) {
      throw new Error(
        "the log does not begin with the edits that the model of this page has; “hlta edit” replays it",
      );
    }
    this.edited(made);
    return made;
  }

  private embeddedIn(text: string): Entry[] {
    try {
      return this.madeIn(readLog(text));
    } catch (error) {
      this.trouble = `The edits of this page were left out: ${(error as Error).message}.`;
      return [];
    }
  }

  private keep(): void {
    this.unsaved = false;
    try {
      const kept: Kept = { begun: this.begun, log: writeLog(this.log) };
      this.keeper().setItem(this.key, JSON.stringify(kept));
      this.trouble = "";
    } catch {
      this.trouble = NOT_KEPT;
      this.unsaved = this.made.length > 0;
    }
  }

  /** Takes over what the browser keeps, if it continues the edits of the page, or sets it aside. */
  private recall(): void {
    let found: string | null;
    try {
      found = this.keeper().getItem(this.key);
    } catch {
      this.trouble = NOT_KEPT;
      return;
    }
    if (found === null) return;
    try {
      const { begun, log } = checked<Kept>(JSON.parse(found), KEPT, "what is kept");
      const kept = readLog(log);
      if (kept.model !== this.page.log.model) throw new Error("it is of another model");
      const goesOn = begun === this.begun || beyond(kept, this.log);
      if (goesOn) this.made = this.madeIn(kept);
      else if (!beyond(this.log, kept)) this.aside = kept; // else the page has them already
    } catch {
      this.trouble = "The edits saved in this browser are damaged and were ignored.";
    }
  }

  private firstWords(id: string): string[] {
    const topic = this.base.topics.find((other) => other.id === id);
    return topic ? topic.words.slice(0, WORDS_KEPT).map(({ word }) => this.page.words[word]) : [];
  }
}

function named(edit: Edit): string[] {
  if (edit.edit === "rename") return Object.keys(edit.titles);
  if (edit.edit === "move") return [edit.name, ...(edit.below === null ? [] : [edit.below])];
  return edit.edit === "merge" ? [edit.topic, edit.into] : [edit.topic];
}

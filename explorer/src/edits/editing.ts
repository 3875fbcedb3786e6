// What edits make of the topics. The rules are those of src/hlta/edits/entries.py.

import { capital, quoted } from "../look/format";
import { added, checkedNote, checkedTitle, folded } from "../page/naming";
import type { Outline, Page, Topic } from "../page/page";
import type { Edit } from "./log";

/** A topic while edits are made; its children, and what depends on them, are those before. */
type Draft = { -readonly [K in keyof Topic]: Topic[K] } & { hidden: boolean };

/** The topics of a page while edits are made one after the other. */
export class Editing {
  private readonly drafts: Draft[];
  private readonly places: Map<string, number>;

  constructor(private readonly page: Pick<Page, "cut"> & Outline) {
    this.drafts = page.topics.map((topic) => ({ ...topic, joined: [], hidden: false }));
    this.places = new Map(page.topics.map(({ id, index }) => [id, index]));
  }

  /** Makes an edit; throws, and changes nothing, if it cannot be made. */
  make(edit: Edit): void {
    if (edit.edit === "rename") this.rename(edit.titles);
    else if (edit.edit === "note") this.draft(edit.topic).note = checkedNote(edit.text);
    else if (edit.edit === "hide") this.hide(edit.topic);
    else if (edit.edit === "show") this.show(edit.topic);
    else if (edit.edit === "pin") this.draft(edit.topic).pinned = true;
    else if (edit.edit === "unpin") this.unpin(edit.topic);
    else if (edit.edit === "merge") this.merge(edit.topic, edit.into);
    else this.move(edit.name, edit.below);
  }

  /** Why an edit of the tree cannot be made; null if it can. */
  refusal(edit: Extract<Edit, { edit: "merge" | "move" }>): string | null {
    try {
      if (edit.edit === "merge") this.checkMerge(edit.topic, edit.into);
      else this.checkMove(edit.name, edit.below);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  describe(edit: Edit): string {
    const name = (id: string): string => {
      const place = this.places.get(id);
      return place === undefined ? id : quoted(this.drafts[place].title);
    };
    switch (edit.edit) {
      case "rename":
        return Object.entries(edit.titles)
          .map(([id, title]) => `Rename ${name(id)} to ${quoted(title)}`)
          .join("; ");
      case "note":
        return edit.text ? `Note on ${name(edit.topic)}` : `Remove the note on ${name(edit.topic)}`;
      case "merge":
        return `Merge ${name(edit.topic)} into ${name(edit.into)}`;
      case "move":
        return `Move ${name(edit.name)} ${edit.below === null ? "to the top" : `below ${name(edit.below)}`}`;
      default:
        return `${capital(edit.edit)} ${name(edit.topic)}`;
    }
  }

  outline(): Outline {
    const below = new Map<number, number[]>();
    for (const { index, parent } of this.drafts) {
      if (!this.isShown(index)) continue;
      if (!below.has(parent)) below.set(parent, []);
      below.get(parent)!.push(index);
    }
    const vague = this.vague(below);
    const ordered = (above: number): number[] => {
      const rank = (index: number): number =>
        this.drafts[index].pinned ? 0 : vague.has(index) ? 2 : 1;
      return (below.get(above) ?? []).sort((a, b) => rank(a) - rank(b));
    };
    const topics = this.drafts.map((draft) => ({
      ...this.edited(draft, ordered(draft.index)),
      vague: vague.has(draft.index),
    }));
    const shown: Topic[] = [];
    const descend = (index: number, branch: number): void => {
      topics[index] = { ...topics[index], branch };
      shown.push(topics[index]);
      for (const child of topics[index].children) descend(child, branch);
    };
    const roots = ordered(-1);
    for (const root of roots) descend(root, this.drafts[root].branch);
    return { topics, roots, shown };
  }

  /** The topics that are vague, given the topics below each: not those that a person pinned, nor
   * those with one below them that is not vague. If all were vague, none is. */
  private vague(below: ReadonlyMap<number, number[]>): ReadonlySet<number> {
    const found = new Set<number>();
    const find = (index: number): boolean => {
      const all = (below.get(index) ?? []).map(find).every(Boolean);
      const { vague, pinned } = this.drafts[index];
      if (all && vague && !pinned) found.add(index);
      return found.has(index);
    };
    return (below.get(-1) ?? []).map(find).every(Boolean) ? new Set() : found;
  }

  private edited({ hidden: _, ...topic }: Draft, children: number[]): Topic {
    const more = added(topic.title, topic.label, this.drafts[topic.parent]?.title);
    const gone = topic.into >= 0 ? "merged" : this.isShown(topic.index) ? null : "hidden";
    return { ...topic, children, more, gone };
  }

  /** The topics directly below one, or for -1 the root topics, without those that were merged. */
  private below(parent: number): Draft[] {
    return this.drafts.filter((draft) => draft.parent === parent && draft.into < 0);
  }

  private isShown(index: number): boolean {
    return this.drafts[index].into < 0 && this.hiddenBy(index) === null;
  }

  private draft(id: string): Draft {
    const place = this.places.get(id);
    if (place === undefined) throw new Error(`this page has no topic ${id.slice(0, 60)}`);
    const draft = this.drafts[place];
    if (draft.into >= 0) throw new Error(`${id} was merged into another topic`);
    return draft;
  }

  private *up(index: number): Iterable<Draft> {
    for (let at = index; at >= 0; at = this.drafts[at].parent) yield this.drafts[at];
  }

  private hiddenBy(index: number): Draft | null {
    return [...this.up(index)].find(({ hidden }) => hidden) ?? null;
  }

  private refuseHidden({ index }: Draft): void {
    const hidden = this.hiddenBy(index);
    if (hidden) throw new Error(`${quoted(hidden.title)} is hidden; show it first`);
  }

  private isBelow(draft: Draft, other: Draft): boolean {
    return [...this.up(draft.index)].includes(other);
  }

  private refuseToEmpty(draft: Draft, into?: Draft): void {
    const above = this.drafts[draft.parent];
    if (!above || above.members > 2) return;
    const other = this.below(draft.parent).find((one) => one !== draft);
    const upper = quoted(above.title);
    const first = other ? `first merge ${quoted(other.title)} into ${upper}, or ` : "";
    const remedy =
      other && other === into
        ? `merge both into ${upper} instead`
        : `${first}merge ${upper} into another topic`;
    throw new Error(
      `without ${quoted(draft.title)}, ${upper} would be left with one member` +
        `${other ? `, ${quoted(other.title)}` : ""}; ${remedy}`,
    );
  }

  private rename(titles: Readonly<Record<string, string>>): void {
    const given = Object.entries(titles).map(
      ([id, title]) => [this.draft(id), checkedTitle(title)] as const,
    );
    const after = new Map(given);
    const titled = (draft: Draft): string => folded(after.get(draft) ?? draft.title);
    for (const [draft, title] of given) {
      const [, ...above] = this.up(draft.index);
      const beside = this.below(draft.parent).filter((other) => other !== draft);
      for (const [where, others] of [["beside", beside] as const, ["above", above] as const]) {
        const same = others.find((other) => titled(other) === folded(title));
        if (same && !this.hiddenBy(same.index)) {
          throw new Error(
            `${quoted(title)} is also the title of a topic ${where} it; give another`,
          );
        }
      }
    }
    for (const [draft, title] of given) draft.title = title;
  }

  private hide(id: string): void {
    const draft = this.draft(id);
    if (this.below(-1).every((other) => other.hidden || other === draft)) {
      throw new Error(`without ${quoted(draft.title)}, no topic would be left to show`);
    }
    draft.hidden = true;
  }

  private show(id: string): void {
    const draft = this.draft(id);
    if (!draft.hidden) {
      this.refuseHidden(draft);
      throw new Error(`${quoted(draft.title)} is not hidden`);
    }
    draft.hidden = false;
  }

  private unpin(id: string): void {
    const draft = this.draft(id);
    if (!draft.pinned) throw new Error(`${quoted(draft.title)} is not pinned`);
    draft.pinned = false;
  }

  private refuseCut(): void {
    if (this.page.cut) {
      throw new Error("this page has a selection of topics without the tree, which it cannot edit");
    }
  }

  private checkMerge(id: string, intoId: string): [Draft, Draft] {
    this.refuseCut();
    const [other, into] = [this.draft(id), this.draft(intoId)];
    if (other === into) throw new Error(`${quoted(into.title)} cannot be merged into itself`);
    if (other.level > into.level || this.isBelow(into, other)) {
      throw new Error(
        `${quoted(other.title)} is more general than ${quoted(into.title)}; merge the latter into it instead`,
      );
    }
    this.refuseHidden(into);
    if (this.drafts[other.parent] !== into) this.refuseToEmpty(other, into);
    return [other, into];
  }

  private merge(id: string, intoId: string): void {
    const [other, into] = this.checkMerge(id, intoId);
    this.markChanged(other.parent, into.index);
    if (other.parent >= 0) this.drafts[other.parent].members--;
    into.members += other.members;
    into.joined.push(other.title, ...other.joined);
    other.into = into.index;
    for (const draft of this.drafts) {
      if (draft.parent === other.index) draft.parent = into.index;
    }
  }

  private checkMove(id: string, belowId: string | null): [Draft, Draft | null] {
    this.refuseCut();
    const draft = this.draft(id);
    const below = belowId === null ? null : this.draft(belowId);
    if (below === null) {
      if (draft.parent < 0) throw new Error(`${quoted(draft.title)} is a root topic already`);
    } else {
      this.refuseHidden(below);
      if (this.isBelow(below, draft))
        throw new Error(`${quoted(draft.title)} cannot hang below itself`);
      if (draft.parent === below.index) {
        throw new Error(`${quoted(draft.title)} is directly below ${quoted(below.title)} already`);
      }
    }
    this.refuseToEmpty(draft);
    return [draft, below];
  }

  private move(id: string, belowId: string | null): void {
    const [draft, below] = this.checkMove(id, belowId);
    this.markChanged(draft.parent, below ? below.index : -1);
    const tops = this.below(-1).filter((other) => other !== draft);
    if (below) this.raise(draft, below, tops);
    else draft.level = tops[0].level;
    if (draft.parent >= 0) this.drafts[draft.parent].members--;
    draft.parent = below ? below.index : -1;
    if (below) below.members++;
  }

  /** Gives `below` a higher level than the topic, and so on up; root topics share one level. */
  private raise(draft: Draft, below: Draft, tops: Draft[]): void {
    let { level } = draft;
    for (const up of this.up(below.index)) {
      if (up.level > level) return;
      level++;
      for (const same of tops.includes(up) ? tops : [up]) same.level = level;
    }
  }

  private markChanged(...from: number[]): void {
    for (const index of from) for (const draft of this.up(index)) draft.stale = true;
  }
}

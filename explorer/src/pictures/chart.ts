// What the charts over time and by group share.

import "./chart.css";
import { h, s } from "../look/dom";
import { count, whole } from "../look/format";
import type { Page, Topic } from "../page/page";
import { plainly } from "../page/vague";
import { topicOf } from "../selection/sides";
import { fieldOf, type State, type Store } from "../selection/state";
import { clauseOf, kindOf, only, type Term } from "../selection/terms";
import type { WorkingSet } from "../selection/working";

/** What figures are percentages of. */
export const [OF_WORDS, OF_DOCUMENTS] = [" of the words", " of the documents"];

export const ENDING = { "text-anchor": "end" }; // how texts are aligned that end at an axis

export function small(text: string, props: object): SVGTextElement {
  return s("text", { "font-size": 12, ...props }, text);
}

/** Gives a drawing the title and note that are above it when it is saved. */
export function captioned<D extends SVGElement>(drawing: D, title: string, note: string): D {
  drawing.dataset.title = title;
  drawing.dataset.note = note;
  return drawing;
}

/** The topics that are compared, if both sides are topics; otherwise none. */
export function comparedTopics({ compared }: Pick<State, "compared">, page: Page): number[] {
  const found = compared.map((side) => topicOf(side, page));
  return found.length > 1 && found.every((topic) => topic >= 0) ? found : [];
}

/** The topics below one, or for -1 the root topics, that are not vague. */
export function familyOf({ topics, roots }: Page, above: number): Topic[] {
  const below = above >= 0 ? topics[above].children : roots;
  return plainly(below.map((index) => topics[index]));
}

/** Which documents are counted, as a sentence, if these are a sample; otherwise "". */
export function sampled({ documents, sampled }: Pick<WorkingSet, "documents" | "sampled">): string {
  if (!sampled || !documents) return "";
  const of = `${whole(documents.count)} of ${count(documents.total, "document")}`;
  return `Counted among the ${of} that this page includes; they are no random sample, so nothing here is sure of all documents.`;
}

/** A sentence on figures from before edits; "" if edits changed no topic. Topics compete for words,
 * so the figures of others are not those after the edits, either. */
export function beforeEdits({ topics }: Pick<Page, "topics">): string {
  const changed = topics.some(({ stale, gone }) => stale && !gone);
  return changed ? "Figures are as before the edits." : "";
}

/** Narrows the working set to a date or a group, instead of the one that it was narrowed to. */
export function narrowTo(store: Store, term: Extract<Term, { kind: "date" | "group" }>): void {
  const given = clauseOf(store.state.clauses, kindOf(term));
  if (given) store.change(given, only(term));
  else store.add(only(term));
}

/** The choice of the field by which documents are compared; null if there are not several. */
export function fieldChoice({ fields }: Pick<Page, "fields">, store: Store): HTMLElement | null {
  if (fields.length < 2) return null;
  const onchange = (): void => {
    store.set({ by: choice.selectedIndex ? choice.value : "" });
  };
  const options = fields.map(({ key, name }) => h("option", { value: key }, name));
  const props = { "aria-label": "Field to compare by", onchange };
  const choice = h("select.field-choice", props, options);
  choice.value = fieldOf(store.state, { fields })!.key;
  return choice;
}

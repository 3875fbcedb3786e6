// The choice of the field by which documents are compared.

import { h } from "../look/dom";
import type { Page } from "../page/page";
import { fieldOf, type Store } from "../selection/state";

/** The choice; null if there are not several fields. */
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

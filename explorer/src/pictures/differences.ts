// How topics differ: those that are compared, or in which groups they are frequent.

import { h, replace } from "../look/dom";
import type { Page } from "../page/page";
import type { Store } from "../selection/state";
import type { WorkingSet } from "../selection/working";
import { CompareView } from "./compare";
import { GroupView } from "./groups";

/** The picture "Differences". */
export class DifferencesView {
  readonly element = h("div", { class: "picture" });
  private readonly compare: CompareView;
  private readonly groups: GroupView | null;

  constructor(
    page: Page,
    private readonly store: Store,
    working: WorkingSet,
  ) {
    this.compare = new CompareView(page, store, working);
    this.groups = page.groups && new GroupView(page, store, working, page.groups);
  }

  /** Draws the comparison, or the groups where nothing is compared. */
  draw(): void {
    const { groups, store, element } = this;
    const view = groups && !store.state.compared.length ? groups : this.compare;
    if (view.element.parentElement !== element) replace(element, view.element);
    view.draw();
  }
}

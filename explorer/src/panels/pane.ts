// What the parts of the page have in common.

import type { Page } from "../page/page";
import type { Store } from "../selection/state";
import type { WorkingSet } from "../selection/working";

/** What there is to show, what is selected, and which documents that are. */
export interface Shared {
  readonly page: Page;
  readonly store: Store;
  readonly working: WorkingSet;
}

/** A part of the page, which gives what it shares to the parts within it. */
export class Pane implements Shared {
  readonly page: Page;
  readonly store: Store;
  readonly working: WorkingSet;

  constructor({ page, store, working }: Shared) {
    this.page = page;
    this.store = store;
    this.working = working;
  }
}

// What the parts of the page have in common.

import type { Edits } from "../edits/edits";
import type { Page } from "../page/page";
import type { Store } from "../selection/state";
import type { WorkingSet } from "../selection/working";

/** What there is to show, what is selected, which documents that are, and what was edited. */
export interface Shared {
  readonly page: Page;
  readonly store: Store;
  readonly working: WorkingSet;
  readonly edits: Edits;
}

/** A part of the page, which gives what it shares to the parts within it. */
export class Pane implements Shared {
  readonly page: Page;
  readonly store: Store;
  readonly working: WorkingSet;
  readonly edits: Edits;

  constructor({ page, store, working, edits }: Shared) {
    this.page = page;
    this.store = store;
    this.working = working;
    this.edits = edits;
  }
}

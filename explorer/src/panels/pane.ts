// What the panes of the page share.

import type { Edits } from "../edits/edits";
import type { Page } from "../page/page";
import type { Store } from "../selection/state";
import type { WorkingSet } from "../selection/working";

/** The data of the page, the selection, the documents that are selected, and the edits. */
export type Shared = Pick<Pane, "page" | "store" | "working" | "edits">;

/** A part of the page. It can be passed as `Shared` to the panes within it. */
export class Pane {
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

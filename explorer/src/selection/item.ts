import type { Documents } from "../page/documents";

/** A document in the block that holds it, with the share of the chosen topic. */
export interface Item {
  readonly documents: Documents;
  readonly document: number;
  readonly share: number; // 1 if no topic is chosen
}

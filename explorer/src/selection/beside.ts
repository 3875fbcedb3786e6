// The documents before and after one in a list.

/** Where a document is in a list. */
export interface Place {
  readonly at: number; // from 1
  readonly of: number;
  readonly before: number; // the document before it; -1 for none
  readonly after: number;
}

/** The place of a document in a list; null if it is not there. */
export function placeIn(list: ArrayLike<number>, document: number): Place | null {
  const at = Array.prototype.indexOf.call(list, document);
  if (at < 0) return null;
  return { at: at + 1, of: list.length, before: list[at - 1] ?? -1, after: list[at + 1] ?? -1 };
}

// The documents before and after one in a list.

/** Where a document is in a list, from 1, and how long that is. */
export interface Place {
  readonly at: number;
  readonly of: number;
}

/** The place of a document in a list; null if it is not there. */
export function placeIn(list: ArrayLike<number>, document: number): Place | null {
  const at = Array.prototype.indexOf.call(list, document);
  return at < 0 ? null : { at: at + 1, of: list.length };
}

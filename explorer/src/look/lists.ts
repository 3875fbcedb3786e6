// Things in a row, as people say them.

/** "a", "a and b", "a, b and c". */
export function listed(things: readonly string[]): string {
  if (things.length < 2) return things[0] ?? "";
  return `${things.slice(0, -1).join(", ")} and ${things[things.length - 1]}`;
}

/** A title in quotation marks. */
export function quoted(title: string): string {
  return `“${title}”`;
}

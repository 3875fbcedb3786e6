// Things in a row, as people say them.

/** "a", "a and b", "a, b and c". */
export function listed(things: readonly string[]): string {
  if (things.length < 2) return things[0] ?? "";
  return `${things.slice(0, -1).join(", ")} and ${things[things.length - 1]}`;
}

// Letters that are written from right to left, and characters that change the direction.
const TURNS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]|[\u200f\u202a-\u202e\u2066-\u2069]/u;
const CONTROLS = /[\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** A name or title within a sentence; one that is written from right to left does not turn what
 * stands around it. */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replace(CONTROLS, "")}\u2069` : text;
}

export function commas(names: readonly string[]): string {
  return names.map(isolated).join(", ");
}

/** A name with a capital letter, as it stands alone. */
export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function quoted(title: string): string {
  return `“${isolated(title)}”`;
}

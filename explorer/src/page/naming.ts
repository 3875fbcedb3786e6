// Titles and notes that people give to topics. The rules are those of src/hlta/topics/naming.py.

const LONGEST_TITLE = 80; // characters
const LONGEST_NOTE = 2000;
const SPACES = /\s+/g;
const LINES = /\r\n|[\n\r\u2028\u2029]/;
const BETWEEN_WORDS = /[^\p{L}\p{N}_]+/u;

function onOneLine(text: string): string {
  return text.replace(SPACES, " ").trim();
}

function refuseLong(what: string, text: string, most: number): void {
  const { length } = [...text];
  if (length <= most) return;
  const [found, allowed] = [length, most].map((n) => n.toLocaleString("en"));
  throw new Error(`the ${what} has ${found} characters; give at most ${allowed}`);
}

/** The title on one line, if it has 1 to 80 characters; throws otherwise. */
export function checkedTitle(title: string): string {
  const plain = onOneLine(title);
  if (!plain) throw new Error("give a title");
  refuseLong("title", plain, LONGEST_TITLE);
  if (/[\p{Cc}\p{Cs}\p{Cf}]/u.test(plain)) {
    throw new Error("the title holds a control character, which nobody would see; leave it out");
  }
  return plain;
}

/** The note, perhaps on several lines or empty, of at most 2,000 characters; throws otherwise. */
export function checkedNote(note: string): string {
  const plain = note.split(LINES).map(onOneLine).join("\n").trim();
  refuseLong("note", plain, LONGEST_NOTE);
  if (/[\p{Cc}\p{Cs}]/u.test(plain.replaceAll("\n", ""))) {
    throw new Error("the note holds a control character; leave it out");
  }
  return plain;
}

/** A title for comparisons: titles that differ only in case are the same. */
export function folded(title: string): string {
  return title.toUpperCase().toLowerCase();
}

/** Those of a topic's first keywords that are neither in its title nor in the title `above` it. */
export function added(title: string, label: readonly string[], above = ""): string {
  const parts = title.split(", ");
  const shown = new Set(`${title} ${above}`.toLowerCase().split(BETWEEN_WORDS));
  const isShown = (part: string): boolean => shown.has(part.toLowerCase());
  return label.filter((word) => !parts.includes(word) && !word.split("-").every(isShown)).join(" ");
}

// Texts of documents as they are shown.

const HEADLINE = 120; // characters that a headline has at most
const OPENING = 60; // characters that the opening of a text has at most
const FULL_LINE = 50; // characters: a line that is as long was broken only for its length

/** The first line of a text, if it is short and an empty line follows; otherwise "". */
export function headline(text: string): string {
  const found = /^\s*([^\n]+)\n\s*\n\s*\S/.exec(text.slice(0, 4 * HEADLINE));
  const line = found?.[1].trim() ?? "";
  return line.length <= HEADLINE ? line : "";
}

/** The first words of a text, with “…” if it goes on. A word may be cut if there are few spaces. */
export function opening(text: string): string {
  const line = [
    ...text
      .slice(0, 4 * HEADLINE)
      .trim()
      .replace(/\s+/g, " "),
  ];
  if (line.length <= OPENING) return line.join("");
  const room = line.slice(0, OPENING);
  const space = line.slice(0, OPENING + 1).lastIndexOf(" ");
  const words = (space > OPENING / 2 ? room.slice(0, space) : room).join("");
  return `${words.replace(/[\s,;:\u2013\u2014-]+$/, "")}…`;
}

/** A text without the breaks that follow long lines, and with one empty line between paragraphs. */
export function flowing(text: string): string {
  const joined = (_: string, line: string, end: string): string =>
    line.trimEnd() + (end && (line.trim().length >= FULL_LINE ? " " : "\n"));
  return text
    .split(/\s*\n\s*\n\s*/)
    .map((paragraph) => paragraph.replace(/^\n/, "").replace(/([^\n]*)(\n|$)/g, joined))
    .join("\n\n");
}

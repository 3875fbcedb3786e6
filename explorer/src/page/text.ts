// Texts of documents as they are shown.

const HEADLINE = 120; // characters that a headline has at most
const FULL_LINE = 50; // characters from which on a line was ended for its length alone

/** The first line of a text if an empty one sets it apart from the rest; otherwise "". */
export function headline(text: string): string {
  const found = /^\s*([^\n]+)\n\s*\n\s*\S/.exec(text.slice(0, 4 * HEADLINE));
  const line = found?.[1].trim() ?? "";
  return line.length <= HEADLINE ? line : "";
}

/** A text whose paragraphs are lines: breaks within them, and further empty lines, are left out. */
export function flowing(text: string): string {
  return text
    .split(/\s*\n\s*\n\s*/)
    .map((paragraph) => {
      let last = "";
      return paragraph
        .split("\n")
        .map((line) => {
          const joint = last === "" ? "" : last.trim().length >= FULL_LINE ? " " : "\n";
          last = line;
          return joint + line.trimEnd();
        })
        .join("");
    })
    .join("\n\n");
}

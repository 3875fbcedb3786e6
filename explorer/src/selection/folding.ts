// Text as it is compared, whatever its letters' case and accents.

const SEPARATOR = /[^\p{L}\p{N}\p{M}]/u;
const UNSPACED = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}/u;

/** Text in lower case, without accents; a final sigma is like any other. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x20-\x7e\s]*$/.test(lower)) return lower;
  return lower.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ς", "σ");
}

/** A word or a phrase to be looked for in folded text. */
export interface Pattern {
  readonly text: string;
  readonly prefix: boolean; // words that only begin so count, too
}

/** The patterns of a query: its words, and phrases that stand in quotes; `*` ends a prefix. */
export function patterns(query: string): Pattern[] {
  const found: Pattern[] = [];
  for (const [part, quoted] of query.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    const prefix = quoted === undefined && part.endsWith("*");
    const words = folded(quoted ?? part)
      .split(SEPARATOR)
      .filter(Boolean);
    if (words.length) found.push({ text: words.join(" "), prefix });
  }
  return found;
}

/** Folded text whose words are one space apart, so that patterns match across line breaks. */
export function spaced(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]+/gu, " ");
}

const SPACE = 32;
const LONGER = 3; // times as many bytes as before that folded text can have
const [ENCODER, DECODER] = [new TextEncoder(), new TextDecoder()];
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  return spaced(String.fromCharCode(code)).charCodeAt(0);
});

/** The same of text in UTF-8, much faster: only runs beyond ASCII are decoded and folded as strings. */
export function spacedBytes(bytes: Uint8Array): string {
  const out = new Uint8Array(LONGER * bytes.length);
  let length = 0;
  const add = (code: number): void => {
    if (code !== SPACE || out[length - 1] !== SPACE) out[length++] = code;
  };
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] < ASCII.length) add(ASCII[bytes[at]]);
    else {
      const begin = at;
      while (bytes[at + 1] >= ASCII.length) at++;
      const run = spaced(DECODER.decode(bytes.subarray(begin, at + 1)));
      for (const code of ENCODER.encode(run)) add(code);
    }
  }
  return DECODER.decode(out.subarray(0, length));
}

/** How often a pattern is in spaced text. */
export function occurrences(text: string, { text: part, prefix }: Pattern): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    const begins = apart(text, at);
    if (begins && (prefix || apart(text, at + part.length))) count++;
  }
  return count;
}

/** Whether a word can end before a place of spaced text and another begin there. */
function apart(text: string, at: number): boolean {
  if (at === 0 || at >= text.length || text[at] === " " || text[at - 1] === " ") return true;
  return UNSPACED.test(text[at]) || UNSPACED.test(text[at - 1]);
}

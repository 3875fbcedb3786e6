// Text for comparisons, whatever its letters' case and accents.

const SEPARATOR = /[^\p{L}\p{N}\p{M}]/u;
/** A letter of the scripts that have no spaces between words. */
export const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const BETWEEN = new RegExp(` |(?<=${UNSPACED.source})|(?=${UNSPACED.source})`, "u");

/** Text in lower case, without accents; a final sigma is like any other. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x20-\x7e\s]*$/.test(lower)) return lower;
  return lower.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ς", "σ");
}

/** A word or a phrase to be looked for in folded text. */
export interface Pattern {
  readonly text: string;
  readonly prefix: boolean; // whether words that begin with it count, too
}

/** The patterns of a query: its words, and phrases in quotes; `*` ends a prefix. */
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

/** The words of spaced text; in scripts without spaces, each letter is a word. */
export function wordsIn(text: string): string[] {
  return text.split(UNSPACED.test(text) ? BETWEEN : " ").filter(Boolean);
}

const SPACE = 32;
const LONGER = 3; // folded text has at most so many times the bytes of the text
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true }); // keeps the BOM, a separator
const ASCII = Uint8Array.from({ length: 128 }, (_, code) =>
  spaced(String.fromCharCode(code)).charCodeAt(0),
);

/** `spaced` for UTF-8, much faster: only runs beyond ASCII are decoded and folded as strings. */
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

/** For each character of `spaced(text)`, its index in `text`; at the end, the length of `text`. */
export function origins(text: string): number[] {
  const places: number[] = [];
  let [at, space] = [0, false];
  for (const letter of text) {
    const code = ASCII[letter.charCodeAt(0)];
    const out = code === undefined ? spaced(letter) : code === SPACE ? " " : letter;
    if (!space || out !== " ") for (let k = 0; k < out.length; k++) places.push(at);
    if (out) space = out === " ";
    at += letter.length;
  }
  places.push(at);
  return places;
}

/** Where a pattern begins in spaced text. */
export function occurrences(text: string, { text: part, prefix }: Pattern): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part), end: number; at >= 0; at = text.indexOf(part, end)) {
    end = at + part.length;
    if (apart(text, at) && (prefix || apart(text, end))) places.push(at);
    else end = at + 1;
  }
  return places;
}

export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** The spans of patterns in spaced text, in order. One that lies within another is left out. */
export function spans(text: string, wanted: readonly Pattern[]): Span[] {
  const found = wanted.flatMap((pattern) =>
    occurrences(text, pattern).map((begin) => {
      let end = begin + pattern.text.length;
      while (!apart(text, end)) end++;
      return { begin, end };
    }),
  );
  if (wanted.length > 1) found.sort((a, b) => a.begin - b.begin || b.end - a.end);
  let last = 0;
  return found.filter(({ end }) => {
    const beyond = end > last;
    last = Math.max(last, end);
    return beyond;
  });
}

/** Whether a word can end before a place of spaced text and another begin there. */
function apart(text: string, at: number): boolean {
  if (at === 0 || at >= text.length || text[at] === " " || text[at - 1] === " ") return true;
  return UNSPACED.test(text[at]) || UNSPACED.test(text[at - 1]);
}

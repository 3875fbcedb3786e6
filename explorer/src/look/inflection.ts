// Whether two words are forms of one word: a model may know words by their base forms alone.

const SHARED = 3; // letters with which both forms begin, at least
const LONG = 5; // letters: any ending of two may be added to a word that is as long
const ENDINGS = [
  ["", "s", "es", "d", "ed", "e", "ing"],
  ["y", "ies", "ied", "ying"],
  ["is", "es"],
  ["x", "ces"],
  ["ex", "ices"],
  ["on", "a"],
  ["um", "a"],
  ["us", "i"],
  ["f", "ves"],
  ["fe", "ves"],
  ["an", "en"],
];

/** Whether two words in lower case differ in their endings alone, as "galaxy" and "galaxies". */
export function inflected(one: string, other: string): boolean {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  // An ending may begin with letters that both words have.
  for (let at = shared; at >= SHARED && at >= shared - 2; at--) {
    const [a, b] = [one.slice(at), other.slice(at)];
    if (ENDINGS.some((forms) => forms.includes(a) && forms.includes(b))) return true;
  }
  const [short, long] = [one, other].sort((a, b) => a.length - b.length);
  if (shared < short.length) return false;
  const added = long.slice(shared);
  const doubled = added.startsWith(short.slice(-1)) && /^.(ed|ing)$/.test(added);
  return (shared >= SHARED && doubled) || (shared >= LONG && added.length <= 2);
}

/** The first `most` of things that are about words, without any about another form of a word. */
export function oneFormEach<T extends { readonly word: number }>(
  things: readonly T[],
  words: readonly string[],
  most: number,
): T[] {
  const chosen: T[] = [];
  for (const one of things) {
    if (chosen.length === most) break;
    const same = chosen.some(({ word }) => sameWord(words[word], words[one.word]));
    if (!same) chosen.push(one);
  }
  return chosen;
}

/** Whether one word is the other with an ending, as "image" and "images": a model may keep both. */
export function sameWord(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const stem = /[ey]$/.test(short) && !long.startsWith(short) ? short.slice(0, -1) : short;
  const most = stem.length > 3 ? 3 : stem.length === 3 ? 1 : 0; // letters of the ending
  return long.startsWith(stem) && long.length - stem.length <= most;
}

// What a search finds: topics, words, titles.

import { folded } from "../look/folding";
import type { Page, Topic } from "../page/page";

/** Folded text with one space between words, and between the words of phrases. */
export function plain(text: string): string {
  return folded(text)
    .replace(/[\s-]+/g, " ")
    .trim();
}

/** Topics with that id; then those that have every word of the query in their titles, the largest
 * first and vague ones last; then those that have the query, or each of its words, among their
 * keywords: first those whose keywords stand early and are informative. */
export function findTopics(page: Pick<Page, "shown" | "words">, query: string): Topic[] {
  const found: [score: number, topic: Topic][] = [];
  for (const topic of page.shown) {
    if (topic.id.toLowerCase() === query) {
      found.push([-1e9, topic]);
      continue;
    }
    const title = plain(topic.title).split(/[ ,]+/);
    if (query.split(" ").every((part) => title.some((word) => word.startsWith(part)))) {
      found.push([-1e6 - topic.size + Number(topic.vague), topic]);
      continue;
    }
    const keywords = topic.words.map(({ word }) => plain(page.words[word]));
    const place = (part: string): number => keywords.findIndex((word) => word.startsWith(part));
    const parts = place(query) >= 0 ? [query] : query.split(" ");
    const places = parts.map(place);
    if (places.some((at) => at < 0)) continue;
    const early = places.reduce((a, b) => a + b, 0);
    found.push([early - topic.words[places[0]].information, topic]);
  }
  return found.sort((a, b) => a[0] - b[0]).map(([, topic]) => topic);
}

/** Words that contain the query: those that begin with it first, and the shorter first. */
export function findWords(page: Pick<Page, "words">, query: string): number[] {
  const found: [score: number, word: number][] = [];
  page.words.forEach((word, k) => {
    const place = plain(word).indexOf(query);
    if (place >= 0) found.push([(place ? 1000 : 0) + word.length, k]);
  });
  return found.sort((a, b) => a[0] - b[0]).map(([, word]) => word);
}

/** The lowest topic above a word; null if there is none, as latent variables can be left out. */
export function topicAbove(page: Pick<Page, "shown" | "parent">, word: number): Topic | null {
  const topics = new Map(page.shown.map((topic) => [topic.node, topic]));
  const { parent } = page;
  let node = parent[word];
  while (node >= 0 && !topics.has(node)) node = parent[node];
  return topics.get(node) ?? null;
}

/** The indexes of the first `most` titles, which are `plain`, with every word of the query. */
export function findTitles(titles: string[], query: string, most: number): number[] {
  const parts = query.split(" ");
  const found: number[] = [];
  for (let k = 0; k < titles.length && found.length < most; k++) {
    if (parts.every((part) => titles[k].includes(part))) found.push(k);
  }
  return found;
}

/** The index of the next hit, or with `move` -1 of the previous one, in a circle; from -1, which is
 * no hit, of the first or the last. */
export function step(at: number, move: 1 | -1, hits: number): number {
  if (at < 0) return move > 0 ? 0 : hits - 1;
  return (at + move + hits) % hits;
}

// What the map tells of a document: the topics that it is on.

import type { Listed } from "../page/documents";
import { type Page, path, type Topic } from "../page/page";
import { USUAL } from "../selection/terms";

type Topics = Pick<Page, "topics">;

/** The topics that a document is on: its main topics from the root down, then the others, those with
 * the largest shares first. */
export function topicsOn({ topics }: Topics, listed: readonly Listed[]): Topic[] {
  return listed
    .filter(({ topic, share }) => share >= USUAL && !topics[topic].gone)
    .sort((a, b) => Number(b.main) - Number(a.main) || b.share - a.share)
    .map(({ topic }) => topics[topic]);
}

/** Of these, a few that are above no other, none of them vague. */
export function told(page: Topics, listed: readonly Listed[], most: number): Topic[] {
  const on = topicsOn(page, listed).filter(({ vague }) => !vague);
  const above = new Set(on.flatMap((topic) => path(page, topic).slice(0, -1)));
  return on.filter((topic) => !above.has(topic)).slice(0, most);
}

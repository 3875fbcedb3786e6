// Which periods and groups a comparison shows.

import type { Shares, Topic } from "../page/page";

/** Periods that follow each other and have documents: lines are broken where there are none. */
export function runs({ documents }: Pick<Shares, "documents">): number[][] {
  const found: number[][] = [];
  documents.forEach((count, period) => {
    if (!count) return;
    if (period && documents[period - 1]) found[found.length - 1].push(period);
    else found.push([period]);
  });
  return found;
}

/** Of the `most` groups with the most documents, those first in which topics differ most. */
export function contrasts(
  shares: Pick<Shares, "documents" | "of">,
  topics: readonly Pick<Topic, "index">[],
  most: number,
): number[] {
  const { documents } = shares;
  const largest = [...documents.keys()].sort((a, b) => documents[b] - documents[a] || a - b);
  const range = (group: number): number => {
    const values = topics.map(({ index }) => shares.of(index, group));
    return Math.max(...values) - Math.min(...values);
  };
  return largest.slice(0, most).sort((a, b) => range(b) - range(a) || a - b);
}

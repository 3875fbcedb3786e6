// What a comparison of topics finds, in words.

import { whole } from "../look/format";
import { listed, quoted } from "../look/lists";
import { onAll } from "../selection/comparison";
import type { Mask } from "../selection/sets";
import { surely } from "./intervals";

/** What the comparison of topics finds, in a sentence. */
export function finding(titles: readonly string[], masks: readonly Mask[], among: Mask): string {
  const both = onAll(masks, among);
  const each = masks.map((mask) => onAll([mask], among));
  const all = onAll([], among);
  const named = listed(titles.map(quoted));
  const every = titles.length > 2 ? "all of" : "both";
  if (!both) return `No document is on ${every} ${named}`;
  const least = each.indexOf(Math.min(...each));
  if (both === each[least]) return within(titles, least, both);
  const chance = each.reduce((product, one) => product * (one / all), all);
  const { low, high } = surely(both / all, all, 1);
  const often =
    chance < low * all || chance > high * all
      ? `${times(both / chance)} by chance`
      : "which chance alone can explain";
  const documents = both === 1 ? "1 document is" : `${whole(both)} documents are`;
  return `${documents} on ${every} ${named}, ${often}`;
}

/** That all documents on the topic `least` are on the others. */
function within(titles: readonly string[], least: number, documents: number): string {
  const others = listed(titles.filter((_, k) => k !== least).map(quoted));
  const these =
    documents === 1
      ? "The only document"
      : documents === 2
        ? "Both documents"
        : `All ${whole(documents)} documents`;
  return `${these} on ${quoted(titles[least])} ${documents === 1 ? "is" : "are"} on ${others}, too`;
}

function times(ratio: number): string {
  if (ratio >= 0.95 && ratio < 1.05) return "about as many as";
  if (ratio < 1) return `only ${Number((100 * ratio).toPrecision(1))}% as many as`;
  const number = ratio < 9.95 ? String(Number(ratio.toPrecision(2))) : whole(Math.round(ratio));
  return `${number} times as many as`;
}

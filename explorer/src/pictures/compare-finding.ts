// What a comparison of topics finds, in words.

import { whole } from "../look/format";
import { quoted } from "../look/lists";
import { surely } from "./intervals";

/** How many of so many documents two topics share, against chance, in a sentence; given how many are on
 * both, and on each of them alone. */
export function finding(
  titles: readonly [string, string],
  [both, first, second]: readonly [number, number, number],
  all: number,
): string {
  const each = [both + first, both + second];
  const named = `${quoted(titles[0])} and ${quoted(titles[1])}`;
  if (!both) return `No document is on both ${named}`;
  const least = each[0] <= each[1] ? 0 : 1;
  if (both === each[least]) return within(titles[least], titles[1 - least], both);
  const chance = (each[0] * each[1]) / all;
  const { low, high } = surely(both / all, all, 1);
  const often =
    chance < low * all || chance > high * all
      ? `${times(both / chance)} by chance`
      : "which chance alone can explain";
  const documents = both === 1 ? "1 document is" : `${whole(both)} documents are`;
  return `${documents} on both ${named}, ${often}`;
}

/** That all documents on one topic are on the other. */
function within(one: string, other: string, documents: number): string {
  const these =
    documents === 1
      ? "The only document"
      : documents === 2
        ? "Both documents"
        : `All ${whole(documents)} documents`;
  return `${these} on ${quoted(one)} ${documents === 1 ? "is" : "are"} on ${quoted(other)}, too`;
}

function times(ratio: number): string {
  if (ratio >= 0.95 && ratio < 1.05) return "about as many as";
  if (ratio < 1) return `only ${Number((100 * ratio).toPrecision(1))}% as many as`;
  const number = ratio < 9.95 ? String(Number(ratio.toPrecision(2))) : whole(Math.round(ratio));
  return `${number} times as many as`;
}

// Which documents two sets share.

import type { Mask } from "./sets";

/** How many documents are in both of two sets, in the first alone, and in the second alone. */
export function overlap([one, other]: readonly [Mask, Mask]): [number, number, number] {
  const found: [number, number, number] = [0, 0, 0];
  one.forEach((is, document) => {
    const also = other[document];
    if (is && also) found[0]++;
    else if (is) found[1]++;
    else if (also) found[2]++;
  });
  return found;
}

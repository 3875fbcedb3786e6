// How the panes share the page.

/** Which pane has how much room. It depends on a screen and not on documents: the browser keeps it,
 * the address does not. */
export interface Layout {
  readonly folded: boolean | null; // whether the tree is; null: where the page is narrow
  readonly wide: boolean; // the picture has all that the details can spare, and the tree is folded
  readonly share: number; // of the picture, beside the details
}

/** What pages begin with. */
export const USUAL: Layout = { folded: null, wide: false, share: 0.61 };

/** The least share of the picture, and of the details. */
export const LEAST = 0.2;

/** A layout that was kept; what cannot be read is as usual. */
export function readLayout(kept: string): Layout {
  const parts = new URLSearchParams(kept);
  const tree = parts.get("tree");
  const share = Number(parts.get("share"));
  return {
    folded: tree === "folded" ? true : tree === "open" ? false : USUAL.folded,
    wide: parts.get("wide") === "1",
    share: share > 0 && share < 1 ? withinReach(share) : USUAL.share,
  };
}

/** A layout as a text to keep. */
export function writeLayout({ folded, wide, share }: Layout): string {
  const parts = new URLSearchParams({ share: share.toFixed(3) });
  if (folded !== null) parts.set("tree", folded ? "folded" : "open");
  if (wide) parts.set("wide", "1");
  return String(parts);
}

/** Whether the tree is folded. */
export function isFolded({ folded, wide }: Layout, narrow: boolean): boolean {
  return wide || (folded ?? narrow);
}

/** The layout after the tree was folded, or opened, which ends a wide picture. */
export function treeTurned(layout: Layout, narrow: boolean): Layout {
  return { ...layout, folded: !isFolded(layout, narrow), wide: false };
}

/** The layout after the divider was moved; the tree stays as it is. */
export function divided(layout: Layout, share: number): Layout {
  const folded = layout.wide ? true : layout.folded;
  return { folded, wide: false, share: withinReach(share) };
}

function withinReach(share: number): number {
  return Math.min(Math.max(share, LEAST), 1 - LEAST);
}

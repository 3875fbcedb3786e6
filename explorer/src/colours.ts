// The colours of pictures, which style.css states: each root topic has a hue, which the topics
// below it share. A colour never tells anything that a label does not.

const HUES = 8; // --branch-0 to --branch-7

/** The hue of a branch in styles; it follows the theme by itself. */
export function hue(branch: number): string {
  return `var(--branch-${branch % HUES})`;
}

/** The colours of the theme as it is now, for pictures, which are exported without styles. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  branch(number: number): string;
  /** The hue of a branch mixed with paper so that ink reads well on it; paler the deeper. */
  tint(number: number, depth: number): string;
}

/** Reads the palette from the styles. */
export function palette(): Palette {
  const styles = getComputedStyle(document.documentElement);
  const value = (name: string): string => styles.getPropertyValue(name).trim();
  const paper = value("--panel");
  const branches = Array.from({ length: HUES }, (_, k) => value(`--branch-${k}`));
  const branch = (number: number): string => branches[number % HUES];
  return {
    paper,
    ink: value("--ink"),
    soft: value("--soft"),
    line: value("--line"),
    branch,
    tint: (number, depth) => mixed(branch(number), paper, strength(depth)),
  };
}

/** How much of its hue a topic's area has, by the number of topics above it. */
export function strength(depth: number): number {
  return Math.max(0.12, 0.36 - 0.08 * depth);
}

/** A share of one colour with the rest of another, both as #rrggbb. */
export function mixed(a: string, b: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [x, y] = [a, b].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round(share * x + (1 - share) * y)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

// The colours of pictures, which style.css states: each root topic has a hue, which the topics
// below it share. A colour never tells anything that a label does not.

const HUES = 20; // --branch-0 to --branch-19

/** The hue of a branch in styles; it follows the theme by itself. */
export function hue(branch: number): string {
  return `var(--branch-${branch % HUES})`;
}

/** A colour, and that of text on it. */
export interface Tone {
  readonly fill: string;
  readonly ink: string;
}

/** How much of its hue a step of the diverging colours has, by its distance from the middle. What
 * is there catches the eye before what is missing. */
export const STEPS = { more: [0, 0.18, 0.42, 1], less: [0, 0.12, 0.28, 0.5] } as const;

/** The colours of the theme as it is now, for pictures, which are exported without styles. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly press: string;
  readonly more: string; // than usual
  readonly less: string;
  /** A colour from -3 to 3, for less and more than usual, and what is written on it. */
  diverging(step: number): Tone;
  branch(number: number): string;
  /** The hue of a branch mixed with paper so that ink reads well on it; paler the deeper. */
  tint(number: number, depth: number): string;
}

/** Reads the palette from the styles. */
export function palette(): Palette {
  const styles = getComputedStyle(document.documentElement);
  const value = (name: string): string => styles.getPropertyValue(name).trim();
  const paper = value("--panel");
  const ink = value("--ink");
  const branches = Array.from({ length: HUES }, (_, k) => value(`--branch-${k}`));
  const [more, less] = branches;
  const branch = (number: number): string => branches[number % HUES];
  return {
    paper,
    ink,
    soft: value("--soft"),
    line: value("--line"),
    press: value("--press"),
    more,
    less,
    diverging: (step) => diverging(step, { paper, ink, more, less }),
    branch,
    tint: (number, depth) => mixed(branch(number), paper, strength(depth)),
  };
}

/** A step of the diverging colours, which the colour-blind tell apart: blue is more, orange less. */
export function diverging(
  step: number,
  { paper, ink, more, less }: { paper: string; ink: string; more: string; less: string },
): Tone {
  const strength = (step < 0 ? STEPS.less : STEPS.more)[Math.abs(step)];
  const fill = mixed(step < 0 ? less : more, paper, strength);
  return { fill, ink: strength === 1 ? paper : ink };
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

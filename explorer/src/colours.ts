// One colour a branch: hues that stay apart for the colour-blind, dark enough on light and light
// enough on dark. A colour never tells anything that a label does not.

const LIGHT = [
  "#0b6cb0",
  "#b84a05",
  "#007a57",
  "#a03d78",
  "#806400",
  "#5357c4",
  "#7a4b2a",
  "#45626f",
];
const DARK = [
  "#63b4f0",
  "#f0935a",
  "#45c79b",
  "#e690c2",
  "#d8b744",
  "#a3a6ff",
  "#cda17c",
  "#9bbac9",
];

/** The same for elements, which follow the theme by themselves. */
export function hue(branch: number): string {
  return `var(--branch-${branch % LIGHT.length})`;
}

export interface Palette {
  readonly dark: boolean;
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  branch(number: number): string;
  /** The same, mixed with paper so that ink reads well on it; less of it the deeper. */
  tint(number: number, depth: number): string;
}

export function palette(): Palette {
  const root = document.documentElement;
  const chosen = root.dataset.theme;
  const prefers = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const dark = prefers && !("printing" in root.dataset);
  const hues = dark ? DARK : LIGHT;
  const value = (name: string) => getComputedStyle(root).getPropertyValue(name).trim();
  const paper = value("--panel");
  const branch = (number: number) => hues[number % hues.length];
  return {
    dark,
    paper,
    ink: value("--ink"),
    soft: value("--soft"),
    line: value("--line"),
    branch,
    tint: (number, depth) => mixed(branch(number), paper, Math.max(0.12, 0.36 - 0.08 * depth)),
  };
}

function mixed(a: string, b: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [x, y] = [a, b].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round(share * x + (1 - share) * y)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

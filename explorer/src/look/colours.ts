// The colours of topics and pictures. The hue of a root topic follows where its documents are on
// the map, so that neighbours have related hues; the topics below it share the hue. A colour never
// tells anything that a label does not.

/** A hue, and how far its topic is from the middle of the map: the nearer, the lighter. */
export interface Hue {
  readonly degrees: number; // of OKLCH
  readonly far: number; // from 0 to 1
}

/** A hue in a theme: `deep` for texts and lines, which need contrast; `bright` for areas. */
export interface Tones {
  readonly deep: string;
  readonly bright: string;
}

type Place = readonly [x: number, y: number, ...rest: unknown[]];

/** Arcs of the colour wheel: where each begins, its length, and its perceived length, in degrees.
 * Olive is left out: as text, it looks like mud; between green and blue, eyes tell little apart. */
const WHEEL = [
  [-14, 108, 108],
  [138, 30, 30],
  [168, 52, 34],
  [220, 126, 126],
] as const;
const AROUND = WHEEL.reduce((sum, [, , apart]) => sum + apart, 0);
const CONTRAST = 5.2; // of deep tones with paper, so that 4.5 are left on a glow
const PAPER = { light: "#fffefb", dark: "#171b21" }; // --panel in style.css
/** Hues, in degrees, for what is not on the map, such as groups: each is far from those before. */
const SERIES = [250, 52, 160, 350, 95, 295, 25, 200, 130, 320, 75, 225, 275, 5];

/** A hue for each place. They are evenly spread, in the order of the directions in which the places
 * lie from their mean; null places come last. */
export function huesAround(places: readonly (Place | null)[]): Hue[] {
  const known = places.filter((place) => place !== null);
  const mean = (axis: 0 | 1): number =>
    known.reduce((sum, place) => sum + place[axis], 0) / Math.max(known.length, 1);
  const [x, y] = [mean(0), mean(1)];
  const away = places.map((place) => (place ? Math.hypot(place[0] - x, place[1] - y) : 0));
  const farthest = Math.max(...away, 1);
  const turn = 2 * Math.PI;
  const angles = places.map((place) =>
    place ? (Math.atan2(place[0] - x, y - place[1]) + turn) % turn : turn,
  );
  const order = [...places.keys()].sort((a, b) => angles[a] - angles[b] || a - b);
  const hues: Hue[] = [];
  order.forEach((place, rank) => {
    const degrees = wheel(rank / places.length);
    hues[place] = { degrees, far: places[place] ? away[place] / farthest : (place % 3) / 2 };
  });
  return hues;
}

function wheel(share: number): number {
  let left = share * AROUND;
  for (const [from, degrees, apart] of WHEEL) {
    if (left < apart) return from + (left * degrees) / apart;
    left -= apart;
  }
  return WHEEL[0][0];
}

export function tonesOf({ degrees, far }: Hue, theme: keyof typeof PAPER): Tones {
  const yellow = Math.max(0, Math.cos(((degrees - 100) * Math.PI) / 180)); // yellow must be light
  const bright =
    theme === "light"
      ? oklch(0.715 - 0.09 * far + 0.05 * yellow, 0.16, degrees)
      : oklch(0.77 - 0.09 * far + 0.03 * yellow, 0.15, degrees);
  let lightness = theme === "light" ? 0.56 : 0.72;
  const step = theme === "light" ? -0.01 : 0.01;
  const deep = (): string => oklch(lightness, 0.135, degrees);
  while (contrast(deep(), PAPER[theme]) < CONTRAST) lightness += step;
  return { deep: deep(), bright };
}

/** Sets the colours of root topics, `--branch-0`, `--bright-0` and on; all are grey before that. */
export function paintBranches(places: readonly (Place | null)[]): void {
  const { style } = document.documentElement;
  huesAround(places).forEach((one, k) => {
    const [light, dark] = (["light", "dark"] as const).map((theme) => tonesOf(one, theme));
    const set = (name: string, tone: keyof Tones): void =>
      style.setProperty(
        `--${name}-${k}`,
        `var(--light, ${light[tone]}) var(--dark, ${dark[tone]})`,
      );
    set("branch", "deep");
    set("bright", "bright");
  });
}

/** The deep colour of a branch, for styles; it follows the theme. */
export function hue(branch: number): string {
  return `var(--branch-${branch}, var(--soft))`;
}

/** The bright colour of a branch, for points and areas. */
export function bright(branch: number): string {
  return `var(--bright-${branch}, var(--soft))`;
}

/** The colours of the theme as it is now, for pictures, which are exported without styles. */
export type Palette = Readonly<ReturnType<typeof palette>>;

export function palette() {
  const styles = getComputedStyle(document.documentElement);
  const value = (name: string): string => styles.getPropertyValue(name).trim();
  const [paper, ink, soft] = ["--panel", "--ink", "--soft"].map(value);
  const theme = styles.colorScheme === "dark" ? "dark" : "light";
  return {
    paper,
    ink,
    soft,
    line: value("--line"),
    press: value("--press"),
    sides: ["--one", "--other"].map(value), // of two sets that are compared
    ramp: [0, 1, 2, 3].map((step) => value(`--ramp-${step}`)), // from little to much
    /** The colours of a root topic and all below it. */
    branch: (number: number): string => value(`--branch-${number}`) || soft,
    bright: (number: number): string => value(`--bright-${number}`) || soft,
    /** The colours of things without a place on the map. */
    series: (number: number): Tones =>
      tonesOf({ degrees: SERIES[number % SERIES.length], far: 0.6 }, theme),
  };
}

/** The mix of a `share` of one colour and the rest of another, both as #rrggbb. */
export function mixed(a: string, b: string, share: number): string {
  const other = rgb(b);
  return hex(rgb(a).map((part, k) => share * part + (1 - share) * other[k]));
}

export function rgb(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** A colour of OKLCH as #rrggbb; if screens have no such colour, with less chroma. */
export function oklch(lightness: number, chroma: number, degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  if (chroma > 0.001 && linear.some((part) => part < -0.0005 || part > 1.0005)) {
    return oklch(lightness, 0.97 * chroma, degrees);
  }
  const parts = linear.map((part) => {
    const one = Math.min(Math.max(part, 0), 1);
    return 255 * (one <= 0.0031308 ? 12.92 * one : 1.055 * one ** (1 / 2.4) - 0.055);
  });
  return hex(parts);
}

/** The contrast of two colours by WCAG 2, both as #rrggbb. */
export function contrast(a: string, b: string): number {
  const [x, y] = [a, b].map((colour) => {
    const [red, green, blue] = rgb(colour).map((one) => {
      const part = one / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

// Two circles whose areas, and that of what they share, are in proportion to numbers of documents.

const STEPS = 50; // of bisection: more than the precision of a number

/** Two circles: their radii, and how far apart their centres are. */
export interface Circles {
  readonly radii: readonly [number, number];
  readonly distance: number;
}

/** Circles for so many documents on each topic, and on both; the larger one has radius 1. */
export function circles(a: number, b: number, both: number): Circles {
  const most = Math.max(a, b, 1);
  const radii = [Math.sqrt(a / most), Math.sqrt(b / most)] as const;
  const [r, s] = radii;
  const wanted = (Math.PI * both) / most;
  let [near, far] = [Math.abs(r - s), r + s];
  for (let step = 0; step < STEPS; step++) {
    const middle = (near + far) / 2;
    if (shared(r, s, middle) > wanted) near = middle;
    else far = middle;
  }
  return { radii, distance: both ? (near + far) / 2 : r + s };
}

/** The area that two circles share. */
export function shared(r: number, s: number, distance: number): number {
  if (distance >= r + s) return 0;
  if (distance <= Math.abs(r - s)) return Math.PI * Math.min(r, s) ** 2;
  const x = (distance ** 2 + r ** 2 - s ** 2) / (2 * distance); // of the line where they meet
  const segment = (radius: number, height: number): number =>
    radius ** 2 * Math.acos(Math.max(-1, Math.min(1, height / radius))) -
    height * Math.sqrt(Math.max(0, radius ** 2 - height ** 2));
  return segment(r, x) + segment(s, distance - x);
}

// Where names stand on the map: beside the documents that they name, off the densest points and off
// each other, with a line to their documents where they stand apart from them.

import type { Grid } from "./map-points";
import { clamped, inSight, type Point, type Size, type View } from "./map-view";

const CELL = 12; // pixels: the side of the cells in which points are counted
const TURNS = 16; // directions in which a name may stand
const GAPS = [2, 9, 18, 28, 40, 54, 70, 90, 115, 145, 180, 220, 270, 330, 400];
const SWEEPS = 3; // after the first: each name is placed anew among the others
const APART: Point = [9, 4]; // pixels between names, across and down
const EDGE = 6; // pixels that a name keeps from the edges
const NEAR = 20; // pixels from its documents' middle, up to which a name needs no line
/** What a place costs: the density of points of others and of its own below it, over the usual
 * density; each pixel away; a line, one that crosses another, and one over points. */
const COST = { others: 5.5, own: 4.2, away: 1 / 95, line: 0.3, crossing: 2.5, over: 1.8 };
const BESIDE = 18; // pixels around a name with a line, in which points count as below it
const KEPT = 0.5; // what it is worth to stay where it was

/** A rectangle, by its middle. */
export interface Room extends Size {
  readonly x: number;
  readonly y: number;
}

export interface Placeable extends Size {
  readonly at: Point; // what it names, in pixels
  readonly branch: number; // the root topic above what it names
  readonly reach: number; // pixels away, at most
  readonly before: Point | null; // where it stood, relative to what it names
}

export type Leader = readonly [from: Point, to: Point];

export interface Stand extends Room {
  readonly leader: Leader | null;
}

/** The density of points in any rectangle of the picture. */
export class Crowd {
  private readonly columns: number;
  private readonly rows: number;
  private readonly all: Float32Array; // sums from the top left corner
  private readonly ofBranch: Float32Array[];
  private readonly usual: number; // the usual count of a cell with points

  /** `branchOf` has the branch of each point of the grid, from 1; 0 for what counts nowhere. */
  constructor(
    grid: Grid,
    branchOf: Uint8Array,
    readonly view: View,
  ) {
    this.columns = Math.ceil(view.width / CELL) + 1;
    this.rows = Math.ceil(view.height / CELL) + 1;
    const size = this.columns * this.rows;
    const branches = branchOf.reduce((most, one) => Math.max(most, one), 0);
    this.all = new Float32Array(size);
    this.ofBranch = Array.from({ length: branches }, () => new Float32Array(size));
    grid.runs(inSight(view), (begin, end) => {
      for (let k = begin; k < end; k++) {
        const branch = branchOf[k];
        if (!branch) continue;
        const column = Math.floor((view.x + view.scale * grid.x[k]) / CELL) + 1;
        const row = Math.floor((view.y + view.scale * grid.y[k]) / CELL) + 1;
        if (column < 1 || row < 1 || column >= this.columns || row >= this.rows) continue;
        this.all[row * this.columns + column]++;
        this.ofBranch[branch - 1][row * this.columns + column]++;
      }
    });
    // Points above each other count less: what matters is how much of a part they cover.
    const weights = this.all.map((count) => 1 / Math.sqrt(Math.max(count, 1)));
    for (const counts of [this.all, ...this.ofBranch]) {
      for (let k = 0; k < size; k++) counts[k] *= weights[k];
    }
    let [total, squares] = [0, 0];
    for (const count of this.all) {
      total += count;
      squares += count ** 2;
    }
    this.usual = squares / Math.max(total, 1);
    for (const counts of [this.all, ...this.ofBranch]) this.sum(counts);
  }

  /** The density of a branch, or of all points, in a rectangle, over the usual density. */
  within({ x, y, width, height }: Room, branch = -1): number {
    const counts = branch < 0 ? this.all : this.ofBranch[branch];
    if (!counts) return 0;
    const { columns } = this;
    const left = clamped(Math.floor((x - width / 2) / CELL), 0, columns - 1);
    const right = clamped(Math.ceil((x + width / 2) / CELL), 0, columns - 1);
    const top = clamped(Math.floor((y - height / 2) / CELL), 0, this.rows - 1) * columns;
    const bottom = clamped(Math.ceil((y + height / 2) / CELL), 0, this.rows - 1) * columns;
    const count =
      counts[bottom + right] - counts[top + right] - counts[bottom + left] + counts[top + left];
    const cells = ((bottom - top) / columns) * (right - left);
    return count / Math.max(this.usual * cells, 1e-9);
  }

  private sum(counts: Float32Array): void {
    const { columns, rows } = this;
    for (let row = 1; row < rows; row++) {
      let line = 0;
      for (let column = 1; column < columns; column++) {
        line += counts[row * columns + column];
        counts[row * columns + column] = line + counts[(row - 1) * columns + column];
      }
    }
  }
}

interface Candidate extends Stand {
  cost: number;
}

/** Where names stand, those that matter most first; null for those without a place. None touches
 * another or what is `taken`, or leaves the picture. */
export function stand(
  names: readonly Placeable[],
  crowd: Crowd,
  taken: readonly Room[],
): (Stand | null)[] {
  const candidates = names.map((name) => candidatesOf(name, crowd, taken));
  const stands: (Stand | null)[] = names.map(() => null);
  for (let sweep = 0; sweep <= SWEEPS; sweep++) {
    let moved = false;
    for (let k = 0; k < names.length; k++) {
      const others = stands.filter((other, at): other is Stand => other !== null && at !== k);
      const best = bestOf(candidates[k], others);
      moved ||= best !== stands[k];
      stands[k] = best;
    }
    if (!moved) break;
  }
  return stands;
}

/** Places for a name, those that cost least first. */
function candidatesOf(name: Placeable, crowd: Crowd, taken: readonly Room[]): Candidate[] {
  const { at, reach, before, branch, width: w, height: h } = name;
  const { width, height } = crowd.view;
  if (w > width - 2 * EDGE || h > height - 2 * EDGE) return [];
  const found: Candidate[] = [];
  const offer = (dx: number, dy: number, bonus: number): void => {
    const x = clamped(at[0] + dx, w / 2 + EDGE, width - w / 2 - EDGE);
    const y = clamped(at[1] + dy, h / 2 + EDGE, height - h / 2 - EDGE);
    const to: Point = [clamped(at[0], x - w / 2, x + w / 2), clamped(at[1], y - h / 2, y + h / 2)];
    const away = Math.hypot(to[0] - at[0], to[1] - at[1]);
    if (away > reach) return;
    const leader: Leader | null = away > NEAR ? [at, to] : null;
    const candidate = { x, y, width: w, height: h, leader, cost: 0 };
    if (taken.some((other) => touching(candidate, other))) return;
    const wide = { ...candidate, width: w + 2 * BESIDE, height: h + 2 * BESIDE };
    const around = leader ? wide : candidate; // it must not name others
    const others = crowd.within(around) - crowd.within(around, branch);
    const line = leader ? COST.line + COST.over * overOthers(leader, crowd, branch) : 0;
    candidate.cost =
      COST.others * others + COST.own * crowd.within(candidate, branch) + COST.away * away + line;
    candidate.cost -= bonus;
    found.push(candidate);
  };
  if (before) offer(before[0], before[1], KEPT);
  offer(0, 0, 0);
  for (const gap of GAPS) {
    if (gap > reach) break;
    for (let turn = 0; turn < TURNS; turn++) {
      const angle = (2 * Math.PI * turn) / TURNS;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const border = Math.min(
        w / 2 / Math.max(Math.abs(c), 1e-9),
        h / 2 / Math.max(Math.abs(s), 1e-9),
      );
      offer((border + gap) * c, (border + gap) * s, 0);
    }
  }
  return found.sort((a, b) => a.cost - b.cost);
}

/** The density of points of other branches below the middle of a line. */
function overOthers([[x0, y0], [x1, y1]]: Leader, crowd: Crowd, branch: number): number {
  let sum = 0;
  for (const t of [0.4, 0.6, 0.8]) {
    const room = { x: x0 + t * (x1 - x0), y: y0 + t * (y1 - y0), width: CELL, height: CELL };
    sum += (crowd.within(room) - crowd.within(room, branch)) / 3;
  }
  return sum;
}

function bestOf(candidates: readonly Candidate[], others: readonly Stand[]): Stand | null {
  let [best, least] = [null as Stand | null, Number.POSITIVE_INFINITY];
  for (const candidate of candidates) {
    if (candidate.cost >= least) break;
    let { cost } = candidate;
    for (const other of others) {
      if (touching(candidate, other) || through(candidate.leader, other)) cost = least;
      else if (through(other.leader, candidate)) cost = least;
      else if (crossing(candidate.leader, other.leader)) cost += COST.crossing;
      if (cost >= least) break;
    }
    if (cost < least) [best, least] = [candidate, cost];
  }
  return best;
}

/** Whether two rectangles are nearer to each other than names may be. */
export function touching(one: Room, other: Room, [across, down] = APART): boolean {
  return (
    2 * Math.abs(one.x - other.x) < one.width + other.width + 2 * across &&
    2 * Math.abs(one.y - other.y) < one.height + other.height + 2 * down
  );
}

export function through(leader: Leader | null, { x, y, width, height }: Room): boolean {
  if (!leader) return false;
  let [from, to] = [0, 1];
  const [[x0, y0], [x1, y1]] = leader;
  for (const [start, step, middle, half] of [
    [x0, x1 - x0, x, width / 2 + 2],
    [y0, y1 - y0, y, height / 2 + 2],
  ]) {
    if (Math.abs(step) < 1e-9) {
      if (Math.abs(start - middle) > half) return false;
      continue;
    }
    const [a, b] = [(middle - half - start) / step, (middle + half - start) / step];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}

export function crossing(one: Leader | null, other: Leader | null): boolean {
  if (!one || !other) return false;
  const side = ([a, b]: Leader, p: Point): number =>
    Math.sign((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]));
  return side(one, other[0]) !== side(one, other[1]) && side(other, one[0]) !== side(other, one[1]);
}

// The order of rows and columns in which a matrix shows its blocks.

/** An order of the rows and of the columns. */
export interface Orders {
  readonly rows: number[];
  readonly columns: number[];
}

/** Puts columns that are alike beside each other, and each row where its high values are. */
export function seriated(matrix: readonly (readonly number[])[]): Orders {
  const width = matrix[0]?.length ?? 0;
  const columns = shortWay(
    Array.from({ length: width }, (_, column) => matrix.map((row) => row[column])),
  );
  const centres = matrix.map((row) => centre(columns.map((column) => row[column])));
  const rows = [...matrix.keys()].sort((a, b) => centres[a] - centres[b] || a - b);
  return { rows, columns };
}

/** A short way through points: the nearest next, then turned round in parts while that shortens it. */
export function shortWay(points: readonly (readonly number[])[]): number[] {
  if (points.length < 3) return [...points.keys()];
  const apart = points.map((one) => points.map((other) => distance(one, other)));
  const way = [0];
  while (way.length < points.length) {
    const from = apart[way[way.length - 1]];
    const left = from.map((_, k) => k).filter((k) => !way.includes(k));
    way.push(left.reduce((best, k) => (from[k] < from[best] ? k : best)));
  }
  const step = (a: number, b: number): number =>
    a < 0 || b >= way.length ? 0 : apart[way[a]][way[b]];
  for (let better = true; better; ) {
    better = false;
    for (let i = 0; i < way.length; i++) {
      for (let j = i + 1; j < way.length; j++) {
        const now = step(i - 1, i) + step(j, j + 1);
        const turned = (i ? step(i - 1, j) : 0) + (j + 1 < way.length ? step(i, j + 1) : 0);
        if (turned < now - 1e-9) {
          way.splice(i, j - i + 1, ...way.slice(i, j + 1).reverse());
          better = true;
        }
      }
    }
  }
  return way;
}

/** Where the positive values of a row are, on average; the middle if there are none. */
function centre(row: number[]): number {
  let [sum, moment] = [0, 0];
  row.forEach((value, at) => {
    sum += Math.max(0, value) ** 2;
    moment += at * Math.max(0, value) ** 2;
  });
  return sum ? moment / sum : (row.length - 1) / 2;
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.sqrt(one.reduce((sum, value, k) => sum + (value - other[k]) ** 2, 0));
}

// Which rows the pictures by group have.

import { count } from "../look/format";
import type { Shares } from "../page/page";

/** Groups that have a row of their own, at most. */
export const MOST = 40;

/** A group; or several that share a row, or the documents in none. */
export interface GroupRow {
  readonly name: string; // as it is shown
  readonly group: string | null; // as it is chosen; null: several groups
  readonly parts: readonly number[];
}

/** The groups with most documents, and those in `wanted`; then the others together, and the
 * documents in no group. */
export function groupRows(
  { names }: Pick<Shares, "names">,
  wanted: readonly string[] = [],
  most = MOST,
): GroupRow[] {
  const groups = names.flatMap((name, part) => (name ? [part] : []));
  const alone = (part: number): boolean =>
    part < most || groups.length <= most + 1 || wanted.includes(names[part]);
  const own = groups.filter(alone);
  const others = groups.filter((part) => !alone(part));
  const none = names.indexOf("");
  const rows: GroupRow[] = own.map((part) => ({
    name: names[part],
    group: names[part],
    parts: [part],
  }));
  if (others.length)
    rows.push({ name: count(others.length, "other group"), group: null, parts: others });
  if (none >= 0) rows.push({ name: "no group", group: "", parts: [none] });
  return rows;
}

/** Whether a row is that of a single group. */
export function single({ group }: GroupRow): boolean {
  return Boolean(group);
}

/** How many documents a row has. */
export function documentsIn({ documents }: Pick<Shares, "documents">, { parts }: GroupRow): number {
  return parts.reduce((sum, part) => sum + documents[part], 0);
}

/** How many documents of a row are on a topic. */
export function onIn(shares: Pick<Shares, "on">, { parts }: GroupRow, topic: number): number {
  return parts.reduce((sum, part) => sum + shares.on(topic, part), 0);
}

/** The share of a row's documents; 0 if it has none. */
export function shareIn(shares: Shares, row: GroupRow, topic: number): number {
  const documents = documentsIn(shares, row);
  if (!documents) return 0;
  const known = row.parts.filter((part) => shares.documents[part]);
  const sum = known.reduce((all, part) => all + shares.documents[part] * shares.of(topic, part), 0);
  return sum / documents;
}

// What the colours of the map stand for.

import { mixed, type Palette } from "../look/colours";
import { period } from "../look/dates";
import { quoted } from "../look/format";
import type { Documents, Field, Listed } from "../page/documents";
import { inNone, type Page, path, type Shares, type Topic } from "../page/page";
import type { Colour } from "../selection/state";
import { IN_PART, type Term } from "../selection/terms";

const SHADES = 3; // of a hue
const MOST_BRANCHES = 84; // a byte holds three shades of each
const MOST_GROUPS = 14; // the largest ones have a colour of their own
const STEPS = 7; // of time, at most
const SOME_STEPS = 4; // years are enough if they fill so many
const NEARLY = 0.95; // of the dates give a month or day, if these are shown

type Topics = Pick<Page, "topics">;

export interface Entry {
  readonly name: string;
  readonly colour: number;
  readonly selects: Term | null; // null: nothing
}

/** Documents in colours: 0, which is grey, for those without the property, or 1 and more. */
export interface Colouring {
  readonly name: string;
  readonly of: Uint8Array; // the colour of each document
  readonly entries: readonly Entry[]; // of the key
  colours(palette: Palette): string[]; // from 1 on
}

/** The ways to colour documents that the page has something to show for. */
export function colourings({ fields, periods }: Page): Map<Colour, string> {
  const own: [Colour, string][] = [
    ["date", "date"],
    ["set", "selection"],
  ];
  const names = ["topic", ...own.map(([, name]) => name)];
  const ofFields = fields.map(({ key, name }): [Colour, string] => [
    key,
    names.includes(name.toLowerCase()) ? quoted(name) : name,
  ]);
  return new Map([["topic", "topic"], ...ofFields, ...own.slice(periods ? 0 : 1)]);
}

/** The colouring that was chosen; null if that is by topic. */
export function coloured(colour: Colour, page: Page, documents: Documents): Colouring | null {
  const field = page.fields.find(({ key }) => key === colour);
  if (field) return byGroup(documents, field);
  if (colour === "date" && page.periods) return byDate(documents);
  if (colour === "set") return alike(documents);
  return null;
}

/** Each document in the hue of its main root topic, and in the shade of the main one right below.
 * The names on the map tell what the colours stand for. */
export function byTopic(
  documents: Documents,
  { topics }: Topics,
): Colouring & { readonly branches: number } {
  const most = Math.max(...topics.map(({ branch }) => branch), 0) + 1;
  const branches = Math.min(most, MOST_BRANCHES);
  const of = Uint8Array.from({ length: documents.count }, (_, document) => {
    const [first, second] = topicsOn({ topics }, documents.topics(document));
    if (!first) return 0;
    const shade = second ? Math.max(0, first.children.indexOf(second.index)) % SHADES : 0;
    return 1 + (first.branch % branches) + branches * shade;
  });
  const colours = (palette: Palette): string[] => {
    const hues = Array.from({ length: branches }, (_, k) => palette.bright(k));
    const darker = hues.map((one, k) => mixed(palette.branch(k), one, 0.3));
    const paler = hues.map((one) => mixed(one, palette.paper, 0.76));
    return [...hues, ...darker, ...paler];
  };
  return { name: "topic", of, branches, entries: [], colours };
}

/** The largest groups in colours, the others in grey. */
export function byGroup(documents: Documents, field: Field & Pick<Shares, "names">): Colouring {
  const { key, names } = field;
  const largest = names.filter(Boolean).slice(0, MOST_GROUPS);
  const colourOf = new Map(largest.map((name, k) => [name, k + 1]));
  const of = new Uint8Array(documents.count);
  let [none, others] = [false, false];
  for (let document = 0; document < of.length; document++) {
    const [group = ""] = documents.values(key, document); // of several, the first
    of[document] = colourOf.get(group) ?? 0;
    if (!group) none = true;
    else if (!of[document]) others = true;
  }
  const entries = Array.from(
    colourOf,
    ([name, colour]): Entry => ({ name, colour, selects: { kind: "group", field: key, name } }),
  );
  if (others) entries.push({ name: "other groups", colour: 0, selects: null });
  const selects: Term = { kind: "group", field: key, name: "" };
  if (none) entries.push({ name: inNone(field), colour: 0, selects });
  const colours = (palette: Palette): string[] =>
    Array.from(colourOf, (_, k) => palette.series(k).bright);
  return { name: field.name, of, entries, colours };
}

/** Times in steps with about equally many documents. */
export function byDate(documents: Documents): Colouring {
  const dates = Array.from({ length: documents.count }, (_, k) => documents.about("dates", k));
  const { steps, stepOf, periods } = inSteps(dates);
  const far = fences(periods);
  const entries = steps.map(([from, to], k): Entry => {
    const range = from === to ? from : `${from} – ${to}`;
    const name = from < far.low ? `up to ${to}` : to > far.high ? `from ${from}` : range;
    return { name, colour: k + 1, selects: { kind: "date", from, to } };
  });
  const of = Uint8Array.from(periods, (one) => stepOf.get(one) ?? 0);
  if (of.includes(0)) entries.push({ name: "no date", colour: 0, selects: null });
  return { name: "date", of, entries, colours: ({ ramp }) => stepColours(ramp, steps.length) };
}

/** Periods in steps of about as many documents each. */
interface Steps {
  readonly periods: string[]; // of each document; "" for none
  readonly steps: [from: string, to: string][];
  readonly stepOf: ReadonlyMap<string, number>; // from 1, by period
}

/** Dates in the coarsest periods that fill some steps, or else those that fill most; a few dates
 * far from the others change nothing. */
function inSteps(dates: readonly string[]): Steps {
  const [years, ...finer] = [4, 7, 10].map((digits) => stepsOf(dates, digits));
  const dated = years.periods.filter(Boolean).length;
  const known = finer.filter(({ periods }) => periods.filter(Boolean).length >= NEARLY * dated);
  const all = [years, ...known];
  const most = Math.max(...all.map(({ steps }) => steps.length));
  return all.find(({ steps }) => steps.length >= Math.min(most, SOME_STEPS))!;
}

function stepsOf(dates: readonly string[], digits: number): Steps {
  const periods = dates.map((date) => period(date, digits));
  const counts = new Map<string, number>();
  for (const one of periods) if (one) counts.set(one, (counts.get(one) ?? 0) + 1);
  const total = periods.filter(Boolean).length;
  const steps: [from: string, to: string][] = [];
  const stepOf = new Map<string, number>();
  let [before, last] = [0, -1];
  for (const name of [...counts.keys()].sort()) {
    const step = Math.floor((STEPS * (before + counts.get(name)! / 2)) / total);
    if (step === last) steps[steps.length - 1][1] = name;
    else steps.push([name, name]);
    stepOf.set(name, steps.length);
    last = step;
    before += counts.get(name)!;
  }
  return { periods, steps, stepOf };
}

/** The years beyond which a date is farther from the middle 98% of all than these reach. */
function fences(periods: readonly string[]): { low: string; high: string } {
  const years = periods.filter(Boolean).map((one) => Number(one.slice(0, 4)));
  years.sort((a, b) => a - b);
  const strays = Math.floor(years.length / 100);
  const [first, last] = [years[strays] ?? 0, years[years.length - 1 - strays] ?? 0];
  const reach = last - first + 1;
  return { low: String(first - reach), high: String(last + reach + 1) };
}

function alike({ count }: Documents): Colouring {
  const of = new Uint8Array(count).fill(1);
  return { name: "selection", of, entries: [], colours: ({ ramp }) => stepColours(ramp, 1) };
}

function stepColours(ramp: string[], many: number): string[] {
  return Array.from({ length: many }, (_, k) => along(ramp, many > 1 ? k / (many - 1) : 1));
}

export function along(ramp: string[], share: number): string {
  const at = share * (ramp.length - 1);
  const k = Math.min(Math.floor(at), ramp.length - 2);
  return mixed(ramp[k + 1], ramp[k], at - k);
}

/** The topics that a document is on: its main topics from the root down, then the others, those
 * with the largest shares first. */
function topicsOn({ topics }: Topics, listed: readonly Listed[]): Topic[] {
  return listed
    .filter(({ topic, share }) => share >= IN_PART && !topics[topic].gone)
    .sort((a, b) => Number(b.main) - Number(a.main) || b.share - a.share)
    .map(({ topic }) => topics[topic]);
}

/** The first `most` topics of a document that are above no other of its topics, and not vague. */
export function mostSpecific(page: Topics, listed: readonly Listed[], most: number): Topic[] {
  const on = topicsOn(page, listed).filter(({ vague }) => !vague);
  const above = new Set(on.flatMap((topic) => path(page, topic).slice(0, -1)));
  return on.filter((topic) => !above.has(topic)).slice(0, most);
}

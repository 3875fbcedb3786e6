// The log of edits: what `hlta edit` reads and `model.edit.save` writes. See src/hlta/edits/log.py.

import * as is from "../page/schema";

const FORMAT = "hlta-edits";
const VERSION = 1;

/** An entry of a log, of any kind that Python knows. */
export type Entry = { readonly edit: string } & Readonly<Record<string, unknown>>;

export const LOG = is.record({
  model: is.text, // the fingerprint of the model as it was learned
  settled: is.optional(is.number), // how many of the first edits are part of the model
  edits: is.list(is.record({ edit: is.text })),
});

export interface Log {
  readonly model: string;
  readonly settled: number;
  readonly edits: readonly Entry[];
}

export function logOf({ model, settled, edits }: is.Checked<typeof LOG>): Log {
  return { model, settled: settled ?? 0, edits: edits as Entry[] };
}

const TOPIC = is.record({ topic: is.text });
const KINDS = {
  rename: is.record({ titles: is.dictionary(is.text) }),
  note: is.record({ topic: is.text, text: is.text }),
  hide: TOPIC,
  show: TOPIC,
  pin: TOPIC,
  unpin: TOPIC,
  merge: is.record({ topic: is.text, into: is.text }),
  move: is.record({ name: is.text, below: is.nullable(is.text) }), // null: a root topic
};
type Kinds = typeof KINDS;

export type Edit = { [K in keyof Kinds]: { readonly edit: K } & is.Checked<Kinds[K]> }[keyof Kinds];

/** An entry as an edit that the page can make; throws if it is none. */
export function editOf(entry: Entry): Edit {
  if (!Object.hasOwn(KINDS, entry.edit)) {
    const kind = entry.edit.slice(0, 40);
    throw new Error(`it is of the kind “${kind}”, which a page cannot show`);
  }
  const wrong = KINDS[entry.edit as Edit["edit"]](entry);
  if (wrong !== null) throw new Error(`its field${wrong}`);
  return entry as unknown as Edit;
}

/** Reads a log; throws if the text is none. */
export function readLog(json: string): Log {
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\ufeff/, ""));
  } catch {
    throw new Error("this is not a log of edits: it is not JSON");
  }
  const { format, version } = Object(value) as { format?: unknown; version?: unknown };
  if (format !== FORMAT) throw new Error(`this is not a log of edits: its format is not ${FORMAT}`);
  if (version !== VERSION) throw new Error(`the log is of version ${version}, not ${VERSION}`);
  return logOf(is.checked(value, LOG, "the log"));
}

/** The text of a log, one line per edit. */
export function writeLog({ model, settled, edits }: Log): string {
  const head = { format: FORMAT, version: VERSION, model, ...(settled && { settled }) };
  const lines = edits.map((entry) => `\n${JSON.stringify(entry)}`).join(",");
  return `${JSON.stringify(head).slice(0, -1)},"edits":[${lines}\n]}\n`;
}

/** The edits that a log has beyond those of another; null if it does not begin with these. */
export function beyond(log: Log, begin: Log): Entry[] | null {
  const same = begin.edits.every((entry, k) => log.edits[k] && key(entry) === key(log.edits[k]));
  return same ? log.edits.slice(begin.edits.length) : null;
}

/** An entry as a key, whatever the order of its fields, and without its words, which only tell what
 * its topics were about. */
function key({ words: _, ...said }: Entry): string {
  return JSON.stringify(said, (_, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

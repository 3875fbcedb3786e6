// The data of the page except documents: its topics, and the model that they come from.

import { LOG, type Log, logOf } from "../edits/log";
import { isolated } from "../look/format";
import { DIVIDING, Sharing } from "../shares/division";
import { array, type Block, unpack } from "./container";
import { added } from "./naming";
import * as is from "./schema";

const DIVISION = is.record({
  key: is.text, // of the field, as in addresses; "date" for periods
  name: is.text, // as shown
  unit: is.text,
  names: is.list(is.text), // "": documents in no group
  documents: is.list(is.number),
  further: is.number, // groups that are left out, because there are too many
});
const WORDS = is.list(
  is.row<[word: number, inside: number, outside: number, information: number]>(4),
);
const TOPIC = is.record({
  id: is.text,
  level: is.number,
  parent: is.number, // -1: a root topic
  node: is.number, // its latent variable in the model
  size: is.number, // its mean share of the words of documents
  documents: is.nullable(is.number), // how many of the documents learned from are on it
  mainly: is.nullable(is.number), // of how many of these it is the main topic
  stability: is.nullable(is.number), // how much of it comes back in samples of the documents
  contrast: is.nullable(is.number), // how much its words tell documents apart; 1: as the median
  vague: is.flag, // chance put its words together, and so it is with all topics below it
  pinned: is.flag, // it comes before its siblings
  note: is.text, // what a person noted on it
  members: is.number, // words and topics directly below it, in the model
  title: is.text,
  label: is.list(is.text), // its first keywords
  words: WORDS,
  sure: is.list(is.nullable(is.number)), // the stability of each of these words
  facets: is.list(is.record({ size: is.number, words: WORDS })),
  related: is.list(is.row<[topic: number, information: number]>(2)),
});
const HEADER = is.record({
  title: is.text,
  words: is.list(is.text),
  topics: is.list(TOPIC),
  log: LOG,
  cut: is.flag, // the topics are a selection, without the tree
  links: is.list(is.row<[from: number, to: number, information: number]>(3)),
  dividing: DIVIDING,
  documents: is.nullable(is.number), // how many the corpus has
  none: is.nullable(is.number), // how many of them are on no topic
  divisions: is.list(DIVISION),
  effectiveSize: is.optional(is.list(is.number)),
});

export type TopicsHeader = is.Checked<typeof HEADER>;

export interface Word {
  readonly word: number;
  readonly inside: number; // P(word | topic)
  readonly outside: number; // P(word | not the topic)
  readonly information: number; // mutual information of word and topic, in nats
  readonly sure: number | null; // the stability of the word in the topic
}

/** A facet of a topic. `inside` of its words is P(word | facet), and `outside` is P(word | the rest
 * of the topic). */
export interface Facet {
  readonly size: number;
  readonly words: Word[];
}

export interface Topic extends Omit<is.Checked<typeof TOPIC>, "words" | "sure" | "facets"> {
  readonly index: number;
  readonly children: number[];
  readonly more: string; // what its first keywords add to its title
  readonly words: Word[];
  readonly facets: Facet[];
  readonly branch: number; // the number of the root topic above it, for its colour
  readonly gone: "hidden" | "merged" | null; // why it is not shown
  readonly into: number; // the topic that it was merged into; -1: none
  readonly joined: string[]; // titles of the topics that were merged into it
  readonly stale: boolean; // an edit changed its members; its words and figures are those before
}

/** The mark behind the size of a topic: `?` if it is vague. */
export function mark({ vague }: Topic): string {
  return vague ? "?" : "";
}

export interface Outline {
  readonly topics: Topic[];
  readonly roots: number[];
  readonly shown: Topic[]; // those that are not gone, parents first
}

/** The topics' shares in parts of the documents: periods, or the groups of a field. */
export interface Shares extends is.Checked<typeof DIVISION> {
  of(topic: number, part: number): number; // the mean share of the documents of the part
  on(topic: number, part: number): number; // how many of them are on the topic
  /** The effective sample size of a document: how many documents, each about the topic alone or not
   * at all, would give its mean share as precisely. */
  effectiveSize(topic: number): number;
}

const DATE = "date"; // the key of periods

/** The name for documents that are in no group of a field. */
export function inNone({ name }: Pick<Shares, "name">): string {
  return `no ${isolated(name)}`;
}

type Plain = Pick<TopicsHeader, "title" | "words" | "cut" | "links" | "documents" | "none">;

/** All that the page shows, except documents. Edits change its outline. */
export interface Page extends Outline, Plain {
  readonly log: Log; // the edits that the model has
  readonly parent: Int32Array; // of each node of the model, words first; -1 for the root
  readonly sharing: Sharing;
  readonly periods: Shares | null;
  readonly fields: readonly Shares[]; // by which documents are compared; the first is the default
}

export async function readPage(packed: string): Promise<Page> {
  const block = await unpack(packed);
  const header = is.checked(block.header, HEADER, "header of the topics");
  const { title, words, cut, links, documents, none } = header;
  const divisions = header.divisions.map((_, k) => shares(block, k, header));
  return {
    ...linked(header.topics),
    ...{ title, words, cut, links, documents, none },
    log: logOf(header.log),
    parent: array(block, "parent", Int32Array),
    sharing: new Sharing(header.dividing, array(block, "dividing.codes", Uint8Array)),
    periods: divisions.find(({ key }) => key === DATE) ?? null,
    fields: divisions.filter(({ key }) => key !== DATE),
  };
}

/** The topics of the page, linked to their children and branches, and the root topics. */
export function linked(entries: TopicsHeader["topics"]): Outline {
  const topics: Topic[] = [];
  const roots: number[] = [];
  entries.forEach((entry, index) => {
    const up = entry.parent;
    topics.push({
      ...entry,
      index,
      more: added(entry.title, entry.label, topics[up]?.title),
      gone: null,
      into: -1,
      joined: [],
      stale: false,
      branch: up < 0 ? roots.length : topics[up].branch,
      children: [],
      words: keywords(entry.words, entry.sure),
      facets: entry.facets.map(({ size, words }) => ({ size, words: keywords(words) })),
    });
    (up < 0 ? roots : topics[up].children).push(index);
  });
  return { topics, roots, shown: topics };
}

function keywords(rows: is.Checked<typeof WORDS>, sure: readonly (number | null)[] = []): Word[] {
  return rows.map(([word, inside, outside, information], k) => ({
    word,
    inside,
    outside,
    information,
    sure: sure[k] ?? null,
  }));
}

function shares(block: Block, place: number, header: TopicsHeader): Shares {
  const division = header.divisions[place];
  const width = header.topics.length;
  const means = array(block, `divisions.${place}.shares`, Float32Array);
  const counts = array(block, `divisions.${place}.on`, Uint32Array);
  return {
    ...division,
    of: (topic, part) => means[part * width + topic],
    on: (topic, part) => counts[part * width + topic],
    effectiveSize: (topic) => header.effectiveSize?.[topic] ?? 1,
  };
}

/** The topics above one, and itself, from its root topic down. */
export function path({ topics }: Pick<Page, "topics">, topic: Topic): Topic[] {
  const found = [topic];
  while (found[0].parent >= 0) found.unshift(topics[found[0].parent]);
  return found;
}

/** The children of a topic's parent, or the root topics: itself among them. */
export function siblings({ topics, roots }: Outline, topic: Topic): number[] {
  return topic.parent < 0 ? roots : topics[topic.parent].children;
}

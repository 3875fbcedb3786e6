// Which lines the chart over time has.

import { cut } from "../look/dom";
import { capital, count, quoted } from "../look/format";
import type { Page, Shares, Topic } from "../page/page";
import { describeFigure, exactly } from "../selection/figure";
import { describeWhere } from "../selection/saying";
import type { State } from "../selection/state";
import { chosenOf, restOf } from "../selection/tally";
import { besides, isAll, mentions, mentionsGroups } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { comparedTopics, OF_DOCUMENTS, OF_WORDS, sampled } from "./chart";
import { type Line, type Point, pointsOf } from "./lines";

const LONGEST = 80; // characters of what is chosen, in a title; the note has all

export interface Series {
  readonly lines: Line[];
  readonly about: string; // a sentence
  readonly left: string; // which documents are left out, as a sentence; "" if none are
  readonly sampled: boolean; // whether documents are a sample, for which there are no intervals
  readonly of: string; // what the figures of a finding are percentages of
  readonly among: string; // which documents the shares of topics are of: "" if these are all
  readonly silent: boolean; // no finding: dates or groups define these, or they are a sample
  readonly neutral: string; // a title, where there is no finding
}

export type Below = Pick<Series, "of" | "about" | "among" | "silent"> & {
  line(topic: Topic): Line;
};

export function ofAll(shares: Shares): Below {
  const about = `The mean share of the words of each ${shares.unit}’s documents.`;
  const line = (topic: Topic): Line => lineOf(topic, pointsOf(shares, topic.index));
  return { of: OF_WORDS, about, among: "", silent: false, line };
}

function lineOf(topic: Topic, points: Point[], hue = topic.branch): Line {
  return { name: quoted(topic.title), topic: topic.index, hue, points };
}

/** The mean shares of topics, of all documents: of those that are compared, or of one. */
export function ofTopics(page: Page, state: State, shares: Shares, one: Topic | undefined): Series {
  const compared = comparedTopics(state, page);
  const topics = compared.length ? compared.map((index) => page.topics[index]) : one ? [one] : [];
  const first = topics[0] ? quoted(topics[0].title) : "Topics";
  const all = ofAll(shares);
  const lines = topics.map((topic) => all.line(topic));
  return {
    lines: compared.length ? lines.map((line, hue) => ({ ...line, hue })) : lines,
    ...all,
    left: leftOut(page.documents, shares),
    sampled: false,
    neutral: `${topics.length > 1 ? `${first} and others` : first}, by ${shares.unit}`,
  };
}

/** The documents that somebody chose by something else than topic and date, against the rest: their
 * share of all, or their share on topics. Null if there are none such; "counting" while they are
 * counted. */
export function ofChosen(
  page: Page,
  state: State,
  working: Pick<WorkingSet, "answers" | "documents" | "sampled">,
  periods: Shares,
): (Series & { below: Below }) | "counting" | null {
  const clauses = besides(state.clauses, "date").filter((clause) => !isAll(clause));
  const { answers } = working;
  if (!clauses.length || !answers) return null;
  const tally = answers.count(clauses);
  const [all, chosen] = [[], clauses].map((set) => answers.divided(set, periods));
  if (!tally || !all || !chosen) return "counting";
  const { unit } = periods;
  const { counts, figure } = tally;
  const among = sampled(working);
  const known = (shares: Shares, topic: number): Point[] =>
    pointsOf(shares, topic).map((point) =>
      among ? { ...point, low: point.share, high: point.share } : point,
    );
  const where = describeWhere(clauses, page);
  const these = `the documents${cut(where, (part) => part.length <= LONGEST)}`;
  const named = `the ${describeFigure(among ? exactly(counts.documents) : figure, where)}`;
  const line = (topic: Topic, hue?: number): Line => lineOf(topic, known(chosen, topic.index), hue);
  const below: Below = {
    line,
    of: OF_DOCUMENTS,
    about: `How many of ${named} are on each topic, by ${unit}. ${among}`.trimEnd(),
    among: ` among ${these}`,
    silent: among !== "" || mentions(clauses, "date"),
  };
  const common = { below, left: leftOut(counts.documents, chosen), sampled: among !== "" };
  const selected = [state.topic, ...comparedTopics(state, page)].filter((topic) => topic >= 0);
  const topics = [...new Set(selected)].map((topic) => page.topics[topic]);
  if (!topics.length) {
    const grouped = mentionsGroups(clauses, page.fields);
    const points = known(chosenOf(chosen, all, grouped), -1);
    return {
      lines: [{ name: capital(these), topic: -1, hue: -1, points }],
      of: " of all documents",
      among: "",
      silent: below.silent || grouped,
      ...common,
      about: `How many of each ${unit}’s documents are among ${named}. ${among}`,
      neutral: `${capital(these)}, by ${unit}`,
    };
  }
  const lines = topics.map((topic, k) => line(topic, k - 1));
  const [first] = topics;
  if (topics.length === 1) {
    const points = known(restOf(all, chosen), first.index);
    lines.push({ name: "all other documents", topic: -1, hue: -2, points });
  }
  return {
    lines,
    ...below,
    ...common,
    about: `Of ${named}, how many are on the topic, by ${unit}. ${among}`,
    neutral: `${quoted(first.title)}${below.among}, by ${unit}`,
  };
}

/** How many documents are left out of a division, as a sentence; "" if none are. */
export function leftOut(all: number | null, { documents, unit }: Shares): string {
  const dated = documents.reduce((sum, one) => sum + one, 0);
  const left = (all ?? dated) - dated;
  if (left <= 0) return "";
  const [are, their] = left === 1 ? ["is", "its date is"] : ["are", "their dates are"];
  const part = { quarter: "month", month: "month", week: "day", day: "day" }[unit];
  const otherwise = part ? `, unreadable or without a ${part}` : " or unreadable";
  return `${count(left, "document")} ${are} left out: ${their} missing${otherwise}.`;
}

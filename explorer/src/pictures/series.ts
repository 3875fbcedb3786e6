// Which lines the chart over time has.

import { count, quoted } from "../look/format";
import type { Page, Shares, Topic } from "../page/page";
import { exactly, told } from "../selection/figure";
import type { State } from "../selection/state";
import { chosenOf, restOf } from "../selection/tally";
import { besides, mentions } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { comparedTopics, sampled } from "./chart";
import { type Line, type Point, pointsOf } from "./lines";

/** Lines, and what they are shares of. */
export interface Series {
  readonly lines: Line[];
  readonly about: string; // a sentence
  readonly left: string; // which documents are left out, as a sentence; "" if none are
  readonly sampled: boolean; // whether no interval can be given
  readonly where: string; // what a finding ends with: "" or among which documents
  readonly silent: boolean; // dates or groups define what these are shares of, or not all is here: no finding
  readonly neutral: string; // a title, where there is no finding
}

/** The mean share of a topic in all documents. */
export function lineOf(topic: Topic, shares: Shares, hue = topic.branch): Line {
  const points = pointsOf(shares, topic.index);
  return { name: quoted(topic.title), topic: topic.index, hue, points };
}

/** The mean shares of topics, of all documents: of those that are compared, or of one. */
export function ofTopics(page: Page, state: State, shares: Shares, one: Topic | undefined): Series {
  const compared = comparedTopics(state, page);
  const topics = compared.length ? compared.map((index) => page.topics[index]) : one ? [one] : [];
  const first = topics[0] ? quoted(topics[0].title) : "Topics";
  return {
    lines: topics.map((topic, k) => lineOf(topic, shares, compared.length ? k : topic.branch)),
    where: "",
    silent: false,
    left: leftOut(page.documents, shares),
    sampled: false,
    about: `The mean share of the words of each ${shares.unit}’s documents.`,
    neutral: `${topics.length > 1 ? `${first} and others` : first}, by ${shares.unit}`,
  };
}

/** The documents that somebody chose by something else than topic and date, against the rest: their
 * share of all, or their share on topics. Null if nobody did; "counting" until they are counted. */
export function ofChosen(
  page: Page,
  state: State,
  working: Pick<WorkingSet, "answers" | "documents" | "sampled">,
  periods: Shares,
): Series | "counting" | null {
  const clauses = besides(state.clauses, "date");
  const { answers } = working;
  if (!clauses.length || !answers) return null;
  const tally = answers.count(clauses);
  const [all, chosen] = [[], clauses].map((set) => answers.divided(set, periods));
  if (!tally || !all || !chosen) return "counting";
  const { unit } = periods;
  const { counts, figure } = tally;
  const among = sampled(working);
  const common = { left: leftOut(counts.documents, chosen), sampled: among !== "" };
  const known = (shares: Shares, topic: number): Point[] =>
    pointsOf(shares, topic).map((point) =>
      among ? { ...point, low: point.share, high: point.share } : point,
    );
  const named = `the ${told(among ? exactly(counts.documents) : figure, "chosen document")}`;
  const selected = [state.topic, ...comparedTopics(state, page)].filter((topic) => topic >= 0);
  const topics = [...new Set(selected)].map((topic) => page.topics[topic]);
  if (!topics.length) {
    const points = known(chosenOf(chosen, all), -1);
    return {
      lines: [{ name: "The chosen documents", topic: -1, hue: -1, points }],
      where: "",
      silent:
        among !== "" ||
        mentions(clauses, "date") ||
        page.fields.some(({ key }) => mentions(clauses, key)),
      ...common,
      about: `How many of each ${unit}’s documents are among ${named}. ${among}`,
      neutral: `The chosen documents, by ${unit}`,
    };
  }
  const lines: Line[] = topics.map((topic, k) => ({
    name: quoted(topic.title),
    topic: topic.index,
    hue: k - 1,
    points: known(chosen, topic.index),
  }));
  const [first] = topics;
  if (topics.length === 1) {
    const points = known(restOf(all, chosen), first.index);
    lines.push({ name: "all other documents", topic: -1, hue: -2, points });
  }
  return {
    lines,
    where: " among the chosen documents",
    silent: among !== "" || mentions(clauses, "date"),
    ...common,
    about: `Of ${named}, how many are on the topic, by ${unit}. ${among}`,
    neutral: `${quoted(first.title)} among the chosen documents, by ${unit}`,
  };
}

/** How many documents are left out of a division, as a sentence; "" if none are. */
export function leftOut(all: number | null, { documents, unit }: Shares): string {
  const known = documents.reduce((sum, one) => sum + one, 0);
  const left = (all ?? known) - known;
  if (left <= 0) return "";
  const [are, their] = left === 1 ? ["is", "its date is"] : ["are", "their dates are"];
  const coarse = unit === "year" ? "" : ` or without a ${unit}`;
  return `${count(left, "document")} ${are} left out: ${their} missing${coarse}.`;
}

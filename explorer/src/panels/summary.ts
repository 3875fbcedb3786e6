// A corpus in one sentence.

import { boundsOf, spoken } from "../look/dates";
import { count, listed, quoted, whole } from "../look/format";
import { largerFirst } from "../page/leading";
import type { Page } from "../page/page";
import { plainly } from "../page/vague";

const THEMES = 3;

type Corpus = Pick<Page, "documents" | "topics" | "roots" | "shown" | "periods" | "fields">;

/** How many documents, from when to when, in how many groups, and what they are mostly about. */
export function summary(page: Corpus): string {
  const { documents, shown } = page;
  const things = documents === null ? count(shown.length, "topic") : count(documents, "document");
  const parts = documents === null ? [] : [dates(page), groups(page)];
  // What holds for all documents comes before what holds for some of them.
  parts.sort((one, other) => Number(one.startsWith(",")) - Number(other.startsWith(",")));
  const sentences = [things + parts.join(""), about(page)].filter(Boolean);
  return `${sentences.join(", ")}.`;
}

function dates({ documents, periods }: Corpus): string {
  const known = periods?.names.filter((_, period) => periods.documents[period]) ?? [];
  if (!known.length) return "";
  const dated = periods!.documents.reduce((sum, one) => sum + one, 0);
  const the = periods!.unit === "decade" ? "the " : "";
  const ends: [string, string] = [known[0], known[known.length - 1]];
  const [first, last] =
    periods!.unit === "week" ? [boundsOf(ends[0])[0], boundsOf(ends[1])[1]] : ends;
  const range = ` from ${the}${spoken(first)} to ${the}${spoken(last)}`;
  return dated < documents! ? `, ${whole(dated)} of them${range}` : range;
}

function groups({ documents, fields: [groups] }: Corpus): string {
  if (!groups) return "";
  const named = ` in ${whole(groups.names.filter(Boolean).length + groups.further)} groups`;
  const without = groups.documents[groups.names.indexOf("")];
  const those = groups.further ? "some" : whole(documents! - without); // or in a further group
  return without ? `, ${those} of them${named}` : named;
}

/** The root topics that are the main ones of most documents, none of them vague. */
function about({ roots, topics }: Corpus): string {
  if (!roots.length) return "";
  const plain = plainly(roots.map((root) => topics[root]));
  const themes = plain.sort(largerFirst).slice(0, THEMES);
  const named = listed(themes.map(({ title }) => quoted(title)));
  return themes.length < plain.length ? `mostly about ${named}` : `about ${named}`;
}

// Topics by groups: a figure in every cell, coloured where it surely differs from that of all
// documents.

import { hue } from "../look/colours";
import { button, h } from "../look/dom";
import { count, isolated, percent, quoted, times, whole } from "../look/format";
import { type Cell, sortable } from "../look/tables";
import { inNone, type Shares, type Topic } from "../page/page";
import { evidenceAgainst, FEW, required } from "../shares/evidence";
import { differs, type Finding, pairsOf, surest } from "./findings";
import { groupsOf } from "./lines";

const COLUMNS = 12; // groups at first

export interface Tally {
  readonly both: number; // documents of the group on the topic
  readonly group: number;
  readonly share: number;
  readonly differs: -1 | 0 | 1; // from all documents: surely less, perhaps not, surely more
}

/** The cells of a topic, one for each group; those of groups of few documents are not tested.
 * `tests` is how many cells are tested together. */
export function cellsOf(tally: Shares, topic: number, all: number, tests: number): Tally[] {
  const least = required(tests);
  return tally.documents.map((group, part) => {
    const both = tally.on(topic, part);
    const share = group ? both / group : 0;
    const sure = group >= FEW && evidenceAgainst(all, share, group) >= least;
    const differs = !sure ? 0 : share > all ? 1 : -1;
    return { both, group, share, differs };
  });
}

/** The topic that differs most surely between two groups; null if none does. `of` says what shares
 * are of. */
export function strongest(topics: readonly Topic[], division: Shares, of: string): Finding | null {
  const measured = topics.map(({ index }) => groupsOf(division, index));
  const pairs = pairsOf(measured);
  const found = measured.map((some, k) =>
    differs(quoted(topics[k].title), some, ({ name }) => isolated(name), pairs, of),
  );
  return surest(found);
}

export function cellTold(
  topic: Topic,
  group: string,
  { both, group: size, share }: Tally,
  all: number,
  none: string,
): string {
  const found = `${quoted(topic.title)}, ${group ? isolated(group) : none}: `;
  if (!size) return `${found}no documents`;
  const text = `${found}${whole(both)} of ${count(size, "document")} (${percent(share)})`;
  return both && all ? `${text}, ${times(share / all)} times the share of all` : text;
}

/** The parts of a division that have a column, the largest first and "no group" last. */
export function columnsOf({ names, documents }: Shares, every: boolean): number[] {
  const filled = names.flatMap((_, part) => (documents[part] ? [part] : []));
  const named = filled
    .filter((part) => names[part])
    .sort((a, b) => documents[b] - documents[a] || a - b);
  return [...(every ? named : named.slice(0, COLUMNS)), ...filled.filter((part) => !names[part])];
}

/** The table, given the share of all documents on each topic; of a `sample`, no cell is sure. */
export function groupTable(
  topics: readonly Topic[],
  tally: Shares,
  all: (topic: number) => number,
  every: boolean,
  sample: boolean,
  choose: (topic: Topic | null, group: string | null) => void,
): HTMLElement {
  const columns = columnsOf(tally, every);
  const tests = topics.length * columns.filter((part) => tally.documents[part] >= FEW).length;
  const rows = topics.map((topic): Cell[] => {
    const share = all(topic.index);
    const cells = cellsOf(tally, topic.index, share, tests);
    const props = { class: "name", style: { "--hue": hue(topic.branch) } };
    const name = button(h("bdi", topic.title), () => choose(topic, null), props);
    return [
      { shown: name, value: topic.title, class: "first" },
      { shown: percent(share), value: share },
      ...columns.map((part): Cell => {
        const cell = cells[part];
        const differs = sample ? 0 : cell.differs;
        const label = cellTold(topic, tally.names[part], cell, share, inNone(tally));
        const press = (): void => choose(topic, tally.names[part]);
        const shown = cell.group ? percent(cell.share) : "–";
        return {
          shown: button(shown, press, { "aria-label": label, title: label }),
          value: cell.share,
          class: differs > 0 ? "more-often" : differs < 0 ? "less-often" : "",
        };
      }),
    ];
  });
  const names = columns.map((part) => tally.names[part] || inNone(tally));
  const caption = "How many of each group’s documents are on a topic";
  return sortable(caption, ["topic", "all", ...names], rows);
}

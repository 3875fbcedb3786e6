// How much there is of topics in each period and in each group; a table behind each plot.

import { scaleLinear } from "d3-scale";
import { palette } from "./colours";
import type { Page, Shares, Topic } from "./data";
import { fitted, h, replace, s, table } from "./dom";
import { count, label, percent } from "./format";
import type { Store } from "./state";

const SERIES = 7;
const BARS = 25;
const FEW = 30; // documents, below which a share is drawn hollow
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "5 2", "1 4", "12 5", "4 4 1 4"];
const FONT = "system-ui, sans-serif";

/** The selected topic and its largest children, or the largest roots. */
function chosen(page: Page, store: Store): Topic[] {
  const topic = page.topics[store.state.topic];
  const below = (topic ? topic.children : page.roots).map((index) => page.topics[index]);
  return [...(topic ? [topic] : []), ...below].slice(0, SERIES);
}

export class TimeView {
  readonly element = h("div", {
    class: "picture scroll chart",
    tabindex: 0,
    role: "region",
    "aria-label": "Over time",
  });
  private open = false; // the table

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly shares: Shares,
  ) {}

  draw(): void {
    const { shares } = this;
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth < 50) return;
    const series = chosen(this.page, this.store);
    replace(
      this.element,
      this.plot(series, clientWidth - 32, Math.max(260, Math.min(clientHeight - 110, 520))),
      h(
        "p",
        { class: "soft note" },
        `The expected share of the documents of each ${shares.unit} that are on a topic. Bars: how many documents there are, ${Math.max(...shares.documents).toLocaleString("en")} at most. Hollow points: fewer than ${FEW}. Colours and dashes are this plot's own.`,
      ),
      h(
        "details",
        {
          open: this.open,
          ontoggle: (event: Event) => (this.open = (event.target as HTMLDetailsElement).open),
        },
        h("summary", {}, "The figures as a table"),
        table(
          [shares.unit, "documents", ...series.map((topic) => label(topic, 2))],
          shares.names.map((name, part) => [
            name,
            shares.documents[part].toLocaleString("en"),
            ...series.map((topic) =>
              shares.documents[part] ? percent(shares.of(topic.index, part)) : "–",
            ),
          ]),
          `Share of the documents by ${shares.unit}`,
        ),
      ),
    );
  }

  private plot(series: Topic[], width: number, height: number): SVGElement {
    const { shares } = this;
    const colours = palette();
    const small = width < 520;
    const [left, right, top, bottom, counts] = [46, small ? 120 : 190, 12, 26, 34];
    const parts = shares.names.map((_, part) => part);
    const known = parts.filter((part) => shares.documents[part]);
    const most = Math.max(
      0.01,
      ...series.flatMap((topic) => known.map((part) => shares.of(topic.index, part))),
    );
    const y = scaleLinear([0, most], [height - bottom - counts, top]).nice(4);
    const x = scaleLinear([0, Math.max(1, parts.length - 1)], [left + 6, width - right]);
    const full = Math.max(...shares.documents);
    const bar = Math.max(1, ((width - right - left) / parts.length) * 0.7);
    const shapes: SVGElement[] = [];
    for (const tick of y.ticks(4)) {
      shapes.push(
        s("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), stroke: colours.line }),
        s(
          "text",
          {
            x: left - 8,
            y: y(tick) + 4,
            "text-anchor": "end",
            "font-size": 12,
            fill: colours.soft,
          },
          percent(tick),
        ),
      );
    }
    const every = Math.ceil(parts.length / Math.max(2, Math.floor((width - left - right) / 64)));
    for (const part of parts) {
      const tall = (counts - 6) * (shares.documents[part] / full);
      shapes.push(
        s(
          "rect",
          {
            x: x(part) - bar / 2,
            y: height - bottom - tall,
            width: bar,
            height: tall,
            fill: colours.soft,
            "fill-opacity": 0.4,
          },
          s("title", {}, `${shares.names[part]}: ${count(shares.documents[part], "document")}`),
        ),
      );
      if ((parts.length - 1 - part) % every === 0) {
        shapes.push(
          s(
            "text",
            {
              x: x(part),
              y: height - 8,
              "text-anchor": "middle",
              "font-size": 12,
              fill: colours.soft,
            },
            shares.names[part],
          ),
        );
      }
    }
    // Labels at the ends of the lines, pushed apart where they would cover each other.
    const last = known[known.length - 1];
    const ends = series
      .map((topic, k) => ({ topic, k, at: y(shares.of(topic.index, last)), y: 0 }))
      .sort((a, b) => a.at - b.at);
    ends.forEach((end, k) => {
      end.y = Math.max(end.at, k ? ends[k - 1].y + 16 : top + 4);
    });
    const over = Math.max(0, (ends.at(-1)?.y ?? 0) - (height - bottom - 2));
    for (const end of ends) end.y -= over;
    const own = this.store.state.topic >= 0;
    series.forEach((topic, k) => {
      const colour = own && k === 0 ? colours.ink : colours.branch(own ? k - 1 : topic.branch);
      const points = known.map(
        (part) => `${x(part).toFixed(1)} ${y(shares.of(topic.index, part)).toFixed(1)}`,
      );
      const end = ends.find((entry) => entry.k === k)!;
      const room = right - 24;
      shapes.push(
        s(
          "g",
          {
            cursor: "pointer",
            "data-topic": topic.id,
            onclick: () => this.store.selectTopic(topic.index),
          },
          s("title", {}, topic.label.join(" ")),
          s("path", {
            d: `M${points.join("L")}`,
            fill: "none",
            stroke: colour,
            "stroke-width": own && k === 0 ? 3 : 2,
            "stroke-dasharray": DASHES[k % DASHES.length],
            "stroke-linejoin": "round",
          }),
          ...known.map((part) =>
            s(
              "circle",
              {
                cx: x(part),
                cy: y(shares.of(topic.index, part)),
                r: parts.length > 60 ? 2 : 3.5,
                fill: shares.documents[part] < FEW ? colours.paper : colour,
                stroke: colour,
                "stroke-width": 1.2,
              },
              s(
                "title",
                {},
                `${label(topic, 3)}, ${shares.names[part]}: ${percent(shares.of(topic.index, part))}`,
              ),
            ),
          ),
          s("line", {
            x1: x(last) + 5,
            y1: end.at,
            x2: width - right + 16,
            y2: end.y,
            stroke: colour,
            "stroke-opacity": 0.5,
          }),
          s(
            "text",
            {
              x: width - right + 20,
              y: end.y + 4,
              "font-size": 12.5,
              "font-weight": own && k === 0 ? 700 : 400,
              fill: colour,
            },
            fitted(
              `L${topic.level} ${label(topic, 3)}`,
              room,
              `${own && k === 0 ? 700 : 400} 12.5px ${FONT}`,
            ),
          ),
        ),
      );
    });
    return s(
      "svg",
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": "Shares of topics over time; the table below tells the same",
        "font-family": FONT,
      },
      ...shapes,
    );
  }
}

export class GroupView {
  readonly element = h("div", {
    class: "picture scroll chart",
    tabindex: 0,
    role: "region",
    "aria-label": "By group",
  });
  private open = false; // the table

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly shares: Shares,
  ) {}

  draw(): void {
    const { page, shares } = this;
    const { clientWidth } = this.element;
    if (clientWidth < 50) return;
    const chosen = page.topics[this.store.state.topic];
    const topic = chosen ?? page.topics[page.roots[0]];
    const order = shares.names
      .map((_, group) => group)
      .sort((a, b) => shares.of(topic.index, b) - shares.of(topic.index, a));
    const largest = new Set(shares.names.map((_, group) => group).slice(0, BARS)); // by documents
    const shown = order.filter((group) => largest.has(group));
    const columns = [
      topic,
      ...topic.children.slice(0, SERIES - 1).map((index) => page.topics[index]),
    ];
    replace(
      this.element,
      h("h2", {}, chosen ? label(topic) : `The largest topic: ${label(topic)}`),
      this.plot(topic, shown, clientWidth - 32),
      h(
        "p",
        { class: "soft note" },
        `The expected share of each group's documents that are on the topic${shown.length < shares.names.length ? `, for the ${shown.length} groups with most documents; the table has ${shares.names.length}` : ""}. The line is the share of all documents.`,
      ),
      h(
        "details",
        {
          open: this.open,
          ontoggle: (event: Event) => (this.open = (event.target as HTMLDetailsElement).open),
        },
        h("summary", {}, "The figures as a table, with the topics below"),
        table(
          ["group", "documents", ...columns.map((entry) => label(entry, 2))],
          order.map((group) => [
            shares.names[group],
            shares.documents[group].toLocaleString("en"),
            ...columns.map((entry) => percent(shares.of(entry.index, group))),
          ]),
          "Share of the documents by group",
        ),
      ),
    );
  }

  private plot(topic: Topic, groups: number[], width: number): SVGElement {
    const { shares } = this;
    const colours = palette();
    const small = width < 520;
    const [left, right, row] = [small ? 110 : 190, 56, 24];
    const height = groups.length * row + 8;
    const most = Math.max(
      topic.size,
      0.01,
      ...groups.map((group) => shares.of(topic.index, group)),
    );
    const x = scaleLinear([0, most], [left, width - right]);
    const shapes: SVGElement[] = groups.map((group, at) => {
      const value = shares.of(topic.index, group);
      return s(
        "g",
        { transform: `translate(0 ${at * row + 4})` },
        s(
          "title",
          {},
          `${shares.names[group]}: ${percent(value)} of ${count(shares.documents[group], "document")}`,
        ),
        s(
          "text",
          { x: left - 8, y: 16, "text-anchor": "end", "font-size": 12.5, fill: colours.ink },
          fitted(shares.names[group], left - 12, `12.5px ${FONT}`),
        ),
        s("rect", {
          x: left,
          y: 3,
          width: Math.max(1, x(value) - left),
          height: row - 7,
          rx: 3,
          fill: colours.branch(topic.branch),
        }),
        s(
          "text",
          {
            x: x(value) + 6,
            y: 16,
            "font-size": 12,
            fill: colours.ink,
            stroke: colours.paper,
            "stroke-width": 4,
            "paint-order": "stroke",
          },
          percent(value),
        ),
      );
    });
    const all = x(topic.size);
    shapes.unshift(
      s("line", {
        x1: all,
        x2: all,
        y1: 0,
        y2: height,
        stroke: colours.ink,
        "stroke-dasharray": "3 3",
      }),
    );
    return s(
      "svg",
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": "Shares of the topic by group; the table below tells the same",
        "font-family": FONT,
      },
      ...shapes,
    );
  }
}

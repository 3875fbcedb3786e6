// The page: three panels that show one selection.

import "./style.css";
import { Documents, readPage, taken } from "./data";
import { DiagramView } from "./diagram";
import { DocumentView } from "./document";
import { button, h, replace } from "./dom";
import { savePicture, saveTopics } from "./exporting";
import { count, label, path } from "./format";
import { MapView } from "./map";
import { Model } from "./model";
import { drawOverview } from "./overview";
import { Search } from "./search";
import { type Panel, Store, type View } from "./state";
import { TopicView } from "./topic";
import { TreeView } from "./tree";
import { GroupView, TimeView } from "./trends";

interface Picture {
  readonly element: HTMLElement;
  draw(animated?: boolean): void;
}

async function start(): Promise<void> {
  const packed = taken("documents");
  const page = await readPage(taken("topics")!);
  const store = new Store(page);
  const model = new Model(page.parent, page.probability, page.words.length);
  let documents: Documents | null = null;

  // ---- pictures
  const pictures = new Map<View, [name: string, picture: Picture]>([
    ["map", ["Map", new MapView(page, store)]],
    ["diagram", ["Tree diagram", new DiagramView(page, store)]],
  ]);
  if (page.periods) pictures.set("time", ["Over time", new TimeView(page, store, page.periods)]);
  if (page.groups) pictures.set("groups", ["By group", new GroupView(page, store, page.groups)]);
  const way = h("nav", { class: "path", "aria-label": "Path to the selected topic" });
  const stage = h("div", { class: "stage", role: "tabpanel", id: "stage" });
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Pictures" });
  const view = (): View => (pictures.has(store.state.view) ? store.state.view : "map");
  const shown = (): Picture => pictures.get(view())![1];
  const names = [...pictures.keys()];
  const tabOf = new Map(
    names.map((name) => [
      name,
      button(pictures.get(name)![0], () => store.set({ view: name }), {
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": "stage",
        onkeydown: (event: KeyboardEvent) => {
          const at = names.indexOf(name);
          const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          const next = names.at(to % names.length)!;
          store.set({ view: next });
          tabOf.get(next)!.focus();
        },
      }),
    ]),
  );
  tabs.append(...tabOf.values());
  const drawTabs = (): void => {
    for (const [name, tab] of tabOf) {
      tab.setAttribute("aria-selected", String(name === view()));
      tab.tabIndex = name === view() ? 0 : -1;
    }
    stage.setAttribute("aria-labelledby", `tab-${view()}`);
    if (shown().element.parentElement !== stage) replace(stage, shown().element);
    shown().draw();
  };
  const drawWay = (): void => {
    const topic = page.topics[store.state.topic];
    const above = topic ? path(page, topic) : [];
    replace(
      way,
      button("All topics", () => store.selectTopic(-1), { "aria-current": topic ? null : "true" }),
      ...above.map((up) =>
        button(label(up, 3), () => store.selectTopic(up.index), {
          "aria-current": up === topic ? "true" : null,
        }),
      ),
    );
  };

  // ---- panels
  const tree = new TreeView(page, store);
  const picture = h(
    "section",
    { class: "panel", id: "picture", "aria-label": "Pictures" },
    h("div", { class: "bar" }, tabs),
    way,
    stage,
  );
  const details = h("section", {
    class: "panel scroll",
    id: "details",
    tabindex: 0,
    "aria-label": "Details",
  });
  const topicView = new TopicView(page, store, () => documents);
  const documentView = new DocumentView(page, store, model);
  const drawDetails = (): void => {
    const { topic, document: row } = store.state;
    const at = row && documents ? documents.atRow(row) : -1;
    if (documents && at >= 0) documentView.draw(details, documents, at);
    else if (documents && row) {
      replace(
        details,
        h("h2", { tabindex: -1 }, `Document ${row.toLocaleString("en")}`),
        h("p", { class: "notice" }, "This page does not hold that document."),
        button("Back", () => store.set({ document: 0 })),
      );
    } else if (topic >= 0) topicView.draw(details, page.topics[topic]);
    else drawOverview(details, page, store, documents);
  };
  const app = h("main", { class: "app", "data-panel": "tree" }, tree.element, picture, details);
  const show = (panel: Panel): void => {
    app.dataset.panel = panel;
    for (const [name, element] of switches)
      element.setAttribute("aria-pressed", String(name === panel));
    shown().draw();
    tree.redraw();
  };
  const switches = new Map<Panel, HTMLElement>(
    (["tree", "picture", "details"] as Panel[]).map((name) => [
      name,
      button({ tree: "Topics", picture: "Pictures", details: "Details" }[name], () => show(name), {
        "aria-pressed": String(name === "tree"),
      }),
    ]),
  );

  // ---- the head of the page
  const redraw = (): void => shown().draw(); // the rest follows the theme by itself
  const pictureName = (): string =>
    `${view()}${store.state.topic >= 0 ? `-${page.topics[store.state.topic].id}` : ""}`;
  const draw = (kind: "svg" | "png") => (): void => {
    if (!stage.querySelector("svg")) show("picture"); // it is drawn when it is seen
    savePicture(kind, stage.querySelector("svg")!, pictureName());
  };
  const menu = h(
    "details",
    { class: "menu" },
    h("summary", {}, "Export"),
    h(
      "div",
      { class: "items" },
      button("Topics as CSV", () => saveTopics("csv", page)),
      button("Topics as JSON", () => saveTopics("json", page)),
      button("Picture as SVG", draw("svg")),
      button("Picture as PNG", draw("png")),
    ),
  );
  addEventListener("click", (event) => {
    if (!(event.target as Element).closest(".menu > summary")) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      menu.open = false;
      menu.querySelector("summary")!.focus();
    }
  });
  const search = new Search(page, store, model, () => documents);
  replace(
    document.body,
    h(
      "header",
      {},
      h(
        "div",
        { class: "name" },
        h("h1", {}, page.title),
        h(
          "p",
          { class: "soft" },
          [
            page.documents !== null && count(page.documents, "document"),
            count(page.topics.length, "topic"),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
      search.element,
      h("div", { class: "tools" }, menu, themes(redraw)),
    ),
    app,
    h("nav", { class: "switches", "aria-label": "Panels" }, ...switches.values()),
  );

  // ---- what happens
  store.onChange((state, before) => {
    const topicChanged = state.topic !== before.topic;
    if (state.view !== before.view) drawTabs();
    else if (topicChanged) shown().draw(true);
    if (topicChanged) drawWay();
    if (topicChanged || state.document !== before.document) {
      drawDetails();
      details.scrollTop = 0;
      // For those who do not see that something else stands there now.
      if (document.activeElement === document.body || details.contains(document.activeElement)) {
        details.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
      }
    }
  });
  store.onPick(() => {
    const { topic, document: row } = store.state;
    if (topic >= 0 || row) show("details");
  });
  const printing = (on: boolean) => (): void => {
    if (on) document.documentElement.dataset.printing = "true";
    else delete document.documentElement.dataset.printing;
    redraw();
  };
  addEventListener("beforeprint", printing(true));
  addEventListener("afterprint", printing(false));
  store.onExpansion(() => {
    if (view() === "diagram") shown().draw();
  });
  new ResizeObserver(() => shown().draw()).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  drawWay();
  drawTabs();
  drawDetails();
  if (store.state.topic >= 0 || store.state.document) show("details");
  // Documents come after the first picture: they are most of the page.
  requestAnimationFrame(() =>
    setTimeout(async () => {
      documents = packed ? await Documents.read(packed) : null;
      if (documents) drawDetails();
      document.documentElement.dataset.ready = "true";
    }),
  );
}

/** The button that goes from the system's colours to light ones to dark ones. */
function themes(redraw: () => void): HTMLElement {
  const root = document.documentElement;
  const next: Record<string, string> = { "": "light", light: "dark", dark: "" };
  const name = () => ({ "": "System", light: "Light", dark: "Dark" })[root.dataset.theme ?? ""]!;
  try {
    const kept = localStorage.getItem("hlta-theme");
    if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  } catch {
    // No storage: the system's colours.
  }
  const told = h("span", { class: "word" }, `${name()} colours`);
  const element = button(
    told,
    () => {
      const chosen = next[root.dataset.theme ?? ""];
      if (chosen) root.dataset.theme = chosen;
      else delete root.dataset.theme;
      try {
        localStorage.setItem("hlta-theme", chosen);
      } catch {
        // Then it is forgotten.
      }
      told.textContent = `${name()} colours`;
      redraw();
    },
    { class: "theme" },
  );
  return element;
}

start().catch((error: unknown) => {
  replace(
    document.body,
    h(
      "p",
      { class: "broken", role: "alert" },
      `This page cannot be shown: ${error}. It needs a browser of 2023 or later.`,
    ),
  );
});

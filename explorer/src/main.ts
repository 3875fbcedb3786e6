// Starts the page: builds its panes, which all show the same selection, and connects them.

import "./style.css";
import { Edits } from "./edits/edits";
import { writeLog } from "./edits/log";
import { paintBranches } from "./look/colours";
import { h, replace } from "./look/dom";
import { count, whole } from "./look/format";
import { themeButton, watchTheme } from "./look/theme";
import { take } from "./page/container";
import { Documents } from "./page/documents";
import { type Page, readPage } from "./page/page";
import { plainly } from "./page/vague";
import { Chips } from "./panels/chips";
import { Details } from "./panels/details";
import { editsMenu, exportMenu } from "./panels/menu";
import type { Shared } from "./panels/pane";
import { Panels } from "./panels/panels";
import { Search } from "./panels/search";
import { TreeView } from "./panels/tree";
import { savePage, savePicture } from "./pictures/exporting";
import { Pictures } from "./pictures/pictures";
import { embed } from "./selection/embedding";
import { HeldCorpus } from "./selection/held";
import { Server } from "./selection/server";
import { Sets } from "./selection/sets";
import { Store } from "./selection/state";
import type { Tags } from "./selection/tags";
import { WorkingSet } from "./selection/working";
import { StoryBar } from "./story/bar";
import { Story } from "./story/story";
import "./touch.css";
import "./print.css";

async function start(): Promise<void> {
  const source = document.documentElement.cloneNode(true) as HTMLElement; // for saving the page
  const embedded = take("edits");
  const saved = take("story");
  const served = take("served");
  const topics = take("topics");
  if (topics === null) throw new Error("its data is missing");
  const page = await readPage(topics);
  const { roots } = page; // before edits: `Topic.branch` counts these
  const paint = (documents?: Documents): void =>
    paintBranches(roots.map((root) => documents?.places?.labels[root] ?? null));
  if (page.documents === null) paint();
  const store = new Store(page);
  const working = new WorkingSet(page, store);
  const edits = new Edits(page, () => localStorage, embedded);
  const story = new Story(`hlta-story-${page.log.model}`, saved);
  show({ page, store, working, edits }, story, source);
  // Documents are read after the first paint: they are most of the page.
  requestAnimationFrame(() =>
    setTimeout(async () => {
      const packed = await documentsOf(source);
      if (packed) {
        const documents = await Documents.read(packed);
        paint(documents);
        const sets = new Sets(page, documents);
        working.begin(sets, served === null ? new HeldCorpus(page, sets) : new Server(documents));
      }
      document.documentElement.dataset.ready = "true";
    }),
  );
}

/** The text of the block of documents, null if there is none. It waits for the end of the page,
 * where the block stands, and moves the block to `source`, the copy that is saved. */
async function documentsOf(source: HTMLElement): Promise<string | null> {
  if (document.readyState === "loading") {
    await new Promise((read) => document.addEventListener("DOMContentLoaded", read));
  }
  const block = document.getElementById("documents");
  if (block) source.querySelector("body")!.append(block);
  return block?.textContent ?? null;
}

function show(shared: Shared, story: Story, source: HTMLElement): void {
  const { page, store, working, edits } = shared;
  const save = (views: string): void => savePage(source, writeLog(edits.log), views, page.title);
  const reveal = (): void =>
    panels.show(selected() && store.state.view === "map" ? "details" : "picture");
  const bar = new StoryBar(page, store, story, () => save(story.written), reveal);
  const pictures = new Pictures(shared);
  const details = new Details(shared);
  const tree = new TreeView(shared, (topic) => details.rename(topic));
  const search = new Search(shared);
  const named = h("div.name");
  const tell = (): void => replace(named, name(page));
  const head = h("header", named, search.element);
  const content = {
    head,
    tabs: pictures.list,
    tree: tree.element,
    picture: pictures.element,
    sheet: h("div.sheet", new Chips(shared).element, details.element),
  };
  const panels = new Panels(content, () => pictures.draw());
  const redraw = (): void => pictures.draw(); // the rest follows the theme by itself
  const menu = exportMenu(page, (kind, style) => {
    if (!pictures.drawing) panels.show("picture"); // pictures are drawn only once they are visible
    if (pictures.drawing) {
      savePicture(kind, pictures.drawing, pictures.fileName, sourceOf(page), style);
    }
  });
  menu.querySelector(".items")!.append(bar.adding);
  tell();
  const tools = h("div.tools.screen", [
    menu,
    editsMenu(page, edits, () => save(story.saved ?? "[]")),
    themeButton(redraw),
  ]);
  head.append(tools);
  const skip = (event: Event): void => {
    event.preventDefault(); // the fragment of the address holds the selection
    panels.show("details");
    details.element.focus();
  };
  replace(document.body, [
    h("a.skip", { href: "#details", onclick: skip }, "Skip to the details"),
    head,
    bar.element,
    panels.element,
    panels.switches,
    document.getElementById("documents"), // the parser may still be adding to it
  ]);
  const selected = (): boolean => working.narrowed || store.state.document > 0;
  store.onPick(() => {
    if (selected()) panels.show("details");
  });
  store.onChange(({ compared }, before) => {
    if (compared !== before.compared && compared.length) panels.show("picture");
  });
  store.onEdit(tell);
  edits.onChange(() => store.edited());
  keepWatch(edits, [edits, story, working.tags]);
  watchTheme(redraw);
  pictures.start();
  details.start();
  if (selected() && store.state.view === "map") panels.show("details");
  embed(page, store);
}

/** Follows what other windows of the page change, and asks before edits would be lost. */
function keepWatch(edits: Edits, all: readonly (Edits | Story | Tags)[]): void {
  addEventListener("storage", ({ key }) => {
    all.find((one) => one.key === key)?.follow();
  });
  addEventListener("beforeunload", (event) => {
    if (edits.unsaved) event.preventDefault();
  });
}

function name(page: Page): HTMLElement[] {
  return [h("h1", page.title), h("p.soft", counts(page))];
}

function counts({ documents, shown }: Page, vague = shown.length - plainly(shown).length): string {
  const topics = count(shown.length, "topic") + (vague ? `, ${whole(vague)} of them vague` : "");
  return documents === null ? topics : `${count(documents, "document")} · ${topics}`;
}

/** The line below a saved picture that names its source. */
function sourceOf(page: Page): string {
  return `Source: ${page.title} · ${counts(page, 0)} · hlta`;
}

start().catch((error: unknown) => {
  const text = `This page cannot be shown: ${error}. It needs a browser from 2023 or later.`;
  replace(document.body, h("p.broken", { role: "alert" }, text));
});

// The page: three panels that show one selection.

import "./style.css";
import { take } from "./container";
import { type Page, readPage } from "./data";
import { Details } from "./details";
import { Documents } from "./documents";
import { h, replace } from "./dom";
import { embed } from "./embedding";
import { savePicture } from "./exporting";
import { count } from "./format";
import { exportMenu } from "./menu";
import { Panels } from "./panels";
import { Pictures } from "./pictures";
import { Search } from "./search";
import { Store } from "./state";
import { themeButton, watchTheme } from "./theme";
import { TreeView } from "./tree";

async function start(): Promise<void> {
  const packed = take("documents");
  const topics = take("topics");
  if (topics === null) throw new Error("its data is missing");
  const page = await readPage(topics);
  let documents: Documents | null = null;
  const details = show(page, () => documents);
  // Documents come after the first picture: they are most of the page.
  requestAnimationFrame(() =>
    setTimeout(async () => {
      documents = packed ? await Documents.read(packed) : null;
      if (documents) details.draw();
      document.documentElement.dataset.ready = "true";
    }),
  );
}

/** Shows the page; its details are to be drawn anew when there are documents. */
function show(page: Page, documents: () => Documents | null): Details {
  const store = new Store(page);
  const pictures = new Pictures(page, store);
  const tree = new TreeView(page, store);
  const details = new Details(page, store, documents);
  const panels = new Panels([tree.element, pictures.element, details.element], () => {
    pictures.draw();
    tree.draw();
  });
  const redraw = (): void => pictures.draw(); // the rest follows the theme by itself
  const menu = exportMenu(page, (kind) => {
    if (!pictures.drawing) panels.show("picture"); // it is drawn when it is seen
    savePicture(kind, pictures.drawing!, pictures.fileName);
  });
  const search = new Search(page, store, documents);
  const tools = h("div", { class: "tools" }, menu, themeButton(redraw));
  replace(
    document.body,
    h("header", {}, name(page), search.element, tools),
    panels.element,
    panels.switches,
  );
  const selected = (): boolean => store.state.topic >= 0 || store.state.document > 0;
  store.onPick(() => {
    if (selected()) panels.show("details");
  });
  watchTheme(redraw);
  pictures.start();
  details.start();
  if (selected()) panels.show("details");
  embed(page, store);
  return details;
}

function name(page: Page): HTMLElement {
  const counts = [
    page.documents === null ? "" : count(page.documents, "document"),
    count(page.topics.length, "topic"),
  ];
  return h(
    "div",
    { class: "name" },
    h("h1", {}, page.title),
    h("p", { class: "soft" }, counts.filter(Boolean).join(" · ")),
  );
}

start().catch((error: unknown) => {
  const text = `This page cannot be shown: ${error}. It needs a browser from 2023 or later.`;
  replace(document.body, h("p", { class: "broken", role: "alert" }, text));
});

// The menus of the page: what can be saved, and the edits.

import type { Edits } from "../edits/edits";
import { readLog, writeLog } from "../edits/log";
import { button, h, replace } from "../look/dom";
import { count } from "../look/format";
import type { Page, Topic } from "../page/page";
import { type Style, saveEdits, saveTopics } from "../pictures/exporting";
import { dropDown } from "./drop-down";

const LARGEST = 50e6; // bytes of a log

export function exportMenu(
  page: Page,
  save: (kind: "svg" | "png" | "large", style: Style) => void,
): HTMLElement {
  const [menu, items] = dropDown("Export", false);
  const title = h("input", { type: "text", placeholder: "As shown", dir: "auto" });
  const transparent = h("input", { type: "checkbox" });
  const style = (): Style => ({ title: title.value.trim(), transparent: transparent.checked });
  replace(items, [
    button("Topics as CSV", () => saveTopics("csv", page)),
    button("Topics as JSON", () => saveTopics("json", page)),
    button("Picture as SVG", () => save("svg", style())),
    button("Picture as PNG", () => save("png", style())),
    button("Large picture as PNG", () => save("large", style())),
    h("div.fields", [
      h("label", ["Title of the picture ", title]),
      h("label", [transparent, " Transparent background"]),
    ]),
  ]);
  return menu;
}

/** The menu "Edits": the edits so far, and buttons to undo, export and import them. `save` saves
 * the page with the edits. */
export function editsMenu(page: Page, edits: Edits, save: () => void): HTMLElement {
  const [menu, items, name] = dropDown("Edits", true);
  const notice = h("p.notice", { role: "alert" });
  const tell = (text: string): void => {
    notice.textContent = text;
    notice.hidden = !text;
  };
  const attempt = (work: () => void): void => {
    tell("");
    try {
      work();
    } catch (error) {
      tell(`Not imported: ${(error as Error).message}.`);
    }
  };
  const file = h("input.hidden", {
    type: "file",
    tabindex: -1,
    accept: ".json,application/json",
    "aria-label": "A log of edits",
    onchange: async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      const text = chosen.size > LARGEST ? "" : await chosen.text();
      file.value = "";
      attempt(() => edits.take(readLog(text)));
    },
  });
  const show = (topic: string): void => attempt(() => edits.make({ edit: "show", topic }));
  const draw = (): void => {
    name.textContent = edits.count ? `Edits (${edits.count})` : "Edits";
    const hidden = page.topics.filter((topic) => topic.gone === "hidden");
    replace(items, [
      listOf(edits),
      h("div.choices.flow", [
        button("Undo", () => attempt(() => edits.undo()), { disabled: !edits.canUndo }),
        button("Export edits", () => saveEdits(edits.exported())),
        button("Import edits…", () => file.click()),
        button("Save page with names", save),
      ]),
      notice,
      edits.trouble !== "" && h("p.notice", edits.trouble),
      edits.aside && asideOf(edits, attempt),
      hidden.length > 0 && hiddenOf(hidden, show),
      file,
    ]);
  };
  tell("");
  draw();
  edits.onChange(draw);
  return menu;
}

function listOf(edits: Edits): HTMLElement {
  if (!edits.count) {
    const how =
      "Nothing has been changed here yet. Rename, hide, pin, merge or move a topic, or note something " +
      "on it, where its details are.";
    return h("p.soft", how);
  }
  const command = h("code", "hlta edit MODEL edits.json");
  return h("div", [
    h("ol.edits.scroll", { tabindex: 0 }, ...edits.descriptions.map((text) => h("li", text))),
    h("p.soft", "To apply them to the model, export them and run: ", command),
  ]);
}

function asideOf(edits: Edits, attempt: (work: () => void) => void): HTMLElement {
  const aside = edits.aside!;
  return h("div.notice", [
    `This browser also keeps another log of this model, with ${count(aside.edits.length, "edit")}, ` +
      "which does not go with the edits here.",
    h("div.choices.flow", [
      button("Use it instead", () => attempt(() => edits.take(aside))),
      button("Export it", () => saveEdits(writeLog(aside))),
      button("Forget it", () => edits.dropAside()),
    ]),
  ]);
}

function hiddenOf(hidden: Topic[], show: (topic: string) => void): HTMLElement {
  const own = hidden.filter(({ parent }) => !hidden.some(({ index }) => index === parent));
  const item = ({ id, title }: Topic): HTMLElement =>
    h(
      "li",
      h("span", title),
      button("Show", () => show(id), { "aria-label": `Show ${title}` }),
    );
  return h("section", h("h4", "Hidden topics"), h("ul.edits.scroll", own.map(item)));
}

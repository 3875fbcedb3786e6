// Files of what is shown.

import { palette } from "../look/colours";
import { FONT, picture, s, wrapped } from "../look/dom";
import { sameWord } from "../look/inflection";
import { type Facet, mark, type Page, type Topic, type Word } from "../page/page";
import { type InBlock, numberOf } from "../selection/corpus";
import type { Item } from "../selection/list";
import { type Occurrence, surroundings } from "../selection/texts";

const FIRST = 10; // keywords that stand for a topic

function save(name: string, parts: BlobPart[], type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A cell of a CSV file, quoted where it must be; spreadsheets do not take it for a formula. */
export function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csv(rows: (string | number)[][]): string {
  return `${rows.map((row) => row.map(cell).join(",")).join("\n")}\n`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

function words(page: Page, topic: Topic): string[] {
  return topic.words.map(({ word }) => page.words[word]);
}

/** The keywords of a topic that are no form of one of the first ten of a topic above. */
function distinctWords(page: Page, topic: Topic): string[] {
  const above: string[] = [];
  for (let up = page.topics[topic.parent]; up; up = page.topics[up.parent])
    above.push(...words(page, up).slice(0, FIRST));
  return words(page, topic).filter((word) => !above.some((other) => sameWord(word, other)));
}

function topicsAsCsv(page: Page): string {
  return csv([
    [
      ...["id", "level", "parent", "title", "size", "documents", "main_documents", "stability"],
      ...["contrast", "mark", "words", "word_stability", "distinct_words"],
    ],
    ...page.shown.map((topic) => [
      topic.id,
      topic.level,
      page.topics[topic.parent]?.id ?? "",
      topic.title,
      topic.size.toFixed(6),
      topic.documents ?? "",
      topic.mainly ?? "",
      topic.stability?.toFixed(4) ?? "",
      topic.contrast?.toFixed(4) ?? "",
      mark(topic),
      words(page, topic).join(" "),
      topic.words.every(({ sure }) => sure !== null)
        ? topic.words.map(({ sure }) => sure!.toFixed(2)).join(" ")
        : "",
      distinctWords(page, topic).join(" "),
    ]),
  ]);
}

export function topicsAsJson(page: Page): string {
  const keywords = (words: Word[]): object[] =>
    words.map(({ word, inside, outside, information, sure }) => ({
      word: page.words[word],
      p_topic: inside,
      p_background: outside,
      mutual_information: information,
      ...(sure !== null && { stability: sure }),
    }));
  const facet = ({ size, words }: Facet): object => ({ size, keywords: keywords(words) });
  const plain = (index: number): object => {
    const topic = page.topics[index];
    return {
      id: topic.id,
      level: topic.level,
      title: topic.title,
      ...(topic.pinned && { pinned: true }),
      ...(topic.note && { note: topic.note }),
      size: topic.size,
      ...(topic.mainly !== null && { main_documents: topic.mainly }),
      ...(topic.documents !== null && { documents: topic.documents }),
      ...(topic.stability !== null && { stability: topic.stability }),
      ...(topic.contrast !== null && { contrast: topic.contrast }),
      ...(topic.vague && { vague: true }),
      keywords: keywords(topic.words),
      ...(topic.facets.length > 0 && { facets: topic.facets.map(facet) }),
      children: topic.children.map(plain),
    };
  };
  return json({ format: "hlta-topics", version: 1, topics: page.roots.map(plain) });
}

export function saveTopics(kind: "csv" | "json", page: Page): void {
  if (kind === "csv") save("topics.csv", [topicsAsCsv(page)], "text/csv");
  else save("topics.json", [topicsAsJson(page)], "application/json");
}

export function saveEdits(log: string): void {
  save("edits.json", [log], "application/json");
}

export function storyName(heading: string): string {
  return `${heading.replace(/[\s\p{C}\\/:*?"<>|]+/gu, "-").slice(0, 80)}-story.html`;
}

/** Saves the page as it was written, with a log of edits to open with, and a story if any. */
export function savePage(source: HTMLElement, edits: string, story: string, heading: string): void {
  const copy = source.cloneNode(true) as HTMLElement;
  for (const id of ["#edits", "#served", "#story"]) copy.querySelector(id)?.remove();
  for (const [id, json] of Object.entries(story === "[]" ? { edits } : { edits, story })) {
    const block = document.createElement("script");
    block.type = "application/octet-stream";
    block.id = id;
    block.textContent = json.replaceAll("<", "\\u003c"); // nothing in it ends the element
    copy.querySelector("#topics")!.before(block, "\n");
  }
  save(
    story === "[]" ? "topics.html" : storyName(heading),
    ["<!doctype html>\n", copy.outerHTML, "\n"],
    "text/html",
  );
}

/** The columns of files; a field with the same name gets a number. */
const COLUMNS = new Set([
  ...["topic", "row", "document", "title", "date", "group", "share"],
  ...["left", "word", "right"],
]);

function named({ documents, document }: InBlock): Record<string, string> {
  const values = (key: string): string => documents.values(key, document).join("\n");
  const others = documents.fields.filter(({ key }) => key !== "group");
  const column = (name: string): string => {
    let [found, number] = [name, 1];
    while (COLUMNS.has(found)) found = `${name} ${++number}`;
    return found;
  };
  return {
    document: documents.about("ids", document) || String(documents.row(document)),
    title: documents.about("titles", document),
    date: documents.about("dates", document),
    group: values("group"),
    ...Object.fromEntries(others.map(({ key, name }) => [column(name), values(key)])),
  };
}

/** Saves documents as a file, with the shares of the topic that was chosen, if any was. */
export function saveDocuments(kind: "csv" | "json", items: Item[], topic: string | null): void {
  const rows = items.map((item) => ({
    ...(topic !== null && { topic }),
    row: numberOf(item),
    ...named(item),
    ...(topic !== null && { share: Number(item.share.toPrecision(6)) }),
  }));
  const name = `documents${topic === null ? "" : `-${topic}`}`;
  if (kind === "json") save(`${name}.json`, [json({ documents: rows })], "application/json");
  else saveTable(name, rows);
}

export function saveOccurrences(occurrences: readonly Occurrence[]): void {
  const rows = occurrences.map((one) => {
    const [left, word, right] = surroundings(one);
    return { ...{ left: left.trim(), word, right: right.trim() }, ...named(one) };
  });
  saveTable("context", rows);
}

function saveTable(name: string, rows: readonly Record<string, string | number>[]): void {
  const head = Object.keys(rows[0] ?? { document: "" });
  save(`${name}.csv`, [csv([head, ...rows.map((row) => Object.values(row))])], "text/csv");
}

const EDGE = 12; // pixels around a saved picture
const WIDE = { png: 2400, large: 4800 }; // pixels of a picture as PNG
const TEXTS = {
  title: { size: 17, weight: 600, line: 23 },
  note: { size: 12, weight: 400, line: 17 },
} as const;

export interface Style {
  readonly title: string; // "": the one that it has
  readonly transparent: boolean;
}

/** A copy of a drawing that stands alone: with its title and note above, and its source below. */
function framed(drawing: SVGSVGElement, source: string, style: Style): SVGSVGElement {
  const { ink, paper, soft } = palette();
  const [width, height] = ["width", "height"].map((side) => Number(drawing.getAttribute(side)));
  const full = width + 2 * EDGE;
  const shapes: SVGElement[] = [];
  let y = EDGE;
  const write = (text: string, kind: keyof typeof TEXTS, fill: string): void => {
    const { size, weight, line } = TEXTS[kind];
    for (const part of wrapped(text, width, `${weight} ${size}px ${FONT}`)) {
      y += line;
      const props = { x: EDGE, y: y - 5, "font-size": size, "font-weight": weight, fill };
      shapes.push(s("text", props, part));
    }
  };
  write(style.title || (drawing.dataset.title ?? ""), "title", ink);
  write(drawing.dataset.note ?? "", "note", soft);
  y += EDGE;
  const inner = s("g", { transform: `translate(${EDGE} ${y})` });
  inner.append(...(drawing.cloneNode(true) as SVGSVGElement).childNodes);
  y += height;
  write(source, "note", soft);
  const name = drawing.getAttribute("aria-label") ?? "";
  const fill = style.transparent ? "none" : paper;
  const sheet = s("rect", { width: "100%", height: "100%", fill });
  return picture(full, y + EDGE, name, [sheet, ...shapes, inner]);
}

export function savePicture(
  kind: "svg" | keyof typeof WIDE,
  drawing: SVGSVGElement,
  name: string,
  source: string,
  style: Style,
): void {
  const copy = framed(drawing, source, style);
  const [width, height] = ["width", "height"].map((side) => Number(copy.getAttribute(side)));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  // XML has no place for control characters.
  const text = new XMLSerializer()
    .serializeToString(copy)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced.
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd");
  if (kind === "svg") {
    save(`${name}.svg`, [text], "image/svg+xml");
    return;
  }
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    const scale = Math.min(WIDE[kind] / width, 8000 / height); // browsers refuse larger canvases
    canvas.width = Math.ceil(scale * width);
    canvas.height = Math.ceil(scale * height);
    const context = canvas.getContext("2d")!;
    context.scale(scale, scale);
    context.drawImage(image, 0, 0);
    URL.revokeObjectURL(image.src);
    canvas.toBlob((blob) => blob && save(`${name}.png`, [blob], "image/png"), "image/png");
  };
  image.onerror = () => alert("The picture could not be drawn as PNG; save it as SVG instead.");
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
}

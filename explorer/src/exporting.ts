// Files of what is shown.

import { palette } from "./colours";
import type { Facet, Page, Topic, Word } from "./data";
import type { Documents } from "./documents";

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

/** The columns of topics.csv. */
export function topicsAsCsv(page: Page): string {
  return csv([
    ["id", "level", "parent", "title", "size", "documents", "stability", "words"],
    ...page.topics.map((topic) => [
      topic.id,
      topic.level,
      page.topics[topic.parent]?.id ?? "",
      topic.title,
      topic.size.toFixed(6),
      topic.documents ?? "",
      topic.stability?.toFixed(4) ?? "",
      words(page, topic).join(" "),
    ]),
  ]);
}

/** The format of topics.json. */
export function topicsAsJson(page: Page): string {
  const keywords = (words: Word[]): object[] =>
    words.map(({ word, inside, outside, information }) => ({
      word: page.words[word],
      p_topic: inside,
      p_background: outside,
      mutual_information: information,
    }));
  const facet = ({ size, words }: Facet): object => ({ size, keywords: keywords(words) });
  const plain = (index: number): object => {
    const topic = page.topics[index];
    return {
      id: topic.id,
      level: topic.level,
      title: topic.title,
      size: topic.size,
      ...(topic.documents !== null && { documents: topic.documents }),
      ...(topic.stability !== null && { stability: topic.stability }),
      keywords: keywords(topic.words),
      ...(topic.facets.length > 0 && { facets: topic.facets.map(facet) }),
      children: topic.children.map(plain),
    };
  };
  return json({ format: "hlta-topics", version: 1, topics: page.roots.map(plain) });
}

/** Saves all topics as a file. */
export function saveTopics(kind: "csv" | "json", page: Page): void {
  if (kind === "csv") save("topics.csv", [topicsAsCsv(page)], "text/csv");
  else save("topics.json", [topicsAsJson(page)], "application/json");
}

/** Saves a list of documents on a topic as a file. */
export function saveDocuments(
  kind: "csv" | "json",
  documents: Documents,
  which: number[],
  probabilities: Float64Array,
  topic: Topic,
): void {
  const rows = which.map((document, k) => ({
    row: documents.row(document),
    id: documents.about("ids", document) || String(documents.row(document)),
    title: documents.about("titles", document),
    date: documents.about("dates", document),
    group: documents.about("groups", document),
    probability: Number(probabilities[k].toPrecision(6)),
  }));
  const name = `documents-${topic.id}.${kind}`;
  if (kind === "json") {
    save(name, [json({ topic: topic.id, documents: rows })], "application/json");
  } else {
    const head = ["topic", "row", "document", "title", "date", "group", "probability"];
    const lines = rows.map((row) => [
      topic.id,
      row.row,
      row.id,
      row.title,
      row.date,
      row.group,
      row.probability,
    ]);
    save(name, [csv([head, ...lines])], "text/csv");
  }
}

/** Saves a picture as a file, as it is on the page. */
export function savePicture(kind: "svg" | "png", svg: SVGSVGElement, name: string): void {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [width, height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", palette().paper);
  copy.prepend(paper);
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
    const scale = Math.min(2, 8000 / Math.max(width, height)); // browsers refuse canvases beyond
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

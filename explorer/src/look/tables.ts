// Tables that can be sorted by each column, and copied.

import { button, copying, h, replace } from "./dom";

/** The content of a cell, and the value by which its row is sorted. */
export interface Cell {
  readonly shown: HTMLElement | string;
  readonly value: number | string;
  readonly class?: string;
}

/** A table with a caption. A press on the name of a column sorts by it, numbers from the largest; a
 * second press reverses the order. */
export function sortable(
  caption: string,
  columns: readonly string[],
  rows: readonly Cell[][],
): HTMLElement {
  const body = h("tbody");
  let [by, falling] = [-1, true];
  const cell = ({ shown, class: name }: Cell, k: number): HTMLElement =>
    k ? h("td", { class: name }, shown) : h("th", { scope: "row", class: name }, shown);
  const made = rows.map((cells) => ({ cells, row: h("tr", cells.map(cell)) }));
  const heads = columns.map((name, k) => {
    const press = (): void => {
      [by, falling] = [k, by === k ? !falling : typeof made[0]?.cells[k].value === "number"];
      const sign = falling ? -1 : 1;
      const sorted = [...made].sort((a, b) => {
        const [one, other] = [a.cells[k].value, b.cells[k].value];
        if (typeof one === "number" && typeof other === "number") return sign * (one - other);
        return sign * String(one).localeCompare(String(other));
      });
      replace(body, ...sorted.map(({ row }) => row));
      heads.forEach((head, at) => {
        head.setAttribute("aria-sort", at !== by ? "none" : falling ? "descending" : "ascending");
      });
    };
    return h("th", { scope: "col", "aria-sort": "none" }, button(h("bdi", name), press));
  });
  replace(body, ...made.map(({ row }) => row));
  return h("table.sortable", h("caption", caption), h("thead", h("tr", heads)), body);
}

export function copyButton(table: HTMLElement): HTMLElement {
  const rows = (): Element[] => [...table.querySelectorAll("tr")].filter((row) => !row.hidden);
  const text = (): string =>
    rows()
      .map((row) => Array.from(row.children, plain).join("\t"))
      .join("\n");
  return copying("Copy table", text, "Not copied: this browser refuses it");
}

/** A cell's text, which no spreadsheet takes for a formula. */
function plain({ textContent }: Element): string {
  const text = (textContent ?? "").replace(/\s+/g, " ");
  return /^[=+\-@]/.test(text) && !/^[-+]?[\d.,]+%?$/.test(text) ? `'${text}` : text;
}

// Long lists, of which only the rows in sight are in the document.

import { h, onPrint, replace } from "./dom";

const SPARE = 6; // rows above and below those in sight

/** Rows of equal height in an element that scrolls, perhaps below other things. */
export class VirtualList {
  private readonly rows = new Map<number, HTMLElement>(); // those in the document, by their places
  private length = 0;
  private printing = false;
  private height = 0; // of a row, in pixels
  private current = 0; // the row that Tab leads to; the arrow keys lead from row to row

  /** `row` makes the element of a row. */
  constructor(
    private readonly list: HTMLElement,
    private readonly scroller: HTMLElement,
    private readonly row: (at: number) => HTMLElement,
    private readonly mostPrinted: number,
  ) {
    scroller.addEventListener("scroll", () => this.draw());
    list.addEventListener("focusin", ({ target }) => {
      this.current = Number((target as Element).closest<HTMLElement>("[data-at]")!.dataset.at);
      this.letTab();
    });
    new ResizeObserver(() => {
      if (this.measured() === this.height) this.draw();
      else this.show(this.length);
    }).observe(scroller);
    onPrint((printing) => {
      this.printing = printing;
      this.draw();
    });
  }

  /** Shows `length` rows, all of them drawn anew. */
  show(length: number): void {
    this.length = length;
    this.height = this.measured();
    const { list } = this;
    const active = document.activeElement?.closest<HTMLElement>("[data-at]");
    const focused = active && list.contains(active) ? active.dataset.at : null;
    this.rows.clear();
    replace(list);
    this.draw();
    if (focused) {
      list
        .querySelector<HTMLElement>(`[data-at="${focused}"] button`)
        ?.focus({ preventScroll: true });
    }
  }

  /** Brings a row into sight, and moves the focus to its first button. */
  focus(at: number): void {
    const row = Math.max(0, Math.min(this.length - 1, at));
    const top = this.list.offsetTop + row * this.height;
    const { scrollTop, clientHeight } = this.scroller;
    const head = this.head;
    if (top < scrollTop + head) this.scroller.scrollTop = top - head;
    if (top + this.height > scrollTop + clientHeight) {
      this.scroller.scrollTop = top + this.height - clientHeight;
    }
    this.draw();
    this.list
      .querySelector<HTMLElement>(`[data-at="${row}"] button`)
      ?.focus({ preventScroll: true });
  }

  /** The height of a row, measured on an empty one, as the list keeps its rows to stay in place. */
  private measured(): number {
    const row = h("li", { style: { position: "absolute", height: "var(--entry)" } });
    this.list.append(row);
    const { offsetHeight } = row;
    row.remove();
    return offsetHeight;
  }

  /** The height of what covers the rows at the top of the scroller. */
  private get head(): number {
    const { previousElementSibling } = this.list;
    return previousElementSibling instanceof HTMLElement ? previousElementSibling.offsetHeight : 0;
  }

  /** Draws the rows in sight that are not drawn yet. The others stay as they are: one that was
   * replaced between press and release of the mouse would not be clicked. */
  private draw(): void {
    const { list, scroller, length, height, rows } = this;
    if (!height) return; // it is not visible
    const top = scroller.scrollTop - list.offsetTop;
    const first = this.printing ? 0 : Math.max(0, Math.floor(top / height) - SPARE);
    const end = Math.ceil((top + scroller.clientHeight) / height) + SPARE;
    const last = Math.max(first, Math.min(length, this.printing ? this.mostPrinted : end));
    list.style.setProperty("height", `${(this.printing ? last : length) * height}px`);
    for (const [at, row] of rows) {
      if (at >= first && at < last) continue;
      rows.delete(at);
      row.remove();
    }
    let next: HTMLElement | null = null;
    for (let at = last - 1; at >= first; at--) {
      const row: HTMLElement = rows.get(at) ?? this.row(at);
      if (!rows.has(at)) {
        row.dataset.at = String(at);
        row.style.setProperty("top", `${at * height}px`);
        rows.set(at, row);
        list.insertBefore(row, next);
      }
      next = row;
    }
    this.letTab();
  }

  /** Lets Tab lead to one row alone, so that it also leads past the list. */
  private letTab(): void {
    const rows = [...this.list.querySelectorAll<HTMLElement>("[data-at]")];
    const places = rows.map(({ dataset }) => Number(dataset.at));
    const at = Math.max(places[0], Math.min(places.at(-1)!, this.current));
    for (const row of rows) {
      for (const one of row.querySelectorAll<HTMLElement>("button, input")) {
        one.tabIndex = Number(row.dataset.at) === at ? 0 : -1;
      }
    }
  }
}

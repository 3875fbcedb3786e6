// Long lists, of which only the rows in sight are in the document.

import { h, onPrint } from "./dom";

const SPARE = 6; // rows above and below those in sight

/** Rows of the height `--entry` in an element that scrolls, perhaps below other things. */
export class VirtualList {
  current = 0; // the row that Tab leads to; the arrow keys lead from row to row
  private readonly rows = new Map<number, HTMLElement>(); // those in the document, by their places
  private length = 0;
  private printing = false;
  private height = 0; // of a row, in pixels

  /** `row` makes the element of a row, which can have the focus itself, or buttons that can. */
  constructor(
    private readonly list: HTMLElement,
    private readonly scroller: HTMLElement,
    private readonly row: (at: number) => HTMLElement,
    private readonly mostPrinted = Number.POSITIVE_INFINITY,
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

  /** Shows `length` rows, all of them drawn anew; the current one has the focus if one had it. */
  show(length: number): void {
    this.length = length;
    this.height = this.measured();
    const had = this.hasFocus;
    this.rows.clear();
    this.list.replaceChildren();
    this.draw(had);
    if (had) this.focusCurrent();
  }

  /** Brings a row into sight, and moves the focus to it, or to its first button. */
  focus(at: number): void {
    this.current = Math.max(0, Math.min(this.length - 1, at));
    this.bringIntoSight(this.current);
    this.draw(true);
    this.focusCurrent();
  }

  /** Scrolls as far as it must for a row, and one above and below it, to be in sight. */
  bringIntoSight(at: number): void {
    const { list, scroller, height } = this;
    const { scrollTop, clientHeight } = scroller;
    const top = list.offsetTop + (at - 1) * height - this.head;
    const bottom = list.offsetTop + (at + 2) * height - clientHeight;
    if (top < scrollTop) scroller.scrollTop = top;
    else if (bottom > scrollTop) scroller.scrollTop = bottom;
  }

  private get hasFocus(): boolean {
    return this.list.contains(document.activeElement);
  }

  private focusCurrent(): void {
    stopsOf(this.rows.get(this.current))[0]?.focus({ preventScroll: true });
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

  /** Draws the rows in sight that are not drawn yet, and the one with the focus. The others stay as
   * they are: one that was replaced between press and release of the mouse would not be clicked. */
  private draw(focused = this.hasFocus): void {
    const { list, scroller, length, height, rows, current } = this;
    if (!height) return; // it is not visible
    const top = scroller.scrollTop - list.offsetTop;
    const first = this.printing ? 0 : Math.max(0, Math.floor(top / height) - SPARE);
    const end = Math.ceil((top + scroller.clientHeight) / height) + SPARE;
    const last = Math.max(first, Math.min(length, this.printing ? this.mostPrinted : end));
    list.style.setProperty("height", `${(this.printing ? last : length) * height}px`);
    const shown = Array.from({ length: last - first }, (_, k) => first + k);
    if (focused && current < first) shown.unshift(current);
    if (focused && current >= last && current < length) shown.push(current);
    for (const [at, row] of rows) {
      if (shown.includes(at)) continue;
      rows.delete(at);
      row.remove();
    }
    let next: HTMLElement | null = null;
    for (const at of shown.reverse()) {
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
    const places = [...this.rows.keys()];
    const at = Math.max(Math.min(...places), Math.min(Math.max(...places), this.current));
    for (const [place, row] of this.rows) {
      for (const stop of stopsOf(row)) stop.tabIndex = place === at ? 0 : -1;
    }
  }
}

/** The elements of a row, or the row itself, at which the keyboard can stop. */
function stopsOf(row: HTMLElement | undefined): HTMLElement[] {
  if (row?.hasAttribute("tabindex")) return [row];
  return [...(row?.querySelectorAll<HTMLElement>("button, input") ?? [])];
}

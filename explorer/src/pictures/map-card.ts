// The card of the document under the pointer.

import { bright } from "../look/colours";
import { apart, button, h, replace } from "../look/dom";
import { commas } from "../look/format";
import type { Documents } from "../page/documents";
import type { Topic } from "../page/page";
import type { Point } from "./map-view";

const AWAY = 14; // pixels from the point

export class Card {
  readonly element = h("div.map-card.screen", { hidden: true });

  /** Shows what is known of a document. After a touch the card stays, with a button that opens
   * the document. */
  show(
    documents: Documents,
    document: number,
    topics: Topic[],
    [x, y]: Point,
    open: (() => void) | null,
  ): void {
    const { element } = this;
    const about = [documents.about("dates", document), commas(documents.groups(document))];
    const facts = apart(about);
    const item = ({ branch, title }: Topic): HTMLElement =>
      h("li", { dir: "auto", style: { "--hue": bright(branch) } }, title);
    replace(element, [
      h("p.map-title", { dir: "auto" }, documents.name(document).slice(0, 400)),
      facts.length > 0 && h("p.soft", facts),
      topics.length > 0 && h("ul", topics.map(item)),
      open && button("Open", open),
    ]);
    element.classList.toggle("touched", open !== null);
    element.hidden = false;
    const { clientWidth, clientHeight } = element.parentElement!;
    const { offsetWidth, offsetHeight } = element;
    const right = x + AWAY + offsetWidth <= clientWidth;
    const left = right ? x + AWAY : Math.max(4, x - AWAY - offsetWidth);
    const top = Math.min(Math.max(y - offsetHeight / 2, 4), clientHeight - offsetHeight - 4);
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

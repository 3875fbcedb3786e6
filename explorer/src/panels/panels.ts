// The panes: the tree, which folds to a rail, and a frame with the picture beside the details. Small
// screens show one of the three at a time.

import "./panels.css";
import { button, h } from "../look/dom";
import { keep, kept } from "../look/keeping";
import { divider } from "./divider";
import {
  divided,
  isFolded,
  type Layout,
  readLayout,
  treeTurned,
  USUAL,
  writeLayout,
} from "./layout";

const NAMES = { tree: "Topics", picture: "Pictures", details: "Details" };
const KEY = "hlta-panes";
const PHONES = "(max-width: 760px), (max-width: 1150px) and (max-height: 640px)"; // as in the styles
const NARROW = "(max-width: 1150px)";

type Panel = keyof typeof NAMES;

/** What is in the panes. */
export interface Content {
  readonly tree: HTMLElement;
  readonly tabs: HTMLElement;
  readonly way: HTMLElement;
  readonly picture: HTMLElement;
  readonly details: HTMLElement;
}

/** The panes, and the buttons that switch between them. */
export class Panels {
  readonly element: HTMLElement;
  readonly switches: HTMLElement;
  private readonly buttons = new Map<Panel, HTMLElement>();
  private readonly fold = button(h("span", {}, "Topics"), () => this.turnTree(), {
    class: "fold",
    title: "Tree of topics (t)",
    "aria-label": "Tree of topics",
  });
  private readonly widen = button("Wide picture", () => this.turnWide(), {
    class: "widen",
    title: "Give the picture as much room as possible (w)",
  });
  private readonly phones = matchMedia(PHONES);
  private readonly narrow = matchMedia(NARROW);
  private layout = readLayout(kept(KEY));

  /** `redraw` draws what is not drawn while nobody sees it. */
  constructor(
    { tree, tabs, way, picture, details }: Content,
    private readonly redraw: () => void,
  ) {
    tree.append(this.fold);
    const halves = h("div", { class: "halves" });
    const move = (share: number): void => this.arrange(divided(this.layout, share));
    halves.append(
      picture,
      divider(halves, picture, move, () => move(USUAL.share)),
      details,
    );
    const head = h("div", { class: "bar frame-bar" }, tabs, way, this.widen);
    const frame = h("div", { class: "panel frame" }, head, halves);
    this.element = h("main", { class: "app", "data-panel": "details" }, tree, frame);
    for (const [panel, name] of Object.entries(NAMES) as [Panel, string][]) {
      const pressed = { "aria-pressed": String(panel === "details") };
      this.buttons.set(
        panel,
        button(name, () => this.show(panel), pressed),
      );
    }
    const nav = { class: "switches", "aria-label": "Panels" };
    this.switches = h("nav", nav, ...this.buttons.values());
    for (const media of [this.phones, this.narrow]) {
      media.addEventListener("change", () => this.arrange(this.layout));
    }
    addEventListener("keydown", (event) => this.press(event));
    this.arrange(this.layout);
  }

  /** Shows a panel on small screens. */
  show(panel: Panel): void {
    this.element.dataset.panel = panel;
    for (const [name, element] of this.buttons) {
      element.setAttribute("aria-pressed", String(name === panel));
    }
    this.redraw();
  }

  private turnTree(): void {
    this.arrange(treeTurned(this.layout, this.narrow.matches));
  }

  private turnWide(): void {
    this.arrange({ ...this.layout, wide: !this.layout.wide });
  }

  private arrange(layout: Layout): void {
    const { element, fold, widen, phones, narrow } = this;
    if (layout !== this.layout) keep(KEY, writeLayout(layout));
    this.layout = layout;
    const folded = !phones.matches && isFolded(layout, narrow.matches);
    element.toggleAttribute("data-folded", folded);
    element.toggleAttribute("data-wide", layout.wide && !phones.matches);
    element.style.setProperty("--picture", String(layout.share));
    fold.setAttribute("aria-expanded", String(!folded));
    widen.setAttribute("aria-pressed", String(layout.wide));
  }

  private press({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
    const typing = (target as Element).closest?.("input, textarea, select, [role=tree]");
    if (typing || ctrlKey || metaKey || altKey || this.phones.matches) return;
    if (key === "t") this.turnTree();
    if (key === "w") this.turnWide();
  }
}

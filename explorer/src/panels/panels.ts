// The panes: the list of topics, which can be folded, the picture, and the sheet with the details.
// Small screens show one of the three at a time.

import "./panels.css";
import { button, h, icon, keyOf, LINES } from "../look/dom";
import { keep, kept } from "../look/keeping";

const NAMES = { picture: "Pictures", tree: "Topics", details: "Details" };
const KEY = "hlta-panes";
const PHONES = "(max-width: 600px), (max-width: 1150px) and (max-height: 480px)"; // as in styles
const NARROW = "(max-width: 1150px)";

type Panel = keyof typeof NAMES;

/** What is in the panes and above them. */
type Content = Readonly<Record<"head" | "tabs" | "tree" | "picture" | "sheet", HTMLElement>>;

export class Panels {
  readonly element: HTMLElement;
  readonly switches: HTMLElement;
  private readonly buttons = new Map<Panel, HTMLElement>();
  private readonly fold = icon(LINES, "Topics (t)", () => this.turnTree());
  private readonly phones = matchMedia(PHONES);
  private readonly narrow = matchMedia(NARROW);
  private kept = kept(KEY);

  /** `redraw` draws what was not drawn while it was hidden. */
  constructor(
    private readonly content: Content,
    private readonly redraw: () => void,
  ) {
    const { head, tree, picture, sheet } = content;
    this.fold.classList.add("fold", "screen");
    head.prepend(this.fold);
    this.element = h("main.app", tree, picture, sheet);
    for (const [panel, name] of Object.entries(NAMES) as [Panel, string][]) {
      const element = button(name, () => this.show(panel));
      this.buttons.set(panel, element);
    }
    const nav = { class: "switches screen", "aria-label": "Panels" };
    this.switches = h("nav", nav, ...this.buttons.values());
    for (const media of [this.phones, this.narrow]) {
      media.addEventListener("change", () => this.arrange());
    }
    addEventListener("keydown", (event) => this.press(event));
    this.arrange();
    this.show("picture");
  }

  show(panel: Panel): void {
    this.element.dataset.panel = panel;
    for (const [name, element] of this.buttons) {
      element.setAttribute("aria-pressed", String(name === panel));
    }
    this.redraw();
  }

  /** The list is as the reader chose; without a choice, it is open where there is room for it. */
  private get open(): boolean {
    return this.kept ? this.kept === "open" : !this.narrow.matches;
  }

  private turnTree(): void {
    this.kept = this.open ? "folded" : "open";
    keep(KEY, this.kept);
    this.arrange();
  }

  private arrange(): void {
    const { element, fold, phones, open } = this;
    const { head, tabs, picture } = this.content;
    element.toggleAttribute("data-folded", !phones.matches && !open);
    fold.setAttribute("aria-expanded", String(open));
    if (phones.matches) picture.prepend(tabs);
    else head.querySelector(".name")!.after(tabs);
  }

  private press(event: KeyboardEvent): void {
    const inTree = (event.target as Element).closest?.("[role=tree]");
    if (keyOf(event) === "t" && !inTree && !this.phones.matches) this.turnTree();
  }
}

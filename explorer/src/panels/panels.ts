// The three panels, of which small screens show one at a time.

import { button, h } from "../look/dom";

const NAMES = { tree: "Topics", picture: "Pictures", details: "Details" };

type Panel = keyof typeof NAMES;

/** The panels, and the buttons that switch between them. */
export class Panels {
  readonly element: HTMLElement;
  readonly switches: HTMLElement;
  private readonly buttons = new Map<Panel, HTMLElement>();

  /** `redraw` draws what is not drawn while nobody sees it. */
  constructor(
    panels: HTMLElement[],
    private readonly redraw: () => void,
  ) {
    this.element = h("main", { class: "app", "data-panel": "details" }, ...panels);
    for (const [panel, name] of Object.entries(NAMES) as [Panel, string][]) {
      const pressed = { "aria-pressed": String(panel === "details") };
      this.buttons.set(
        panel,
        button(name, () => this.show(panel), pressed),
      );
    }
    const nav = { class: "switches", "aria-label": "Panels" };
    this.switches = h("nav", nav, ...this.buttons.values());
  }

  /** Shows a panel on small screens. */
  show(panel: Panel): void {
    this.element.dataset.panel = panel;
    for (const [name, element] of this.buttons) {
      element.setAttribute("aria-pressed", String(name === panel));
    }
    this.redraw();
  }
}

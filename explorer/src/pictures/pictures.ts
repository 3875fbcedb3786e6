// The pictures: their tabs, and the one that is shown.

import { button, h, replace } from "../look/dom";
import { Pane, type Shared } from "../panels/pane";
import type { View } from "../selection/state";
import { DifferencesView } from "./differences";
import { MapView } from "./map";
import { TimeView } from "./time";

interface Picture {
  readonly element: HTMLElement;
  draw(animated?: boolean): void;
  exported?(): SVGSVGElement | null; // the drawing to save, where the picture is not one itself
}

export class Pictures extends Pane {
  private readonly stage = h("div.stage", { role: "tabpanel", id: "stage" });
  readonly element = h("section", { id: "picture", "aria-label": "Pictures" }, this.stage);
  readonly list = h("div.tabs.screen", { role: "tablist", "aria-label": "Pictures" });
  private readonly pictures = new Map<View, [name: string, picture: Picture]>();
  private readonly tabs: Map<View, HTMLElement>;

  constructor(shared: Shared) {
    super(shared);
    const { page } = this;
    const { documents, periods } = page;
    if (documents !== null) this.pictures.set("map", ["Map", new MapView(this)]);
    if (periods) this.pictures.set("changes", ["Changes", new TimeView(this, periods)]);
    this.pictures.set("differences", ["Differences", new DifferencesView(this)]);
    this.tabs = new Map(
      Array.from(this.pictures, ([view, [name]]) => [view, this.tab(view, name)]),
    );
    this.list.append(...this.tabs.values());
  }

  /** Draws tabs and picture, and keeps them up to date from then on. */
  start(): void {
    this.store.onChange((state, before) => {
      if (state.view !== before.view || state.compared !== before.compared) this.drawTabs();
      else if (state.topic !== before.topic) this.draw(true);
    });
    this.store.onEdit(() => this.draw());
    this.working.onChange(() => {
      if (!this.working.documents!.places) this.leaveOut("map");
      this.draw();
    });
    this.working.onAnswer(() => this.view !== "map" && this.draw());
    new ResizeObserver(() => this.draw()).observe(this.stage);
    this.drawTabs();
  }

  draw(animated = false): void {
    this.pictures.get(this.view)![1].draw(animated);
  }

  /** The drawing itself; null until the panel was first visible, and so drawn. */
  get drawing(): SVGSVGElement | null {
    const [, picture] = this.pictures.get(this.view)!;
    return picture.exported ? picture.exported() : picture.element.querySelector("svg");
  }

  get fileName(): string {
    const topic = this.page.topics[this.store.state.topic];
    return topic ? `${this.view}-${topic.id}` : this.view;
  }

  private get views(): View[] {
    return [...this.pictures.keys()];
  }

  /** The selected view; the first if there is no such picture. */
  private get view(): View {
    const { views } = this;
    const { view } = this.store.state;
    return views.includes(view) ? view : views[0];
  }

  private leaveOut(view: View): void {
    if (!this.pictures.delete(view)) return;
    this.tabs.get(view)!.remove();
    this.tabs.delete(view);
    this.drawTabs();
  }

  private tab(view: View, name: string): HTMLElement {
    return button(name, () => this.store.set({ view }), {
      role: "tab",
      id: `tab-${view}`,
      "aria-controls": "stage",
      onkeydown: (event: KeyboardEvent) => {
        const { views } = this;
        const at = views.indexOf(view);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const next = views.at(to % views.length)!;
        this.store.set({ view: next });
        this.tabs.get(next)!.focus();
      },
    });
  }

  private drawTabs(): void {
    const { view, stage } = this;
    for (const [other, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(other === view));
      tab.tabIndex = other === view ? 0 : -1;
    }
    stage.setAttribute("aria-labelledby", `tab-${view}`);
    const { element } = this.pictures.get(view)![1];
    if (element.parentElement !== stage) replace(stage, element);
    this.draw();
  }
}

// The panel of pictures: tabs, the path to the selected topic, and the picture that is looked at.

import { path } from "./ancestry";
import type { Page } from "./data";
import { DiagramView } from "./diagram";
import { button, h, replace } from "./dom";
import { GroupView } from "./groups";
import { MapView } from "./map";
import type { Store, View } from "./state";
import { TimeView } from "./time";

interface Picture {
  readonly element: HTMLElement;
  draw(animated?: boolean): void;
}

/** The panel in the middle. */
export class Pictures {
  readonly element: HTMLElement;
  private readonly way = h("nav", { class: "path", "aria-label": "Path to the selected topic" });
  private readonly stage = h("div", { class: "stage", role: "tabpanel", id: "stage" });
  private readonly pictures: Map<View, [name: string, picture: Picture]>;
  private readonly tabs: Map<View, HTMLElement>;

  constructor(
    private readonly page: Page,
    private readonly store: Store,
  ) {
    this.pictures = new Map<View, [string, Picture]>([
      ["map", ["Map", new MapView(page, store)]],
      ["diagram", ["Tree diagram", new DiagramView(page, store)]],
    ]);
    const { periods, groups } = page;
    if (periods) this.pictures.set("time", ["Over time", new TimeView(page, store, periods)]);
    if (groups) this.pictures.set("groups", ["By group", new GroupView(page, store, groups)]);
    this.tabs = new Map(
      Array.from(this.pictures, ([view, [name]]) => [view, this.tab(view, name)]),
    );
    const tabs = { class: "tabs", role: "tablist", "aria-label": "Pictures" };
    this.element = h(
      "section",
      { class: "panel", id: "picture", "aria-label": "Pictures" },
      h("div", { class: "bar" }, h("div", tabs, ...this.tabs.values())),
      this.way,
      this.stage,
    );
  }

  /** Draws tabs, path and picture, and keeps them up to date from then on. */
  start(): void {
    this.store.onChange((state, before) => {
      const topicChanged = state.topic !== before.topic;
      if (state.view !== before.view) this.drawTabs();
      else if (topicChanged) this.draw(true);
      if (topicChanged) this.drawWay();
    });
    this.store.onExpansion(() => {
      if (this.view === "diagram") this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(this.stage);
    this.drawWay();
    this.drawTabs();
  }

  /** Draws the picture that is looked at. */
  draw(animated = false): void {
    this.pictures.get(this.view)![1].draw(animated);
  }

  /** The drawing itself; null while nobody has seen the panel, which is when it is drawn first. */
  get drawing(): SVGSVGElement | null {
    return this.stage.querySelector("svg");
  }

  /** A name for a file of the picture. */
  get fileName(): string {
    const topic = this.page.topics[this.store.state.topic];
    return topic ? `${this.view}-${topic.id}` : this.view;
  }

  /** The selected view; the map if the page has no such picture. */
  private get view(): View {
    const { view } = this.store.state;
    return this.pictures.has(view) ? view : "map";
  }

  private tab(view: View, name: string): HTMLElement {
    return button(name, () => this.store.set({ view }), {
      role: "tab",
      id: `tab-${view}`,
      "aria-controls": "stage",
      onkeydown: (event: KeyboardEvent) => {
        const views = [...this.pictures.keys()];
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

  private drawWay(): void {
    const { page, store } = this;
    const topic = page.topics[store.state.topic];
    const step = (name: string, index: number, current: boolean): HTMLElement =>
      button(name, () => store.selectTopic(index), { "aria-current": current ? "true" : null });
    const above = topic ? path(page, topic) : [];
    replace(
      this.way,
      step("All topics", -1, !topic),
      ...above.map((up) => step(up.title, up.index, up === topic)),
    );
  }
}

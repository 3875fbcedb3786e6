// The documents as points: near each other if they are on the same topics.

import "./map.css";
import { mixed, palette } from "../look/colours";
import { FONT, h, measured, s } from "../look/dom";
import { count, whole } from "../look/format";
import type { Documents, Places } from "../page/documents";
import type { Page } from "../page/page";
import type { Store } from "../selection/state";
import { only } from "../selection/terms";
import type { WorkingSet } from "../selection/working";
import { type Look, PointCanvas, radii } from "./map-canvas";
import { Card } from "./map-card";
import { type Colouring, coloured, colourings, colours, type Entry } from "./map-colours";
import { drawn } from "./map-export";
import { Eye } from "./map-eye";
import { listen } from "./map-gestures";
import { Grid } from "./map-grid";
import { drawKey } from "./map-key";
import { type LabelStyle, type PlacedLabel, placeLabels } from "./map-labels";
import { cornersOf, rectangle } from "./map-lasso";
import { drawMarks } from "./map-marks";
import { Names } from "./map-names";
import { MapOverview } from "./map-overview";
import { Tools } from "./map-tools";
import { told } from "./map-topics";
import { type Box, middleOf, type Point, pixelOf, pointAt } from "./map-view";

const NEAR = 7; // pixels from a point, within which it is meant
const NEAR_FINGER = 18;
const TOLD = 3; // topics of a document that its card names
const APART = 0.04; // the share of a topic's documents at each edge that need not be in sight

/** All about the documents that does not change. */
interface Scene {
  readonly documents: Documents;
  readonly places: Places;
  readonly grid: Grid;
  readonly box: Box;
}

/** The picture "Map". */
export class MapView {
  readonly element: HTMLElement;
  private readonly canvas = new PointCanvas();
  private readonly marks = s("svg", { class: "map-marks", "aria-hidden": "true" });
  private readonly names: Names;
  private readonly card = new Card();
  private readonly tools: Tools;
  private readonly sheet: HTMLElement;
  private readonly key = h("ul", { class: "map-key", "aria-label": "Key" });
  private readonly status = h("p", { class: "hidden", role: "status" });
  private readonly eye = new Eye((hurry) => this.look(hurry));
  private readonly overview = new MapOverview((point) => this.eye.center(point));
  private readonly widths = new Map<string, number>();
  private scene: Scene | null = null;
  private colouring: Colouring | null = null;
  private coloured: unknown[] = []; // what the colouring was made from
  private points: Look | null = null;
  private labels: PlacedLabel[] = [];
  private hovered = -1;
  private outlines = false; // whether a drag draws an outline
  private line: readonly Point[] = [];
  private seen = { topic: -1, document: 0 };

  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly working: WorkingSet,
  ) {
    const { eye, canvas } = this;
    this.names = new Names((topic) => store.selectTopic(topic));
    this.tools = new Tools(colourings(page), {
      colour: (colour) => {
        store.set({ colour });
        this.draw();
      },
      outline: () => this.setOutlines(!this.outlines),
      selectView: () => this.selectArea(rectangle(eye.box)),
      enlarge: () => eye.enlarge(1.6, null),
      reduce: () => eye.enlarge(1 / 1.6, null),
      home: () => eye.goHome(true),
    });
    const hint = "Arrow keys move the map, + and − zoom, 0 shows all documents.";
    const told = h("p", { class: "hidden", id: "map-hint" }, hint);
    const seen = { role: "img", tabindex: 0, "aria-describedby": "map-hint" };
    for (const [name, value] of Object.entries(seen)) {
      canvas.element.setAttribute(name, String(value));
    }
    this.sheet = h("div", { class: "map-sheet" }, canvas.element, this.marks, this.names.element);
    this.sheet.append(this.card.element, this.overview.element);
    const parts = [this.tools.element, this.sheet, this.key, told, this.status];
    this.element = h("div", { class: "picture map" }, ...parts);
    listen(this.sheet, canvas.element, {
      move: (dx, dy) => eye.move(dx, dy),
      enlarge: (times, at) => eye.enlarge(times, at),
      home: () => eye.goHome(true),
      hover: (at) => this.hover(at),
      tap: (at, touch) => this.tap(at, touch),
      outlines: () => this.outlines,
      outline: (line, done) => this.outline(line, done),
      cancel: () => this.cancel(),
    });
  }

  /** Draws the map, and looks at a topic or document that was just selected. */
  draw(animated = false): void {
    const { documents } = this.working;
    if (!documents?.places || !this.element.isConnected) return;
    this.scene ??= sceneOf(documents, documents.places);
    const { eye, scene, canvas } = this;
    this.points = this.lookOf(scene);
    this.tools.draw(this.store.state.colour, this.outlines);
    drawKey(this.key, this.colouring!, this.points.colours, (entry) => this.choose(entry));
    const { clientWidth: width, clientHeight: height } = this.sheet; // what the key leaves
    if (width < 50 || height < 50) return;
    const first = !eye.width;
    eye.resize(width, height, scene.box);
    canvas.resize(width, height);
    this.tell(scene);
    this.follow(scene, animated && !first);
    this.look(false);
  }

  /** The map as a drawing that stands alone; null while nobody has seen it. */
  exported(): SVGSVGElement | null {
    const { eye, page, scene } = this;
    if (!scene) return null;
    const part = scene.documents.count;
    const all = page.documents ?? part;
    const among = part < all ? `${whole(part)} of ${whole(all)}` : whole(all);
    return drawn({
      title: page.title,
      told: this.told(),
      source: `${among} documents, near each other if they are on the same topics. Made with hlta.`,
      look: this.points!,
      view: eye.view,
      home: eye.home,
      width: eye.width,
      height: eye.height,
      labels: this.labels,
      colouring: this.colouring!,
      palette: palette(),
      serif: this.serif,
    });
  }

  /** Points, labels and marks as the eye sees them. */
  private look(hurry: boolean): void {
    const { eye, scene, points } = this;
    if (!scene || !points) return;
    const { view, home, width, height } = eye;
    this.canvas.show(view, home, points, hurry);
    this.overview.show(scene.box, eye.box, points);
    const { topic } = this.store.state;
    const { labels } = scene.places;
    const covered = this.overview.box;
    const naming = { page: this.page, labels, view, width, height, selected: topic, covered };
    this.labels = placeLabels(naming, (text, style) => this.measure(text, style));
    this.names.draw(this.labels, topic, (index) => this.isFaded(index));
    this.mark();
  }

  /** Whether a topic is rarer in the working set than among all documents. */
  private isFaded(topic: number): boolean {
    const { narrowed, here, allHere } = this.working;
    if (!narrowed || !here || !allHere) return false;
    return here.on[topic] * allHere.documents < allHere.on[topic] * here.documents;
  }

  private mark(): void {
    const { eye, scene, points } = this;
    const { documents, places } = scene!;
    const { state } = this.store;
    const rings: [Point, "hovered" | "selected"][] = [];
    const ring = (document: number, kind: "hovered" | "selected"): void => {
      if (document >= 0) rings.push([[places.x[document], places.y[document]], kind]);
    };
    ring(this.hovered, "hovered");
    ring(state.document ? documents.atRow(state.document) : -1, "selected");
    const areas = state.clauses.flatMap(({ terms }) =>
      terms.flatMap((term) => (term.kind === "area" ? [term.corners] : [])),
    );
    const { chosen } = radii(points!, eye.view.scale / eye.home.scale, eye.width, eye.height);
    drawMarks(this.marks, { rings, areas, drawn: this.line }, eye.view, chosen);
  }

  /** Goes to what was selected since the last time. */
  private follow({ documents, places }: Scene, animated: boolean): void {
    const { topic, document } = this.store.state;
    const before = this.seen;
    this.seen = { topic, document };
    if (topic !== before.topic) {
      const { mask, size } = this.working.current!;
      const box = size ? middleOf(places.x, places.y, mask, APART) : null;
      if (topic < 0) this.eye.goBack(animated);
      else if (box) this.eye.see(box, animated);
    }
    if (document !== before.document && document) {
      const at = documents.atRow(document);
      if (at >= 0) this.eye.seePoint([places.x[at], places.y[at]], animated);
    }
  }

  private lookOf({ documents, grid }: Scene): Look {
    const { page, store, working } = this;
    const made = [store.state.colour, page.shown];
    if (made.some((part, k) => part !== this.coloured[k])) {
      this.colouring = coloured(store.state.colour, page, documents);
      this.coloured = made;
    }
    const { of } = this.colouring!;
    const { mask, size } = working.current!;
    const theme = palette();
    return {
      grid,
      shades: Uint8Array.from(grid.order, (document) => (mask[document] ? of[document] + 1 : 0)),
      chosen: size,
      colours: colours(this.colouring!, theme, this.ramp),
      rest: mixed(theme.soft, theme.paper, 0.3),
      paper: theme.paper,
    };
  }

  private tell({ documents }: Scene): void {
    const told = this.told();
    this.canvas.element.setAttribute("aria-label", told);
    const { current, narrowed } = this.working;
    const selected = narrowed ? `${whole(current!.size)} of ` : "All ";
    const status = `${selected}${count(documents.count, "document")} on the map selected`;
    if (this.status.textContent !== status) this.status.textContent = status;
  }

  /** What there is to see, in words. */
  private told(): string {
    const { current, narrowed } = this.working;
    const selected = narrowed ? `; ${whole(current!.size)} of them are selected, in colour` : "";
    const shown = count(this.scene!.documents.count, "document");
    return `Map of ${shown}, coloured by ${this.colouring!.name}${selected}`;
  }

  private hover(at: Point | null): void {
    const document = at ? this.documentAt(at, NEAR) : -1;
    if (document === this.hovered) return;
    this.hovered = document;
    this.sheet.classList.toggle("pointing", document >= 0);
    if (document < 0) this.card.hide();
    else this.showCard(document, null);
    this.mark();
  }

  private tap(at: Point, touch: boolean): void {
    const document = this.documentAt(at, touch ? NEAR_FINGER : NEAR);
    const open = (): void => this.store.selectDocument(this.scene!.documents.row(document));
    if (document >= 0 && !touch) open();
    if (touch) {
      this.hover(null);
      this.hovered = document;
      if (document >= 0) this.showCard(document, open);
      this.mark();
    }
  }

  private showCard(document: number, open: (() => void) | null): void {
    const { documents, places } = this.scene!;
    const at = pixelOf(this.eye.view, [places.x[document], places.y[document]]);
    const topics = told(this.page, documents.topics(document), TOLD);
    this.card.show(documents, document, topics, at, open);
  }

  /** The document at a pixel, those of the working set first; -1 if there is none. */
  private documentAt(at: Point, reach: number): number {
    const { scene, eye } = this;
    if (!scene) return -1;
    const [x, y] = pointAt(eye.view, at);
    const { mask } = this.working.current!;
    const radius = reach / eye.view.scale;
    const chosen = scene.grid.nearest(x, y, radius, (document) => mask[document] === 1);
    return chosen >= 0 ? chosen : scene.grid.nearest(x, y, radius, () => true);
  }

  private outline(line: readonly Point[], done: boolean): void {
    this.line = done ? [] : line;
    if (done) this.selectArea(cornersOf(line.map((at) => pointAt(this.eye.view, at))));
    else this.mark();
  }

  private selectArea(corners: number[]): void {
    this.setOutlines(false);
    if (corners.length) this.store.add(only({ kind: "area", corners }));
  }

  private cancel(): void {
    this.hover(null);
    this.card.hide();
    this.setOutlines(false);
  }

  private setOutlines(outlines: boolean): void {
    this.outlines = outlines;
    this.line = [];
    this.sheet.classList.toggle("outlining", outlines);
    this.tools.draw(this.store.state.colour, outlines);
    if (this.scene) this.mark();
  }

  private choose({ selects }: Entry): void {
    if (typeof selects === "number") this.store.selectTopic(selects);
    else if (selects) this.store.add(only(selects));
  }

  private measure(text: string, { size, weight, serif }: LabelStyle): number {
    const font = `${weight} ${size}px ${serif ? this.serif : FONT}`;
    const key = `${font} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      width = measured(text, font);
      this.widths.set(key, width);
    }
    return width;
  }

  private get serif(): string {
    return getComputedStyle(this.element).getPropertyValue("--serif").trim();
  }

  private get ramp(): string[] {
    const styles = getComputedStyle(this.element);
    return [0, 1, 2, 3].map((k) => styles.getPropertyValue(`--ramp-${k}`).trim());
  }
}

function sceneOf(documents: Documents, places: Places): Scene {
  const box = middleOf(places.x, places.y, null, 0)!;
  return { documents, places, grid: new Grid(places), box };
}

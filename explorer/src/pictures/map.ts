// The documents as points: near each other if they are on the same topics.

import { Pane, type Shared } from "../panels/pane";
import "./map.css";
import { palette } from "../look/colours";
import { h, replace, s } from "../look/dom";
import { count, whole } from "../look/format";
import { describeWhere } from "../selection/saying";
import { allClauses, type Sight, type State } from "../selection/state";
import { only } from "../selection/terms";
import { wilson } from "../shares/evidence";
import { type Look, PointCanvas, radii } from "./map-canvas";
import { Card } from "./map-card";
import { type Colouring, coloured, colourings, mostSpecific } from "./map-colours";
import { drawn } from "./map-export";
import { Eye } from "./map-eye";
import { listen } from "./map-gestures";
import { GlowCanvas } from "./map-glow";
import { labelsOn, type PlacedLabel, type PlacedTitle, titlesOn } from "./map-labels";
import { area, polygon, ring } from "./map-marks";
import { Names } from "./map-names";
import type { Room } from "./map-places";
import { lookOf, type Scene, sceneOf } from "./map-scene";
import { drawKey, Tools } from "./map-tools";
import type { Box, Point, View } from "./map-view";
import * as views from "./map-view";

const NEAR = 7; // pixels from a point, within which it is meant
const NEAR_FINGER = 18;
const TOLD = 3; // topics of a document that its card names
const APART = 0.1; // the share of a topic's documents at each edge that need not be in sight
const EXPORTED = { width: 1200, height: 900 }; // pixels

export class MapView extends Pane {
  readonly element: HTMLElement;
  private readonly canvas = new PointCanvas();
  private readonly glow = new GlowCanvas();
  private readonly marks = s("svg.map-marks", { "aria-hidden": "true" });
  private readonly names: Names;
  private readonly card = new Card();
  private readonly tools: Tools;
  private readonly sheet: HTMLElement;
  private readonly key = h("ul.map-key.flow.across", { "aria-label": "Key" });
  private readonly status = h("p.hidden", { role: "status" });
  private readonly eye = new Eye((hurry) => this.look(hurry));
  private scene: Scene | null = null;
  private shown: unknown = null; // the topics of the scene
  private colouring: Colouring | null = null;
  private coloured: unknown[] = []; // what the colouring was made from
  private points: Look | null = null;
  private labels: PlacedLabel[] = [];
  private titles: PlacedTitle[] = [];
  private placedIn: View | null = null; // the view of labels and titles
  private hovered = -1;
  private outlines = false; // whether a drag draws an outline
  private line: readonly Point[] = [];
  private seen: Pick<State, "topic" | "document" | "sight"> = NOTHING;

  constructor(shared: Shared) {
    super(shared);
    const { page, store } = this;
    const { eye, canvas } = this;
    this.names = new Names({
      select: (topic) => store.selectTopic(topic),
      light: (topic) => store.light(topic),
      open: (document) => store.selectDocument(this.scene!.documents.row(document)),
    });
    this.tools = new Tools(colourings(page), eye, {
      colour: (colour) => {
        const field = page.fields.findIndex(({ key }) => key === colour);
        store.set({ colour, ...(field >= 0 && { by: field ? colour : "" }) });
        this.draw();
      },
      outline: () => this.setOutlines(!this.outlines),
      selectView: () => this.selectArea(views.rectangle(views.inSight(eye.view))),
    });
    const hint = "Arrow keys move the map, + and − zoom, 0 shows all documents.";
    const hints = h("p.hidden", { id: "map-hint" }, hint);
    const layers = [canvas.element, this.glow.element, this.marks, this.names.element];
    this.sheet = h("div.map-sheet", layers, this.card.element);
    const parts = [this.sheet, this.tools.element, this.key, hints, this.status];
    this.element = h("div.picture.map", parts);
    store.onLight(() => this.relight());
    addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.outlines) this.cancel();
    });
    store.onChange(({ topic, document, sight }, before) => {
      if (topic !== before.topic) return; // the change of topic draws all pictures
      if (document !== before.document || !same(sight, this.seen.sight)) this.draw(true);
    });
    listen(this.sheet, canvas.element, eye, {
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
    const { eye, canvas, page, store } = this;
    if (!this.scene || this.shown !== page.shown) {
      this.scene = sceneOf(page, documents, documents.places);
      this.shown = page.shown;
    }
    const { scene } = this;
    this.points = this.lookOf(scene);
    this.tools.draw(store.state.colour, this.outlines);
    this.names.element.classList.toggle("plain", this.plain);
    drawKey(this.key, this.colouring!, this.points.colours, (term) => store.add(only(term)));
    const { clientWidth: width, clientHeight: height } = this.sheet;
    if (width < 50 || height < 50) return;
    const first = !eye.home.width;
    eye.resize({ width, height }, scene.box);
    canvas.resize({ width, height });
    this.tell(scene);
    this.follow(scene, animated && !first);
    this.look(false);
  }

  /** The map as a drawing that stands alone; null until the map was visible. */
  exported(): SVGSVGElement | null {
    const { eye, page, scene } = this;
    if (!scene) return null;
    const part = scene.documents.count;
    const all = page.documents ?? part;
    const text = part < all ? `${this.describe()}, of ${whole(all)} in all` : this.describe();
    const sheet = new Eye(() => {});
    sheet.resize(EXPORTED, scene.box);
    if (!eye.isAt(eye.home)) sheet.goTo(eye.sight, false);
    return drawn({
      ...sheet,
      title: page.title,
      description: text,
      plain: this.plain,
      faded: (topic) => this.isFaded(topic),
      look: this.lookOf(scene, -1),
      labels: labelsOn(sheet, scene, page, this.store.state.topic, [], []),
      entries: this.colouring!.entries,
      palette: palette(),
    });
  }

  private look(hurry: boolean): void {
    const { eye, scene, points } = this;
    if (!scene || !points) return;
    if (hurry) this.hover(null); // what the pointer was on moves away from it
    const { view } = eye;
    this.canvas.show(points, eye, hurry);
    this.glow.show(points, view, hurry);
    if (!hurry || !this.placedIn) this.place(scene, view);
    else {
      const from = this.placedIn;
      this.names.move(this.labels, this.titles, (at) =>
        views.pixelOf(view, views.pointAt(from, at)),
      );
    }
    this.mark();
    if (!hurry) this.keepSight();
  }

  private place(scene: Scene, view: View): void {
    const { eye, page } = this;
    const { topic } = this.store.state;
    const covered = this.covered();
    const before = this.placedIn?.scale === view.scale ? this.labels : [];
    this.labels = labelsOn(eye, scene, page, topic, covered, before);
    const { mask } = this.working.current!;
    this.titles = titlesOn(eye, scene, mask, this.radius, [...covered, ...this.labels]);
    this.placedIn = view;
    this.names.draw(this.labels, this.titles, topic, (index) => this.isFaded(index));
  }

  private covered(): Room[] {
    const sheet = this.sheet.getBoundingClientRect();
    return [this.tools.element, this.key].flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left - sheet.left + width / 2, top - sheet.top + height / 2];
      return width ? [{ x, y, width, height }] : [];
    });
  }

  private relight(): void {
    const { scene, eye } = this;
    if (!scene || !this.points || !this.element.isConnected) return;
    this.points = this.lookOf(scene);
    this.tell(scene);
    this.names.light(this.store.lit);
    this.canvas.show(this.points, eye, false);
    this.glow.show(this.points, eye.view, false);
  }

  /** Keeps the view in the address, unless the selection leads to it. */
  private keepSight(): void {
    const { eye, store } = this;
    const sight = eye.isAt(this.expected()) ? null : eye.sight;
    this.seen = { ...this.seen, sight };
    if (!same(sight, store.state.sight)) store.set({ sight });
  }

  private expected(): View {
    const box = this.selectedBox();
    return box ? this.eye.viewOf(box, this.eye.home) : this.eye.home;
  }

  /** Where most documents of the selected topic are. */
  private selectedBox(): Box | null {
    const { mask, size } = this.working.current!;
    const { x, y } = this.scene!.places;
    return this.store.state.topic >= 0 && size ? views.middleOf(x, y, mask, APART) : null;
  }

  private get radius(): number {
    return radii(this.points!, this.eye).chosen;
  }

  /** Whether names have no colour, as colours stand for something else. */
  private get plain(): boolean {
    return this.colouring !== this.scene!.byTopic;
  }

  /** Whether a topic is not surely more frequent in the working set than among all documents. */
  private isFaded(topic: number): boolean {
    const { narrowed, here, allHere } = this.working;
    if (!narrowed || !here || !allHere) return false;
    if (!here.documents) return true;
    const { low } = wilson(here.on[topic] / here.documents, here.documents);
    return low <= allHere.on[topic] / allHere.documents;
  }

  private mark(): void {
    const { documents, places } = this.scene!;
    const { state } = this.store;
    const { hovered, line, radius } = this;
    const { view } = this.eye;
    const selected = state.document ? documents.atRow(state.document) : -1;
    const at = (document: number): Point =>
      views.pixelOf(view, [places.x[document], places.y[document]]);
    const terms = state.clauses.flatMap((clause) => clause.terms);
    replace(this.marks, [
      terms.map((term) => term.kind === "area" && area(term.corners, view)),
      line.length > 1 && polygon(line, "drawn"),
      hovered >= 0 && ring(at(hovered), radius + 3, "hovered"),
      selected >= 0 && ring(at(selected), radius + 5, "selected"),
    ]);
  }

  /** Goes where the address leads, if it changed; else to what was selected since the last time. */
  private follow({ documents, places }: Scene, animated: boolean): void {
    const { eye, seen } = this;
    const { topic, document, sight } = this.store.state;
    this.seen = { topic, document, sight };
    if (!same(sight, seen.sight)) {
      if (sight) eye.goTo(sight, animated);
      else eye.go(this.expected(), animated);
      return;
    }
    if (topic !== seen.topic) {
      const box = this.selectedBox();
      if (topic < 0) eye.goBack(animated);
      else if (box) eye.see(box, animated);
    }
    if (document !== seen.document && document) {
      const at = documents.atRow(document);
      if (at >= 0) eye.seePoint([places.x[at], places.y[at]], animated);
    }
  }

  private lookOf(scene: Scene, lit = this.store.lit): Look {
    const { page, store, working } = this;
    const { topic, colour } = store.state;
    const made = [colour, page.shown];
    if (made.some((part, k) => part !== this.coloured[k])) {
      this.colouring = coloured(colour, page, scene.documents) ?? scene.byTopic;
      this.coloured = made;
    }
    const own = this.plain ? undefined : page.topics[topic];
    return lookOf(scene, this.colouring!, working.current!, page.topics[lit], own);
  }

  private tell({ documents }: Scene): void {
    const text = this.describe();
    this.canvas.element.setAttribute("aria-label", text);
    const { current, narrowed } = this.working;
    const selected = narrowed ? `${whole(current!.size)} of ` : "All ";
    const { light } = this.points!;
    const lit = light?.dims ? `; ${count(light.count, "document")} lit up` : "";
    const status = `${selected}${count(documents.count, "document")} on the map selected${lit}`;
    if (this.status.textContent !== status) this.status.textContent = status;
  }

  private describe(): string {
    const { current, narrowed } = this.working;
    const where = describeWhere(allClauses(this.store.state, this.page), this.page);
    const those = where && `, those${where},`;
    const selected = narrowed
      ? `; ${whole(current!.size)} of them${those} are selected, in colour`
      : "";
    const shown = count(this.scene!.documents.count, "document");
    return `Map of ${shown}, coloured by ${this.colouring!.name}${selected}`;
  }

  private hover(at: Point | null): void {
    const document = at ? this.documentAt(at, NEAR) : -1;
    if (document === this.hovered) return;
    this.hovered = document;
    this.sheet.classList.toggle("pointing", document >= 0);
    if (document < 0) this.card.element.hidden = true;
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
    const at = views.pixelOf(this.eye.view, [places.x[document], places.y[document]]);
    const topics = mostSpecific(this.page, documents.topics(document), TOLD);
    this.card.show(documents, document, topics, at, open);
  }

  /** The document at a pixel, those of the working set first; -1 if there is none. */
  private documentAt(at: Point, reach: number): number {
    const { scene, eye } = this;
    if (!scene) return -1;
    const [x, y] = views.pointAt(eye.view, at);
    const { mask } = this.working.current!;
    const radius = reach / eye.view.scale;
    const chosen = scene.grid.nearest(x, y, radius, (document) => mask[document] === 1);
    return chosen >= 0 ? chosen : scene.grid.nearest(x, y, radius, () => true);
  }

  private outline(line: readonly Point[], done: boolean): void {
    this.line = done ? [] : line;
    if (done) this.selectArea(views.cornersOf(line.map((at) => views.pointAt(this.eye.view, at))));
    else this.mark();
  }

  private selectArea(corners: number[]): void {
    this.setOutlines(false);
    if (corners.length) this.store.add(only({ kind: "area", corners }));
  }

  private cancel(): void {
    this.hover(null);
    this.setOutlines(false);
  }

  private setOutlines(outlines: boolean): void {
    this.outlines = outlines;
    this.line = [];
    this.sheet.classList.toggle("outlining", outlines);
    this.tools.draw(this.store.state.colour, outlines);
    if (this.scene) this.mark();
  }
}

const NOTHING = { topic: -1, document: 0, sight: null };

function same(one: Sight | null, other: Sight | null): boolean {
  return one?.x === other?.x && one?.y === other?.y && one?.times === other?.times;
}

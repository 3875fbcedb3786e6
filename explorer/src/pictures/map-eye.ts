// The camera over the map: gestures move it, or it flies to a view, a frame at a time.

import type { Sight } from "../selection/state";
import type { Box, Point, Sheet, Size, View } from "./map-view";
import * as views from "./map-view";

const MILLISECONDS = 600; // of a flight
const REST = 140; // milliseconds without movement, after which all is drawn anew
const LEAST = 3000; // of the map's units: the least width and height of a box to look at
const NOWHERE: View = { scale: 1, x: 0, y: 0, width: 0, height: 0 };

export class Eye implements Sheet {
  view = NOWHERE;
  home = NOWHERE;
  private frame = 0;
  private flight = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private strayed = false; // whether a gesture or the address chose the view
  private all: Box | null = null;

  /** `look` draws what is in view; in a hurry while the view changes. */
  constructor(private readonly look: (hurry: boolean) => void) {}

  /** Takes the size of the picture, and the box around all documents. */
  resize(size: Size, box: Box): void {
    const times = views.timesOf(this);
    const margin = Math.min(44, 0.07 * Math.min(size.width, size.height));
    this.home = views.fitting(large(box), size, margin);
    const same = this.all?.every((edge, k) => edge === box[k]);
    this.view = same ? views.around(this.middle, times * this.home.scale, size) : this.home;
    this.all = box;
  }

  /** The point of the map in the middle of the picture. */
  private get middle(): Point {
    return views.pointAt(this.view, views.centreOf(this.view));
  }

  move(dx: number, dy: number): void {
    this.byHand(views.moved(this.view, dx, dy));
  }

  /** Zooms in by a factor; what is at the pixel `at`, or else in the middle, stays there. */
  enlarge(times: number, at: Point | null): void {
    this.byHand(views.enlarged(this.view, times, at ?? views.centreOf(this.view)));
  }

  goHome(animated: boolean): void {
    this.strayed = false;
    this.go(this.home, animated);
  }

  /** Goes back to all documents, unless somebody chose another view. */
  goBack(animated: boolean): void {
    if (!this.strayed) this.goHome(animated);
  }

  /** Goes to a view with a box in sight, unless it is in sight and large enough. */
  see(box: Box, animated: boolean): void {
    const to = this.viewOf(box, this.view);
    if (to === this.view) return;
    this.strayed = false;
    this.go(to, animated);
  }

  /** A view with a box in sight: `from`, if it is in sight there. */
  viewOf(box: Box, from: View): View {
    if (views.isSeen(box, from)) return from;
    const near = views.fitting(large(box), this.home, 0.14 * this.home.width);
    return near.scale < this.home.scale ? this.home : near;
  }

  goTo({ x, y, times }: Sight, animated: boolean): void {
    this.strayed = true;
    this.go(views.around([x, y], times * this.home.scale, this.home), animated);
  }

  /** The place and scale of the view, whatever the size of the picture. */
  get sight(): Sight {
    const times = views.timesOf(this);
    const [x, y] = this.middle;
    const rounded = (value: number): number => Number(value.toFixed(times > 8 ? 2 : 0));
    return { x: rounded(x), y: rounded(y), times: Number(times.toPrecision(4)) };
  }

  isAt({ scale, x, y }: View): boolean {
    const { view } = this;
    const moved = Math.hypot(view.x - x, view.y - y);
    return Math.abs(view.scale / scale - 1) < 0.005 && moved < 1;
  }

  seePoint(point: Point, animated: boolean): void {
    const [x, y] = views.pixelOf(this.view, point);
    const { width, height, scale } = this.view;
    if (x >= 0 && y >= 0 && x <= width && y <= height) return;
    this.go(views.around(point, scale, this.view), animated);
  }

  private byHand(view: View): void {
    cancelAnimationFrame(this.flight);
    this.strayed = true;
    this.turn(view);
  }

  go(to: View, animated: boolean): void {
    cancelAnimationFrame(this.flight);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const from = this.view;
    if (!animated || still) {
      this.turn(to);
      return;
    }
    const begin = performance.now();
    const step = (now: number): void => {
      // A frame can bear a time before the one at which it was asked for.
      const t = Math.max(0, Math.min(1, (now - begin) / MILLISECONDS));
      this.turn(views.between(from, to, t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) ** 2));
      if (t < 1) this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
  }

  private turn(view: View): void {
    this.view = views.within(view, this.home);
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.look(true);
      });
    }
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.look(false), REST);
  }
}

function large([left, top, right, bottom]: Box): Box {
  const [across, down] = [right - left, bottom - top].map((side) => Math.max(0, LEAST - side) / 2);
  return [left - across, top - down, right + across, bottom + down];
}

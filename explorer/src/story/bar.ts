// The bar above the page in which a story is written or read, one view after the other.

import "./story.css";
import { button, h, replace } from "../look/dom";
import type { Page } from "../page/page";
import { fromAddress, type Store, toAddress } from "../selection/state";
import { MOST_VIEWS, type Step, type Story } from "./story";

/** The bar; it is hidden while there is no story. */
export class StoryBar {
  readonly element = h("section", { class: "story", "aria-label": "Story" });
  private at = 0; // the view that is told
  private left = false; // whether somebody reads no further

  /** `save` saves the page with the story. */
  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly story: Story,
    private readonly save: () => void,
  ) {
    story.onChange(() => this.draw());
    if (story.saved !== null && story.steps.length && location.hash.length < 2) this.show(0);
    this.draw();
  }

  /** A button that puts what is shown at the end of the story. */
  get adding(): HTMLButtonElement {
    const { story, store, page } = this;
    const element = button("Add this view to the story", () => {
      this.at = story.steps.length;
      story.steps = [...story.steps, { view: toAddress(store.state, page), sentence: "" }];
      this.element.querySelector("input")?.focus();
    });
    const draw = (): void => {
      element.hidden = story.saved !== null;
      element.disabled = story.steps.length >= MOST_VIEWS;
    };
    story.onChange(draw);
    draw();
    return element;
  }

  private show(at: number): void {
    this.at = at;
    this.store.set(fromAddress(this.story.steps[at].view, this.page));
    this.draw();
  }

  private draw(): void {
    const { element, story } = this;
    const { steps } = story;
    this.at = Math.min(this.at, steps.length - 1);
    element.hidden = !steps.length || this.left;
    if (element.hidden) return;
    const { at } = this;
    const go = (to: number, sign: string, name: string): HTMLElement =>
      button(sign, () => this.show(to), { "aria-label": name, disabled: !steps[to] });
    const place = button(`${at + 1} of ${steps.length}`, () => this.show(at), {
      title: "Shows this view again",
    });
    replace(
      element,
      go(at - 1, "‹", "Previous view"),
      place,
      go(at + 1, "›", "Next view"),
      ...(story.saved === null ? this.writing(steps[at]) : this.reading(steps[at])),
    );
  }

  private writing({ sentence }: Step): HTMLElement[] {
    const { story, at } = this;
    const input = h("input", {
      value: sentence,
      dir: "auto",
      placeholder: "What does this view show? Say it in a sentence",
      "aria-label": "Sentence",
      oninput: () => story.say(at, input.value),
    });
    const remove = (): void => {
      story.steps = story.steps.toSpliced(at, 1);
    };
    return [
      input,
      button("Remove", remove),
      button("Save page with story", this.save, { class: "first" }),
    ];
  }

  private reading(step: Step): HTMLElement[] {
    const leave = (): void => {
      this.left = true;
      this.draw();
    };
    const last = this.at === this.story.steps.length - 1;
    return [
      h("p", { dir: "auto", role: "status" }, step.sentence),
      button(
        last ? "Explore on your own" : "Leave the story",
        leave,
        last ? { class: "first" } : {},
      ),
    ];
  }
}

// The bar above the page in which a story is written or read, one view after the other.

import "./story.css";
import { button, h, replace } from "../look/dom";
import type { Page } from "../page/page";
import { fromAddress, type Store, toAddress } from "../selection/state";
import { LONGEST_SENTENCE, MOST_VIEWS, type Step, type Story } from "./story";

const AWAY = "This view is not in the story";

/** The bar; it is hidden while there is no story. */
export class StoryBar {
  readonly element = h("section.story.flow", { "aria-label": "Story" });
  private at = 0; // the place of the current view in the story
  private left = false; // whether a reader left the story

  /** `save` saves the page with the story, and `reveal` brings what a view is about into sight. */
  constructor(
    private readonly page: Page,
    private readonly store: Store,
    private readonly story: Story,
    private readonly save: () => void,
    private readonly reveal: () => void,
  ) {
    const { saved, steps } = story;
    if (saved !== null && steps.length && location.hash.length < 2) {
      store.set(fromAddress(steps[0].view, page));
    }
    story.onChange(() => this.draw());
    store.onChange(() => this.draw());
    this.draw();
  }

  get adding(): HTMLButtonElement {
    const { story } = this;
    const element = button("Add this view to the story", () => {
      const view = this.shown;
      if (story.steps.at(-1)?.view !== view) story.steps = [...story.steps, { view, sentence: "" }];
      this.element.querySelector("textarea")?.focus();
    });
    const draw = (): void => {
      element.hidden = story.saved !== null;
      element.disabled = story.steps.length >= MOST_VIEWS;
      element.title = element.disabled ? `A story has ${MOST_VIEWS} views at most` : "";
    };
    story.onChange(draw);
    draw();
    return element;
  }

  private get shown(): string {
    return toAddress(this.store.state, this.page);
  }

  /** A view as the page would write it now, without the place on the map, for comparisons. */
  private subject(view: string): string {
    return toAddress({ ...fromAddress(view, this.page), sight: null }, this.page);
  }

  private show(at: number): void {
    this.at = at;
    this.store.set(fromAddress(this.story.steps[at].view, this.page));
    this.reveal();
    this.draw();
  }

  private draw(): void {
    const { element, story } = this;
    const { steps } = story;
    const shown = this.subject(this.shown);
    const isShown = (step: Step | undefined): boolean =>
      step !== undefined && this.subject(step.view) === shown;
    const found = isShown(steps[this.at]) ? this.at : steps.findIndex(isShown);
    this.at = found >= 0 ? found : Math.max(0, Math.min(this.at, steps.length - 1));
    element.hidden = !steps.length || this.left;
    if (element.hidden) return;
    const { at } = this;
    const go = (to: number, sign: string, name: string): HTMLElement =>
      button(sign, () => this.show(to), { "aria-label": name, disabled: !steps[to] });
    const place = `${at + 1} of ${steps.length}`;
    replace(element, [
      go(at - 1, "‹", "Previous view"),
      button(found < 0 ? `Back to ${place}` : place, () => this.show(at)),
      go(at + 1, "›", "Next view"),
      story.saved === null
        ? this.writing(steps[at], found < 0)
        : this.reading(steps[at], found < 0),
    ]);
  }

  /** The sentence of a view, which can be changed unless the page shows something else. */
  private writing({ sentence }: Step, isAway: boolean): HTMLElement[] {
    const { story, at } = this;
    const held = this.page.documents === null ? "" : " and documents";
    const oninput = (): void => story.say(at, input.value);
    const props = { rows: 1, dir: "auto", maxlength: LONGEST_SENTENCE, "aria-label": "Sentence" };
    const placeholder = isAway ? AWAY : "What does this view show? Say it in a sentence";
    const said = isAway ? "" : sentence;
    const input = h("textarea", { ...props, placeholder, disabled: isAway, oninput }, said);
    const remove = (): void => {
      story.steps = story.steps.toSpliced(at, 1);
      if (story.steps.length) this.show(Math.min(at, story.steps.length - 1));
    };
    return [
      input,
      button("Remove", remove, { disabled: isAway }),
      button(`Save page with story${held}`, this.save, { class: "first" }),
    ];
  }

  private reading({ sentence }: Step, isAway: boolean): HTMLElement[] {
    const leave = (): void => {
      this.left = true;
      this.draw();
    };
    const isLast = this.at === this.story.steps.length - 1;
    const props = { dir: "auto", role: "status", class: isAway ? "soft" : null };
    const name = isLast ? "Explore on your own" : "Leave the story";
    return [
      h("p", props, isAway ? AWAY : sentence),
      button(name, leave, { class: isLast ? "first" : null }),
    ];
  }
}

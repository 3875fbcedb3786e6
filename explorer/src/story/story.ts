// A story: views of the page in an order, each with a sentence by the person who made it.

import { keep, kept } from "../look/keeping";
import { telling } from "../look/telling";
import { type Checked, checked, list, record, text } from "../page/schema";

export const MOST_VIEWS = 10;
export const LONGEST_SENTENCE = 300; // characters of a sentence, at most

const STORY = list(record({ view: text, sentence: text }));

export type Step = Checked<typeof STORY>[number];

/** A story that is being written, which the browser keeps, or one that a saved page has. */
export class Story {
  readonly onChange = telling();
  private views: readonly Step[];

  /** `key` is where the browser keeps it; `saved` is the story that the page was saved with. */
  constructor(
    readonly key: string,
    readonly saved: string | null,
  ) {
    this.views = readStory(saved ?? kept(key));
  }

  get steps(): readonly Step[] {
    return this.views;
  }

  set steps(steps: readonly Step[]) {
    this.views = steps;
    keep(this.key, this.written);
    this.onChange.tell();
  }

  /** Takes over what another window kept. */
  follow(): void {
    if (this.saved !== null) return;
    this.views = readStory(kept(this.key));
    this.onChange.tell();
  }

  /** Changes a sentence without calling listeners: they would redraw the field with the focus. */
  say(at: number, sentence: string): void {
    this.views = this.views.with(at, { ...this.views[at], sentence });
    keep(this.key, this.written);
  }

  get written(): string {
    return JSON.stringify(this.views);
  }
}

/** The views of a story; none if the text holds no story. */
function readStory(json: string): Step[] {
  try {
    return checked<Step[]>(JSON.parse(json), STORY, "the story").slice(0, MOST_VIEWS);
  } catch {
    return [];
  }
}

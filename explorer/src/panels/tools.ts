// The title of a topic and what can be changed about it.

import type { Edit } from "../edits/log";
import { button, h, replace } from "../look/dom";
import { capital, quoted } from "../look/format";
import { path, type Topic } from "../page/page";
import { only, termOf } from "../selection/terms";
import { dropDown } from "./drop-down";
import { Pane } from "./pane";

const LATER = "Edits change only this page until you run “hlta edit”; figures stay as they were.";

type Restructuring = Extract<Edit, { edit: "merge" | "move" }>;

export class TopicTools extends Pane {
  private readonly heading = h("h2", {
    tabindex: -1,
    title: "Double-click to rename (F2)",
    ondblclick: () => this.rename(),
  });
  private readonly form = h("div.form.screen");
  private topic!: Topic;

  /** The elements for a topic, with something `beside` the tools. */
  draw(topic: Topic, beside: HTMLElement | false): (HTMLElement | false)[] {
    this.topic = topic;
    this.heading.hidden = false;
    replace(this.heading, h("bdi", topic.title));
    replace(this.form);
    const { id, pinned } = topic;
    const make = (edit: Edit) => (): void => {
      this.make(edit);
    };
    const pin = make({ edit: pinned ? "unpin" : "pin", topic: id });
    const pressed = { "aria-pressed": String(pinned) };
    const merge = (into: string | null) => ({ edit: "merge", topic: id, into: into! }) as const;
    const move = (below: string | null) => ({ edit: "move", name: id, below }) as const;
    const top: [null, string] = [null, "none: as a root topic"];
    const [menu, items] = dropDown("Edit", false);
    replace(items, [
      button("Rename", () => this.rename()),
      button("Note", () => this.note()),
      button(pinned ? "★ Pinned" : "☆ Pin", pin, pressed),
      button("Hide", make({ edit: "hide", topic: id })),
      !this.page.cut && button("Merge…", () => this.choose("Merge into", "Merge", merge)),
      !this.page.cut && button("Move…", () => this.choose("Move below", "Move", move, top)),
    ]);
    return [
      this.heading,
      this.form,
      topic.note !== "" && h("p.own-note", { dir: "auto" }, topic.note),
      h("div.topic-tools.screen", { role: "group", "aria-label": "What to do with this topic" }, [
        button("Compare with…", () => this.store.compare([only(termOf(topic))])),
        menu,
        beside,
      ]),
      topic.stale && h("p.notice", changed(topic, this.edits.titled.has(id))),
    ];
  }

  /** Lets the title be changed, and then those of `further` topics, one after the other. */
  rename(further?: readonly Topic[]): void {
    const { id, title, label } = this.topic;
    const input = h("input", { type: "text", value: title, dir: "auto", "aria-label": "Title" });
    const goOn = (): void => (further ? this.nameEach(further) : this.cancel());
    this.heading.hidden = true;
    this.ask(input, further ? "Name it" : "Rename", () => {
      const same = input.value === title && !further;
      if (same || this.make({ edit: "rename", titles: { [id]: input.value } })) goOn();
    });
    input.select();
    if (!further) return;
    const put = (word: string): void => {
      input.value = input.value === title ? word : `${input.value} ${word}`;
      input.focus();
    };
    const left = further.length ? `${further.length} more after this one. ` : "The last one. ";
    this.form.querySelector(".answers")!.append(button("Skip", goOn));
    this.form.append(
      h("p.soft", `${left}Write a title of your own, or begin with one of its words:`),
      h("div.choices.flow", ...label.map((word) => button(word, () => put(word)))),
    );
  }

  /** Lets the titles of topics be changed, one after the other; then everything is shown again. */
  nameEach([topic, ...further]: readonly Topic[]): void {
    if (!topic) {
      this.store.clear();
      return;
    }
    this.store.selectTopic(topic.index);
    this.rename(further);
  }

  private note(): void {
    const { id, note } = this.topic;
    const input = h("textarea", { rows: 4, dir: "auto", "aria-label": "Note" }, note);
    this.ask(input, "Save the note", () => {
      if (input.value === note) this.cancel();
      else this.make({ edit: "note", topic: id, text: input.value });
    });
  }

  /** Asks for another topic, one of those for which the edit can be made. */
  private choose(
    label: string,
    name: string,
    edit: (id: string | null) => Restructuring,
    ...others: [id: null, name: string][]
  ): void {
    const { page, topic } = this;
    const { editing } = this.edits;
    const places: [id: string | null, name: string][] = [
      ...others,
      ...page.shown.map((other): [string, string] => [
        other.id,
        `${"\u2003".repeat(path(page, other).length - 1)}${other.title}`,
      ]),
    ];
    const open = places.filter(([id]) => editing.refusal(edit(id)) === null);
    if (!open.length) {
      const first = topic.parent >= 0 ? page.topics[topic.parent] : page.shown[0];
      this.refuse(editing.refusal(edit(first.id)) ?? "no other topic can take it");
      return;
    }
    const select = h("select", { "aria-label": label }, [
      h("option", { value: "", disabled: true, selected: true }, "Choose a topic"),
      open.map(([, text], k) => h("option", { value: k }, text)),
    ]);
    this.ask(select, name, () => this.make(edit(open[Number(select.value)][0])), label, LATER);
  }

  private ask(
    field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
    name: string,
    done: () => void,
    label = "",
    hint = "",
  ): void {
    const empty = field instanceof HTMLSelectElement; // until something is chosen
    const answer = h("button.first", { type: "submit", disabled: empty }, name);
    const form = h(
      "form",
      {
        onchange: () => {
          answer.disabled = false;
        },
        onsubmit: (event: Event) => {
          event.preventDefault();
          done();
        },
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === "Escape") this.cancel();
          const lines = field instanceof HTMLTextAreaElement;
          if (lines && event.key === "Enter" && (event.ctrlKey || event.metaKey)) done();
        },
      },
      label !== "" && h("span.soft", label),
      field,
      h("span.answers", [answer, button("Cancel", () => this.cancel())]),
      hint !== "" && h("p.soft", hint),
    );
    replace(this.form, form);
    field.focus();
  }

  private cancel(): void {
    replace(this.form);
    this.heading.hidden = false;
    this.heading.focus({ preventScroll: true });
  }

  /** Makes an edit, or says why it cannot be made; returns whether it was made. */
  private make(edit: Edit): boolean {
    try {
      this.edits.make(edit);
      this.heading.focus({ preventScroll: true });
      return true;
    } catch (error) {
      this.refuse((error as Error).message);
      return false;
    }
  }

  private refuse(reason: string): void {
    this.form.querySelector("[role=alert]")?.remove();
    this.form.append(h("p.notice", { role: "alert" }, `${capital(reason)}.`));
  }
}

/** The notice on a topic that an edit of the tree changed; a title by a person stays. */
function changed({ joined }: Topic, titled: boolean): string {
  const merged = joined.map(quoted).join(", ");
  const mergers = merged && `${merged} ${joined.length === 1 ? "was" : "were"} merged into it. `;
  return (
    `${mergers}Edits changed what is below this topic: its ${titled ? "" : "title, "}words, ` +
    "figures and documents are those of before, until “hlta edit” has computed them anew."
  );
}

// The working set as chips, one for each clause, and how many documents it has.

import { Pane, type Shared } from "./pane";
import "./chips.css";
import { hue } from "../look/colours";
import { button, h, replace } from "../look/dom";
import { count, percent, whole } from "../look/format";
import type { Figure } from "../selection/figure";
import { describeClause, limits } from "../selection/saying";
import { type Clause, IN_PART, only, type Term } from "../selection/terms";
import { dropDown } from "./drop-down";

const MANY = 20; // chips, from which on they scroll

/** The bar with the chips. It is shown if the working set is narrowed, or if the address could not
 * be read or is of another model. */
export class Chips extends Pane {
  readonly element = h("section.working.flow", { "aria-label": "Working set" });
  private readonly list = h("ul.terms.flow");
  private readonly status = h("p.status", { role: "status" });

  constructor(shared: Shared) {
    super(shared);
    const { store, working } = this;
    replace(this.element, [
      this.list,
      this.status,
      button("Clear", () => store.clear(), { class: "clear screen" }),
    ]);
    store.onChange(() => this.draw());
    store.onEdit(() => this.draw());
    working.onChange(() => this.draw());
    working.onCount(() => this.draw());
    this.draw();
  }

  private draw(): void {
    const { page, store, working } = this;
    const { topic, clauses, unread, foreign } = store.state;
    const isHidden = !working.narrowed && !unread && !foreign;
    if (isHidden && this.element.contains(document.activeElement)) {
      this.element.parentElement!.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    }
    this.element.hidden = isHidden;
    const sliding = this.list.querySelector("input") === document.activeElement;
    this.list.classList.toggle("many", clauses.length > MANY);
    replace(this.list, [
      topic >= 0 && this.topicChip(),
      clauses.map((clause, k) => this.chip(clause, k)),
    ]);
    const slider = this.list.querySelector("input");
    if (sliding && slider) {
      // The focus goes back to the slider, which was drawn anew while somebody moved it.
      slider.closest("details")!.open = true;
      slider.focus({ preventScroll: true });
    }
    const { figure, trouble, waiting } = working;
    const parts = [
      foreign ? "This link belongs to another model and may show something else here." : "",
      unread ? `${count(unread, "part")} of the address could not be read.` : "",
      trouble,
      waiting ? "Counting …" : "",
      figure && !waiting && working.narrowed ? describeOfAll(figure, page.documents!) : "",
    ];
    this.status.textContent = parts.filter(Boolean).join(" ");
  }

  private topicChip(): HTMLElement {
    const { page, store } = this;
    const { topic: index, least, main } = store.state;
    const topic = page.topics[index];
    const output = h("output", percent(least));
    const slider = h("input", {
      type: "range",
      min: Math.round(100 * (this.working.documents?.least ?? IN_PART)),
      max: 99,
      value: Math.round(100 * least),
      "aria-label": "Lowest share",
      oninput: () => replace(output, percent(Number(slider.value) / 100)),
      onchange: () => store.set({ least: Number(slider.value) / 100 }),
    });
    const turn = (): void => {
      const term: Term = { kind: "topic", id: topic.id, least, main };
      store.set({ topic: -1, clauses: [...store.state.clauses, only(term)] });
    };
    const { all } = this.working;
    const version = (to: boolean, name: string, documents: ArrayLike<number>): HTMLElement =>
      button(`${name} (${whole(documents[index])})`, () => store.set({ main: to }), {
        "aria-pressed": String(main === to),
      });
    return this.shown(
      [h("bdi", topic.title), ...limits({ least, main })],
      hue(topic.branch),
      () => store.selectTopic(-1),
      topic.title,
      all !== null && version(true, "Mainly", all.main),
      all !== null && version(false, "In part", all.on),
      h("label", "Share at least ", slider, output),
      button("Keep, and choose another topic", turn),
    );
  }

  private chip(clause: Clause, place: number): HTMLElement {
    const { store } = this;
    const { not, terms } = clause;
    const { clauses } = store.state;
    const before = clauses[place - 1];
    const join = (): void => {
      const joined = { not: before.not, terms: [...before.terms, ...terms] };
      store.set({ clauses: clauses.toSpliced(place - 1, 2, joined) });
    };
    const part = (): void => store.change(clause, ...terms.map((term) => only(term, not)));
    const name = describeClause(clause, this.page);
    return this.shown(
      [h("bdi", name)],
      null,
      () => store.change(clause),
      name,
      terms[0].kind !== "all" &&
        button(not ? "Take these in" : "Leave these out", () =>
          store.change(clause, { not: !not, terms }),
        ),
      before && before.not === not && button("Match either", join),
      terms.length > 1 && button("Each on its own", part),
    );
  }

  private shown(
    content: (HTMLElement | string | false)[],
    colour: string | null,
    remove: () => void,
    name: string,
    ...choices: (HTMLElement | false)[]
  ): HTMLElement {
    const [menu, items, summary] = dropDown("", false);
    replace(summary, content);
    replace(items, choices);
    const out = button("×", remove, { class: "remove screen", "aria-label": `Remove ${name}` });
    if (!colour) return h("li.chip", menu, out);
    return h("li.chip.of-topic", { style: { "--hue": colour } }, menu, out);
  }
}

function describeOfAll({ documents, bound, among }: Figure, total: number): string {
  const of =
    among === null ? count(total, "document") : `the ${whole(among)} documents in this page`;
  const sample = among === null ? "" : `, a sample of ${whole(total)}`;
  return `${bound} ${whole(documents)} of ${of}${sample}`.trimStart();
}

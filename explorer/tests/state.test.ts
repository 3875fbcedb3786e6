import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Side } from "../src/selection/sides";
import { fieldOf, fromAddress, type State, Store, toAddress } from "../src/selection/state";
import { only, termOf } from "../src/selection/terms";
import { groups, page } from "./pages";

const NOTHING: State = {
  topic: -1,
  least: 0.2,
  main: false,
  clauses: [],
  document: 0,
  context: false,
  order: null,
  compared: [],
  missing: "",
  unread: 0,
  foreign: false,
  view: "map",
  colour: "topic",
  by: "",
  sight: null,
};

const of = (id: string): Side => [only(termOf({ id }))];

test("every state comes back from its address", () => {
  for (const state of [
    NOTHING,
    { ...NOTHING, topic: 2 },
    { ...NOTHING, document: 17 },
    { ...NOTHING, topic: 3, document: 1, view: "changes" } as const,
    { ...NOTHING, topic: 1, least: 0.25, main: true, order: "newest" } as const,
    { ...NOTHING, context: true, order: "left" } as const,
    { ...NOTHING, compared: [of("Z3-2"), of("Z2-1")], view: "differences" } as const,
    { ...NOTHING, compared: [[only({ kind: "group", field: "group", name: "a&b=c" })], []] },
    { ...NOTHING, clauses: [only({ kind: "text", query: '"a|b" & c=#é' }, true)] },
    { ...NOTHING, missing: "Z9-9" },
    { ...NOTHING, colour: "date" } as const,
    { ...NOTHING, topic: 1, sight: { x: 31_000, y: 0, times: 4.25 } },
  ]) {
    assert.deepEqual(fromAddress(toAddress(state, page()), page()), state);
  }
});

test("the field to compare by comes back, if the page has it; the usual one needs no name", () => {
  const fields = [groups(["a", "b"], [], []), groups(["x", "y"], [], [], "kind")];
  const known = { ...page(), fields };
  const kind: Side = [only({ kind: "group", field: "kind", name: "x: y" })];
  const state = { ...NOTHING, by: "kind", colour: "kind", clauses: kind, compared: [kind, []] };
  assert.deepEqual(fromAddress(toAddress(state, known), known), state);
  assert.deepEqual(fieldOf(state, known), fields[1]);
  const elsewhere = fromAddress(toAddress(state, known), page());
  assert.deepEqual(elsewhere, { ...NOTHING, unread: 1 });
  assert.equal(fieldOf(elsewhere, page()), undefined);
  assert.equal(fieldOf(fromAddress("#by=group&colour=group", known), known), fields[0]);
});

test("the address names topics by id, and leaves out what is not selected", () => {
  assert.equal(toAddress(NOTHING, page()), "#");
  const state: State = { ...NOTHING, topic: 1, document: 5, view: "differences" };
  assert.equal(toAddress(state, page()), "#topic=Z2-1&document=5&view=differences");
});

test("addresses of earlier pages show what has taken the place of their views", () => {
  const views = ["areas", "diagram", "time", "groups", "compare", "map"].map(
    (view) => fromAddress(`#view=${view}`, page()).view,
  );
  assert.deepEqual(views, ["map", "map", "changes", "differences", "differences", "map"]);
});

test("an id that needs escapes comes back", () => {
  const odd = page();
  odd.topics[1] = { ...odd.topics[1], id: "a b&c=#é" };
  const state = { ...NOTHING, topic: 1 };
  assert.deepEqual(fromAddress(toAddress(state, odd), odd), state);
});

test("what an address holds that there is not is not selected", () => {
  for (const fragment of [
    "",
    "#",
    "#document=-3",
    "#document=many",
    "#document=0.5",
    "#view=maps",
    "#view=toString",
    "#colour=red",
    "#at=",
    "#at=1_2",
    "#at=1_2_0",
    "#at=-1_2_3",
    "#at=a_b_c",
    "#%",
  ]) {
    assert.deepEqual(fromAddress(fragment, page()), NOTHING, fragment);
  }
  assert.deepEqual(fromAddress("#topic=Z9-9", page()), { ...NOTHING, missing: "Z9-9" });
  assert.equal(fromAddress("#document=7.9", page()).document, 7);
  assert.equal(fromAddress("#with=odd&or=word:", page()).unread, 2);
  assert.deepEqual(fromAddress("#least=2&main=yes&order=best&compare=Z9", page()), NOTHING);
});

test("an address of a page of another model is noticed", () => {
  assert.ok(!fromAddress(`#model=${page().log.model}`, page()).foreign);
  assert.ok(fromAddress("#model=fedcba9876543210", page()).foreign);
});

/** A browser with nothing but an address; tells the ways in which it was changed. */
function fakeBrowser(hash: string): string[] {
  const steps: string[] = [];
  const change = (kind: string) => (_: null, __: string, address: string) => {
    steps.push(`${kind} ${address}`);
  };
  Object.assign(globalThis, {
    addEventListener: () => {},
    location: { hash },
    history: { pushState: change("push"), replaceState: change("replace") },
  });
  return steps;
}

let steps: string[] = [];
beforeEach(() => {
  steps = fakeBrowser("#topic=Z2-1");
});

test("a topic, a document, what is listed and a view are steps back; an order is not", () => {
  const store = new Store(page());
  assert.equal(store.state.topic, 1);
  store.set({ view: "changes" });
  store.set({ view: "changes", topic: 1, compared: [] }); // nothing new
  store.selectDocument(4);
  store.selectTopic(-1);
  store.set({ context: true });
  store.set({ order: "right" });
  assert.deepEqual(steps, [
    "push #topic=Z2-1&view=changes",
    "replace #topic=Z2-1&view=changes",
    "push #topic=Z2-1&document=4&view=changes",
    "push #view=changes",
    "push #context=1&view=changes",
    "replace #context=1&order=right&view=changes",
  ]);
});

test("where the map is looked at is in the address, and no step", () => {
  const store = new Store(page());
  store.set({ sight: { x: 1, y: 2.5, times: 3 } });
  store.set({ sight: null });
  assert.deepEqual(steps, ["replace #topic=Z2-1&at=1_2.5_3", "replace #topic=Z2-1"]);
});

test("a selected topic is brought into sight, and listeners are told", () => {
  const store = new Store(page());
  const events: string[] = [];
  store.onChange((state, before) => events.push(`${before.topic} to ${state.topic}`));
  store.onExpansion(() => events.push(`expanded ${[...store.expanded]}`));
  store.onPick(() => events.push("picked"));
  store.selectTopic(2);
  store.selectTopic(2);
  assert.deepEqual(events, ["expanded 0", "1 to 2", "picked", "2 to 2", "picked"]);
  store.setExpanded([0], false);
  assert.equal(store.expanded.size, 0);
});

test("documents are compared with all others, or with those that wait for it", () => {
  const store = new Store(page());
  store.compare(of("Z3-2"));
  assert.deepEqual([store.state.compared, store.state.view], [[of("Z3-2")], "differences"]);
  store.compare(of("Z3-2")); // again, and nothing else
  assert.deepEqual(store.state.compared, [of("Z3-2")]);
  store.compare(of("Z2-1"));
  assert.deepEqual(store.state.compared, [of("Z3-2"), of("Z2-1")]);
  store.compare(of("Z2-2")); // a new comparison
  assert.deepEqual(store.state.compared, [of("Z2-2")]);
  assert.deepEqual(
    steps.map((step) => step.split(" ")[0]),
    ["push", "replace", "push", "push"],
  );
});

test("all documents are a choice only as long as nothing else is chosen", () => {
  const all = only({ kind: "all" });
  const star = only({ kind: "word", word: "star" });
  assert.deepEqual(fromAddress("#with=all", page()).clauses, [all]);
  assert.deepEqual(fromAddress("#topic=Z2-1&with=all", page()).clauses, []);
  const store = new Store(page());
  store.choose([all]);
  store.add(star);
  assert.deepEqual(store.state.clauses, [star]);
  store.choose([all]);
  store.selectTopic(0);
  assert.deepEqual(store.state.clauses, []);
});

test("an address has two sides at most, and what means nothing is left out", () => {
  const address = "#compare=Z3-1&compare=Z9-9&compare=Z2-1&compare=Z3-2";
  assert.deepEqual(fromAddress(address, page()).compared, [of("Z3-1"), of("Z2-1")]);
  assert.deepEqual(fromAddress("#compare=&compare=", page()).compared, []);
});

test("of compared topics, merged ones become what they are in, and hidden ones go", () => {
  const edited = page();
  const store = new Store(edited);
  store.set({ compared: [of("Z2-2"), of("Z3-2")] });
  edited.topics[2] = { ...edited.topics[2], gone: "merged", into: 1 };
  store.edited();
  assert.deepEqual(store.state.compared, [of("Z2-1"), of("Z3-2")]);
  edited.topics[3] = { ...edited.topics[3], gone: "hidden" };
  store.edited();
  assert.deepEqual(store.state.compared, [of("Z2-1")]);
});

test("clauses can be chosen in the place of a topic, in one step", () => {
  const store = new Store(page());
  const clause = only({ kind: "word", word: "star" });
  store.choose([clause]);
  assert.deepEqual([store.state.topic, store.state.clauses], [-1, [clause]]);
  assert.deepEqual(steps, ["push #with=word%3Astar"]);
});

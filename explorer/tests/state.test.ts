import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fromAddress, type State, Store, toAddress } from "../src/state";
import { page } from "./pages";

const NOTHING: State = { topic: -1, document: 0, view: "map" };

test("every state comes back from its address", () => {
  for (const state of [
    NOTHING,
    { ...NOTHING, topic: 2 },
    { ...NOTHING, document: 17 },
    { topic: 3, document: 1, view: "time" } as const,
    { ...NOTHING, view: "diagram" } as const,
  ]) {
    assert.deepEqual(fromAddress(toAddress(state, page()), page()), state);
  }
});

test("the address names topics by id, and leaves out what is not selected", () => {
  assert.equal(toAddress(NOTHING, page()), "#");
  const state: State = { topic: 1, document: 5, view: "groups" };
  assert.equal(toAddress(state, page()), "#topic=Z2-1&document=5&view=groups");
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
    "#topic=Z9-9",
    "#document=-3",
    "#document=many",
    "#document=0.5",
    "#view=maps",
    "#view=toString",
    "#%",
  ]) {
    assert.deepEqual(fromAddress(fragment, page()), NOTHING, fragment);
  }
  assert.equal(fromAddress("#document=7.9", page()).document, 7);
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

test("a topic or document is a step back; a view is not", () => {
  const store = new Store(page());
  assert.equal(store.state.topic, 1);
  store.set({ view: "diagram" });
  store.selectDocument(4);
  store.selectTopic(-1);
  assert.deepEqual(steps, [
    "replace #topic=Z2-1&view=diagram",
    "push #topic=Z2-1&document=4&view=diagram",
    "push #view=diagram",
  ]);
});

test("a selected topic is brought into sight, and listeners are told", () => {
  const store = new Store(page());
  const told: string[] = [];
  store.onChange((state, before) => told.push(`${before.topic} to ${state.topic}`));
  store.onExpansion(() => told.push(`expanded ${[...store.expanded]}`));
  store.onPick(() => told.push("picked"));
  store.selectTopic(2);
  store.selectTopic(2);
  assert.deepEqual(told, ["expanded 0", "1 to 2", "picked", "2 to 2", "picked"]);
  store.setExpanded([0], false);
  assert.equal(store.expanded.size, 0);
});

test("without a history the state changes all the same", () => {
  const store = new Store(page());
  history.pushState = () => {
    throw new Error("no address");
  };
  store.selectTopic(3);
  assert.equal(store.state.topic, 3);
});

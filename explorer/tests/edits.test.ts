import assert from "node:assert/strict";
import { test } from "node:test";
import { Edits, type Keeper } from "../src/edits/edits";
import { type Edit, readLog, writeLog } from "../src/edits/log";
import { page, WORDS } from "./pages";

/** A browser's storage, as an object. */
function keeper(kept: Record<string, string> = {}): Keeper & { readonly kept: typeof kept } {
  return {
    kept,
    getItem: (key) => kept[key] ?? null,
    setItem: (key, value) => {
      kept[key] = value;
    },
  };
}

const NAMED: Edit = { edit: "rename", titles: { "Z3-2": "Proofs" } };
const HIDDEN: Edit = { edit: "hide", topic: "Z3-2" };
const REFUSING = (): Keeper => {
  throw new Error("no storage");
};

test("the log has the edits of the model, then those of the page with first keywords", () => {
  const shown = page();
  const before = { edit: "hide", topic: "Z1-9" };
  Object.assign(shown, { log: { ...shown.log, settled: 1, edits: [before] } });
  const edits = new Edits(shown, keeper);
  edits.make(NAMED);
  const words = { "Z3-2": [3, 4, 5].map((word) => WORDS[word]) };
  const expected = { ...shown.log, edits: [before, { ...NAMED, words }] };
  assert.deepEqual(readLog(edits.exported()), expected);
});

test("edits that the model has by now are not made twice", () => {
  const browser = keeper();
  const first = new Edits(page(), () => browser);
  first.make(NAMED);
  first.make(HIDDEN);
  const next = page();
  Object.assign(next, { log: { ...next.log, edits: first.log.edits.slice(0, 1) } });
  next.topics[3] = { ...next.topics[3], title: "Proofs" };
  assert.deepEqual(new Edits(next, () => browser).descriptions, ["Hide “Proofs”"]);
  Object.assign(next, { log: { ...next.log, edits: first.log.edits } });
  assert.equal(new Edits(next, () => browser).count, 0);
});

test("a page that was saved with edits can undo them, for good", () => {
  const browser = keeper();
  const made = new Edits(page(), keeper);
  made.make(NAMED);
  const saved = writeLog(made.log);
  new Edits(page(), () => browser, saved).undo();
  assert.equal(new Edits(page(), () => browser, saved).count, 0);
  assert.equal(new Edits(page(), keeper, saved).count, 1);
  assert.match(new Edits(page(), keeper, "{").trouble, /left out: this is not a log/);
});

test("other edits that the browser keeps are set aside until somebody decides", () => {
  const browser = keeper();
  new Edits(page(), () => browser).make(HIDDEN);
  const other = new Edits(page(), keeper);
  other.make(NAMED);
  const edits = new Edits(page(), () => browser, writeLog(other.log));
  assert.deepEqual([edits.count, edits.aside?.edits.length], [1, 1]);
  edits.take(edits.aside!);
  assert.deepEqual(edits.descriptions, ["Hide “proof”"]);
  assert.equal(edits.aside, null);
  edits.undo(); // an import is a step like any other
  assert.deepEqual(edits.descriptions, ["Rename “proof” to “Proofs”"]);
});

test("without storage edits are unsaved until they are exported", () => {
  const edits = new Edits(page(), REFUSING);
  assert.match(edits.trouble, /keeps no edits/);
  assert.ok(!edits.unsaved);
  edits.make(NAMED);
  assert.ok(edits.unsaved);
  edits.exported();
  assert.ok(!edits.unsaved);
});

test("what another window does is followed", () => {
  const browser = keeper();
  const [one, other] = [page(), page()];
  const edits = [new Edits(one, () => browser), new Edits(other, () => browser)];
  edits[0].make(NAMED);
  edits[1].follow();
  assert.equal(other.topics[3].title, "Proofs");
  browser.kept[edits[0].key] = "damaged";
  edits[1].follow();
  assert.match(edits[1].trouble, /damaged/);
  assert.equal(other.topics[3].title, "Proofs");
});

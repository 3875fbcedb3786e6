import assert from "node:assert/strict";
import { test } from "node:test";
import { beyond, type Entry, editOf, type Log, readLog, writeLog } from "../src/edits/log";

const LOG: Log = {
  model: "0123456789abcdef",
  settled: 1,
  edits: [
    { edit: "split", topic: "Z1-1", learned: { x: [[0.1, 1e-15]] } },
    { edit: "rename", titles: { "Z2-1": "“a” \u2028 \u{1f600}" }, words: { "Z2-1": ["star"] } },
  ],
};

test("a log comes back from its text, which has a line per edit", () => {
  const text = writeLog(LOG);
  assert.deepEqual(readLog(text), LOG);
  assert.equal(text.split("\n").length, LOG.edits.length + 3);
  assert.deepEqual(readLog(`\ufeff${writeLog({ ...LOG, edits: [] })}`), { ...LOG, edits: [] });
});

test("a log that was never settled says nothing of it", () => {
  assert.ok(!writeLog({ ...LOG, settled: 0 }).includes("settled"));
  assert.equal(readLog(writeLog({ ...LOG, settled: 0 })).settled, 0);
});

test("what is no log is refused with the reason", () => {
  const of = (more: object): string => JSON.stringify({ ...JSON.parse(writeLog(LOG)), ...more });
  for (const [text, reason] of [
    ["", /not JSON/],
    ["null", /its format is not hlta-edits/],
    [of({ version: 2 }), /version 2, not 1/],
    [of({ model: 5 }), /model is not a string/],
    [of({ edits: [{}] }), /edits\[0\]\.edit is not a string/],
  ] as const) {
    assert.throws(() => readLog(text), reason);
  }
});

test("entries are edits of kinds that the page knows, with their fields", () => {
  const move = { edit: "move", name: "Z1-1", below: null };
  assert.equal(editOf(move), move);
  for (const entry of [
    { edit: "split" },
    { edit: "toString" },
    { edit: "move", name: "Z1-1" },
    { edit: "merge", topic: "Z1-1", into: null },
    { edit: "rename", titles: { a: 5 } },
  ]) {
    assert.throws(() => editOf(entry as Entry));
  }
});

test("one log goes on where another ends, whatever their words and the order of fields", () => {
  const [split, rename] = LOG.edits;
  const other = { titles: rename.titles, edit: "rename" };
  const hide = { edit: "hide", topic: "Z2-1" };
  assert.deepEqual(beyond({ ...LOG, edits: [split, other, hide] }, LOG), [hide]);
  assert.deepEqual(beyond(LOG, LOG), []);
  assert.equal(beyond(LOG, { ...LOG, edits: [split, other, hide] }), null);
  assert.equal(beyond({ ...LOG, edits: [split, hide] }, LOG), null);
});

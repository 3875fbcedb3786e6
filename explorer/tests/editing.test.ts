import assert from "node:assert/strict";
import { test } from "node:test";
import { Editing } from "../src/edits/editing";
import type { Edit } from "../src/edits/log";
import type { Outline } from "../src/page/page";
import { page } from "./pages";

/** The topics after some edits. */
function after(...edits: Edit[]): Outline {
  const editing = new Editing(page());
  for (const edit of edits) editing.make(edit);
  return editing.outline();
}

const ids = ({ topics }: Outline, indices: number[]): string[] =>
  indices.map((index) => topics[index].id);

test("without edits the topics are as they were", () => {
  const { topics, roots, shown } = page();
  assert.deepEqual(after(), { topics, roots, shown });
});

test("a title, a note and a pin belong to one topic", () => {
  const { topics, roots } = after(
    { edit: "rename", titles: { "Z3-2": " Proofs " } },
    { edit: "note", topic: "Z3-2", text: "ours " },
    { edit: "pin", topic: "Z3-2" },
  );
  const { title, more, note, pinned } = topics[3];
  assert.deepEqual([title, more, note, pinned], ["Proofs", "proof theorem graph", "ours", true]);
  assert.deepEqual(roots, [3, 0]);
  assert.equal(topics[3].branch, 1); // its colour stays
});

test("a merged topic leaves what is below it, and marks what it changed", () => {
  const { topics, shown, roots } = after({ edit: "merge", topic: "Z3-1", into: "Z3-2" });
  assert.deepEqual(roots, [3]);
  assert.deepEqual(topics[3].children, [1, 2]);
  assert.deepEqual([topics[0].gone, topics[0].into], ["merged", 3]);
  assert.deepEqual(topics[3].joined, ["star"]);
  assert.deepEqual(
    shown.map(({ id, stale, branch }) => [id, stale, branch]),
    [
      ["Z3-2", true, 1],
      ["Z2-1", false, 1],
      ["Z2-2", false, 1],
    ],
  );
});

test("a topic below a root topic raises all root topics", () => {
  const { topics, roots } = after({ edit: "move", name: "Z3-1", below: "Z3-2" });
  assert.deepEqual(roots, [3]);
  assert.deepEqual(
    topics.map(({ level, parent }) => [level, parent]),
    [
      [3, 3],
      [2, 0],
      [2, 0],
      [4, -1],
    ],
  );
  const up = after({ edit: "move", name: "Z2-2", below: null });
  assert.deepEqual(ids(up, up.roots), ["Z3-1", "Z2-2", "Z3-2"]);
  assert.equal(up.topics[2].level, 3);
  assert.equal(up.topics[2].branch, 0); // its documents are where they were
});

test("edits that cannot be made are refused and change nothing", () => {
  const two = page();
  two.topics[0] = { ...two.topics[0], members: 2 };
  const editing = new Editing(two);
  editing.make({ edit: "hide", topic: "Z3-2" });
  const before = editing.outline();
  const refused: [Edit, RegExp][] = [
    [{ edit: "pin", topic: "Z9-9" }, /this page has no topic Z9-9/],
    [{ edit: "unpin", topic: "Z3-1" }, /is not pinned/],
    [{ edit: "show", topic: "Z3-1" }, /is not hidden/],
    [{ edit: "hide", topic: "Z3-1" }, /no topic would be left to show/],
    [{ edit: "rename", titles: { "Z2-1": "ok", "Z2-2": "DARK-MATTER\0" } }, /control character/],
    [{ edit: "rename", titles: { "Z2-1": "Dark-Matter" } }, /title of a topic beside it/],
    [{ edit: "rename", titles: { "Z2-2": "STAR" } }, /title of a topic above it/],
    [{ edit: "rename", titles: { "Z2-1": "x", "Z2-2": "X" } }, /title of a topic beside it/],
    [{ edit: "merge", topic: "Z3-1", into: "Z3-1" }, /merged into itself/],
    [{ edit: "merge", topic: "Z3-1", into: "Z2-1" }, /is more general than/],
    [{ edit: "merge", topic: "Z3-1", into: "Z3-2" }, /is hidden/],
    [
      { edit: "merge", topic: "Z2-1", into: "Z2-2" },
      /one member, “dark-matter”; merge both into “star” instead/,
    ],
    [
      { edit: "move", name: "Z2-1", below: null },
      /one member, “dark-matter”; first merge “dark-matter” into “star”, or merge “star” into an/,
    ],
    [{ edit: "move", name: "Z3-1", below: null }, /is a root topic already/],
    [{ edit: "move", name: "Z3-1", below: "Z2-1" }, /cannot hang below itself/],
    [{ edit: "move", name: "Z2-1", below: "Z3-1" }, /is directly below .* already/],
  ];
  for (const [edit, reason] of refused) {
    assert.throws(() => editing.make(edit), reason);
    assert.deepEqual(editing.outline(), before);
  }
});

test("edits are told with the titles of their time", () => {
  const editing = new Editing(page());
  const describe = (edit: Edit): string => editing.describe(edit);
  assert.equal(describe({ edit: "rename", titles: { "Z2-1": "x" } }), "Rename “galaxy” to “x”");
  editing.make({ edit: "rename", titles: { "Z2-1": "x" } });
  assert.equal(describe({ edit: "hide", topic: "Z2-1" }), "Hide “x”");
  assert.equal(describe({ edit: "merge", topic: "Z2-1", into: "Z3-1" }), "Merge “x” into “star”");
  assert.equal(describe({ edit: "move", name: "Z2-1", below: null }), "Move “x” to the top");
  assert.equal(describe({ edit: "note", topic: "Z9-9", text: "" }), "Remove the note on Z9-9");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Sharing } from "../src/shares/division";
import { DIVIDING } from "./pages";

test("shares along the text are those of its sections", () => {
  // By column: 128 for a word as frequent as in all documents, 1 more for twice as frequent.
  const codes = [137, 137, 119, 119, 119, 137, 119, 137, 128, 128, 128, 128];
  const sharing = new Sharing(DIVIDING, Uint8Array.from(codes));
  const sections = [Uint32Array.of(0, 1), Uint32Array.of(2), new Uint32Array()];
  const divided = sharing.of(sections, Uint32Array.of(0, 1, 2), 0.2);
  for (const topic of [0, 1, 2, 3]) {
    const along = divided.along(topic);
    const alone = sections.map((words) => sharing.of([words], words, 0.2).share(topic));
    assert.deepEqual(along, alone);
    assert.ok(Math.abs(divided.share(topic) - (2 * along[0] + along[1]) / 3) < 1e-12);
  }
});

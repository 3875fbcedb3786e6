import assert from "node:assert/strict";
import { test } from "node:test";
import { unpack } from "../src/page/container";
import { Documents } from "../src/page/documents";
import { readPage } from "../src/page/page";
import { documents as blockOf, pack } from "./pages";

const TOPICS = {
  title: "Test",
  words: ["star", "=1+1"],
  topics: [
    {
      id: "Z2-1",
      level: 2,
      parent: -1,
      node: 2,
      size: 0.25,
      documents: 3,
      mainly: 2,
      stability: null,
      contrast: 0.8,
      vague: false,
      pinned: false,
      note: "",
      members: 2,
      title: "star",
      label: ["star", "=1+1"],
      words: [
        [0, 0.5, 0.1, 0.2],
        [1, 0.4, 0.1, 0.1],
      ],
      sure: [0.9, 0.5],
      facets: [{ size: 0.2, words: [[1, 0.5, 0.25, 0.1]] }],
      related: [],
    },
  ],
  log: { model: "0123456789abcdef", edits: [] },
  cut: false,
  links: [],
  dividing: {
    families: [[0, 1, -1]],
    prior: [3],
    columns: [0],
    step: 0.5,
    close: 1e-4,
    vector: 10,
  },
  documents: 3,
  none: 0,
  effectiveSize: [2.5],
  divisions: [
    {
      key: "date",
      name: "year",
      further: 0,
      unit: "year",
      names: ["2001", "2002"],
      documents: [1, 2],
    },
  ],
};
const ARRAYS: Parameters<typeof pack>[1] = {
  parent: ["i4", Int32Array.of(2, 2, -1)],
  "dividing.codes": ["u1", Uint8Array.of(130, 126)],
  "divisions.0.shares": ["f4", Float32Array.of(0.125, 0.5)],
  "divisions.0.on": ["u4", Uint32Array.of(0, 1)],
};

test("the block of topics is read", async () => {
  const read = await readPage(pack(TOPICS, ARRAYS));
  assert.equal(read.title, "Test");
  assert.deepEqual(read.roots, [0]);
  assert.deepEqual(read.topics[0].words[1], {
    word: 1,
    inside: 0.4,
    outside: 0.1,
    information: 0.1,
    sure: 0.5,
  });
  const [facet] = read.topics[0].facets;
  assert.equal(facet.size, 0.2);
  assert.deepEqual(facet.words, [
    { word: 1, inside: 0.5, outside: 0.25, information: 0.1, sure: null },
  ]);
  assert.deepEqual([...read.parent], [2, 2, -1]);
  assert.equal(read.sharing.of([Uint32Array.of(1)], Uint32Array.of(1), 0.2).share(0), 1);
  assert.equal(read.periods?.of(0, 1), 0.5);
  assert.deepEqual([read.periods?.on(0, 0), read.periods?.on(0, 1)], [0, 1]);
  assert.equal(read.periods?.effectiveSize(0), 2.5);
  assert.deepEqual(read.fields, []);
  assert.equal(read.documents, 3);
});

test("a header that is not as it should be is refused, with the place", async () => {
  const [topic] = TOPICS.topics;
  const wrong: [object, RegExp][] = [
    [{ ...TOPICS, title: 3 }, /header of the topics\.title is not a string/],
    [{ ...TOPICS, words: "star" }, /\.words is not a list/],
    [{ ...TOPICS, topics: [{ ...topic, size: "25%" }] }, /\.topics\[0\]\.size is not a number/],
    [{ ...TOPICS, topics: [{ ...topic, words: [[0, 1]] }] }, /\.words\[0\] is not 4 numbers/],
    [{ ...TOPICS, links: [[0, 1, null]] }, /\.links\[0\]\[2\] is not a number/],
    [{ ...TOPICS, dividing: {} }, /\.dividing\.families is not a list/],
    [{ ...TOPICS, divisions: [{ key: "date" }] }, /\.divisions\[0\]\.name is not a string/],
  ];
  for (const [header, message] of wrong) {
    await assert.rejects(readPage(pack(header, ARRAYS)), message);
  }
});

test("an array that is missing or of another type is refused", async () => {
  const { parent: _, ...others } = ARRAYS;
  await assert.rejects(readPage(pack(TOPICS, others)), /array parent is missing/);
  const other = { ...ARRAYS, parent: ["u4", Uint32Array.of(2)] as [string, Uint32Array] };
  await assert.rejects(readPage(pack(TOPICS, other)), /array parent is not of the kind Int32Array/);
  await assert.rejects(unpack(pack({}, { x: ["q8", new Uint8Array(8)] })), /unknown type q8/);
});

const DOCUMENTS = { documents: 9, least: 0.05, rows: [2, 5, 9], fields: [] };
const LISTS: Parameters<typeof pack>[1] = {
  "words.start": ["u4", Uint32Array.of(0, 2, 2, 3)],
  words: ["u1", Uint8Array.of(0, 3, 1)], // steps: 0 3 | | 1
  "topics.start": ["u4", Uint32Array.of(0, 3)],
  topics: ["u1", Uint8Array.of(0, 1, 1)], // steps: 0 1 2
  "topics.share": ["u2", Uint16Array.of(500, 32_768 + 6123, 6123)],
  titles: ["u1", new TextEncoder().encode("Étoiles")],
  "titles.ends": ["u4", Uint32Array.of(8, 8, 8)],
};

test("words, names and numbers of documents are read", async () => {
  const documents = await Documents.read(pack(DOCUMENTS, LISTS));
  assert.equal(documents.count, 3);
  assert.equal(documents.total, 9);
  assert.deepEqual(
    [0, 1, 2].map((k) => [...documents.words(k)]),
    [[0, 3], [], [1]],
  );
  assert.equal(documents.name(0), "Étoiles");
  assert.equal(documents.name(1), "Document 5");
  assert.equal(documents.about("texts", 0), "");
  assert.equal(documents.row(2), 9);
  assert.equal(documents.atRow(5), 1);
  assert.equal(documents.atRow(3), -1);
});

test("documents have the words of their sections, or are a section each", async () => {
  const without = await Documents.read(pack(DOCUMENTS, LISTS));
  assert.deepEqual(
    [0, 1, 2].map((k) => without.sections(k).map((words) => [...words])),
    [[[0, 3]], [[]], [[1]]],
  );
  const sections: typeof LISTS = {
    "sections.start": ["u4", Uint32Array.of(0, 2, 3, 4)],
    "sections.words.start": ["u4", Uint32Array.of(0, 1, 3, 3, 4)],
    "sections.words": ["u1", Uint8Array.of(3, 0, 3, 1)], // steps: 3 | 0 3 | | 1
  };
  const documents = await Documents.read(pack(DOCUMENTS, { ...LISTS, ...sections }));
  assert.deepEqual(
    [0, 1, 2].map((k) => documents.sections(k).map((words) => [...words])),
    [[[3], [0, 3]], [[]], [[1]]],
  );
});

test("a document has a name, whatever is known of it", async () => {
  const texts = "The first words of a text stand for the title that it does not have";
  const known = await blockOf([
    { titles: "A title", texts, ids: "3218" },
    { texts: `Its headline\n\n${texts}`, ids: "3218" },
    { texts, ids: "3218" },
    { ids: "3218" },
    { ids: "notes/3218.txt" },
    {},
  ]);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((k) => known.name(k)),
    [
      "A title",
      "Its headline",
      "The first words of a text stand for the title that it does…",
      "Document 3218",
      "notes/3218.txt",
      "Document 6",
    ],
  );
});

test("of a whole corpus, documents have the numbers of their places", async () => {
  const documents = await Documents.read(pack({ ...DOCUMENTS, rows: null }, LISTS));
  assert.equal(documents.row(2), 3);
  assert.equal(documents.atRow(3), 2);
  assert.equal(documents.atRow(4), -1);
});

test("the documents of a topic come with their shares", async () => {
  const documents = await Documents.read(pack(DOCUMENTS, LISTS));
  const on: [number, number, boolean][] = [];
  documents.each(0, (...one) => on.push(one));
  assert.deepEqual(on, [
    [0, 0.05, false],
    [1, 0.6123, true],
    [2, 0.6123, false],
  ]);
  const found: [number, number, boolean][] = [];
  documents.eachOn(0.2, (...one) => found.push(one));
  assert.deepEqual(found, [
    [1, 0, true],
    [2, 0, false],
  ]);
  assert.deepEqual(documents.topics(1), [{ topic: 0, share: 0.6123, main: true }]);
});

test("a document can be in several groups, each on a line of its own", async () => {
  const documents = await blockOf([{ groups: " ship\ncrude\n\nship" }, {}]);
  assert.deepEqual([documents.groups(0), documents.groups(1)], [["ship", "crude"], []]);
  const several = await blockOf([{ groups: "a", kinds: "x\ny" }]);
  assert.deepEqual(several.values("kind", 0), ["x", "y"]);
  assert.deepEqual(several.values("country", 0), []);
});

"""The server's answers against those of the page's own code, over many lists of clauses."""

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np
import pytest

from hlta import HLTA, Corpus, TopicTree
from hlta.documents.fields import value_list
from hlta.explorer.container import pack, unpack
from hlta.explorer.page_documents import MAIN, decode_shares
from hlta.explorer.serve import archive as module
from hlta.explorer.serve.archive import ORDERS, Archive, inside
from hlta.explorer.serve.terms import OnTopic, read_clauses, read_term
from hlta.options import IN_PART
from tests.examples import HIERARCHY
from tests.page_code import answers, needs_node
from tests.served import archive_of
from tests.there import there

DOCUMENTS = 250  # of the demo
QUESTIONS = 250

SCRIPT = """
import { readFileSync } from "node:fs";
import { Documents } from "SOURCE/page/documents";
import { readPage } from "SOURCE/page/page";
import { HeldCorpus } from "SOURCE/selection/held";
import { listingOf } from "SOURCE/selection/listing";
import { Sets } from "SOURCE/selection/sets";
import { fromAddress } from "SOURCE/selection/state";

const { topics, documents, questions } = JSON.parse(readFileSync(0, "utf8"));
const page = await readPage(topics);
const corpus = new HeldCorpus(page, new Sets(page, await Documents.read(documents)));
const answers = [];
for (const address of questions) {
  const state = fromAddress(`#${address}`, page);
  const listing = listingOf(page, state);
  const { figure, counts } = corpus.count(listing.clauses);
  const list = corpus.list(listing, () => {});
  const { items } = await list.first("file");
  const entries = [];
  for (let at = 0; at < list.rows; at++) {
    const row = list.row(at);
    if (row.copies) await list.toggle(at);
    if (row.copy) entries.at(-1).push(row.document);
    else entries.push([row.document]);
  }
  answers.push({
    unread: state.unread,
    size: figure.documents,
    on: [...counts.on],
    main: [...counts.main],
    order: listing.order,
    documents: items.map(({ document }) => document),
    shares: items.map(({ share }) => share),
    entries,
  });
}
console.log(JSON.stringify(answers));
"""


class Known(NamedTuple):
    """A small part of the demo: the archive, and the blocks of its page."""

    archive: Archive
    topics: list[dict[str, Any]]
    blocks: dict[str, str]


ODD = [
    ("Été in Ångström", "Schrödinger's équation, oil-price\nshock", "", ""),
    ("知能", "人工知能の研究 ai研究", "1987", "b"),
    ("", "", "0001-01-01", "b"),
    ("Neural neural neural", "", "9999", "c\nb"),
]
COPIED = range(0, 200, 20)  # documents of the demo that come once more


@pytest.fixture(scope="module")
def known(
    papers: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Known]:
    columns = [
        (r["title"], f"{r['title']} {r['abstract']}", r["date"], r["category"])
        for r in papers[:DOCUMENTS]
    ]
    columns += [columns[k] for k in COPIED]
    titles, texts, dates, groups = zip(*columns, *ODD, strict=True)
    ids = [f"id/{k}" for k in range(len(titles))]
    fields = {"Text: kind": [["talk", ["paper", "talk"], ""][k % 3] for k in range(len(titles))]}
    about: dict[str, Any] = {"titles": titles, "dates": dates, "groups": groups, "fields": fields}
    corpus = Corpus.from_texts(texts, ids=ids, **about, n_words=120, min_df=3)
    model = HLTA(samples=1, em_steps=3).fit(corpus)
    served = archive_of(tmp_path_factory.mktemp("known"), model.tree_, model.topics_, corpus)
    with ExitStack() as open_files:
        with pytest.warns(UserWarning, match="could not be read as dates"):
            archive = open_files.enter_context(served)
        header = archive.page.header | {"title": "Demo", "documents": len(corpus)}
        topics = pack(header, archive.page.arrays)
        blocks = {"topics": topics, "documents": archive.store.blocks["documents"]}
        yield Known(archive, header["topics"], blocks)


def random_term(known: Known, draw: random.Random) -> str:
    corpus, words = known.archive.corpus, list(known.archive.corpus.words)
    topic = draw.choice(known.topics)["id"]
    word, other = draw.sample(words, 2)
    assert corpus.dates is not None
    groups = [name for value in corpus.groups or () for name in value_list(value)]
    date, later = sorted(draw.choices([date for date in corpus.dates if date], k=2))
    size = draw.choice((4, 7, 10))
    middle = [draw.randrange(65536) for _ in range(2)]
    corners = [middle[k % 2] + draw.randrange(-30000, 30000) for k in range(2 * draw.randint(3, 6))]
    return draw.choice(
        [
            *("all", "none", f"topic:{topic}", f"topic:{topic}@{draw.random():.2f}"),
            *(f"main:{topic}", f"main:{topic}@{draw.random():.2f}", "topic:Z99"),
            *(f"not:word:{word}", f"not:topic:{topic}"),
            *(f"word:{word}", "word:zebra", f"text:{word}", f"text:{word} {other}"),
            *(f"text:{word[:2]}*", f'text:"{word} {other}"', 'text:"the {word}" of', "text:?"),
            *("text:ete", "text:schrodinger", "text:知能", "text:研究", "text:id"),
            'text:"oil price"',
            *("text:neural", 'text:"of the"', "text:in*", "text:ai"),
            *(f"group:{draw.choice(groups)}", "group:", "group:zebra"),
            *(f"text_kind:{draw.choice(['talk', 'paper', '', 'zebra'])}", "text_kind:talk"),
            *(f"date:{date[:size]}", f"date:{date[:4]}..{later[:size]}", "date:0001..9999"),
            f"area:{','.join(map(str, corners))}",
        ]
    )


def random_question(known: Known, draw: random.Random) -> list[tuple[str, str]]:
    parts = []
    if draw.random() < 0.5:
        parts.append(("topic", draw.choice(known.topics)["id"]))
        if draw.random() < 0.5:
            parts.append(("least", f"{draw.uniform(0.05, 1):.2f}"))
        if draw.random() < 0.3:
            parts.append(("main", "1"))
    for k in range(draw.randint(0, 4)):
        names = ("with", "without", "or") if k else ("with", "without")
        parts.append((draw.choice(names), random_term(known, draw)))
    return [*parts, ("order", draw.choice(ORDERS))]


def clauses_and_topic(
    question: Sequence[tuple[str, str]],
) -> tuple[list[tuple[str, str]], OnTopic | None]:
    """What the page asks the server in such a state."""
    state = dict(question)
    clauses = [(name, value) for name, value in question if name in ("with", "without", "or")]
    if "topic" not in state:
        return clauses, None
    kind = "main" if "main" in state else "topic"
    text = f"{kind}:{state['topic']}@{state.get('least', '0.2')}"
    term = read_term(text)
    assert isinstance(term, OnTopic)
    return [("with", text), *clauses], term


@needs_node
def test_it_answers_as_the_page(
    known: Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SOON_READ", 30_000)
    draw = random.Random(0)
    questions = [random_question(known, draw) for _ in range(QUESTIONS)]
    asked = {**known.blocks, "questions": [urlencode(question) for question in questions]}
    archive = known.archive
    texts = there(archive.corpus.texts)
    sizes, copies = [], 0
    by_texts = []
    for question, expected in zip(questions, answers(SCRIPT, asked, tmp_path), strict=True):
        assert expected["unread"] == 0
        parts, by = clauses_and_topic(question)
        clauses = read_clauses(parts, archive.fields)
        found = archive.found(clauses)
        counts = {"documents": expected["size"], "on": expected["on"], "main": expected["main"]}
        assert found.plain() == counts, question
        listed = archive.listed(clauses, expected["order"], by)
        assert set(listed.tolist()) == set(expected["documents"]), question
        weights = archive.shares(by)
        np.testing.assert_allclose(weights[expected["documents"]], expected["shares"], rtol=1e-12)
        if expected["order"] == "typical":  # the last digits of sums differ
            rows = np.array(expected["documents"], dtype=np.int64)
            assert (np.diff(archive.typicality.of(rows, weights[rows])) < 1e-9).all(), question
        else:
            assert listed.tolist() == expected["documents"], question
            by_texts += [texts.size(listed) <= 30_000] * (expected["order"] == "relevant")
            entries = archive.entries(clauses, expected["order"], by)
            folded = [[row, *entries.copies_of(row).tolist()] for row in entries.rows.tolist()]
            assert folded == expected["entries"], question
        sizes.append(found.size)
        copies += len(expected["documents"]) - len(expected["entries"])
    assert len(set(sizes)) > 30  # the questions are no mere corner cases
    assert copies > 30
    assert set(by_texts) == {True, False}


def test_typical_documents_have_what_others_lack(known: Known) -> None:
    archive = known.archive
    X = archive.corpus.documents.to_csr().toarray() * np.log(
        len(archive) / np.maximum(1, archive.corpus.documents.document_frequency)
    )
    squared = (X**2).sum(axis=1, keepdims=True)
    X /= squared + squared.mean()
    rows = np.array([5, 3, 100, 252])
    weights = np.array([1.0, 0.5, 0.1, 1.0])
    contrast = weights @ X[rows] / weights.sum() - X.mean(axis=0)
    found = archive.typicality.of(rows, weights)
    np.testing.assert_allclose(found, X[rows] @ contrast, rtol=1e-9, atol=1e-12)
    assert archive.typicality.of(rows[:0], weights[:0]).shape == (0,)
    assert not archive.typicality.of(np.arange(len(archive)), np.ones(len(archive))).any()


def test_blocks_have_all_that_is_known_of_documents(known: Known) -> None:
    rows, corpus = (7, 3), known.archive.corpus
    header, arrays = unpack(known.archive.block(np.array(rows)))
    assert header["rows"] == [8, 4]
    titles = there(corpus.titles)
    assert arrays["titles"].tobytes().decode() == titles[7] + titles[3]
    words = [len(corpus.documents[row : row + 1].indices) for row in rows]
    assert np.diff(arrays["words.start"]).tolist() == words
    found: list[dict[str, float]] = [{}, {}]
    starts = pairwise(arrays["topics.start"])
    for topic, (begin, end) in zip(known.archive.topic_ids, starts, strict=True):
        shares = decode_shares(arrays["topics.share"][begin:end])
        for at, share in zip(np.cumsum(arrays["topics"][begin:end]), shares, strict=True):
            if share >= IN_PART:
                found[at][topic] = float(share)
    assert found == [known.archive.topics_of(row) for row in rows]


TOPICS = TopicTree.from_tree(HIERARCHY, lowest_level=1)


def test_documents_of_groups_topics_and_main_topics_are_found(tmp_path: Path) -> None:
    X = np.random.default_rng(0).random((40, 8)) < 0.4
    corpus = Corpus(X, HIERARCHY.words, groups=["a\nb", "b", "", "b\n a"] * 10)
    of_groups = {"a": {0, 3}, "b": {0, 1, 3}, "": {2}, "a\nb": set(), "c": set()}
    shares, main = TOPICS.shares().with_flags(corpus.documents)
    with archive_of(tmp_path, HIERARCHY, TOPICS, corpus) as archive:
        for name, kinds in of_groups.items():
            in_group = archive.found(read_clauses([("with", f"group:{name}")]))
            assert {row % 4 for row in np.flatnonzero(in_group.mask).tolist()} == kinds
            assert in_group.size == 10 * len(kinds)
        arrays = archive.store.arrays
        for k, topic in enumerate(TOPICS):
            for least in (0.2, 0.6):
                found = archive.having(OnTopic(topic.id, least))
                np.testing.assert_array_equal(found, shares[:, k] >= least)
                found = archive.having(OnTopic(topic.id, least, main=True))
                np.testing.assert_array_equal(found, main[:, k] & (shares[:, k] >= least))
            part = slice(*arrays["members.start"][k : k + 2])
            rows, codes = arrays["members"][part], arrays["members.share"][part]
            assert rows.tolist() == np.flatnonzero(shares[:, k] >= 0.05).tolist()
            np.testing.assert_allclose(decode_shares(codes), shares[rows, k], atol=1e-4)
            np.testing.assert_array_equal(codes >= MAIN, main[rows, k])
        every = archive.found(())
        assert every.on.tolist() == (shares >= 0.2).sum(axis=0).tolist()
        assert every.main.tolist() == main.sum(axis=0).tolist()
    assert 0 < main.sum() < (shares >= 0.2).sum()


def test_a_polygon_has_an_inside_whatever_its_shape_and_size() -> None:
    hook = (0.0, 0.0, 10.0, 0.0, 10.0, 10.0, 8.0, 10.0, 8.0, 2.0, 0.0, 2.0)
    x, y = np.array([9, 1, 4, 11], dtype=np.uint16), np.array([9, 1, 6, 1], dtype=np.uint16)
    assert inside(hook, x, y).tolist() == [True, True, False, False]
    wide = (-1e308, -1.0, 1e308, -1.0, 0.0, 1.0)
    with np.errstate(all="raise"):
        assert inside(wide, np.zeros(2), np.array([0.0, 9.0])).tolist() == [True, False]

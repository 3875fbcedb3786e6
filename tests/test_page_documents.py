"""The documents of a page: which it shows, and what it says of them."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from hlta import HLTA, Corpus
from hlta.explorer.page_data import (
    LEAST_MEMBERSHIP,
    MOST_DOCUMENTS,
    MOST_ENTRIES,
    about_documents,
    documents_that_fit,
    sample,
    select_page_documents,
)
from hlta.topics.memberships import without_rows

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from hlta.explorer.container import Part


def strings_of(part: Part, name: str) -> list[str]:
    ends = [0, *part.arrays[f"{name}.ends"].tolist()]
    data = part.arrays[name].tobytes()
    return [data[a:b].decode() for a, b in pairwise(ends)]


def test_a_sample_has_the_likeliest_of_each_topic() -> None:
    rng = np.random.default_rng(0)
    P = rng.random((5000, 7)) * (rng.random((5000, 7)) < 0.2)
    chosen = sample(csr_array(P), 400)
    assert len(chosen) == 400
    assert (np.diff(chosen) > 0).all()
    for column in P.T:
        assert set(np.argsort(-column)[:20]) <= set(chosen.tolist())
    np.testing.assert_array_equal(sample(csr_array(P), 5000), np.arange(5000))
    assert len(sample(csr_array(P), 3)) == 3


def test_a_sample_is_taken_of_documents_with_many_words_and_topics() -> None:
    assert documents_that_fit(500, 50_000) == MOST_DOCUMENTS
    assert documents_that_fit(100_000, 100 * 100_000) == MOST_DOCUMENTS
    assert documents_that_fit(1000, 600 * 1000) == MOST_ENTRIES // 600
    assert documents_that_fit(1, 10 * MOST_ENTRIES) == 1


def test_all_documents_that_fit_are_shown(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, None, None)
    np.testing.assert_array_equal(selected.shown, np.arange(len(corpus)))
    some = select_page_documents(model.tree_, model.topics_, corpus, 100, None)
    assert len(some.shown) == 100
    assert (some.memberships != selected.memberships).nnz == 0


def test_memberships_in_the_page(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, None, None)
    header, arrays = about_documents(selected, None, None)
    lowest, step = header["odds"]
    assert header["least"] == LEAST_MEMBERSHIP
    P = model.transform(corpus)
    for k in range(len(model.topics_)):
        a, b = arrays["topics.start"][k : k + 2]
        documents = np.cumsum(arrays["topics"][a:b].astype(np.int64))
        assert documents.tolist() == np.flatnonzero(P[:, k] > LEAST_MEMBERSHIP).tolist()
        odds = lowest + step * arrays["topics.odds"][a:b]
        np.testing.assert_allclose(1 / (1 + np.exp(-odds)), P[documents, k], atol=3e-4)


def test_the_map_has_a_place_for_each_document_shown(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 300, None)
    header, arrays = about_documents(selected, None, None)
    x, y = arrays["map.x"], arrays["map.y"]
    assert x.dtype == y.dtype == np.uint16
    assert len(x) == len(y) == 300
    assert max(int(np.ptp(x)), int(np.ptp(y))) == 65535
    on = model.transform(corpus)[selected.shown] > 0.5
    assert [place is None for place in header["places"]] == (on.sum(axis=0) == 0).tolist()
    for k, place in enumerate(header["places"]):
        if place is not None:
            assert x[on[:, k]].min() <= place[0] <= x[on[:, k]].max()
            assert y[on[:, k]].min() <= place[1] <= y[on[:, k]].max()


def test_words_and_titles_are_those_of_the_documents_shown(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 50, None)
    part = about_documents(selected, None, None)
    assert part.header["documents"] == len(corpus)
    assert part.header["rows"] == (selected.shown + 1).tolist()
    assert corpus.titles is not None
    assert strings_of(part, "titles") == [corpus.titles[int(row)] for row in selected.shown]
    starts = part.arrays["words.start"]
    for place, row in enumerate(selected.shown.tolist()):
        words = np.cumsum(part.arrays["words"][starts[place] : starts[place + 1]].astype(np.int64))
        np.testing.assert_array_equal(words, corpus.documents[row : row + 1].indices)


def test_long_texts_are_cut(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    texts = ["short", *["word " * 400_000] * 9]  # 18 million characters; a page has 14 million
    some = Corpus(corpus.documents[:10], corpus.words, texts=texts)
    selected = select_page_documents(model.tree_, model.topics_, some, None, None)
    first, *others = strings_of(about_documents(selected, None, None), "texts")
    assert first == "short"
    assert all(1_399_000 < len(text) <= 1_400_001 for text in others)


def test_links_lead_to_files_and_web_addresses_alone(
    small: tuple[HLTA, Corpus], tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a b#.txt").write_text("x")
    (tmp_path / "secret").write_text("x")
    ids = [
        "a b#.txt",
        "https://example.org/1",
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        str(tmp_path / "secret"),
        "missing.txt",
        "nul\0",
        "http\n://x",
    ]
    model, corpus = small
    some = Corpus(corpus.documents.take(np.arange(len(ids))), corpus.words, ids=ids)
    selected = select_page_documents(model.tree_, model.topics_, some, 100, None)
    part = about_documents(selected, tmp_path / "docs", tmp_path / "out" / "index.html")
    assert strings_of(part, "links") == [
        "../docs/a%20b%23.txt",
        "https://example.org/1",
        *[""] * 7,
    ]


def test_a_sample_is_the_same_when_few_documents_are_looked_at_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    P = csr_array(np.round(rng.random((300, 4)), 1) * (rng.random((300, 4)) < 0.5))
    left_out = rng.random(300) < 0.2
    expected, without = sample(P, 60), without_rows(P, left_out).toarray()
    np.testing.assert_array_equal(without, np.where(left_out[:, None], 0.0, P.toarray()))
    monkeypatch.setattr(import_module("hlta.topics.memberships"), "_AT_ONCE", 40)
    np.testing.assert_array_equal(sample(P, 60), expected)
    np.testing.assert_array_equal(without_rows(P, left_out).toarray(), without)

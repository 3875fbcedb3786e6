"""The documents of a page: which it shows, and what it says of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hlta import HLTA, Corpus, TopicTree
from hlta.documents.matrix import as_documents
from hlta.explorer.page_data import (
    MAIN,
    WHOLE,
    PageDocuments,
    about_documents,
    as_shares,
    coded,
    cut_longest,
    decoded,
    sample,
    select_page_documents,
)
from hlta.options import IN_PART, LISTED
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

    from hlta.explorer.container import Part


def strings_of(part: Part, name: str) -> list[str]:
    ends = [0, *part.arrays[f"{name}.ends"].tolist()]
    data = part.arrays[name].tobytes()
    return [data[a:b].decode() for a, b in pairwise(ends)]


def test_a_sample_has_the_documents_with_the_largest_shares_of_each_topic() -> None:
    rng = np.random.default_rng(0)
    P = rng.random((5000, 7)) * (rng.random((5000, 7)) < 0.2)
    codes = csr_array(np.floor(P * WHOLE).astype(np.uint16))
    codes.data += (MAIN * (rng.random(codes.nnz) < 0.5)).astype(np.uint16)  # which changes nothing
    chosen = sample(codes, 400)
    assert len(chosen) == 400
    assert (np.diff(chosen) > 0).all()
    for column in np.floor(P * WHOLE).T:
        assert set(np.argsort(-column, kind="stable")[:20]) <= set(chosen.tolist())
    np.testing.assert_array_equal(sample(codes, 5000), np.arange(5000))
    assert len(sample(codes, 3)) == 3


@pytest.fixture(scope="module")
def selected(small: tuple[HLTA, Corpus]) -> PageDocuments:
    model, corpus = small
    return select_page_documents(model.tree_, model.topics_, corpus, None)


def test_all_documents_that_fit_are_shown_whose_shares_few_at_a_time_do_not_change(
    small: tuple[HLTA, Corpus], selected: PageDocuments, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, corpus = small
    np.testing.assert_array_equal(selected.shown, np.arange(len(corpus)))
    monkeypatch.setattr("hlta.topics.shares._MOST_SHARES", 40 * len(model.topics_))
    some = select_page_documents(model.tree_, model.topics_, corpus, 100)
    assert len(some.shown) == 100
    assert (some.shares != selected.shares).nnz == 0


def test_shares_in_the_page(small: tuple[HLTA, Corpus], selected: PageDocuments) -> None:
    model, corpus = small
    header, arrays = about_documents(selected, None, None)
    assert header["least"] == LISTED
    shares, main = model.transform(corpus), model.main_table(corpus)
    for k, topic in enumerate(model.topics_):
        a, b = arrays["topics.start"][k : k + 2]
        documents = np.cumsum(arrays["topics"][a:b].astype(np.int64))
        assert documents.tolist() == np.flatnonzero(shares[:, k] >= LISTED).tolist()
        codes = arrays["topics.share"][a:b]
        np.testing.assert_allclose(decoded(codes), shares[documents, k], atol=1.0 / WHOLE)
        assert ((decoded(codes) >= IN_PART) == (shares[documents, k] >= IN_PART)).all()
        is_main = (main[f"topic_{topic.level}"] == topic.id).fill_null(False).to_numpy()
        np.testing.assert_array_equal(codes >= MAIN, is_main[documents])
        assert is_main.sum() == (codes >= MAIN).sum() == topic.main_documents


def test_shares_are_rounded_down_and_come_back() -> None:
    tree = planted(60, 1)
    documents = as_documents(tree.sample(200, seed=1))
    dividing = TopicTree.from_tree(tree).shares()
    known = np.arange(200) % 3 > 0
    codes, means = coded(dividing, documents, known)
    assert codes.dtype == np.uint16
    shares = dividing.of(documents)
    expected = np.where((shares >= LISTED) & known[:, None], np.floor(shares * WHOLE) / WHOLE, 0.0)
    np.testing.assert_array_equal(as_shares(codes).toarray(), expected)
    np.testing.assert_allclose(means, (shares * known[:, None]).mean(axis=0), atol=1e-12)
    codes, means = coded(dividing, documents.take(np.arange(0)), known[:0])
    assert codes.shape == (0, dividing.n_topics)
    assert not means.any()


def test_the_map_has_a_place_for_each_document_shown(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 300)
    header, arrays = about_documents(selected, None, None)
    x, y = arrays["map.x"], arrays["map.y"]
    assert x.dtype == y.dtype == np.uint16
    assert len(x) == len(y) == 300
    assert max(int(np.ptp(x)), int(np.ptp(y))) == 65535
    on = model.transform(corpus)[selected.shown] >= 0.2
    assert [place is None for place in header["places"]] == (on.sum(axis=0) == 0).tolist()
    for k, place in enumerate(header["places"]):
        if place is not None:
            assert x[on[:, k]].min() <= place[0] <= x[on[:, k]].max()
            assert y[on[:, k]].min() <= place[1] <= y[on[:, k]].max()


def test_words_and_titles_are_those_of_the_documents_shown(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 50)
    part = about_documents(selected, None, None)
    assert part.header["documents"] == len(corpus)
    assert part.header["rows"] == (selected.shown + 1).tolist()
    assert corpus.titles is not None
    assert strings_of(part, "titles") == [corpus.titles[int(row)] for row in selected.shown]
    starts = part.arrays["words.start"]
    for place, row in enumerate(selected.shown.tolist()):
        words = np.cumsum(part.arrays["words"][starts[place] : starts[place + 1]].astype(np.int64))
        np.testing.assert_array_equal(words, corpus.documents[row : row + 1].indices)


def test_texts_are_whole(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    texts = ["short", *["word\n\n" * 400_000] * 9]
    some = Corpus(corpus.documents[:10], corpus.words, texts=texts)
    selected = select_page_documents(model.tree_, model.topics_, some, None)
    part = about_documents(selected, None, None)
    assert strings_of(part, "texts") == texts
    assert "cut" not in part.arrays


@given(
    st.lists(st.text(st.sampled_from("aé知\ud800 \n"), max_size=40), min_size=1, max_size=9),
    st.integers(1, 200),
)
def test_the_longest_texts_are_cut_if_all_are_too_long(texts: list[str], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.explorer.page_data.MOST_TEXT", most)
        found, cut = cut_longest(texts)
    sizes = [len(text.encode("utf-8", "replace")) for text in texts]
    shorter = [sizes[row] for row in range(len(texts)) if row not in cut]
    if sum(sizes) <= most:
        assert (found, cut.tolist()) == (texts, [])
        return
    assert len(cut)
    assert max(shorter, default=0) < min(sizes[row] for row in cut)
    held = 0
    for row, text in enumerate(texts):
        if row in cut:
            assert found[row].endswith(" …")
            assert text.startswith(found[row][:-2])
        else:
            assert found[row] == text
        held += len(found[row].removesuffix(" …").encode("utf-8", "replace"))
    assert held <= most


def test_links_lead_to_files_and_web_addresses_alone(
    small: tuple[HLTA, Corpus], tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a b#.txt").write_text("x")
    (tmp_path / "secret").write_text("x")
    ids = ["a b#.txt", "https://example.org/1", "javascript:alert(1)", "JAVASCRIPT:alert(1)"]
    ids += ["data:text/html,x", str(tmp_path / "secret"), "missing.txt", "nul\0", "http\n://x"]
    model, corpus = small
    some = Corpus(corpus.documents.take(np.arange(len(ids))), corpus.words, ids=ids)
    selected = select_page_documents(model.tree_, model.topics_, some, 100)
    part = about_documents(selected, tmp_path / "docs", tmp_path / "out" / "index.html")
    expected = ["../docs/a%20b%23.txt", "https://example.org/1", *[""] * 7]
    assert strings_of(part, "links") == expected

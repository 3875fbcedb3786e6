"""Long documents in sections, of texts and of matrices with counts."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from hlta import HLTA, Corpus, DocumentsError, FormatError, TopicTree
from hlta.documents import sections as module
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents, Sections
from hlta.documents.sections import number_of_sections
from hlta.explorer.page_data import describe_documents
from tests.synthetic import planted
from tests.there import there

NAMES = [f"word{letter}{other}" for letter in "abcdefghij" for other in "klmnopqrst"]


LENGTHS = (10, 449, 451, 1000, 0, 3000)
CHOSEN = (np.random.default_rng(seed).choice(NAMES, n) for seed, n in enumerate(LENGTHS))
TEXTS = [" ".join(names) for names in CHOSEN] * 5


@pytest.fixture(scope="module", name="corpus")
def corpus_of_texts() -> Corpus:
    return Corpus.from_texts(TEXTS, min_df=1, max_df=1.0, count_repeats=True)


def sections_of(documents: Documents, row: int) -> list[NDArray[np.uint32]]:
    first, last = there(documents.sections).starts[row : row + 2].tolist()
    return [documents.units[k : k + 1].indices for k in range(first, last)]


def check_unions(documents: Documents) -> None:
    """Each document has the words of its sections."""
    for row in range(len(documents)):
        union = np.unique(np.concatenate(sections_of(documents, row)))
        assert union.tolist() == documents[row : row + 1].indices.tolist()


def test_long_texts_have_sections_of_about_so_many_words(corpus: Corpus) -> None:
    documents = corpus.documents
    counts = np.diff(there(documents.sections).starts)
    assert counts.tolist() == [1, 1, 2, 3, 1, 10] * 5
    check_unions(documents)
    short = Corpus.from_texts(TEXTS[:2] * 10).documents
    assert short.sections is None
    assert short.units is short
    words = TEXTS[3].split()
    place = {word: k for k, word in enumerate(corpus.words)}
    for k, section in enumerate(sections_of(documents, 3)):
        begin, end = (-(-n * 1000 // 3) for n in (k, k + 1))
        assert sorted(place[word] for word in set(words[begin:end])) == section.tolist()


def test_words_are_chosen_by_the_sections_they_are_in() -> None:
    """A word on one page of ten is in all documents, and nevertheless not too frequent."""
    many = [f"{one}{other}" for one in NAMES for other in "abcdefghijklmnopqrst"]
    drawn = (" ".join(np.random.default_rng(k).choice(many, 3000)) for k in range(100))
    assert "page" in Corpus.from_texts([f"page {one}" for one in drawn], n_words=5000).words


def test_texts_are_read_again_as_they_were(corpus: Corpus) -> None:
    model = HLTA(samples=1, em_steps=2).fit(corpus)
    np.testing.assert_array_equal(model.transform(TEXTS), model.transform(corpus))
    np.testing.assert_allclose(model.score_samples(TEXTS), model.score_samples(corpus))
    for kind in ("probability", "evidence"):
        one, other = (model.transform(X, kind=kind) for X in (TEXTS, corpus))
        np.testing.assert_allclose(one, other)


def test_what_is_selected_keeps_its_sections(corpus: Corpus) -> None:
    documents = corpus.documents
    for chosen, rows in (
        (documents[3:9], range(3, 9)),
        (documents.take(np.array([5, 2, 2])), (5, 2, 2)),
        (corpus.take([5, 3]).documents, (5, 3)),
        (documents[4:4], ()),
    ):
        assert len(there(chosen.sections).starts) == len(chosen) + 1
        for at, row in enumerate(rows):
            pairs = zip(sections_of(chosen, at), sections_of(documents, row), strict=True)
            assert all(np.array_equal(one, other) for one, other in pairs)
    some = corpus.aligned(corpus.words[5:20])
    check_unions(some)
    assert some.units.n_words == 15
    assert len(corpus.units) == len(documents.units)


def test_folders_keep_sections(corpus: Corpus, tmp_path: Path) -> None:
    corpus.save(tmp_path / "corpus")
    again = Corpus.load(tmp_path / "corpus").documents
    assert again.sections is not None
    np.testing.assert_array_equal(again.sections.starts, corpus.documents.sections.starts)  # type: ignore[union-attr]
    assert again.units.indices.tolist() == corpus.documents.units.indices.tolist()
    np.save(tmp_path / "corpus" / "sections.starts.npy", np.arange(31, dtype=np.int64) * 2)
    with pytest.raises(FormatError, match="sections do not fit"):
        Corpus.load(tmp_path / "corpus")


def test_sections_that_do_not_fit_are_refused() -> None:
    two = as_documents(np.eye(2, dtype=int))
    three = as_documents(np.array([[1, 0], [0, 1], [0, 1]]))
    for starts in ([0], [0, 1], [1, 2, 3], [0, 0, 3], [0, 2, 1]):
        with pytest.raises(DocumentsError, match="sections do not fit"):
            two.with_sections(Sections(three, np.array(starts)))


# ---- what is learned and said ---------------------------------------------------------------------


@pytest.fixture(scope="module", name="counts")
def counts_of_words() -> NDArray[np.int64]:
    """Some documents are long; one has no word, and one a single one."""
    presence = planted(60, 1).sample(120, seed=2).toarray()
    counts = presence * np.random.default_rng(0).integers(1, 90, presence.shape)
    counts[7], counts[8] = 0, np.eye(60, dtype=int)[3]
    return np.asarray(counts)


def of_counts(counts: NDArray[Any]) -> Corpus:
    return Corpus(counts, [f"x{k}" for k in range(counts.shape[1])])


def test_shares_are_means_over_sections_by_their_words(counts: NDArray[np.int64]) -> None:
    corpus = of_counts(counts)
    model = HLTA(samples=1, em_steps=3).fit(corpus)
    documents = corpus.documents
    of_units = model.transform(documents.units)
    expected = np.zeros((len(documents), of_units.shape[1]))
    for row in range(len(documents)):
        lengths = np.array([len(words) for words in sections_of(documents, row)])
        first, last = documents.sections.starts[row : row + 2]  # type: ignore[union-attr]
        expected[row] = lengths @ of_units[first:last] / max(1, lengths.sum())
    shares = model.transform(corpus)
    np.testing.assert_allclose(shares, expected, atol=1e-12)
    top = model.transform(corpus, topics=model.topics_.roots)
    np.testing.assert_allclose(top.sum(axis=1), documents.lengths > 0)
    row = int(np.argmax(np.diff(documents.sections.starts)))  # type: ignore[union-attr]
    topic = max(model.topics_.roots, key=lambda one: top[row, model.topics_.roots.index(one)])
    why = model.why(topic, corpus.take([row]))
    assert why.share == pytest.approx(top[row, model.topics_.roots.index(topic)], abs=5e-3)
    assert len(why.words) == documents.lengths[row]


def test_updates_learn_from_sections(counts: NDArray[np.int64]) -> None:
    corpus = of_counts(counts)
    model = HLTA(samples=1, em_steps=2).fit(counts)  # as of the corpus
    assert model.tree_ == HLTA(samples=1, em_steps=2).fit(corpus).tree_
    assert model._fitted.statistics is not None
    before = model._fitted.statistics.weight
    assert before == len(corpus.documents.units) > len(corpus)
    model.partial_fit(corpus)
    assert model._fitted.statistics.weight == 2 * before
    assert model.drift_.n_documents == len(corpus)


def test_the_page_has_the_words_of_sections(counts: NDArray[np.int64]) -> None:
    corpus, rows = of_counts(counts), np.array([3, 9, 20])
    codes = csr_array((3, len(TopicTree.from_tree(planted(60, 1)))), dtype=np.uint16)
    arrays = describe_documents(corpus, corpus.documents, rows, codes).arrays
    starts = arrays["sections.start"].tolist()
    assert starts[-1] == len(arrays["sections.words.start"]) - 1
    assert np.diff(starts).tolist() == [len(sections_of(corpus.documents, row)) for row in rows]
    short = of_counts((counts > 0).astype(int))
    assert "sections.start" not in describe_documents(short, short.documents, rows, codes).arrays


# ---- words of counts, dealt out -------------------------------------------------------------------


@given(st.integers(0, 2**16))
def test_words_are_dealt_to_as_many_sections_as_they_occur_in(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.choice([0.1, 2.0, 20.0], (6, 40)))
    documents = of_counts(counts).documents
    expected = number_of_sections(counts.sum(axis=1))
    expected = np.minimum(expected, np.maximum(1, (counts > 0).sum(axis=1)))
    if documents.sections is None:
        assert expected.max() == 1
        return
    assert np.diff(documents.sections.starts).tolist() == expected.tolist()
    check_unions(documents)
    starts = documents.sections.starts
    table = documents.units.to_csr(np.int64).toarray()
    dealt = np.add.reduceat(table, starts[:-1], axis=0)
    assert (dealt == np.minimum(counts, expected[:, None])).all()
    for first, last in pairwise(starts):
        sizes = table[first:last].sum(axis=1)
        assert sizes.max() - sizes.min() <= 1  # about as many words each


def test_neither_order_nor_parts_change_sections(counts: NDArray[Any], monkeypatch: Any) -> None:
    one, rng = of_counts(counts), np.random.default_rng(1)
    words, rows = rng.permutation(60), rng.permutation(len(counts))
    monkeypatch.setattr(module, "_MOST_DEALT", 2000)
    other = Corpus(counts[rows][:, words], [one.words[k] for k in words])
    aligned = Corpus(other.aligned(one.words), one.words).documents
    for at, row in enumerate(rows.tolist()):
        pairs = zip(sections_of(aligned, at), sections_of(one.documents, row), strict=True)
        assert all(np.array_equal(a, b) for a, b in pairs)


def test_weights_are_no_counts(counts: NDArray[np.int64]) -> None:
    for others in (0.5 * counts, 1e-3 * counts, counts > 0):
        assert of_counts(others).documents.sections is None
    assert of_counts(counts.astype(float)).documents.sections is not None


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("count", "words"), [(1e25, 40), (1e300, 40), (1e15, 5000)])
def test_counts_beyond_all_bounds_take_no_more_memory(count: float, words: int) -> None:
    X = np.full((1, words), 400.0 if words == 40 else count)
    X[0, 0] = count
    sections = len(of_counts(X).documents.units)
    assert sections == 40 if words == 40 else 1 < sections < 2000


@pytest.mark.parametrize("kind", [np.uint8, np.int16])
def test_counts_are_added_up_beyond_their_type(kind: type) -> None:
    """An entry that stands twice counts as their sum, which a byte does not hold."""
    X = coo_array((np.array([128, 128, 3], dtype=kind), ([0, 0, 0], [0, 0, 1])), shape=(1, 2))
    corpus = Corpus(X, ["a", "b"])
    assert corpus.documents.indices.tolist() == [0, 1]
    wide = Corpus(X.astype(np.int64), ["a", "b"])
    assert len(corpus.documents.units) == len(wide.documents.units)

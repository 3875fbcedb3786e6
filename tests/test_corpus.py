"""`Corpus`: documents, the names of their words, and what else is known of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlta import Corpus, DocumentsError, OptionError, TextOptions

X = np.array([[1, 0, 2], [0, 1, 1], [0, 0, 0]])
WORDS = ["a", "b", "c"]
IDS = ["one", "größe", "🙂\n"]
TEXTS = ["deep nets learn", "deep nets", "graphs learn"]


@pytest.fixture
def corpus() -> Corpus:
    return Corpus(X, WORDS, ids=IDS, dates=["2020", "", "2021-05"])


def ids(corpus: Corpus) -> list[str]:
    assert corpus.ids is not None
    return list(corpus.ids)


# ---- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "given", "message"),
    [
        (["a", "b"], IDS, "2 entries for 3 columns"),
        (["a", "b", "a"], IDS, "'a' 2 times"),
        (["a", "b", ""], IDS, "holds ''"),
        (["a", "b", 3], IDS, "holds 3"),
        ("abc", IDS, "words is a single string"),
        (WORDS, ["a"], "ids has 1 entries for 3 documents"),
        (WORDS, ["a", 2, "c"], "entry 1 of ids is 2, of type int"),
        (WORDS, "abc", "ids is a single string"),
        (WORDS, 3, "ids is of type int; give a list"),
    ],
)
def test_words_name_columns_and_metadata_are_one_string_per_document(
    words: Any, given: Any, message: str
) -> None:
    with pytest.raises(DocumentsError, match=message):
        Corpus(X, words, ids=given)


# ---- from texts ----------------------------------------------------------------------------------


def test_a_corpus_of_texts_keeps_how_they_were_read() -> None:
    corpus = Corpus.from_texts(TEXTS, ids=IDS, min_df=1, stop_words=None)
    assert corpus.text_options == TextOptions(min_df=1, stop_words=None, languages=())
    assert ids(corpus) == IDS
    assert corpus.texts is not None
    assert list(corpus.texts) == TEXTS
    assert set(corpus.words) == {"deep", "nets", "learn", "graphs"}


def test_texts_are_kept_if_they_are_wanted() -> None:
    assert list(Corpus.from_texts(iter(TEXTS), min_df=1).texts or ()) == TEXTS
    assert Corpus.from_texts(TEXTS, keep_texts=False, min_df=1).texts is None


def test_an_unknown_option_is_named_beside_the_known_ones() -> None:
    unknown: dict[str, Any] = {"n_gram": 2}
    message = r"'n_gram' is not an option for texts; use one of lowercase, .*ngrams, include"
    with pytest.raises(OptionError, match=message):
        Corpus.from_texts(TEXTS, **unknown)


# ---- parts ---------------------------------------------------------------------------------------


def test_columns_follow_the_words_asked_for(corpus: Corpus) -> None:
    assert corpus.aligned(WORDS) is corpus.documents  # no copy
    aligned = corpus.aligned(["c", "new", "a"])
    assert aligned.to_csr().toarray().tolist() == [[1, 0, 1], [1, 0, 0], [0, 0, 0]]
    np.testing.assert_array_equal(aligned.indptr, [0, 2, 3, 3])
    np.testing.assert_array_equal(aligned.indices, [0, 2, 0])
    assert aligned.indptr.dtype == np.int64
    assert aligned.indices.dtype == np.uint32


def test_taken_documents_keep_order_and_metadata(corpus: Corpus) -> None:
    assert (repr(corpus), len(corpus)) == ("Corpus(3 documents, 3 words)", 3)
    assert ids(corpus.take(np.array([False, True, False]))) == ["größe"]
    part = corpus.take([2, 0])
    assert ids(part) == ["🙂\n", "one"]
    assert list(part.metadata["dates"]) == ["2021-05", "2020"]
    assert part.titles is None
    np.testing.assert_array_equal(part.documents.indptr, [0, 0, 2])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([-3], "rows holds -3; the 3 documents have the numbers 0 to 2"),
        ([0, 3], "rows holds 3; the 3 documents"),
        ([1.0], "rows must be a list of whole numbers"),
        ([True, False], "rows has 2 truth values for 3 documents"),
        (np.bool_(True), "rows has 1 truth values for 3 documents"),
    ],
)
def test_documents_that_do_not_exist_are_not_taken(corpus: Corpus, rows: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        corpus.take(rows)


def test_a_split_is_a_reproducible_partition(corpus: Corpus) -> None:
    train, test = corpus.split(1 / 3, random_state=1)
    assert (len(train), len(test)) == (2, 1)
    assert sorted(ids(train) + ids(test)) == sorted(IDS)
    assert ids(train) == [name for name in IDS if name in ids(train)]  # in the old order
    assert train.words == test.words == corpus.words
    assert ids(corpus.split(1 / 3, random_state=1)[1]) == ids(test)


@pytest.mark.parametrize(
    ("share", "message"),
    [(0.1, "leaves one part without documents"), (1.5, "test=1.5: use a number, from 0 to 1")],
)
def test_a_split_needs_documents_on_both_sides(corpus: Corpus, share: float, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        corpus.split(share)

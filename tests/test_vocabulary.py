"""A vocabulary is chosen from texts, and saved; texts are read again with it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from hlta import HLTA, Corpus, DocumentsError, OptionError, TextOptions
from hlta.documents.matrix import Documents
from hlta.text import passages, selection
from hlta.text.selection import share_of_others
from hlta.text.vocabulary import with_further_words, with_vocabulary
from tests.scanning import TEXTS
from tests.there import there

WORDS_OF = [text.replace(":", " ").split() for text in TEXTS]


def average_tf_idf(word: str) -> float:
    tf = np.array([words.count(word) for words in WORDS_OF])
    return float(np.mean(tf * np.log(len(TEXTS) / (tf > 0).sum())))


def kept(**options: Any) -> tuple[str, ...]:
    every: dict[str, Any] = {"n_words": 100, "stop_words": None, "max_df": 1.0}
    return Corpus.from_texts(TEXTS, **{**every, **options}).words


def test_words_are_kept_by_average_tf_idf() -> None:
    corpus = Corpus.from_texts(TEXTS, n_words=6, stop_words="english", max_df=1.0)
    words = {w for row in WORDS_OF for w in row if len(w) > 2} - {"the", "and", "with"}
    expected = sorted(words, key=lambda w: (-average_tf_idf(w), w))[:6]
    assert list(corpus.words) == expected
    present = [[int(word in row) for word in expected] for row in WORDS_OF]
    assert corpus.documents.to_csr().toarray().tolist() == present


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"max_df": 0.7}, "network"),
        ({"min_df": 6}, "deep"),
        ({"exclude": ["Data"]}, "data"),
        ({"stop_words": ["friends"]}, "friends"),
        ({"stop_words": "english"}, "the"),
    ],
)
def test_an_option_drops_a_word_unless_it_is_included(options: dict[str, Any], word: str) -> None:
    assert word in kept()
    assert word not in kept(**options)
    if "exclude" not in options:
        assert word in kept(**options, include=[word.upper()])


def test_lists_are_in_the_case_of_texts_and_bounds_that_leave_no_words_named() -> None:
    assert "data" in kept(lowercase=False, exclude=["Data"])
    assert "data" not in kept(lowercase=False, exclude=["data"])
    with pytest.raises(DocumentsError, match=r"0 of 12 words are left.*loosen one of them"):
        Corpus.from_texts(TEXTS, min_df=31, max_df=1.0)
    with pytest.raises(DocumentsError, match="words is given, but texts"):
        HLTA().fit(TEXTS, words=["a"])


def test_frequent_words_that_are_left_out_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["z b c d", "z b c", "z b", "z e", "the z"]
    options: dict[str, Any] = {"min_length": 1, "n_words": 2, "include": ["d", "e"], "max_df": 0.9}
    for most, expected in (
        (3, (("z", 1.0), ("b", 0.6), ("c", 0.4))),
        (2, (("z", 1.0), ("b", 0.6))),
    ):
        monkeypatch.setattr(selection, "_MOST_LEFT_OUT", most)
        read = Corpus.from_texts(texts, stop_words="english", min_df=1, **options).text_options
        assert read is not None
        assert read.left_out == expected
        assert share_of_others(read) == expected[-1][1]
    monkeypatch.setattr(selection, "_MOST_LEFT_OUT", 4)
    assert read is not None
    assert share_of_others(read) == 0.0  # what is not remembered was in no document
    assert share_of_others(replace(read, min_df=2)) == 0.2
    assert share_of_others(replace(read, n_read=None)) == 0.6  # of an earlier version
    assert share_of_others(TextOptions()) is None
    with pytest.raises(OptionError, match="use words, each with a share of the documents"):
        TextOptions(left_out=(("b", 2.0),))


@pytest.mark.parametrize("length", [8, 30])
@pytest.mark.parametrize(("n_texts", "n_words"), [(100, 500), (400, 800)])
def test_the_number_of_words_grows_with_that_of_texts_and_not_with_their_length(
    n_texts: int, n_words: int, length: int
) -> None:
    vocabulary = ["".join(three) for three in product("abcdefghijklm", repeat=3)]
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(vocabulary, length, replace=False)) for _ in range(n_texts)]
    kept = Corpus.from_texts(texts, stop_words=None, keep_style=True, min_df=1).words
    assert len(kept) == n_words


def test_further_words_come_after_those_of_the_model() -> None:
    texts = ["a deep net and qubits", "a deep qubits zebra", "deep deep", *["deep the the"] * 17]
    options = TextOptions(stop_words=["the"], min_df=2)
    documents, words, coverage, originals = with_further_words(texts, ("net", "deep"), options)
    assert words == ("net", "deep", "qubits")  # zebra is too rare, the is a stop word
    assert documents.to_csr().toarray()[:3].tolist() == [[1, 1, 1], [0, 1, 1], [0, 1, 0]]
    assert coverage[:3].tolist() == [0.75, 2 / 3, 1.0]
    alone, _ = with_vocabulary(texts, ("net", "deep"), options)
    assert (documents.to_csr()[:, :2] != alone.to_csr()).nnz == 0
    assert originals is not None
    assert originals.tolist() == list(range(20))  # short texts are no repeats


@pytest.mark.parametrize(
    ("count_repeats", "originals", "words"),
    [(False, [0] * 6 + [6], ("net", "usual")), (True, None, ("net", "qubit", "usual"))],
)
def test_repeats_add_no_further_words_and_frequent_words_are_some(
    count_repeats: bool, originals: list[int] | None, words: tuple[str, ...]
) -> None:
    texts = ["a qubit of a text of more than ten words again and again"] * 6 + ["usual net"] * 30
    options = TextOptions(max_df=20, count_repeats=count_repeats, exclude=("text", "words", "ten"))
    found = with_further_words(texts, ("net",), options)
    assert found.words == words
    assert (None if found.originals is None else found.originals.tolist()[:7]) == originals


def assert_equal(one: Documents, other: Documents) -> None:
    np.testing.assert_array_equal(one.indptr, other.indptr)
    np.testing.assert_array_equal(one.indices, other.indices)


def own_words(text: str) -> list[str]:
    """A tokenizer of a user's own, whose words may hold hyphens."""
    return text.split()


def tokenizers() -> list[Any]:
    """Tokenizers; those that need a dictionary, which is slow to load, if it is installed."""
    needed = {"chinese": "rjieba", "japanese": "fugashi"}
    installed = [name for name, module in needed.items() if find_spec(module)]
    return ["auto"] * 4 + [None] + [own_words] * 3 + installed


WORDS = (
    *("net", "nets", "Deep", "deep", "x-ray", "x", "ray", "the", "b2b", "été", "学习", "機械"),
    *(",", "-"),
)
SOME_TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join), min_size=2, max_size=8
).map(lambda texts: texts[:2] + texts)
ANY_OPTION: dict[str, st.SearchStrategy[Any]] = {
    "lowercase": st.booleans(),
    "min_length": st.sampled_from([None, 1, 2, 4]),
    "max_length": st.sampled_from([40, 4]),
    "numbers": st.booleans(),
    "stop_words": st.sampled_from(["auto", "english", None, ["deep"]]),
    "tokenizer": st.sampled_from(tokenizers()),
    "languages": st.sampled_from([None, ("english",), ("english", "russian")]),
    "lemmas": st.sampled_from([None, *(["english", "fr"] if find_spec("simplemma") else [])]),
    "n_words": st.sampled_from([None, 2, 3, 5]),
    "min_df": st.sampled_from([None, 1, 2, 0.2]),
    "max_df": st.sampled_from([None, 0.9, 1.0]),
    "ngrams": st.integers(1, 5),
    "include": st.sampled_from([(), ("net",), ("net-deep", "ray"), ("deep net", "net ray deep")]),
    "exclude": st.sampled_from([(), ("net",), ("net-deep", "ray")]),
    "count_repeats": st.booleans(),
    "drop_passages": st.booleans(),
    "keep_style": st.booleans(),
}


@pytest.fixture(scope="module")
def short_passages() -> Iterator[None]:
    """Two words in two documents are a passage."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LENGTH", "LEAST"):
            patch.setattr(passages, name, 2)
        yield


@pytest.mark.usefixtures("short_passages")
@settings(max_examples=40)
@given(SOME_TEXTS, st.fixed_dictionaries(ANY_OPTION))
def test_texts_read_again_are_what_learning_saw(texts: list[str], options: dict[str, Any]) -> None:
    assert set(ANY_OPTION) == set(TextOptions().keywords)
    try:
        corpus = Corpus.from_texts(texts, **options)
    except DocumentsError:  # fewer than two words are left
        reject()
    read = there(corpus.text_options)
    if read.tokenizer is not own_words:  # as a file holds the options
        read = TextOptions(**json.loads(json.dumps(read.plain())))
    assert_equal(with_vocabulary(texts, corpus.words, read)[0], corpus.documents)
    alone, _ = with_vocabulary(texts[-1:], corpus.words, read)
    assert_equal(alone, corpus.documents.take(np.array([len(texts) - 1])))


OVERLAPPING = ["red blue blue", "blue red blue", "red blue white", "blue blue blue"] * 6


def test_saved_models_and_corpora_read_texts_as_they_were_read(tmp_path: Path) -> None:
    corpus = Corpus.from_texts(OVERLAPPING, ngrams=3, max_df=1.0, n_words=6)
    model = HLTA(samples=1, em_steps=1).fit(corpus)
    model.save(tmp_path / "model.hlta")
    corpus.save(tmp_path / "corpus")
    back = HLTA.load(tmp_path / "model.hlta")
    assert_equal(back.documents_from_texts(OVERLAPPING), corpus.documents)
    options = there(Corpus.load(tmp_path / "corpus").text_options)
    assert_equal(with_vocabulary(OVERLAPPING, corpus.words, options)[0], corpus.documents)
    # What older files lack matters here: words alone do not tell which phrases were joined.
    older, _ = with_vocabulary(OVERLAPPING, corpus.words, replace(options, joined=None))
    assert older.indices.tolist() != corpus.documents.indices.tolist()

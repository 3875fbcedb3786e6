"""Which words are kept: average TF-IDF as the paper defines it, bounds and lists."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from hlta import Corpus, DocumentsError, OptionError, TextOptions
from hlta.text import selection
from hlta.text.selection import share_of_others
from tests.scanning import TEXTS

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
        ({"exclude": ["data"]}, "data"),
        ({"exclude": ["Data"]}, "data"),
        ({"stop_words": ["friends"]}, "friends"),
        ({"stop_words": "english"}, "the"),
    ],
)
def test_an_option_drops_a_word(options: dict[str, Any], word: str) -> None:
    assert word in kept()
    assert word not in kept(**options)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"min_df": 6, "include": ["DEEP"]}, "deep"),
        ({"stop_words": ["the"], "include": ["the"]}, "the"),
    ],
)
def test_included_words_are_kept_whatever_else_is_said(options: dict[str, Any], word: str) -> None:
    assert word in kept(**options)


def test_lists_are_in_the_case_in_which_texts_are_read() -> None:
    capital = [text.replace("network", "Network") for text in TEXTS]
    options: dict[str, Any] = {"lowercase": False, "max_df": 1.0}
    assert "Network" in Corpus.from_texts(capital, **options).words
    assert "Network" in Corpus.from_texts(capital, exclude=["network"], **options).words
    assert "Network" not in Corpus.from_texts(capital, exclude=["Network"], **options).words


def test_bounds_that_leave_no_words_are_named() -> None:
    with pytest.raises(DocumentsError, match=r"0 of 12 words are left.*loosen one of them"):
        Corpus.from_texts(TEXTS, min_df=31, max_df=1.0)


def test_the_most_frequent_words_that_are_left_out_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = ["a b c d", "a b c", "a b", "a e", "the a"]
    options: dict[str, Any] = {"min_length": 1, "n_words": 2, "include": ["d", "e"], "max_df": 0.9}
    for most, expected in ((2, (("b", 0.6), ("c", 0.4))), (1, (("b", 0.6),))):
        monkeypatch.setattr(selection, "_MOST_LEFT_OUT", most)
        read = Corpus.from_texts(texts, stop_words="english", min_df=1, **options).text_options
        assert read is not None
        assert read.left_out == expected
        assert share_of_others(read, 0.2) == expected[-1][1]
    monkeypatch.setattr(selection, "_MOST_LEFT_OUT", 3)
    assert read is not None
    assert share_of_others(read, 0.2) == 0.2
    assert share_of_others(TextOptions(), 0.2) is None
    with pytest.raises(OptionError, match="use words, each with a share of the documents"):
        TextOptions(left_out=(("b", 2.0),))


@pytest.mark.parametrize("length", [5, 12, 30])
def test_texts_of_few_words_keep_fewer_words(length: int) -> None:
    """So many that two of them meet in a quarter of a text, and of long texts all that there are."""
    words = np.array(["".join(three) for three in product("abcdefghijklm", repeat=3)])
    rng = np.random.default_rng(0)
    rows = [rng.choice(len(words), length, replace=False) for _ in range(4000)]
    texts = [" ".join(words[row]) for row in rows]
    corpus = Corpus.from_texts(texts, stop_words=None, keep_style=True)
    frequency = np.bincount(np.concatenate(rows))
    frequency = frequency[frequency >= 5]
    per_text = frequency.sum() / 4000
    wanted = len(frequency) if length == 30 else int(2.0 * per_text * np.sqrt(4000))
    assert len(corpus.words) == wanted
    assert (len(frequency) == wanted) == (length == 30)

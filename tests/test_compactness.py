"""Compactness by hand, and with the vectors of Google News."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hlta import OptionError
from hlta.evaluate import WordList, WordVectors, read_vectors, topic_compactness

SHARED = Path(__file__).parents[2] / "shared" / "data" / "googlenews-26k.bin.xz"
UNIT = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]], dtype=np.float32)
VECTORS = WordVectors({"a": 0, "b": 1, "c": 2}, UNIT)


def test_the_mean_cosine_of_pairs() -> None:
    topics = [WordList(["a", "absent", "b", "c", "other"]), WordList(["absent", "a"])]
    compactness = topic_compactness(topics, VECTORS)
    assert compactness.scores[0] == pytest.approx((0.6 + 0.0 + 0.8) / 3, rel=1e-6)
    assert np.isnan(compactness.scores[1])
    assert compactness.covered == pytest.approx(4 / 6)  # of a, absent, b, c; absent, a


def test_repeated_words_count_once() -> None:
    once, twice = topic_compactness([WordList(["a", "b"]), WordList(["a", "a", "b"])], VECTORS)[0]
    assert once == twice


def test_without_topics_nothing_is_covered() -> None:
    compactness = topic_compactness([], VECTORS)
    assert len(compactness.scores) == 0
    assert compactness.covered == 0.0


def test_one_word_makes_no_pair() -> None:
    with pytest.raises(OptionError, match="n_words=1: use a whole number, 2 or more"):
        topic_compactness([], VECTORS, n_words=1)


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.exists(), reason="needs the benchmark data")
def test_the_google_news_vectors() -> None:
    vectors = read_vectors(SHARED, ["team", "game", "hockey", "bible"])
    topics = [WordList(["team", "game"]), WordList(["hockey", "bible"])]
    alike, unlike = topic_compactness(topics, vectors).scores
    assert alike > 2 * unlike

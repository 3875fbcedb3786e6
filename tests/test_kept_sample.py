"""The sample of documents that a model keeps: fair, of bounded size, whatever the portions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from hlta import Corpus
from hlta.documents.kept_sample import KeptSample

WORDS: Final = [f"w{k}" for k in range(40)]
RNG = np.random.default_rng(0)
ROWS = RNG.permutation(np.unique(RNG.random((2000, 40)) < 0.2, axis=0)).astype(np.int8)


def corpus(rows: Any) -> Corpus:
    return Corpus(rows, WORDS)


def rows_of(sample: KeptSample) -> set[bytes]:
    return {row.tobytes() for row in sample.corpus.documents.to_csr().toarray()}


def in_portions(rows: Any, portions: int, most: int, fading: float = 1.0) -> KeptSample:
    first, *others = np.array_split(rows, portions)
    sample = KeptSample.of(corpus(first), most=most, offered=len(first))
    for part in others:
        sample = sample.with_more(corpus(part), WORDS, most=most, fading=fading, offered=len(part))
    return sample


def test_portions_and_order_change_nothing() -> None:
    whole = in_portions(ROWS, 1, most=300)
    assert len(whole.corpus) == 300
    for rows, portions in ((ROWS, 7), (ROWS[::-1], 3)):
        sample = in_portions(rows, portions, most=300)
        assert rows_of(sample) == rows_of(whole)
        assert sample.lots.tolist() == whole.lots.tolist()
        assert (sample.bound, sample.offered) == (whole.bound, len(ROWS))


def test_all_are_kept_as_long_as_there_is_room() -> None:
    sample = in_portions(ROWS, 4, most=len(ROWS))
    assert rows_of(sample) == rows_of(in_portions(ROWS, 1, most=10_000))
    assert len(sample.corpus) == len(ROWS)
    assert sample.bound == np.inf


def test_early_and_late_documents_are_as_likely() -> None:
    kept = rows_of(in_portions(ROWS, 4, most=400))
    shares = [np.mean([row.tobytes() in kept for row in part]) for part in np.array_split(ROWS, 4)]
    np.testing.assert_allclose(shares, 0.2, atol=4 * np.sqrt(0.2 * 0.8 / 500))


def test_documents_that_fade_are_kept_by_their_weight() -> None:
    # The slow way: whoever of all documents has the smallest exponential lot, divided by its weight.
    sample = in_portions(ROWS, 4, most=400, fading=0.5)
    every = in_portions(ROWS, 1, most=10_000)
    rows = every.corpus.documents.to_csr().toarray()
    lots = {row.tobytes(): lot for row, lot in zip(rows, every.lots, strict=True)}
    weighted = [
        (lots[row.tobytes()] / 0.5 ** (3 - k), row.tobytes())
        for k, part in enumerate(np.array_split(ROWS, 4))
        for row in part
    ]
    assert rows_of(sample) == {row for _, row in sorted(weighted)[:400]}
    newest = rows_of(in_portions(ROWS, 2, most=400, fading=0.0))
    assert newest <= {row.tobytes() for row in ROWS[1000:]}


def test_more_room_later_favours_nobody() -> None:
    early = in_portions(ROWS[:1000], 1, most=100)
    sample = early.with_more(corpus(ROWS[1000:]), WORDS, most=800, fading=1.0, offered=1000)
    whole = in_portions(ROWS, 1, most=10_000)
    assert sample.lots.tolist() == whole.lots[whole.lots < early.bound].tolist()


def test_further_words_are_absent_from_earlier_documents() -> None:
    sample = in_portions(ROWS[:500], 1, most=1000)
    words = [*WORDS, "new"]
    more = Corpus(np.pad(ROWS[500:], ((0, 0), (0, 1)), constant_values=1), words)
    after = sample.with_more(more, words, most=2000, fading=1.0, offered=1500)
    dense = after.corpus.documents.to_csr().toarray()
    assert dense[:, -1].sum() == 1500
    assert {row[:-1].tobytes() for row in dense if not row[-1]} == rows_of(sample)


def test_a_file_holds_all_of_it() -> None:
    for most in (300, 10_000):
        sample = in_portions(ROWS, 2, most=most).renamed({"w0": "zero"})
        again = KeptSample.read(sample.plain(), sample.arrays)
        assert again.corpus.words[:2] == ("zero", "w1")
        assert again[1].tolist() == sample[1].tolist()
        assert (*again[2:], rows_of(again)) == (*sample[2:], rows_of(sample))


@pytest.mark.parametrize(
    "change",
    [
        {"words": WORDS[:-5]},
        {"words": WORDS[:-1] + WORDS[:1]},
        {"offered": 20},
        {"bound": 1e-9},
        {"kept_lots": np.ones(3)},
        {"kept_indptr": np.arange(301, dtype=np.int64)[::-1]},
    ],
)
def test_damage_is_refused(change: dict[str, Any]) -> None:
    sample = in_portions(ROWS, 1, most=300)
    with pytest.raises(ValueError, match=r"\w"):
        KeptSample.read(sample.plain() | change, sample.arrays | change)

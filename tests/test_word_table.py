"""The table of words: equal hashes are told apart by their letters."""

from __future__ import annotations

import numpy as np

from hlta._kernels.tokens import END, FIRST, GAP, HASHED, number_words
from hlta.text.word_table import WordTable
from tests.scanning import words_of


def table_of(words: list[str]) -> tuple[WordTable, list[int]]:
    """A table of words whose keys are all the same hash, and the number of each word."""
    codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    sizes = np.array([len(word) for word in words], dtype=np.uint64)
    begins = np.cumsum(sizes) - sizes
    keys = np.full(len(words), HASHED, dtype=np.uint64)
    numbers = np.empty(len(words), dtype=np.uint64)
    table = WordTable()
    text = (codes, keys, begins, sizes, len(words))
    table.count = number_words(*text, table.count, table.arrays, numbers)
    return table, (numbers - FIRST).astype(int).tolist()


def test_words_with_equal_hashes_stay_apart() -> None:
    table, numbers = table_of(["zürich", "größe", "zürich", "größer", "größe", "ab", "größe"])
    assert table.names() == ["zürich", "größe", "größer", "ab"]
    assert numbers == [0, 1, 0, 2, 1, 3, 1]


def test_a_table_that_absorbs_another_renumbers_its_words() -> None:
    table, _ = table_of(["zürich", "größe"])
    other, _ = table_of(["größer", "zürich"])
    renumbering = table.absorb(other)
    assert table.names() == ["zürich", "größe", "größer"]
    assert renumbering[:2].tolist() == [2, 0]
    assert (renumbering[END], renumbering[GAP]) == (END, GAP)


def test_short_latin_words_are_their_own_keys() -> None:
    words = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"]
    assert words_of([" ".join(words)]) == [words]


def test_words_of_twelve_and_thirteen_letters_stay_apart() -> None:
    words = ["abcdefghijkl", "abcdefghijklm", "bbcdefghijkl", "abcdefghijkl", "zbcdefghijklm"]
    assert words_of([" ".join(words)]) == [words]

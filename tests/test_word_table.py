"""The table of words: equal hashes are told apart by their letters."""

from __future__ import annotations

import numpy as np

from hlta import TextOptions
from hlta._kernels.tokens import END, FIRST, GAP, HASHED, number_words
from hlta.text.scanner import _Lane
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


def test_words_of_few_and_of_many_letters_stay_apart() -> None:
    short = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"]
    long = ["abcdefghijkl", "abcdefghijklm", "bbcdefghijkl", "abcdefghijkl", "zbcdefghijklm"]
    assert words_of([" ".join(short), " ".join(long)]) == [short, long]


# ---- words that somebody chose so that they meet in one place of the table -----------------------

SCATTER, START, PRIME = 11400714819323198485, 1469598103934665603, 1099511628211
SLOTS = np.uint64(2**17 - 1)


def longest_search(lines: list[str]) -> int:
    """How many slots of the table stand together at most: no search for a word is longer."""
    lane = _Lane(TextOptions())
    lane.scan(lines)
    full = lane.table.arrays.slots[:, 1] != 0
    return int(np.diff(np.flatnonzero(np.diff(full, prepend=False, append=False)))[::2].max())


def test_no_short_words_can_be_chosen_that_meet() -> None:
    """Their letters are their keys; a product with a known number is easily undone."""
    rng = np.random.default_rng(0)
    products = rng.integers(0, 2**64, 4_000_000, dtype=np.uint64) & ~(SLOTS << np.uint64(32))
    keys = products * np.uint64(pow(SCATTER, -1, 2**64))
    letters = (keys[:, None] >> np.arange(0, 60, 5, dtype=np.uint64)) & np.uint64(31)
    valid = ((letters >= 1) & (letters <= 26)).all(axis=1) & (keys < 2**60)
    words = ["".join(chr(96 + int(k)) for k in word[::-1]) for word in letters[valid]]
    assert len(words) > 15_000
    assert longest_search([" ".join(words)]) < 200


def test_no_words_can_be_chosen_whose_hashes_meet() -> None:
    letters = np.arange(0x4E00, 0x4E00 + 6000, dtype=np.uint64)
    first = (np.uint64(START) ^ letters[:, None]) * np.uint64(PRIME)
    code = (first ^ letters) * np.uint64(PRIME)
    key = np.uint64(1 << 63) | (code ^ (code >> np.uint64(29)))
    meet = np.argwhere((key * np.uint64(SCATTER)) >> np.uint64(32) & SLOTS == 0)
    words = ["".join(chr(0x4E00 + int(k)) for k in pair) for pair in meet]
    assert len(words) > 200
    assert longest_search([" ".join(words)]) < 50

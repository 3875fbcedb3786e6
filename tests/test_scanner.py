"""Words out of text: what a word is, in any alphabet, and that none is lost or merged."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import DocumentsError, OptionError, TextOptions
from hlta._kernels.streams import BIT_PLACE, collect_rows
from hlta._kernels.tokens import END, FIRST, GAP, HASHED, number_words
from hlta._support import spool
from hlta.text import scanner
from hlta.text.scanner import scan
from hlta.text.word_table import WordTable


def words_of(texts: list[str], **options: Any) -> list[list[str]]:
    found = scan(texts, TextOptions(**options))
    rows: list[list[str]] = [[]]
    for number in np.concatenate(list(found.parts)).tolist():
        if number == END:
            rows.append([])
        elif number != GAP:
            rows[-1].append(found.words[number])
    return rows[:-1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Neural networks, and SVMs.", ["neural", "networks", "and", "svms"]),
        ("don't state-of-the-art", ["don", "state", "the", "art"]),
        ("gpt2 covid19 x_y 1984 2nd", []),
        ("mail me@example.org now", ["mail", "now"]),
        ("see (https://example.org/page) and/or this", ["see", "and", "this"]),
        (r"\begin{equation} alpha \frac{beta}", ["equation", "alpha", "beta"]),
        ("Ärger über STRASSE naïve", ["ärger", "über", "strasse", "naïve"]),
        ("Привет мир δένδρο ქართული", ["привет", "мир", "δένδρο", "ქართული"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("e\u0301te\u0301s", ["e\u0301te\u0301s"]),
        ("(word)[other]<b>bold</b>", ["word", "other", "bold"]),
        ("x" * 61 + " fine", ["fine"]),
        ("a bc", []),
        ("tab\tnew\nline\u00a0nbsp\x00null", ["tab", "new", "line", "nbsp", "null"]),
        ("", []),
    ],
)
def test_what_a_word_is(line: str, expected: list[str]) -> None:
    assert words_of([line]) == [expected]


def test_options_decide() -> None:
    assert words_of(["GPT2 is 42"], numbers=True, lowercase=False) == [["GPT2"]]
    assert words_of(["a bc def"], min_length=1, max_length=2) == [["a", "bc"]]
    own = words_of(["我爱 北京 x y"], tokenizer=lambda t: [w for w in t.split() if w], min_length=1)
    assert own == [["我爱", "北京", "x", "y"]]
    assert words_of(["New York|Rome"], tokenizer=lambda t: t.split("|")) == [["new york", "rome"]]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="abcdeÄé .,-'\n7_@я:/", max_size=80), min_size=1, max_size=12))
def test_against_a_regular_expression(texts: list[str]) -> None:
    def slow(line: str) -> list[str]:
        found = []
        for chunk in re.split(r"\s+", line.lower()):
            if "@" not in chunk and ":/" not in chunk and len(chunk) <= 60:
                found += [w for w in re.findall(r"\w+", chunk) if not re.search(r"[\d_]", w)]
        return [w for w in found if 3 <= len(w) <= 40]

    expected = [slow(line) for line in texts]
    assert words_of(texts) == expected
    found = scan(texts, TextOptions())
    counts = Counter(word for row in expected for word in row)
    assert dict(zip(found.words, found.occurrences.tolist(), strict=True)) == counts
    frequency = Counter(word for row in expected for word in set(row))
    assert dict(zip(found.words, found.document_frequency.tolist(), strict=True)) == frequency


def test_phrases_end_at_punctuation_and_at_what_is_left_out() -> None:
    found = scan(["deep learning, of data; new-york state. x"], TextOptions())
    shown = [found.words[n] if n >= 0 else n for n in np.concatenate(list(found.parts)).tolist()]
    assert shown == ["deep", "learning", GAP, "data", GAP, "new", "york", "state", GAP, END]


def test_many_words_in_many_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "_BATCH", 5000)
    monkeypatch.setattr(scanner, "_PIECE", 1000)
    rng = np.random.default_rng(0)
    vocabulary = ["".join(rng.choice(list("abcdefghij"), 7)) for _ in range(60_000)]
    texts = [" ".join(vocabulary[i : i + 100]) for i in range(0, 60_000, 50)]
    assert words_of(texts) == [t.split() for t in texts]
    monkeypatch.setattr(spool, "IN_MEMORY", 1000)  # to disk
    assert words_of(texts) == [t.split() for t in texts]


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "_BATCH", 300)
    texts = [f"common word{chr(97 + i % 26)} {'x' * (i % 30 + 3)} ünique" for i in range(200)]
    one, three = (scan(texts, TextOptions(), n_jobs=jobs) for jobs in (1, 3))
    assert np.concatenate(list(one.parts)).tobytes() == np.concatenate(list(three.parts)).tobytes()
    assert one.words == three.words
    assert one.document_frequency.tolist() == three.document_frequency.tolist()


def test_equal_keys_are_no_equal_words() -> None:
    # Keys that are hashes can be equal by chance; here they all are, and take one place of the table.
    words = ["zürich", "größe", "zürich", "größer", "größe", "ab", "größe"]
    codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    sizes = np.array([len(word) for word in words], dtype=np.uint64)
    begins = np.cumsum(sizes) - sizes
    keys = np.full(len(words), HASHED, dtype=np.uint64)
    table = WordTable()
    numbers = np.empty(len(words), dtype=np.uint64)
    args = (codes, keys, begins, sizes, len(words), 0, table.arrays, numbers)
    table.count = number_words(*args)
    assert table.names() == ["zürich", "größe", "größer", "ab"]
    assert (numbers - FIRST).tolist() == [0, 1, 0, 2, 1, 3, 1]
    # Short words of a to z need no hash: their letters are the key.
    many = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"]
    assert words_of([" ".join(many)]) == [many]
    twelve = ["abcdefghijkl", "abcdefghijklm", "bbcdefghijkl", "abcdefghijkl", "zbcdefghijklm"]
    assert words_of([" ".join(twelve)]) == [twelve]


@given(
    st.lists(st.lists(st.integers(-1, 49)), min_size=1),
    st.integers(1, 9000),
    st.integers(0, 2**32),
)
def test_rows_are_sets_of_columns(documents: list[list[int]], n_columns: int, seed: int) -> None:
    column = np.random.default_rng(seed).integers(-1, n_columns, 50).astype(np.int32)
    stream = np.array([w for document in documents for w in (*document, END)], dtype=np.int32)
    blocks = -(-n_columns // 4096)
    indptr = np.empty(len(documents) + 1, dtype=np.int64)
    indices = np.empty(len(stream), dtype=np.uint32)
    bits, heads = np.zeros(64 * blocks, dtype=np.uint64), np.zeros(blocks, dtype=np.uint64)
    filled = collect_rows(stream, column, bits, heads, BIT_PLACE, indptr, indices)
    expected = [
        sorted({int(column[w]) for w in document if w >= 0 and column[w] >= 0})
        for document in documents
    ]
    found = [indices[a:b].tolist() for a, b in pairwise(indptr)]
    assert found == expected
    assert filled == sum(map(len, expected))
    assert not bits.any()
    assert not heads.any()


def test_bad_texts_are_named() -> None:
    with pytest.raises(DocumentsError, match="document 1 is None, of type NoneType"):
        scan(["fine", None], TextOptions())
    with pytest.raises(DocumentsError, match="there are no documents"):
        scan([], TextOptions())
    for options in ({"ngrams": 0}, {"min_length": 0}, {"tokenizer": "jieba"}, {"include": "word"}):
        with pytest.raises(OptionError, match=next(iter(options))):
            TextOptions(**options)

"""Words out of text: what a word is, in any alphabet, and that none is lost or merged."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import DocumentsError, OptionError, TextOptions
from hlta._kernels.tokens import END, GAP
from hlta._support import spool
from hlta.text import scanner
from hlta.text.scanner import scan
from tests.jobs import on_jobs
from tests.scanning import numbers_in, words_in, words_of

PIECES = st.sampled_from(
    [*"abcdeÄé .,-'\n7_@я:/", "www.", ".com", "com", "org,", "<", ".edu", ".orgs", "/etc/", " /"]
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Neural networks, and SVMs.", ["neural", "networks", "and", "svms"]),
        ("don't state-of-the-art", ["don", "state", "of", "the", "art"]),
        ("gpt2 covid19 x_y 1984 2nd", []),
        ("mail me@example.org now", ["mail", "now"]),
        ("see (https://example.org/page) and/or this", ["see", "and", "or", "this"]),
        ("at www.example.org/page (www.here.de), awww", ["at", "awww"]),
        ("ibm.com or mit.edu: an edu. com", ["ibm", "or", "mit", "an", "edu", "com"]),
        ("in /usr/share/doc (~/old/mail), and/or/xor no/", ["in", "and", "or", "xor", "no"]),
        ("<b>bold</b></p> </i>plain</i> // comment /etc", ["bold", "plain", "comment", "etc"]),
        (r"\begin{equation} alpha \frac{beta}", ["equation", "alpha", "beta"]),
        ("Ärger über STRASSE naïve", ["ärger", "über", "strasse", "naïve"]),
        ("Привет мир δένδρο ქართული", ["привет", "мир", "δένδρο", "ქართული"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("e\u0301te\u0301s", ["e\u0301te\u0301s"]),
        ("(word)[other]<b>bold</b>", ["word", "other", "bold"]),
        ("x" * 61 + " fine", ["fine"]),
        ("a bc", ["bc"]),
        ("tab\tnew\nline\u00a0nbsp\x00null", ["tab", "new", "line", "nbsp", "null"]),
        ("", []),
    ],
)
def test_what_a_word_is(line: str, expected: list[str]) -> None:
    assert words_of([line]) == [expected]


def test_options_decide_what_a_word_is() -> None:
    assert words_of(["GPT2 is 42"], numbers=True, lowercase=False) == [["GPT2", "is"]]
    assert words_of(["a bc def"], min_length=1, max_length=2) == [["a", "bc"]]
    assert words_of(["a bc def"], min_length=3) == [["bc", "def"]]  # "bc" may be part of a phrase


def test_words_between_spaces_are_taken_as_they_are() -> None:
    options: dict[str, Any] = {"tokenizer": "whitespace"}
    assert words_of(["我爱 x-ray\t3d c++\n"], **options) == [["我爱", "x-ray", "3d", "c++"]]
    lists: list[Any] = [["New York", "c++"], []]
    assert words_of(lists, **options) == [["new_york", "c++"], []]


def test_a_tokenizer_of_ones_own_decides_alone() -> None:
    words = words_of(["我爱 北京 x http://here/"], tokenizer=str.split, min_length=1)
    assert words == [["我爱", "北京", "x", "http://here/"]]
    words = words_of(["New York|Rome"], tokenizer=lambda text: text.split("|"))
    assert words == [["new york", "rome"]]


@settings(max_examples=60)
@given(st.lists(st.lists(PIECES, max_size=80).map("".join), min_size=1, max_size=12))
def test_words_are_those_of_a_regular_expression(texts: list[str]) -> None:
    address = re.compile(r"@|:/|www\.\S|^[^\w]*(?<!<)/[^\w]*\w.*/")

    def slow(line: str) -> list[str]:
        words: list[str] = []
        for chunk in re.split(r"\s+", line.lower()):
            if not address.search(chunk) and len(chunk) <= 60:
                found = re.findall(r"(?<!\.)\b\w+|(?<=\.)(?!com\b|edu\b|gov\b|org\b)\w+", chunk)
                words += [w for w in found if not re.search(r"[\d_]", w)]
        return [w for w in words if 2 <= len(w) <= 40]

    expected = [slow(line) for line in texts]
    assert words_of(texts) == expected
    stream = scan(texts, TextOptions())
    counts = Counter(word for row in expected for word in row)
    assert dict(zip(stream.words, stream.occurrences.tolist(), strict=True)) == counts
    frequency = Counter(word for row in expected for word in set(row))
    assert dict(zip(stream.words, stream.document_frequency.tolist(), strict=True)) == frequency


def test_phrases_end_at_punctuation_and_at_what_is_left_out() -> None:
    stream = scan(["deep learning, of data; new-york state. x"], TextOptions())
    shown = [stream.words[n] if n >= 0 else n for n in numbers_in(stream)]
    assert shown == ["deep", "learning", GAP, "of", "data", GAP, "new", "york", "state", GAP, END]


@pytest.mark.parametrize("in_memory", [spool.IN_MEMORY, 1000], ids=["in memory", "on disk"])
def test_neither_batches_nor_threads_change_anything(
    monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
    monkeypatch.setattr(scanner, "_BATCH", 5000)
    monkeypatch.setattr(scanner, "_PIECE", 1000)
    monkeypatch.setattr(spool, "IN_MEMORY", in_memory)
    rng = np.random.default_rng(0)
    vocabulary = ["".join(word) for word in rng.choice(list("abcdefghij"), (60_000, 7))]
    texts = [" ".join(vocabulary[i : i + 100]) for i in range(0, 60_000, 50)]
    one, three = (on_jobs(jobs, scan, texts, TextOptions()) for jobs in (1, 3))
    assert words_in(one) == [text.split() for text in texts]
    assert numbers_in(one) == numbers_in(three)
    assert one.words == three.words
    np.testing.assert_array_equal(one.document_frequency, three.document_frequency)


def test_there_is_room_for_a_word_in_every_character() -> None:
    """A table with room for 2**15 words more, when 2**16 letters come that are words of their own."""
    letters = [chr(code) for code in range(0x20000, 0x2A000)] + [
        chr(c) for c in range(0xAC00, 0xD7A3)
    ]
    pairs = [letters[k % 181] + letters[200 + k // 181] for k in range(32_766)]
    words = words_of([" ".join(pairs), *letters[: 1 << 16]], min_length=1, tokenizer=None)
    assert words == [pairs, *([letter] for letter in letters[: 1 << 16])]


def test_a_text_that_is_not_a_string_is_named_and_there_must_be_one() -> None:
    with pytest.raises(DocumentsError, match="there are no documents"):
        scan([], TextOptions())
    texts: list[Any] = ["fine", None]
    with pytest.raises(DocumentsError, match="document 1 is None, of type NoneType"):
        scan(texts, TextOptions())


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("ngrams", 0),
        ("min_length", 0),
        ("tokenizer", "jieba"),
        ("include", "word"),
        ("min_df", 1.5),
        ("joined", 3),
        ("joined", [["ab", "cd"]]),
        ("joined", [[("a", 2)]]),
        ("joined", [[("a",)]]),
        ("passages", 3),
        ("passages", [("ten", ["a"])]),
        ("passages", [(10, [1])]),
        ("drop_passages", "yes"),
        ("keep_style", 1),
        ("style", "word"),
    ],
)
def test_an_option_out_of_range_is_named(option: str, value: Any) -> None:
    with pytest.raises(OptionError, match=f"{option}="):
        TextOptions(**{option: value})

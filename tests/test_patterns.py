"""Text as the server compares it, against the rules of the page said slowly."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.text.patterns import expression, spaced, tokens
from hlta.text.search import passage


@given(st.text())
def test_words_of_spaced_text_are_one_space_apart(text: str) -> None:
    parts = unicodedata.normalize("NFD", text.lower())
    folded = (c for c in parts if unicodedata.category(c)[0] != "M")
    letters = "".join(c if unicodedata.category(c)[0] in "LN" else " " for c in folded)
    assert spaced(text) == " ".join(letters.split())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Ångström", '"angstrom"'),
        ('"Black  Hole" -', '"black hole"'),
        ("neur*", '"neur" *'),
        ('"neur*"', '"neur"'),
        ("? * -", '""'),
        ('a"b c', '"a" AND "b c"'),
        ("a\u3000a\ufeffa", '"a"'),
        ("知能", '"知 能"'),
    ],
)
def test_queries_as_sqlite_takes_them(query: str, expected: str) -> None:
    assert expression(query) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deep net", "deep net"),
        ("知能", "知 能"),
        ("ai知能x", "ai 知 能 x"),
        ("知 能", "知 ␣ 能"),
        ("é 知", "é ␣ 知"),
        ("", ""),
    ],
)
def test_letters_without_spaces_between_words_are_tokens(text: str, expected: str) -> None:
    assert tokens(text) == expected


TEXT = "A first line.\nThen, a Château in the Loire valley. The end? 深度学习。知能です。"


@pytest.mark.parametrize(
    ("query", "most", "expected"),
    [
        ("chateau", 30, "… a Château in the Loire …"),
        ("none such", 15, "A first …"),
        ("first", 200, " ".join(TEXT.split())),
        ('"line then"', 40, "A first line. Then, a Château in the …"),
        ('-first "the end"', 30, "… The end? 深度学习。知能です。"),
        ("知能", 200, " ".join(TEXT.split())),
        ("", 8, "A first …"),
    ],
)
def test_a_passage_begins_where_a_query_is_found(query: str, most: int, expected: str) -> None:
    assert passage(TEXT, query, most) == expected

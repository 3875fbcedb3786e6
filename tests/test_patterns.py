"""Text as the server compares it, against the rules of the page said slowly."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.serving.patterns import Pattern, folded, patterns, spaced, tokens


@given(st.text())
def test_folded_text_has_no_capitals_and_no_marks(text: str) -> None:
    parts = unicodedata.normalize("NFD", text.lower())
    assert folded(text) == "".join(c for c in parts if unicodedata.category(c)[0] != "M")


@given(st.text())
def test_words_of_spaced_text_are_one_space_apart(text: str) -> None:
    letters = [c if unicodedata.category(c)[0] in "LN" else " " for c in folded(text)]
    assert spaced(text).split() == "".join(letters).split()
    assert "  " not in spaced(text)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Ångström", [("angstrom", False)]),
        (
            '"Black  Hole" neur* oil-price "',
            [("black hole", False), ("neur", True), ("oil price", False)],
        ),
        ('"neur*"', [("neur", False)]),
        ("? * -", []),
        ('a"b c', [("a", False), ("b c", False)]),
        ("a\u3000b\ufeffc", [("a", False), ("b", False), ("c", False)]),
    ],
)
def test_patterns_of_a_query(query: str, expected: list[tuple[str, bool]]) -> None:
    assert patterns(query) == [Pattern(*one) for one in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deep net", ["deep", "net"]),
        ("知能", ["知", "能"]),
        ("ai知能x", ["ai", "知", "能", "x"]),
        ("知 能", ["知", "\x01", "能"]),
        ("ai 知", ["ai", "\x01", "知"]),
        ("a  b", ["a", "", "b"]),
        ("知  b", ["知", "\x01", "", "b"]),
        ("", [""]),
    ],
)
def test_letters_without_spaces_between_words_are_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected

"""Terms and clauses in the coding of the page's address."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import OptionError
from hlta.explorer.serve.terms import (
    Clause,
    InArea,
    InGroup,
    InTime,
    OnTopic,
    Plain,
    Term,
    WithCopies,
    WithText,
    WithWord,
    read_clauses,
    read_term,
)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("all", Plain(none=False)),
        ("none", Plain(none=True)),
        ("copies", WithCopies()),
        ("topic:Z2-1", OnTopic("Z2-1", 0.2, main=False)),
        ("topic:Z2-1@0.25", OnTopic("Z2-1", 0.25, main=False)),
        ("main:Z2-1", OnTopic("Z2-1", 0.2, main=True)),
        ("main:Z2-1@1e-1", OnTopic("Z2-1", 0.1, main=True)),
        ("word:dark-matter", WithWord("dark-matter")),
        ("text:a: b", WithText("a: b")),
        ("group:", InGroup("")),
        ("group:a:b", InGroup("a:b")),
        ("date:1987-03", InTime("1987-03", "1987-03")),
        ("date:1987..1990", InTime("1987", "1990")),
        ("area:0,0,1.5,0,-1,1", InArea((0.0, 0.0, 1.5, 0.0, -1.0, 1.0))),
    ],
)
def test_terms_are_read(text: str, term: Term) -> None:
    assert read_term(text) == term


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "some",
            "word:",
            "text: ",
            "topic:",
            "topic:@0.5",
            "topic:Z@",
            "topic:Z@2",
            "topic:Z@x",
        ),
        *(
            "topic:Z@nan",
            "topic:Z@0x1",
            "date:",
            "date:..1990",
            "date:1990..",
            "group",
            "area:1,2,3",
        ),
        *("area:0,0,1,1,2", "area:0,0,1,1,2,inf", "area:0,0,1,1,2,1_0", "sql:1", "narrow:Z2-1"),
    ],
)
def test_what_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="is not a term"):
        read_term(text)


@given(st.text())
def test_any_text_is_a_term_or_refused(text: str) -> None:
    with suppress(OptionError):
        assert isinstance(read_term(text), Term)


def test_clauses_are_alternatives_joined_and_left_out() -> None:
    parts = [("order", "x"), ("with", "word:a"), ("or", "word:b"), ("without", "none")]
    assert read_clauses(parts) == (
        Clause(without=False, terms=(WithWord("a"), WithWord("b"))),
        Clause(without=True, terms=(Plain(none=True),)),
    )
    assert read_clauses([]) == ()


def test_clauses_that_say_nothing_are_refused() -> None:
    with pytest.raises(OptionError, match="stands first"):
        read_clauses([("or", "word:a")])
    with pytest.raises(OptionError, match="at most 200"):
        read_clauses([("with", "all")] * 201)

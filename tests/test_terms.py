"""Terms and clauses in the coding of the page's address, and text as the server compares it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import OptionError
from hlta.explorer.serve import terms as of
from hlta.explorer.serve.terms import Clause, InTime, Plain, Term, WithWord, read_clauses, read_term
from hlta.text.patterns import normalize_text, patterns, tokens
from hlta.text.search import excerpt


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("all", Plain(none=False)),
        ("none", Plain(none=True)),
        ("copies", of.WithCopies()),
        ("topic:Z2-1", of.OnTopic("Z2-1", 0.2, main=False)),
        ("topic:Z2-1@0.25", of.OnTopic("Z2-1", 0.25, main=False)),
        ("main:Z2-1", of.OnTopic("Z2-1", 0.2, main=True)),
        ("main:Z2-1@1e-1", of.OnTopic("Z2-1", 0.1, main=True)),
        ("word:dark-matter", WithWord("dark-matter")),
        ("text:a: b", of.WithText("a: b")),
        ("group:", of.InGroup("")),
        ("group:a:b", of.InGroup("a:b")),
        ("date:1987-03", of.InTime("1987-03", "1987-03")),
        ("date:1987..1990", of.InTime("1987", "1990")),
        ("area:0,0,1.5,0,-1,1", of.InArea((0.0, 0.0, 1.5, 0.0, -1.0, 1.0))),
    ],
)
def test_terms_are_read(text: str, term: Term) -> None:
    assert read_term(text) == term


@pytest.mark.parametrize(
    "text",
    [
        *("", "some", "word:", "text: ", "sql:1", "narrow:Z2-1", "group"),
        *(
            "topic:",
            "topic:@0.5",
            "topic:Z@",
            "topic:Z@2",
            "topic:Z@x",
            "topic:Z@nan",
            "topic:Z@0x1",
        ),
        *("date:", "date:..1990", "date:1990.."),
        *("area:1,2,3", "area:0,0,1,1,2", "area:0,0,1,1,2,inf", "area:0,0,1,1,2,1_0"),
    ],
)
def test_what_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="is not a term"):
        read_term(text)


def test_clauses_are_alternatives_joined_and_left_out() -> None:
    parts = [("order", "x"), ("with", "word:a"), ("or", "word:b"), ("without", "none")]
    assert read_clauses(parts) == (
        Clause(without=False, terms=(WithWord("a"), WithWord("b"))),
        Clause(without=True, terms=(Plain(none=True),)),
    )
    assert read_clauses([]) == ()


@given(st.text())
def test_words_of_spaced_text_are_one_space_apart(text: str) -> None:
    parts = unicodedata.normalize("NFD", text.lower())
    folded = (c for c in parts if unicodedata.category(c)[0] != "M")
    letters = "".join(c if unicodedata.category(c)[0] in "LN" else " " for c in folded)
    assert normalize_text(text) == " ".join(letters.split())


def test_queries_as_sqlite_takes_them() -> None:
    for query, expected in {
        "Ångström": ['"angstrom"'],
        '"Black  Hole" -': ['"black hole"'],
        "neur*": ['"neur" *'],
        '"neur*"': ['"neur"'],
        "? * -": [],
        'a"b c': ['"a"', '"b c"'],
        "a\u3000a\ufeffa": ['"a"'],
        "知能": ['"知 能"'],
    }.items():
        assert [pattern.expression for pattern in patterns(query)] == expected


def test_letters_without_spaces_between_words_are_tokens() -> None:
    for text, expected in {
        "deep net": "deep net",
        "ai知能x": "ai 知 能 x",
        "知 能": "知 ␣ 能",
        "é 知": "é ␣ 知",
        "": "",
    }.items():
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
    assert excerpt(TEXT, query, most) == expected


@pytest.mark.parametrize("place", range(0, 400, 40))
def test_a_passage_is_around_the_word_and_not_a_longer_one(place: int) -> None:
    words = ["category"] * 500
    words[place] = "cat"
    assert " cat " in f" {excerpt(' '.join(words), 'cat', 60)} "


def test_periods_in_addresses_stand_for_their_dates() -> None:
    assert read_term("date:2016-Q3") == InTime("2016-07", "2016-09")
    assert read_term("date:1990s..2016-W01") == InTime("1990", "2016-01-10")

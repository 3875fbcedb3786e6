"""Filler words, which do not come back within documents, are found, told, and kept on request."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import Corpus, DocumentsError, TextOptions, read_corpus
from hlta.text.scanner import scan
from hlta.text.style import recurrence
from hlta.text.vocabulary import with_further_words
from tests.command import run

if TYPE_CHECKING:
    from pathlib import Path

THEMES = [
    ("tariff", "harbour", "freight", "customs"),
    ("enzyme", "protein", "membrane", "receptor"),
    ("orbit", "comet", "telescope", "nebula"),
]
STYLE = (
    *("recently", "moreover", "remarkable", "consider", "obtained", "various", "typical"),
    *("rather",),
)


def articles(count: int) -> list[str]:
    """Texts that use the words of a theme again and again, and those of style once if at all."""
    drawn = random.Random(1)
    texts = []
    for number in range(count):
        theme = THEMES[number % len(THEMES)]
        words = [word for word in theme for _ in range(drawn.choice([0, 2, 3, 4]))]
        words += [word for word in STYLE if drawn.random() < 0.3] + ["article"]
        drawn.shuffle(words)
        texts.append(" ".join(words))
    return texts


ARTICLES = articles(300)
OPTIONS: dict[str, Any] = {"stop_words": ["article"], "max_df": 0.9}


@settings(max_examples=60)
@given(
    st.lists(
        st.lists(st.sampled_from(["red", "blue", ",", "green"]), max_size=12),
        min_size=1,
        max_size=9,
    )
)
def test_recurrence_is_that_of_plain_python(texts: list[list[str]]) -> None:
    stream = scan([" ".join(text) for text in texts], TextOptions())
    rows = [[word for word in text if word != ","] for text in texts]
    total = sum(map(len, rows))
    for word, found in zip(stream.words, recurrence(stream).tolist(), strict=True):
        occurrences = sum(row.count(word) for row in rows)
        by_chance = sum(1.0 - (1.0 - len(row) / total) ** occurrences for row in rows)
        expected = (by_chance - sum(word in row for row in rows)) / (by_chance + 5.0)
        assert found == pytest.approx(expected, abs=1e-9)


def test_lengths_are_counted_and_long_ones_rounded() -> None:
    texts = ["ab " * length for length in (3, 2, 3, 1004, 1005, 56_750)]
    lengths, documents = scan(texts, TextOptions()).lengths
    assert lengths.tolist() == [2, 3, 1000, 1010, 56_800]
    assert documents.tolist() == [1, 2, 1, 1, 1]


def test_words_of_style_are_left_out_and_told() -> None:
    corpus = Corpus.from_texts(ARTICLES, **OPTIONS)
    assert set(corpus.words) == {word for theme in THEMES for word in theme}
    assert corpus.text_options is not None
    assert set(corpus.text_options.style or ()) == set(STYLE)
    assert corpus.coverage is not None
    assert np.isin(corpus.coverage, [0.0, 1.0]).all()  # they do not count
    kept = Corpus.from_texts(ARTICLES, **OPTIONS, keep_style=True)
    assert set(kept.words) == {*corpus.words, *STYLE}
    included = Corpus.from_texts(ARTICLES[::-1], **OPTIONS, include=["recently"])
    assert set(included.words) == {*corpus.words, "recently"}
    others = [word for theme in THEMES for word in theme][1:]
    with pytest.raises(DocumentsError, match="keep 1 filler words"):
        Corpus.from_texts(ARTICLES, **OPTIONS, exclude=[*others, *STYLE[1:]])


def test_words_of_titles_need_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "articles.jsonl"
    titles = ["Gadgets", "Widgets", "Recently"]
    lines = [{"title": titles[k % 3], "text": text} for k, text in enumerate(ARTICLES)]
    path.write_text("\n".join(map(json.dumps, lines)))
    corpus = read_corpus(path, **OPTIONS)
    assert {"gadgets", "widgets", "recently"} <= set(corpus.words)
    plain = Corpus.from_texts([f"{line['title']}\n{line['text']}" for line in lines], **OPTIONS)
    assert {"gadgets", "widgets"}.isdisjoint(plain.words)
    for line in lines[:200]:
        line["text"] += " recently"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert "recently" not in read_corpus(path, **OPTIONS).words


@pytest.mark.parametrize(
    "texts",
    [ARTICLES[:199], [" ".join(dict.fromkeys(text.split())) for text in ARTICLES]],
    ids=["few documents", "no word comes back"],
)
def test_where_nothing_can_be_told_no_word_is_of_style(texts: list[str]) -> None:
    corpus = Corpus.from_texts(texts, **OPTIONS)
    assert set(STYLE) <= set(corpus.words)
    assert corpus.text_options is not None
    assert corpus.text_options.style == ()


def test_an_update_does_not_take_them_up() -> None:
    corpus = Corpus.from_texts(ARTICLES, **OPTIONS)
    assert corpus.text_options is not None
    new = [text if k % 5 else f"{text} quasar moreover" for k, text in enumerate(ARTICLES)]
    further = with_further_words(new, corpus.words, corpus.text_options).words
    assert set(further) - set(corpus.words) == {"quasar"}


@pytest.mark.parametrize("keep", [False, True])
def test_the_command_tells_them(tmp_path: Path, *, keep: bool) -> None:
    (tmp_path / "articles.txt").write_text("\n".join(ARTICLES))
    options = ["--samples", 1, "--max-df", 0.9, *(["--keep-style"] if keep else [])]
    result = run("fit", tmp_path / "articles.txt", "-o", tmp_path / "out", *options)
    assert ("filler words, such as" in result.stderr) is not keep
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert record["words_of_style"] == len(record["words_of_style_first"])
    assert set(record["words_of_style_first"]) <= set(STYLE)
    assert bool(record["words_of_style"]) is not keep
    assert record["text"]["keep_style"] is keep
    assert "style" not in record["text"]

"""Filler words, which do not come back within documents, and passages in many: found, told, left out."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import HLTA, Corpus, DocumentsError, TextOptions, read_corpus
from hlta._kernels.streams import key_runs
from hlta._kernels.tokens import END, GAP, SCATTER
from hlta.text import passages
from hlta.text.fillers import recurrence
from hlta.text.passages import LEAST, LENGTH, find_passages, without_passages
from hlta.text.scanner import WordStream, scan
from hlta.text.vocabulary import with_further_words
from tests.command import run
from tests.scanning import words_in
from tests.there import there

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
FEW_WORDS = st.lists(
    st.lists(st.sampled_from(["red", "blue", ",", "green"]), max_size=12), min_size=1, max_size=9
)
OPTIONS: dict[str, Any] = {"stop_words": ["article"], "max_df": 0.9}


def recurrence_in(stream: WordStream) -> dict[str, float]:
    return dict(zip(stream.words, recurrence(stream).tolist(), strict=True))


@settings(max_examples=60)
@given(FEW_WORDS)
def test_recurrence_is_that_of_plain_python(texts: list[list[str]]) -> None:
    stream = scan([" ".join(text) for text in texts], TextOptions())
    rows = [[word for word in text if word != ","] for text in texts]
    total = sum(map(len, rows))
    for word, found in recurrence_in(stream).items():
        occurrences = sum(row.count(word) for row in rows)
        by_chance = sum(1.0 - (1.0 - len(row) / total) ** occurrences for row in rows)
        expected = (by_chance - sum(word in row for row in rows)) / (by_chance + 5.0)
        assert found == pytest.approx(expected, abs=1e-9)


@given(FEW_WORDS, st.lists(st.lists(st.sampled_from(["가나", "다라"]), min_size=1), min_size=1))
def test_words_of_a_language_come_back_as_in_its_documents_alone(
    english: list[list[str]], korean: list[list[str]]
) -> None:
    kinds = [[" ".join(text) for text in texts] for texts in (english, korean)]
    options = TextOptions(tokenizer=str.split)
    mixed = recurrence_in(replace(scan([*kinds[1], *kinds[0]], options), segmented=("korean",)))
    alone = [recurrence_in(scan(texts, options)) for texts in kinds]
    assert mixed == pytest.approx(alone[0] | alone[1])


def test_words_of_style_are_left_out_and_told() -> None:
    corpus = Corpus.from_texts(ARTICLES, **OPTIONS)
    assert set(corpus.words) == {word for theme in THEMES for word in theme}
    assert set(there(corpus.text_options).style or ()) == set(STYLE)
    assert np.isin(there(corpus.coverage), [0.0, 1.0]).all()  # they do not count
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


SHORT = [" ".join(dict.fromkeys(text.split())) for text in ARTICLES]
LONG = [f"{text} " * 6 for text in ARTICLES[:100]]


@pytest.mark.parametrize(
    "texts",
    [ARTICLES[:199], SHORT, [*SHORT, *LONG]],
    ids=["few documents", "no word comes back", "words come back in long documents alone"],
)
def test_where_nothing_can_be_told_no_word_is_of_style(texts: list[str]) -> None:
    corpus = Corpus.from_texts(texts, **OPTIONS)
    assert set(STYLE) <= set(corpus.words)
    assert there(corpus.text_options).style == ()


def test_an_update_neither_takes_them_up_nor_reports_them_as_new() -> None:
    corpus = Corpus.from_texts(ARTICLES, **OPTIONS)
    new = [text if k % 5 else f"{text} quasar moreover" for k, text in enumerate(ARTICLES)]
    further = with_further_words(new, corpus.words, there(corpus.text_options)).words
    assert set(further) - set(corpus.words) == {"quasar"}
    kept = Corpus.from_texts(ARTICLES[::2], **OPTIONS, keep_style=True)
    assert set(STYLE) <= set(kept.words)
    drift = HLTA(samples=1).fit(corpus).partial_fit(kept).drift_
    assert set(STYLE) & set(drift.unknown_words)
    assert not drift.new_words


def test_the_command_tells_them(tmp_path: Path) -> None:
    wordless = [" ".join(STYLE[k : k + 3]) for k in range(4)]
    (tmp_path / "articles.txt").write_text("\n".join([*ARTICLES, *wordless]))
    options = ["--samples", 1, "--max-df", 0.9]
    result = run("fit", tmp_path / "articles.txt", "-o", tmp_path / "out", *options)
    assert "filler words, which rarely recur" in result.stderr
    assert "documents have no word of the model; --keep-style keeps filler words" in result.stderr
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert record["words_of_style"] == len(record["words_of_style_first"]) > 0
    assert set(record["words_of_style_first"]) <= set(STYLE)
    assert "style" not in record["text"]


SIGNATURE = "this message is for its recipient alone and whoever else reads it shall delete it"
NAMES = [f"{first}{second}" for first in "abcdefg" for second in ("lpha", "mber", "rrow", "zure")]
LETTERS = [f"{NAMES[k]} {NAMES[-k]} {NAMES[k // 2]} wrote of {NAMES[k - 3]}" for k in range(28)]
SIGNED = [f"{text}. {SIGNATURE}." if k % 2 else text for k, text in enumerate(LETTERS)]


def runs_of(rows: list[list[str]], length: int) -> Counter[tuple[str, ...]]:
    """In how many documents each run of so many words is."""
    found: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        found.update({tuple(row[k : k + length]) for k in range(len(row) - length + 1)})
    return found


def without_runs(row: list[str], runs: set[tuple[str, ...]], length: int) -> list[str]:
    """A document without the words of these runs."""
    at = [k for k in range(len(row)) if tuple(row[k : k + length]) in runs]
    covered = {k + step for k in at for step in range(length)}
    return [word for k, word in enumerate(row) if k not in covered]


@settings(max_examples=60)
@given(FEW_WORDS)
def test_passages_are_those_of_plain_python(texts: list[list[str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passages, "LENGTH", 3)
        patch.setattr(passages, "LEAST", 2)
        stream = scan([" ".join(text) for text in texts], TextOptions())
        found = find_passages(stream)
        left = without_passages(stream, found)
    rows = [[word for word in text if word != ","] for text in texts]
    frequent = {gram: count for gram, count in runs_of(rows, 3).items() if count >= 2}
    spelled = [words[k : k + 3] for _, words in found for k in range(len(words) - 2)]
    assert sorted(spelled) == sorted(frequent)  # each once
    for documents, words in found:
        assert documents == max(frequent[words[k : k + 3]] for k in range(len(words) - 2))
    assert [count for count, _ in found] == sorted((count for count, _ in found), reverse=True)
    assert words_in(left) == [without_runs(row, set(frequent), 3) for row in rows]
    # No phrase reaches over what was dropped.
    signed = scan([f"{name} {SIGNATURE} {name}" for name in NAMES], TextOptions())
    part = next(iter(without_passages(signed, find_passages(signed)).parts))
    assert part[:4].tolist() == [0, GAP, 0, END]


@settings(max_examples=40)
@given(st.lists(st.sampled_from([0, 1, 2, GAP, END]), max_size=30), st.integers(1, 4))
def test_keys_are_sums_of_the_last_words(stream: list[int], length: int) -> None:
    marks = np.random.default_rng(0).integers(1 << 64, size=3, dtype=np.uint64)
    keys = np.ones(len(stream), dtype=np.uint64)
    key_runs(np.array(stream, dtype=np.int32), marks, np.empty(length, dtype=np.uint64), keys)
    words: list[int] = []
    for word, key in zip(stream, keys.tolist(), strict=True):
        words = [] if word == END else [*words, word] if word != GAP else words
        last = [int(marks[one]) for one in words[-length:]]
        total = sum(mark * int(SCATTER) ** k for k, mark in enumerate(reversed(last)))
        ends_here = word >= 0 and len(words) >= length
        assert key == (total % 2**64 if ends_here else 0)


def test_a_signature_is_found_and_dropped() -> None:
    options: dict[str, Any] = {"max_df": 1.0, "min_df": 1, "stop_words": None}
    corpus = Corpus.from_texts(SIGNED, **options, drop_passages=True)
    assert there(corpus.text_options).passages == ((14, tuple(SIGNATURE.split())),)
    assert "recipient" not in corpus.words
    shown = Corpus.from_texts(SIGNED, **options)
    assert there(shown.text_options).passages == there(corpus.text_options).passages
    assert "recipient" in shown.words
    assert there(corpus.coverage).min() == 1.0  # what is left out does not count as unknown
    for documents, words in ((LEAST - 1, 20), (LEAST, LENGTH - 1)):  # too few of one
        passage = " ".join(f"word{name}" for name in NAMES[:words])
        texts = [f"{name} {passage}" for name in NAMES[:documents]] + NAMES
        assert find_passages(scan(texts, TextOptions())) == ()


@pytest.mark.parametrize("drop", [False, True])
def test_fits_tell_of_passages(tmp_path: Path, *, drop: bool) -> None:
    source = tmp_path / "texts.txt"
    source.write_text("\n".join(SIGNED))
    options = ["--samples", 1, "--min-df", 1, *(["--drop-passages"] if drop else [])]
    shown = " ".join(run("fit", source, "-o", tmp_path / "out", *options).stderr.split())
    what = "are left out" if drop else "are kept; --drop-passages leaves them out"
    assert 'many documents share 1 passage: "this message is for its recipient' in shown
    assert f"the words {what}" in shown
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert record["passages_first"] == [{"documents": 14, "text": SIGNATURE}]
    assert record["text"]["drop_passages"] is drop
    read = run("assign", tmp_path / "out", source, "--json").stdout
    assert len(read.splitlines()) == len(SIGNED)

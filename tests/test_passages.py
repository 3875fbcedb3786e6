"""Passages that occur in many documents are found, told, and left out on request."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import Corpus, TextOptions
from hlta._kernels.streams import key_runs
from hlta._kernels.tokens import END, GAP, SCATTER
from hlta.text import passages
from hlta.text.passages import LEAST, LENGTH, find_passages, without_passages
from hlta.text.scanner import scan
from tests.command import run
from tests.scanning import words_in

if TYPE_CHECKING:
    from pathlib import Path

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
@given(
    st.lists(
        st.lists(st.sampled_from(["red", "blue", ",", "green"]), max_size=12),
        min_size=1,
        max_size=9,
    )
)
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
    corpus = Corpus.from_texts(SIGNED, max_df=1.0, min_df=1, stop_words=None, drop_passages=True)
    assert corpus.text_options is not None
    assert corpus.text_options.passages == ((14, tuple(SIGNATURE.split())),)
    assert "recipient" not in corpus.words
    told = Corpus.from_texts(SIGNED, max_df=1.0, min_df=1, stop_words=None)
    assert told.text_options is not None
    assert told.text_options.passages == corpus.text_options.passages
    assert "recipient" in told.words
    assert corpus.coverage is not None
    assert corpus.coverage.min() == 1.0  # what is left out does not count as unknown


@pytest.mark.parametrize(("documents", "words"), [(LEAST - 1, 20), (LEAST, LENGTH - 1)])
def test_few_documents_or_words_make_no_passage(documents: int, words: int) -> None:
    passage = " ".join(f"word{name}" for name in NAMES[:words])
    texts = [f"{name} {passage}" for name in NAMES[:documents]] + NAMES
    assert find_passages(scan(texts, TextOptions())) == ()


@pytest.mark.parametrize("drop", [False, True])
def test_fits_tell_of_passages(tmp_path: Path, *, drop: bool) -> None:
    source = tmp_path / "texts.txt"
    source.write_text("\n".join(SIGNED))
    options = ["--samples", 1, "--min-df", 1, *(["--drop-passages"] if drop else [])]
    told = " ".join(run("fit", source, "-o", tmp_path / "out", *options).stderr.split())
    what = "are left out" if drop else "count; --drop-passages leaves them out"
    assert 'in many documents: 1, such as "this message is for its recipient' in told
    assert f"their words {what}" in told
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert record["passages_first"] == [{"documents": 14, "text": SIGNATURE}]
    assert record["text"]["drop_passages"] is drop
    read = run("assign", tmp_path / "out", source, "--json").stdout
    assert len(read.splitlines()) == len(SIGNED)

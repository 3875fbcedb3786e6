"""Texts that repeat earlier ones are found, and count once."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import HLTA, Corpus, DocumentsError, TextOptions
from hlta._kernels.tokens import END, GAP
from hlta.options import IN_PART
from hlta.text import repeats
from hlta.text.repeats import LEAST, find_originals, without_repeats
from hlta.text.scanner import WordStream, scan
from tests.command import run
from tests.scanning import TEXTS, numbers_in

ARTICLE = "one long article about the neural network and its training, with data of many halos"
COPIED = [TEXTS[0], ARTICLE, *TEXTS[1:], *[ARTICLE] * 9]


def originals_of(texts: list[str], **options: Any) -> list[int]:
    return [int(number) for number in find_originals(scan(texts, TextOptions(**options)))]


def rows_of(stream: WordStream) -> list[str]:
    """The numbers of the words of each document."""
    written = "".join(f"{number}," for number in numbers_in(stream) if number != GAP)
    return written.split(f"{END},")[:-1]


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from(["red", "blue", ",", "x-ray"]), max_size=4), min_size=1))
def test_repeats_are_found_as_in_plain_python(texts: list[list[str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeats, "LEAST", 0)
        stream = scan([" ".join(text) for text in texts], TextOptions())
        found = find_originals(stream)
    rows = rows_of(stream)
    assert found.tolist() == [rows.index(row) for row in rows]
    left = without_repeats(stream, found)
    assert left.n_documents == len(set(rows))
    assert rows_of(left) == list(dict.fromkeys(rows))


def test_words_count_and_not_how_they_are_spelled_and_short_texts_each_time() -> None:
    assert originals_of([ARTICLE, f"  {ARTICLE.upper()}\n"]) == [0, 0]
    assert originals_of([ARTICLE, ARTICLE.upper()], lowercase=False) == [0, 1]
    other_order = " ".join(reversed(ARTICLE.split()))
    assert originals_of([ARTICLE, other_order, ARTICLE + " indeed"]) == [0, 1, 2]
    assert originals_of([ARTICLE, "8. " + ARTICLE.replace(" about", ",\n\n5 about.")]) == [0, 0]
    words = [f"word{chr(97 + k)}" for k in range(LEAST)]
    assert originals_of([" ".join(words)] * 2) == [0, 0]
    assert originals_of([" ".join(words[:-1])] * 2) == [0, 1]
    assert originals_of(["", ""]) == [0, 1]


@pytest.mark.parametrize("ngrams", [1, 3])
def test_copies_change_nothing_but_have_words(ngrams: int) -> None:
    counted = Corpus.from_texts(COPIED, max_df=1.0, count_repeats=True)
    assert counted.distinct() is counted
    assert "halos" in counted.words
    copied = Corpus.from_texts(COPIED, max_df=1.0, ngrams=ngrams)
    assert "halos" not in copied.words
    single = Corpus.from_texts(COPIED[:-9], max_df=1.0, ngrams=ngrams)
    assert (copied.n_repeats, single.n_repeats) == (9, 0)
    assert copied.words == single.words
    distinct = copied.distinct()
    np.testing.assert_array_equal(distinct.documents.indices, single.documents.indices)
    first, last = (copied.documents[k : k + 1].indices for k in (1, len(COPIED) - 1))
    np.testing.assert_array_equal(first, last)
    assert copied.phrases is not None
    assert single.phrases is not None
    assert copied.phrases.names == single.phrases.names


def test_models_of_texts_with_copies_are_those_of_texts_without() -> None:
    options = TextOptions(max_df=1.0)
    copied, single = (HLTA(samples=1, text=options).fit(one) for one in (COPIED[::-1], COPIED[:-9]))
    assert copied.tree_ == single.tree_
    assert {topic.title for topic in copied.topics_} == {topic.title for topic in single.topics_}
    counts = [[topic.documents for topic in model.topics_] for model in (copied, single)]
    assert counts[0] == (copied.transform(COPIED) >= IN_PART).sum(axis=0).tolist()  # copies, too
    assert counts[0] != counts[1]


def test_fits_tell_of_repeats(tmp_path: Path) -> None:
    source = tmp_path / "texts.txt"
    source.write_text("\n".join(COPIED))
    shown = run("fit", source, "-o", tmp_path / "out", "--samples", 1)
    assert "9 repeat the text of another; each text counts once" in " ".join(shown.stderr.split())
    assert json.loads((tmp_path / "out" / "run.json").read_text())["repeats"] == 9


def test_texts_that_are_all_the_same_are_refused() -> None:
    with pytest.raises(DocumentsError, match="count_repeats=True"):
        HLTA(samples=1).fit([ARTICLE] * 5)

"""What the commands read: the options of words, and models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hlta import HLTA, OptionError, TextOptions, load
from hlta.cli.common_options import Page, Reading, Words
from hlta.cli.inputs import (
    read_json,
    read_options,
    read_word_list,
    refuse_options,
    text_options,
)
from tests.command import run

if TYPE_CHECKING:
    from pathlib import Path


def test_defaults_of_words_are_left_out() -> None:
    assert text_options(Words()) == {}


def test_options_of_words_are_translated(tmp_path: Path) -> None:
    (tmp_path / "keep").write_text("zebra\ndata\n")
    (tmp_path / "drop").write_text("market\n")
    given = text_options(
        Words(
            n_words=9,
            ngrams=2,
            stop_words=str(tmp_path / "drop"),
            min_df=2.0,
            max_df=30.0,
            min_length=4,
            numbers=True,
            keep_case=True,
            lemmas="english",
            segment="chinese",
            include=tmp_path / "keep",
            exclude=tmp_path / "drop",
        )
    )
    assert TextOptions(**given) == TextOptions(
        n_words=9,
        ngrams=2,
        stop_words=["market"],
        min_df=2,
        max_df=30,
        min_length=4,
        numbers=True,
        lowercase=False,
        lemmas="english",
        tokenizer="chinese",
        include=("zebra", "data"),
        exclude=("market",),
    )
    assert (type(given["min_df"]), type(given["max_df"])) == (int, int)


@pytest.mark.parametrize(
    ("given", "min_df", "max_df"), [((0.5, 1.0), 0.5, 1.0), ((1.0, 0.2), 1, 0.2)]
)
def test_numbers_of_documents_are_told_from_shares(
    given: tuple[float, float], min_df: float, max_df: float
) -> None:
    options = text_options(Words(min_df=given[0], max_df=given[1]))
    assert (options["min_df"], options["max_df"]) == (min_df, max_df)
    assert type(options["min_df"]) is type(min_df)
    assert type(options["max_df"]) is type(max_df)


@pytest.mark.parametrize(("name", "options"), [("none", None), ("german", "german")])
def test_stop_words_by_name(name: str, options: str | None) -> None:
    assert text_options(Words(stop_words=name)) == {"stop_words": options}


def test_options_of_words_reach_the_corpus(texts_file: Path, tmp_path: Path) -> None:
    (tmp_path / "drop").write_text("market\n")
    done = run(
        *("convert", texts_file, tmp_path / "corpus", "--stop-words", tmp_path / "drop"),
        *("--min-df", 1, "--min-length", 4, "--words", 9, "--numbers"),
    )
    assert done.exit_code == 0, done.output
    corpus = load(tmp_path / "corpus")
    assert len(corpus.words) == 9
    assert "market" not in corpus.words
    assert min(map(len, corpus.words)) >= 4


def test_a_word_list_has_one_word_per_line(tmp_path: Path) -> None:
    (tmp_path / "words").write_bytes("\ufeffone \n\n two\r\nthree".encode())
    assert read_word_list(tmp_path / "words") == ["one", "two", "three"]


def test_a_word_list_that_is_not_utf_8_is_refused(texts_file: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_bytes(b"caf\xe9")
    done = run("convert", texts_file, tmp_path / "corpus", "--include", tmp_path / "words")
    assert (done.exit_code, "words' is not valid UTF-8" in done.stderr) == (1, True)


def test_options_of_reading_are_translated() -> None:
    options = read_options(Reading(text="body", id="key", keep_mail=True, skip_broken=True))
    assert (options.text, options.id, options.mail, options.broken) == (
        *("body", "key"),
        *("keep", "skip"),
    )


def test_an_option_without_effect_is_named() -> None:
    refuse_options(Page(), "is never refused by default")
    with pytest.raises(OptionError, match="--page-documents makes no sense"):
        refuse_options(Page(page_documents=7), "makes no sense")
    with pytest.raises(OptionError, match="--words makes no sense"):
        refuse_options(Words(n_words=7), "makes no sense")


def test_a_tree_is_not_a_model_of_hlta_fit(fitted: Path, tmp_path: Path) -> None:
    HLTA.load(fitted).tree_.save(tmp_path / "tree.hlta")
    done = run("topics", tmp_path / "tree.hlta")
    assert (done.exit_code, "holds a tree alone" in done.stderr) == (1, True)


@pytest.mark.parametrize("data", [b"\xff", b"[", b"[" * 100_000, b"9" * 5000])
def test_what_is_not_json_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.json").write_bytes(data)
    with pytest.raises(OptionError, match=r"a\.json' is not valid JSON"):
        read_json(tmp_path / "a.json")


def test_a_title_that_is_given_twice_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"A": ["x", "y"], "A": ["z", "v"]}')
    with pytest.raises(OptionError, match="gives a title twice: A, A"):
        read_json(tmp_path / "a.json")

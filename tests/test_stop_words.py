"""Stop words: those of a language, which is found or given."""

from __future__ import annotations

from typing import Any

import pytest
from stop_words import AVAILABLE_LANGUAGES

from hlta import Corpus, OptionError
from hlta.text.function_words import FUNCTION_WORDS
from hlta.text.scanner import as_stream
from hlta.text.stop_words import find_languages


@pytest.mark.parametrize(
    ("language", "text", "stop"),
    [
        ("english", "the cat and the dog were in the house with some of the others", "the"),
        ("german", "der Hund und die Katze sind nicht mit den anderen auf einem Dach", "und"),
        ("french", "les chats sont dans une maison avec des chiens pour les autres", "les"),
        ("russian", "он сказал что это было не так как мне бы хотелось для них", "что"),
    ],
)
def test_the_language_is_found(language: str, text: str, stop: str) -> None:
    texts = [text, text + " extra"] * 5
    words = Corpus.from_texts(texts, max_df=1.0).words
    assert words == Corpus.from_texts(texts, max_df=1.0, stop_words=language).words
    assert stop not in words
    assert stop in Corpus.from_texts(texts, max_df=1.0, stop_words=None).words


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("german", "das wäre neben dem Haus auch außerdem bereits hätte beim jeweils WÜRDEN"),
        ("french", "les cependant celle ainsi beaucoup lorsque quelques"),
        ("dutch", "het tussen omdat zoals wanneer worden"),
        ("italian", "che tuttavia qualcosa dopo essere ogni"),
        ("portuguese", "não também através nenhum outros desde"),
        ("danish", "og måske også imellem gennem skal"),
    ],
)
def test_function_words_are_left_out_in_all_their_forms(language: str, text: str) -> None:
    texts = [f"{text} Inhalt Kern"] * 4
    words = Corpus.from_texts(texts, max_df=1.0, stop_words=language, count_repeats=True).words
    assert set(words) <= {"inhalt", "kern", "haus"}


def test_function_words_are_known_where_the_package_has_a_list() -> None:
    for language, words in FUNCTION_WORDS.items():
        assert language in AVAILABLE_LANGUAGES
        assert len(set(words.split())) == len(words.split())
        assert words == words.lower()


def test_stop_words_that_begin_a_sentence_are_left_out_where_capitals_count() -> None:
    texts = ["The market rose. Neben der Bank war Licht", "Über the Bank, the Market"] * 5
    options: dict[str, Any] = {"max_df": 1.0, "lowercase": False, "count_repeats": True}
    words = Corpus.from_texts(texts, stop_words="english,german", **options).words
    assert set(words) == {"market", "rose", "Bank", "Licht", "Market"}
    assert "The" in Corpus.from_texts(texts, stop_words=["the"], **options).words


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(OptionError, match="stop_words='klingon': use \"auto\""):
        Corpus.from_texts(["some text", "more text"], stop_words="klingon")


RUSSIAN = "он сказал что это было не так как мне бы хотелось для них но банк поднял ставку"
ENGLISH = "that is for the market which can also be of interest to those who were there"


def found(texts: list[str]) -> tuple[str, ...] | None:
    options = Corpus.from_texts(texts, max_df=1.0, count_repeats=True).text_options
    assert options is not None
    return options.languages


@pytest.mark.parametrize(
    ("texts", "languages"),
    [
        ([RUSSIAN] * 9 + [ENGLISH], ("russian", "english")),
        ([f"{RUSSIAN} {RUSSIAN} {ENGLISH}"] * 5, ("russian", "english")),
        ([RUSSIAN] * 199 + [ENGLISH], ("russian",)),
        ([ENGLISH, f"{ENGLISH} man war"] * 5, ("english",)),
        (["market bank rate"] * 5, ()),
    ],
)
def test_languages_of_a_share_of_the_documents_are_found(
    texts: list[str], languages: tuple[str, ...]
) -> None:
    assert found(texts) == languages


def test_stop_words_of_every_language_found_are_dropped() -> None:
    words = Corpus.from_texts([RUSSIAN, ENGLISH] * 5, max_df=1.0).words
    assert {"банк", "ставку", "market"} <= set(words)
    assert not {"что", "для", "that", "which", "the"} & set(words)
    named = Corpus.from_texts([RUSSIAN, ENGLISH] * 5, stop_words="russian, english", max_df=1.0)
    assert words == named.words


def test_languages_that_are_known_are_not_looked_for() -> None:
    corpus = Corpus.from_texts([RUSSIAN, ENGLISH] * 5, languages=["english"], max_df=1.0)
    assert corpus.text_options is not None
    assert corpus.text_options.languages == ("english",)
    assert "что" in corpus.words
    assert "that" not in corpus.words


def test_a_list_holds_words_and_never_languages() -> None:
    texts = ["english market", "russian market"] * 3
    words = Corpus.from_texts(texts, stop_words=["english", "extra"], max_df=1.0).words
    assert set(words) == {"russian", "market"}
    with pytest.raises(OptionError, match=r'use "english, russian", and to drop these .* exclude'):
        Corpus.from_texts(texts, stop_words=["english", "russian"])


def test_an_unknown_language_among_several_is_named() -> None:
    with pytest.raises(OptionError, match="stop_words='english,klingon'"):
        Corpus.from_texts(["some text", "more text"], stop_words="english,klingon")
    with pytest.raises(OptionError, match=r"languages=\('klingon',\)"):
        Corpus.from_texts(["some text", "more text"], languages=["klingon"])


def test_a_matrix_tells_its_languages_too() -> None:
    rows = [RUSSIAN.split(), ENGLISH.split()]
    words = sorted({word for row in rows for word in row})
    matrix = [[int(word in row) for word in words] for row in rows]
    assert set(find_languages(as_stream(Corpus(matrix, words).documents, words))) == {
        "english",
        "russian",
    }

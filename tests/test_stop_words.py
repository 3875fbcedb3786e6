"""Stop words: those of a language, which is found or given."""

from __future__ import annotations

import pytest

from hlta import Corpus, OptionError


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


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(OptionError, match="stop_words='klingon': use \"auto\""):
        Corpus.from_texts(["some text", "more text"], stop_words="klingon")

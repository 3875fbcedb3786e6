"""Languages without spaces, and base forms."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from hlta import HLTA, Corpus, OptionError, TextOptions
from hlta.text.scanner import scan
from tests.scanning import words_of

CHINESE = [
    "机器学习是人工智能的一个分支，它研究计算机怎样模拟人类的学习行为。",
    "深度学习使用神经网络，神经网络由很多层组成。",
    "股票市场今天上涨，投资者很高兴。",
    "中央银行提高了利率，股票市场下跌。",
]
JAPANESE = [
    "機械学習とは、人間が行っている学習能力をコンピュータで実現する技術です。",
    "日本銀行は金利を引き上げた。株式市場は下落した。",
]


def test_chinese_texts_are_split_into_content_words() -> None:
    pytest.importorskip("rjieba")
    words = words_of(CHINESE, tokenizer="chinese")
    assert {"机器", "学习", "人工智能", "分支", "计算机"} <= set(words[0])
    assert "投资者" in words[2]
    assert all(len(word) >= 2 and word.isalpha() for row in words for word in row)
    assert not {"一个", "怎样", "今天"} & {word for row in words for word in row}


def test_topics_of_chinese_texts() -> None:
    pytest.importorskip("rjieba")
    corpus = Corpus.from_texts(CHINESE * 5, tokenizer="chinese")
    model = HLTA(em_steps=5, lowest_level=1).fit(corpus)
    assert model.transform(CHINESE).shape[0] == 4
    markets = next(topic for topic in model.topics_ if "下跌" in topic.words)
    assert "神经网络" not in markets.words


def test_japanese_texts_are_split_into_content_words() -> None:
    pytest.importorskip("fugashi")
    words = words_of(JAPANESE, tokenizer="japanese")
    assert {"機械", "学習", "人間", "能力", "技術"} <= set(words[0])
    assert {"銀行", "金利", "市場"} <= set(words[1])
    assert not {"です", "した", "とは"} & {word for row in words for word in row}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("english", "Networks network networked", ["network", "network", "network"]),
        ("english", "studies of a study", ["study", "of", "study"]),
        ("de", "die Häuser, das Haus, gute Häusern", ["der", "haus", "der", "haus", "gut", "haus"]),
    ],
)
def test_words_become_base_forms(language: str, text: str, expected: list[str]) -> None:
    pytest.importorskip("simplemma")
    assert words_of([text], lemmas=language) == [expected]


def test_a_model_reads_base_forms_of_new_texts() -> None:
    pytest.importorskip("simplemma")
    texts = ["Networks network networked", "studies of a study"] * 5
    corpus = Corpus.from_texts(texts, lemmas="english")
    assert set(corpus.words) == {"network", "study"}
    model = HLTA(em_steps=1).fit(corpus)
    assert model.documents_from_texts(["networks"]).indices.tolist() == [
        corpus.words.index("network")
    ]


def test_a_language_without_base_forms_is_named() -> None:
    pytest.importorskip("simplemma")
    with pytest.raises(OptionError, match="lemmas='klingon': use one of"):
        words_of(["some text"], lemmas="klingon")


@pytest.mark.parametrize(
    ("module", "options", "extra"),
    [
        ("rjieba", {"tokenizer": "chinese"}, "chinese"),
        ("fugashi", {"tokenizer": "japanese"}, "japanese"),
        ("simplemma", {"lemmas": "english"}, "lemmas"),
        ("simplemma.strategies.dictionaries.dictionary_factory", {"lemmas": "en"}, "lemmas"),
    ],
)
def test_an_extra_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, module: str, options: dict[str, Any], extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(OptionError, match=rf'pip install "hlta\[{extra}\]"'):
        scan(["some text"], TextOptions(**options))

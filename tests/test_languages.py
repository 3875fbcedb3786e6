"""Languages without spaces, and base forms."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import hlta
from hlta import Corpus, OptionError, TextOptions
from hlta._kernels.tokens import END, GAP
from hlta.text.scanner import scan

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


def words_of(texts: list[str], **options: object) -> list[list[str]]:
    stream = scan(texts, TextOptions(**options))
    found: list[list[str]] = [[]]
    for word in np.concatenate(list(stream.parts)).tolist():
        if word == END:
            found.append([])
        elif word != GAP:
            found[-1].append(stream.words[word])
    return found[:-1]


def test_chinese() -> None:
    pytest.importorskip("rjieba")
    found = words_of(CHINESE, tokenizer="chinese")
    assert {"机器", "学习", "人工智能", "分支", "计算机"} <= set(found[0])
    assert {"股票市场", "投资者"} <= set(found[2]) or {"股票", "市场", "投资者"} <= set(found[2])
    assert all(len(word) >= 2 and word.isalpha() for words in found for word in words)
    corpus = Corpus.from_texts(CHINESE * 5, tokenizer="chinese")
    assert not {"一个", "怎样", "今天"} & set(corpus.words)  # no words of content
    model = hlta.HLTA(em_steps=5, lowest_level=1).fit(corpus)
    assert model.transform(CHINESE).shape[0] == 4
    together = next(topic for topic in model.topics_ if "下跌" in topic.words)
    assert "神经网络" not in together.words


def test_japanese() -> None:
    pytest.importorskip("fugashi")
    found = words_of(JAPANESE, tokenizer="japanese")
    assert {"機械", "学習", "人間", "能力", "技術"} <= set(found[0])
    assert {"銀行", "金利", "市場"} <= set(found[1])
    assert not {"です", "した", "とは"} & {word for words in found for word in words}


def test_base_forms() -> None:
    pytest.importorskip("simplemma")
    texts = ["Networks network networked", "studies of a study", "Häuser"]
    assert words_of(texts, lemmas="english")[:2] == [
        ["network", "network", "network"],
        ["study", "study"],
    ]
    german = words_of(["die Häuser, das Haus, gute Häusern"], lemmas="de")[0]
    assert german == ["der", "haus", "der", "haus", "gut", "haus"]
    corpus = Corpus.from_texts(texts[:2] * 5, lemmas="english")
    assert set(corpus.words) == {"network", "study"}
    model = hlta.HLTA(em_steps=1).fit(corpus)
    assert model.read(["networks"]).indices.tolist() == [corpus.words.index("network")]
    with pytest.raises(OptionError, match="lemmas='klingon': use one of"):
        words_of(texts, lemmas="klingon")


@pytest.mark.parametrize(
    ("module", "options", "extra"),
    [
        ("rjieba", {"tokenizer": "chinese"}, "chinese"),
        ("fugashi", {"tokenizer": "japanese"}, "japanese"),
        ("simplemma", {"lemmas": "english"}, "lemmas"),
        ("simplemma.strategies.dictionaries.dictionary_factory", {"lemmas": "en"}, "lemmas"),
    ],
)
def test_what_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, module: str, options: dict[str, str], extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(OptionError, match=rf"pip install 'hlta\[{extra}\]'"):
        scan(["some text"], TextOptions(**options))  # type: ignore[arg-type]

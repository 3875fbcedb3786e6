"""Which texts are in a language whose words have to be found, without being told."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import HLTA, Corpus, OptionError, TextOptions
from hlta.text.scanner import scan
from hlta.text.segmentation import language_of
from hlta.text.vocabulary import with_vocabulary
from tests.scanning import words_of

CHINESE = "中央银行今天提高了利率，股票市场下跌，投资者卖出债券。"
JAPANESE = "日本銀行は金利を引き上げた。株式市場は下落した。"
KOREAN = "한국은행이 기준금리를 인상했다. 주식시장은 하락했다."
THAI = "ธนาคารกลางขึ้นอัตราดอกเบี้ย ตลาดหุ้นปรับตัวลดลง"
ENGLISH = "The central bank raised interest rates and the stock market fell."
PACKAGES = {
    "chinese": ("rjieba", CHINESE),
    "japanese": ("fugashi", JAPANESE),
    "korean": ("kiwipiepy", KOREAN),
    "thai": ("pythainlp.corpus.common", THAI),
}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (CHINESE, "chinese"),
        (JAPANESE, "japanese"),
        ("日本銀行の金利引き上げ", "japanese"),
        (KOREAN, "korean"),
        (THAI, "thai"),
        (ENGLISH, None),
        (f"{ENGLISH} {CHINESE}", "chinese"),
        (f"{ENGLISH * 3} 北京", None),
        ("Центральный банк повысил ставку", None),
        ("“Élèves” – déjà vu… 🎉", None),
        ("", None),
        ("\ud800", None),
    ],
)
def test_letters_tell_the_language(text: str, language: str | None) -> None:
    assert language_of(text) == language


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    language = language_of(text)
    assert language is None or not text.isascii()


@pytest.mark.parametrize("language", PACKAGES)
def test_words_are_found_without_asking(language: str) -> None:
    module, text = PACKAGES[language]
    pytest.importorskip(module)
    corpus = Corpus.from_texts([text, f"{text} {ENGLISH}"], min_df=1, max_df=1.0)
    assert corpus.text_options is not None
    assert corpus.text_options.languages is not None
    assert corpus.text_options.languages[0] == language
    named = Corpus.from_texts([text, f"{text} {ENGLISH}"], tokenizer=language, max_df=1.0)
    assert corpus.words == named.words
    assert "market" in corpus.words
    assert not any(len(word) > 13 and not word.isascii() for word in corpus.words)


def test_each_text_is_read_in_its_own_language() -> None:
    pytest.importorskip("rjieba")
    pytest.importorskip("fugashi")
    texts = [CHINESE, ENGLISH, JAPANESE]
    assert words_of(texts) == [words_of([text])[0] for text in texts]
    assert scan(texts, TextOptions()).segmented == ("chinese", "japanese")
    assert {"利率", "债券"} <= set(words_of(texts)[0])
    assert {"銀行", "市場"} <= set(words_of(texts)[2])


def test_latin_words_and_addresses_beside_chinese_stay() -> None:
    pytest.importorskip("rjieba")
    (words,) = words_of([f"{CHINESE} café in Paris, me@example.org {CHINESE}"])
    assert {"café", "paris"} <= set(words)
    assert not {"example", "org"} & set(words)


def test_a_model_reads_new_texts_as_its_own() -> None:
    pytest.importorskip("rjieba")
    pytest.importorskip("fugashi")
    texts = [CHINESE, "股票市场今天上涨，投资者很高兴。", "深度学习使用神经网络。"] * 5
    corpus = Corpus.from_texts(texts, min_df=1, max_df=1.0)
    model = HLTA(samples=1, em_steps=2).fit(corpus)
    again = model.documents_from_texts(texts)
    assert (again.to_csr() != corpus.documents.to_csr()).nnz == 0
    assert model.text_options_ is not None
    # Japanese was not among the texts that the model was learned from, so it is not segmented.
    assert scan([JAPANESE], model.text_options_).segmented == ()


KANJI = "日本銀行金利引上株式市場下落"


def test_a_japanese_corpus_decides_on_its_texts_without_kana() -> None:
    pytest.importorskip("rjieba")
    pytest.importorskip("fugashi")
    texts = [KANJI, JAPANESE, JAPANESE * 2, JAPANESE * 3, KANJI * 2, ENGLISH]
    assert scan(texts, TextOptions()).segmented == ("japanese",)
    assert scan([KANJI, JAPANESE, CHINESE * 2], TextOptions()).segmented == ("chinese", "japanese")
    mixed = scan([*texts, JAPANESE, CHINESE * 2], TextOptions())
    assert mixed.segmented == ("japanese", "chinese")  # short texts are read as the first
    long_enough = CHINESE.replace("，", "") * 3  # no Japanese text has so much without kana
    assert "chinese" in scan([*texts, long_enough], TextOptions()).segmented
    corpus = Corpus.from_texts([*texts, *texts], min_df=1, max_df=1.0)
    assert corpus.text_options is not None
    alone, _ = with_vocabulary([KANJI], corpus.words, corpus.text_options)
    assert alone.indices.tolist() == corpus.documents[:1].indices.tolist()


@settings(max_examples=30)
@given(st.lists(st.sampled_from([KANJI, KANJI * 5, JAPANESE, CHINESE, ENGLISH]), min_size=2))
def test_short_texts_are_read_again_as_they_were(texts: list[str]) -> None:
    pytest.importorskip("rjieba")
    pytest.importorskip("fugashi")
    corpus = Corpus.from_texts([*texts, ENGLISH], min_df=1, max_df=1.0, count_repeats=True)
    assert corpus.text_options is not None
    again, _ = with_vocabulary([*texts, ENGLISH], corpus.words, corpus.text_options)
    assert again.indices.tolist() == corpus.documents.indices.tolist()


def test_latin_words_of_two_letters_count_where_the_language_is_named() -> None:
    pytest.importorskip("rjieba")
    texts = [f"{CHINESE} AI 技术, IT 公司"] * 3
    named = Corpus.from_texts(texts, tokenizer="chinese", min_df=1, max_df=1.0, count_repeats=True)
    assert "ai" in named.words
    least = Corpus.from_texts(texts, tokenizer="chinese", min_length=3, count_repeats=True)
    assert "ai" not in least.words


def test_runs_of_letters_remain_if_wanted() -> None:
    assert words_of([CHINESE], tokenizer=None) == [
        ["中央银行今天提高了利率", "股票市场下跌", "投资者卖出债券"]
    ]


# ---- missing packages ----------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["chinese", "japanese", "thai"])
def test_many_documents_without_a_package_are_refused(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    module, text = PACKAGES[language]
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(OptionError, match=rf"1 of 2 .* in {language.title()}.*hlta\[{language}\]"):
        scan([text, ENGLISH], TextOptions())


def test_a_few_documents_without_a_package_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    with pytest.warns(UserWarning, match=r"1 of 12 .* in Chinese.*sentences become words"):
        stream = scan([CHINESE, *[ENGLISH] * 11], TextOptions())
    assert stream.segmented == ()


def test_korean_words_keep_their_particles_without_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    with pytest.warns(UserWarning, match=r"2 of 2 .* in Korean.*particles.*hlta\[korean\]"):
        stream = scan([KOREAN] * 2, TextOptions())
    assert "한국은행이" in stream.words


def test_a_package_that_a_model_needs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    assert scan([ENGLISH], TextOptions(languages=("chinese",))).segmented == ()
    with pytest.raises(OptionError, match=r"hlta\[chinese\]"):
        scan([ENGLISH, CHINESE], TextOptions(languages=("chinese",)))

"""Languages: which a text is in, its words where no spaces part them, its stop words and base forms."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from stop_words import AVAILABLE_LANGUAGES

from hlta import Corpus, DocumentsError, OptionError, TextOptions
from hlta.text.scanner import counted_stream, scan
from hlta.text.segmentation import language_of
from hlta.text.splitters import splitter_of
from hlta.text.stop_words import find_languages, further_words
from hlta.text.vocabulary import with_vocabulary
from tests.command import mistake, ran
from tests.scanning import words_of
from tests.there import there

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


@pytest.mark.parametrize("language", PACKAGES)
def test_words_are_found_without_asking(language: str) -> None:
    module, text = PACKAGES[language]
    pytest.importorskip(module)
    corpus = Corpus.from_texts([text, f"{text} {ENGLISH}"], min_df=1, max_df=1.0)
    assert corpus.text_options is not None
    assert there(corpus.text_options.languages)[0] == language
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


def test_latin_words_beside_chinese_stay() -> None:
    pytest.importorskip("rjieba")
    (words,) = words_of([f"{CHINESE} café in Paris, me@example.org {CHINESE}"])
    assert {"café", "paris"} <= set(words)
    assert not {"example", "org"} & set(words)
    texts = [f"{CHINESE} AI 技术, IT 公司"] * 3
    options: dict[str, Any] = {"tokenizer": "chinese", "count_repeats": True, "max_df": 1.0}
    assert "ai" in Corpus.from_texts(texts, min_df=1, **options).words
    assert "ai" not in Corpus.from_texts(texts, min_df=1, min_length=3, **options).words


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


@settings(max_examples=30)
@given(st.lists(st.sampled_from([KANJI, KANJI * 5, JAPANESE, CHINESE, ENGLISH]), min_size=2))
def test_short_texts_are_read_again_as_they_were(texts: list[str]) -> None:
    pytest.importorskip("rjieba")
    pytest.importorskip("fugashi")
    corpus = Corpus.from_texts([*texts, ENGLISH], min_df=1, max_df=1.0, count_repeats=True)
    again, _ = with_vocabulary([*texts, ENGLISH], corpus.words, there(corpus.text_options))
    assert again.indices.tolist() == corpus.documents.indices.tolist()


def test_runs_of_letters_remain_if_wanted() -> None:
    assert words_of([CHINESE], tokenizer=None) == [
        ["中央银行今天提高了利率", "股票市场下跌", "投资者卖出债券"]
    ]


@pytest.mark.parametrize("language", ["chinese", "japanese", "thai"])
def test_many_texts_need_their_package(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    module, text = PACKAGES[language]
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(OptionError, match=rf"1 of 2 .* in {language.title()}.*hlta\[{language}\]"):
        scan([text, ENGLISH], TextOptions())


def test_without_a_package_few_or_korean_texts_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    with pytest.warns(UserWarning, match=r"1 of 12 .* in Chinese.*sentences become words"):
        stream = scan([CHINESE, *[ENGLISH] * 11], TextOptions())
    assert stream.segmented == ()
    with pytest.warns(UserWarning, match=r"2 of 2 .* in Korean.*particles.*hlta\[korean\]"):
        stream = scan([KOREAN] * 2, TextOptions())
    assert "한국은행이" in stream.words
    known = TextOptions(languages=("chinese",))  # those of a model
    assert scan([ENGLISH], known).segmented == ()
    with pytest.raises(OptionError, match=r"hlta\[chinese\]"):
        scan([ENGLISH, CHINESE], known)


@pytest.mark.parametrize(
    ("language", "package", "text", "words", "others"),
    [
        ("chinese", "rjieba", "中央银行今天提高了一个利率", "提高 利率", "一个 了"),
        ("japanese", "fugashi", "日本銀行は金利を引き上げた。", "銀行 金利", "は を た"),
        ("korean", "kiwipiepy", "한국은행이 금리를 올렸다", "한국은행 금리 올리다", "이 를"),
        ("thai", "pythainlp", "ธนาคารและตลาดหุ้นของประเทศ", "ธนาคาร ตลาดหุ้น", "และ ของ"),
    ],
)
def test_texts_are_split_into_content_words(
    language: str, package: str, text: str, words: str, others: str
) -> None:
    pytest.importorskip(package)
    found = set(splitter_of(language)(text).split())
    assert found.issuperset(words.split())
    assert found.isdisjoint(others.split())


def test_thai_needs_no_folder_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pythainlp")
    monkeypatch.setenv("HOME", str(tmp_path))
    splitter_of("thai")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("german", "das wäre neben dem Haus auch außerdem bereits hätte beim jeweils WÜRDEN"),
        ("french", "les cependant celle ainsi beaucoup lorsque quelques"),
        ("dutch", "het tussen omdat zoals wanneer worden"),
        ("portuguese", "não também através nenhum outros desde"),
        ("danish", "og måske også imellem gennem skal"),
    ],
)
def test_function_words_are_left_out_in_all_their_forms(language: str, text: str) -> None:
    texts = [f"{text} Inhalt Kern"] * 4
    words = Corpus.from_texts(texts, max_df=1.0, stop_words=language, count_repeats=True).words
    assert set(words) <= {"inhalt", "kern", "haus"}


def test_function_words_are_known_where_the_package_has_a_list() -> None:
    for language, words in further_words()["function_words"].items():
        assert language in AVAILABLE_LANGUAGES
        assert len(set(words.split())) == len(words.split())
        assert words == words.lower()


def test_stop_words_that_begin_a_sentence_are_left_out_where_capitals_count() -> None:
    texts = ["The market rose. Neben der Bank war Licht", "Über the Bank, the Market"] * 5
    options: dict[str, Any] = {"max_df": 1.0, "lowercase": False, "count_repeats": True}
    words = Corpus.from_texts(texts, stop_words="english,german", **options).words
    assert set(words) == {"market", "rose", "Bank", "Licht", "Market"}
    assert "The" in Corpus.from_texts(texts, stop_words=["the"], **options).words


RUSSIAN = "он сказал что это было не так как мне бы хотелось для них но банк поднял ставку"
DANISH = (
    "jeg blev også spurgt af dem ved huset, men ingen af os kunne se noget, hvilken vej vi end gik"
)
SPANISH = (
    "toda persona tiene derecho al trabajo, a la elección de su trabajo y a la protección de todas"
)
OF_MARKETS = "that is for the market which can also be of interest to those who were there"


@pytest.mark.parametrize(
    ("texts", "languages"),
    [
        ([RUSSIAN] * 9 + [OF_MARKETS], ("russian", "english")),
        ([f"{RUSSIAN} {RUSSIAN} {OF_MARKETS}"] * 5, ("russian", "english")),
        ([RUSSIAN] * 199 + [OF_MARKETS], ("russian",)),
        ([OF_MARKETS, f"{OF_MARKETS} man war"] * 5, ("english",)),
        ([f"{OF_MARKETS} in a year"] * 9 + [SPANISH], ("english", "spanish")),  # no Romanian
        ([DANISH] * 5, ("danish",)),  # "ved" and "ingen" are its own, too
        (["der Hund und die Katze sind nicht mit den anderen auf einem Dach"] * 5, ("german",)),
        (["market bank rate"] * 5, ()),
    ],
)
def test_stop_words_of_languages_are_dropped(texts: list[str], languages: tuple[str, ...]) -> None:
    options: dict[str, Any] = {"max_df": 1.0, "count_repeats": True}
    corpus = Corpus.from_texts(texts, **options)
    assert there(corpus.text_options).languages == languages
    named = Corpus.from_texts(texts, stop_words=", ".join(languages) or None, **options)
    assert corpus.words == named.words
    known = Corpus.from_texts(texts, languages=["english"], **options).words
    assert not {"that", "which"} & set(known)


SWEDISH = (
    "jag blev också tillfrågad av dem vid huset, men ingen av oss kunde se något, vart vi än gick"
)


def test_a_mixture_of_relatives_is_not_in_a_third() -> None:
    texts = [f"{DANISH} {k}" for k in range(20)] + [f"{SWEDISH} {k}" for k in range(20)]
    corpus = Corpus.from_texts(texts)
    found = there(there(corpus.text_options).languages)
    assert set(found) == {"danish", "swedish"}  # and Norwegian is not there


def test_a_corpus_is_parted_by_language() -> None:
    """Documents in turn, the last of which repeats the first; titles are parts of Spanish texts only."""
    pytest.importorskip("rjieba")
    names = ("alpha", "beta", "gamma")
    texts = [f"{text} {name}" for name in names for text in (SPANISH, OF_MARKETS)]
    texts = [*texts, CHINESE, f"{CHINESE} 公司", "delta delta", texts[0]]
    titles = ["Derecho", "Of the Bourse", *texts[2:]]
    corpus = Corpus.from_texts(texts, titles=titles, ids=map(str, range(10)), min_df=1, max_df=1.0)
    corpus = corpus.with_vectors(np.arange(1, 21).reshape(10, 2))
    parts = corpus.by_language()
    rows = {name: [int(one) for one in there(part.ids)] for name, part in parts.items()}
    assert rows == {"chinese": [6, 7], "english": [1, 3, 5, 8], "spanish": [0, 2, 4, 9]}
    assert set(rows) == set(there(there(corpus.text_options).languages))
    for name, part in parts.items():
        again = corpus.take(rows[name])
        texts = [
            body if body.startswith(title) else f"{title}\n\n{body}"
            for title, body in zip(there(again.titles), there(again.texts), strict=True)
        ]
        alone = Corpus.from_texts(texts, min_df=1, max_df=1.0)
        assert part.words == alone.words
        assert part.documents.indices.tolist() == alone.documents.indices.tolist()
        assert part.n_repeats == alone.n_repeats
        assert there(part.documents.vectors).tolist() == there(again.documents.vectors).tolist()
        assert list(there(part.texts)) == list(there(again.texts))
    assert "derecho" in parts["spanish"].words
    assert "利率" in parts["chinese"].words


def test_one_language_is_the_corpus_itself_and_one_of_too_few_words_is_left_out() -> None:
    corpus = Corpus.from_texts([OF_MARKETS, f"{OF_MARKETS} bank"], min_df=1, max_df=1.0)
    (part,) = corpus.by_language().values()
    assert (part.words, len(part)) == (corpus.words, 2)
    texts = [*(f"{SPANISH} {'bank' * k}" for k in range(1, 9)), "that is for the best of them"]
    corpus = Corpus.from_texts(texts)
    with pytest.warns(UserWarning, match="1 document in English is left out: .*words"):
        assert list(corpus.by_language()) == ["spanish"]


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (Corpus([[1, 0], [0, 1]], ["a", "b"]), "no texts, which tell the languages"),
        (Corpus.from_texts([OF_MARKETS] * 2, min_df=1, keep_texts=False), "keep_texts=True"),
        (Corpus.from_texts(["market bank", "bank rate"], min_df=1), "no language was found"),
    ],
)
def test_without_texts_or_languages_no_corpus_is_parted(corpus: Corpus, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        corpus.by_language()


def test_convert_writes_a_corpus_of_each_language(tmp_path: Path) -> None:
    texts, target = tmp_path / "texts.txt", tmp_path / "corpora"
    texts.write_text("".join(f"{text} {k}\n" for k in range(9) for text in (SPANISH, OF_MARKETS)))
    arguments = ("convert", texts, target, "--by-language", "--min-df", 1, "--max-df", 1.0)
    for more in ((), ("--overwrite",)):
        done = ran(*arguments, "--numbers", *more)
        assert "English: 9 documents; Spanish: 9 documents" in done.stderr
    assert {path.name for path in target.iterdir()} == {"english", "spanish"}
    assert len(Corpus.load(target / "spanish")) == 9
    (target / "spanish" / "notes.txt").touch()
    assert "files other than hlta's, such as 'spanish'" in mistake(*arguments, "--overwrite")
    assert "--by-language" in ran("fit", texts, "-o", tmp_path / "results", "--samples", 1).stderr


def test_convert_parts_nothing_else(tmp_path: Path, fitted: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text(f"{OF_MARKETS}\n{OF_MARKETS} bank\n")
    options = ("--by-language", "--min-df", 1)
    said = mistake("convert", texts, tmp_path / "corpora", *options, "-q")
    assert "needs documents in two languages that can be learned from, and there is English" in said
    assert "give a folder for them" in mistake("convert", texts, tmp_path / "a.npz", *options)
    assert "applies to documents" in mistake("convert", fitted, tmp_path / "a.bif", "--by-language")
    assert [path.name for path in tmp_path.iterdir()] == ["texts.txt"]


def test_a_list_holds_words_and_never_languages() -> None:
    texts = ["english market", "russian market"] * 3
    words = Corpus.from_texts(texts, stop_words=["english", "extra"], max_df=1.0).words
    assert set(words) == {"russian", "market"}
    with pytest.raises(OptionError, match=r'use "english, russian", and to drop these .* exclude'):
        Corpus.from_texts(texts, stop_words=["english", "russian"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("stop_words", value) for value in ("klingon", "english,klingon")),
        *(("languages", ["klingon"]), ("lemmas", "klingon")),
    ],
)
def test_an_unknown_language_is_named(name: str, value: Any) -> None:
    pytest.importorskip("simplemma")
    with pytest.raises(OptionError, match=f"{name}=.*klingon"):
        Corpus.from_texts(["some text", "more text"], **{name: value})


def test_a_matrix_tells_its_languages_too() -> None:
    rows = [RUSSIAN.split(), OF_MARKETS.split()]
    words = sorted({word for row in rows for word in row})
    matrix = [[int(word in row) for word in words] for row in rows]
    languages = find_languages(counted_stream(csr_array(matrix), words))
    assert set(languages) == {"english", "russian"}


@pytest.mark.slow
def test_words_become_base_forms_of_texts_and_of_new_ones() -> None:
    pytest.importorskip("simplemma")
    text = "Networks network networked, studies of a study"
    words = ["network", "network", "network", "study", "of", "study"]
    assert words_of([text], lemmas="english") == [words]
    german = words_of(["die Häuser, das Haus, gute Häusern"], lemmas="de")
    assert german == [["der", "haus", "der", "haus", "gut", "haus"]]
    corpus = Corpus.from_texts([text] * 5, lemmas="english", count_repeats=True, max_df=1.0)
    assert set(corpus.words) == {"network", "study"}
    again, _ = with_vocabulary(["networks"], corpus.words, there(corpus.text_options))
    assert again.indices.tolist() == [corpus.words.index("network")]

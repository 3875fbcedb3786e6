"""Words out of text: what a word is, in any alphabet, and that none is lost or merged."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import Corpus, Documents, DocumentsError, OptionError, TextOptions
from hlta._kernels.tokens import END, FIRST, GAP, HASHED, number_words
from hlta._support import spool
from hlta._support.letters import _MARKS, with_letters
from hlta.text import scanner
from hlta.text.scanner import _Lane, count_stream, scan
from hlta.text.vocabulary import _matrix
from hlta.text.word_table import WordTable
from tests.jobs import on_jobs
from tests.scanning import numbers_in, words_in, words_of
from tests.there import there

PIECES = st.sampled_from(
    [*"abcdeÄé .,-'\n7_@я:/", "www.", ".com", "com", "org,", "<", ".edu", ".orgs", "/etc/", " /"]
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Neural networks, and SVMs.", ["neural", "networks", "and", "svms"]),
        ("don't state-of-the-art", ["don", "state", "of", "the", "art"]),
        ("gpt2 covid19 x_y 1984 2nd", []),
        ("mail me@example.org now", ["mail", "now"]),
        ("see (https://example.org/page) and/or this", ["see", "and", "or", "this"]),
        ("at www.example.org/page (www.here.de), awww", ["at", "awww"]),
        ("ibm.com or mit.edu: an edu. com", ["ibm", "or", "mit", "an", "edu", "com"]),
        ("in /usr/share/doc (~/old/mail), and/or/xor no/", ["in", "and", "or", "xor", "no"]),
        ("<b>bold</b></p> </i>plain</i> // comment /etc", ["bold", "plain", "comment", "etc"]),
        (r"\begin{equation} alpha \frac{beta}", ["equation", "alpha", "beta"]),
        ("Ärger über STRASSE naïve", ["ärger", "über", "strasse", "naïve"]),
        ("Привет мир δένδρο ქართული", ["привет", "мир", "δένδρο", "ქართული"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("e\u0301te\u0301s", ["e\u0301te\u0301s"]),
        ("x" * 61 + " fine", ["fine"]),
        ("tab\tnew\nline\u00a0nbsp\x00null", ["tab", "new", "line", "nbsp", "null"]),
        ("", []),
    ],
)
def test_what_a_word_is(line: str, expected: list[str]) -> None:
    assert words_of([line]) == [expected]


def test_options_decide_what_a_word_is() -> None:
    assert words_of(["GPT2 is 42"], numbers=True, lowercase=False) == [["GPT2", "is"]]
    assert words_of(["a bc def"], min_length=1, max_length=2) == [["a", "bc"]]
    assert words_of(["a bc def"], max_length=10**30) == [["bc", "def"]]
    assert words_of(["a bc def"], min_length=3) == [["bc", "def"]]  # "bc" may be part of a phrase


def test_a_tokenizer_decides_alone() -> None:
    options: dict[str, Any] = {"tokenizer": "whitespace"}
    assert words_of(["我爱 x-ray\t3d c++\n"], **options) == [["我爱", "x-ray", "3d", "c++"]]
    assert words_of(["caf\ud83d 3\udfff"], **options) == [["caf", "3"]]  # halves of characters
    lists: list[Any] = [["New York", "c++"], []]
    assert words_of(lists, **options) == [["new_york", "c++"], []]
    words = words_of(["我爱 北京 x http://here/"], tokenizer=str.split, min_length=1)
    assert words == [["我爱", "北京", "x", "http://here/"]]
    words = words_of(["New York|Rome"], tokenizer=lambda text: text.split("|"))
    assert words == [["new york", "rome"]]


@settings(max_examples=60)
@given(st.lists(st.lists(PIECES, max_size=80).map("".join), min_size=1, max_size=12))
def test_words_are_those_of_a_regular_expression(texts: list[str]) -> None:
    address = re.compile(r"@|:/|www\.\S|^[^\w]*(?<!<)/[^\w]*\w.*/")

    def slow(line: str) -> list[str]:
        words: list[str] = []
        for chunk in re.split(r"\s+", line.lower()):
            if not address.search(chunk) and len(chunk) <= 60:
                found = re.findall(r"(?<!\.)\b\w+|(?<=\.)(?!com\b|edu\b|gov\b|org\b)\w+", chunk)
                words += [w for w in found if not re.search(r"[\d_]", w)]
        return [w for w in words if 2 <= len(w) <= 40]

    expected = [slow(line) for line in texts]
    assert words_of(texts) == expected
    stream = scan(texts, TextOptions())
    counts = Counter(word for row in expected for word in row)
    assert dict(zip(stream.words, stream.occurrences.tolist(), strict=True)) == counts
    frequency = Counter(word for row in expected for word in set(row))
    assert dict(zip(stream.words, stream.document_frequency.tolist(), strict=True)) == frequency


def test_phrases_end_at_punctuation_and_at_what_is_left_out() -> None:
    stream = scan(["deep learning, of data; new-york state. x"], TextOptions())
    shown = [stream.words[n] if n >= 0 else n for n in numbers_in(stream)]
    assert shown == ["deep", "learning", GAP, "of", "data", GAP, "new", "york", "state", GAP, END]


@pytest.mark.parametrize("in_memory", [spool.IN_MEMORY, 1000], ids=["in memory", "on disk"])
def test_batches_and_threads_alter_no_word(monkeypatch: pytest.MonkeyPatch, in_memory: int) -> None:
    monkeypatch.setattr(scanner, "_BATCH", 5000)
    monkeypatch.setattr(scanner, "_PIECE", 1000)
    monkeypatch.setattr(spool, "IN_MEMORY", in_memory)
    rng = np.random.default_rng(0)
    vocabulary = ["".join(word) for word in rng.choice(list("abcdefghij"), (60_000, 7))]
    texts = [" ".join(vocabulary[i : i + 100]) for i in range(0, 60_000, 50)]
    one, three = (on_jobs(jobs, scan, texts, TextOptions()) for jobs in (1, 3))
    assert words_in(one) == [text.split() for text in texts]
    assert numbers_in(one) == numbers_in(three)
    assert one.words == three.words
    np.testing.assert_array_equal(one.document_frequency, three.document_frequency)


def test_there_is_room_for_a_word_in_every_character() -> None:
    """A table with room for 2**15 words more, when 2**16 letters come that are words of their own."""
    letters = [*map(chr, range(0x20000, 0x2A000)), *map(chr, range(0xAC00, 0xD7A3))]
    pairs = [letters[k % 181] + letters[200 + k // 181] for k in range(32_766)]
    words = words_of([" ".join(pairs), *letters[: 1 << 16]], min_length=1, tokenizer=None)
    assert words == [pairs, *([letter] for letter in letters[: 1 << 16])]


def test_a_text_that_is_not_a_string_is_named_and_there_must_be_one() -> None:
    with pytest.raises(DocumentsError, match="there are no documents"):
        scan([], TextOptions())
    texts: list[Any] = ["fine", None]
    with pytest.raises(DocumentsError, match="document 1 is None, of type NoneType"):
        scan(texts, TextOptions())


ODD: list[tuple[str, Any]] = [
    *((name, 0) for name in ("ngrams", "min_length", "n_read")),
    *((name, "word") for name in ("tokenizer", "include", "style", "drop_passages", "n_read")),
    *((name, 1.5) for name in ("min_df", "keep_style")),
    *(("joined", odd) for odd in (3, [["ab", "cd"]], [[("a", 2)]], [[("a",)]])),
    *(("passages", odd) for odd in (3, [("ten", ["a"])], [(10, [1])])),
    ("n_read", 10**400),
    ("stop_words", 3),
]


@pytest.mark.parametrize(("option", "value"), ODD)
def test_an_option_out_of_range_is_named(option: str, value: Any) -> None:
    with pytest.raises(OptionError, match=f"{option}="):
        TextOptions(**{option: value})


@given(
    st.lists(st.lists(st.integers(-1, 49)), min_size=1), st.integers(1, 9000), st.integers(0, 2**32)
)
def test_rows_are_ascending_sets(documents: list[list[int]], n_columns: int, seed: int) -> None:
    columns = np.random.default_rng(seed).integers(-1, n_columns, 50).astype(np.int32)
    parts = [np.array([*one, END], dtype=np.int32) for one in documents]
    stream = count_stream([parts[0], np.concatenate([parts[0][:0], *parts[1:]])], ["word"] * 50)
    found = _matrix(stream, columns, n_columns)
    expected = [sorted({int(columns[w]) for w in one if w >= 0 <= columns[w]}) for one in documents]
    assert [found.indices[a:b].tolist() for a, b in pairwise(found.indptr)] == expected
    Documents(*found.presences(), n_columns)  # checks them


def table_of(words: list[str]) -> tuple[WordTable, list[int]]:
    """A table of words whose keys are all the same hash, and the number of each word."""
    codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    sizes = np.array([len(word) for word in words], dtype=np.uint64)
    begins = np.cumsum(sizes) - sizes
    keys = np.full(len(words), HASHED, dtype=np.uint64)
    numbers = np.empty(len(words), dtype=np.uint64)
    table = WordTable()
    text = (codes, keys, begins, sizes, len(words))
    table.count = number_words(*text, table.count, table.arrays, numbers)
    return table, (numbers - FIRST).astype(int).tolist()


def test_words_with_equal_hashes_stay_apart() -> None:
    table, numbers = table_of(["zürich", "größe", "zürich", "größer", "größe", "ab", "größe"])
    assert table.names() == ["zürich", "größe", "größer", "ab"]
    assert numbers == [0, 1, 0, 2, 1, 3, 1]


SCATTER, START, PRIME = 11400714819323198485, 1469598103934665603, 1099511628211
SLOTS = np.uint64(2**17 - 1)


def longest_search(lines: list[str]) -> int:
    """How many slots of the table stand together at most: no search for a word is longer."""
    lane = _Lane(TextOptions())
    lane.scan(lines)
    full = lane.table.arrays.slots[:, 1] != 0
    return int(np.diff(np.flatnonzero(np.diff(full, prepend=False, append=False)))[::2].max())


def test_no_short_words_can_be_chosen_that_meet() -> None:
    """Their letters are their keys; a product with a known number is easily undone."""
    rng = np.random.default_rng(0)
    products = rng.integers(0, 2**64, 1_000_000, dtype=np.uint64) & ~(SLOTS << np.uint64(32))
    keys = products * np.uint64(pow(SCATTER, -1, 2**64))
    letters = (keys[:, None] >> np.arange(0, 60, 5, dtype=np.uint64)) & np.uint64(31)
    valid = ((letters >= 1) & (letters <= 26)).all(axis=1) & (keys < 2**60)
    words = ["".join(chr(96 + int(k)) for k in word[::-1]) for word in letters[valid]]
    assert len(words) > 3000
    assert longest_search([" ".join(words)]) < 200


def test_no_words_can_be_chosen_whose_hashes_meet() -> None:
    letters = np.arange(0x4E00, 0x4E00 + 4000, dtype=np.uint64)
    first = (np.uint64(START) ^ letters[:, None]) * np.uint64(PRIME)
    code = (first ^ letters) * np.uint64(PRIME)
    key = np.uint64(1 << 63) | (code ^ (code >> np.uint64(29)))
    meet = np.argwhere((key * np.uint64(SCATTER)) >> np.uint64(32) & SLOTS == 0)
    words = ["".join(chr(0x4E00 + int(k)) for k in pair) for pair in meet]
    assert len(words) > 100
    assert longest_search([" ".join(words)]) < 50


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # accents of LaTeX
        (r"Schr\"odinger, Schr\"{o}dinger, Schr{\"o}", "Schrödinger, Schrödinger, Schrö"),
        (r"Erd\H{o}s, \c{c}a, Na\"{\i}ve", "Erdős, ça, Naïve"),
        (r"it\'s l\'eau, said \"open\" and \"a\"", r"it\'s l\'eau, said \"open\" and \"a\""),
        (r"\varepsilon, \cal O, \url{x}, \u{q}", r"\varepsilon, \cal O, \url{x}, \u{q}"),
        (r"\emph{\'{E}tale cohomology}, {\"u}ber", r"\emph{Étale cohomology}, über"),
        (r"\mathbf{\v{r}}, \emph{Erd\H{o}}, Erd{\H{o}}s", r"\mathbf{ř}, \emph{Erdő}, Erdős"),
        (r"said:\n\"Our plan, foo\"and\"bar, {\"a\"", r"said:\n\"Our plan, foo\"and\"bar, {\"a\""),
        ("C:\\users", "C:\\users"),
        # numbers of glyphs
        ("classi(cid:12)cation, e(cid:11)ective", "classification, effective"),
        ("optimiza(cid:173) tion, re(cid:173)\nward, x(cid:173)", "optimization, reward, x"),
        ("soft (cid:15)-tubes, V(cid:2)C, by (cid:15).", "soft  -tubes, V C, by  ."),
        ("(cid:12)", " "),
        ("(cid: 12), (CID:12), (cid:1234567)", "(cid: 12), (CID:12), (cid:1234567)"),
        # hyphens where lines end
        ("infor\u00admation over\u00ad\n   flow", "information overflow"),
        ("environment vari\u2010\n       able, x\u2010ray", "environment variable, x\u2010ray"),
        ("in 1990\u2010\n1995, and \u2010\n  so", "in 1990\u2010\n1995, and \u2010\n  so"),
        ("vari\u2010\n\n\n  ation", "variation"),
        ("a long-\nterm plan", "a long-\nterm plan"),
    ],
)
def test_letters_are_as_they_were_meant(text: str, expected: str) -> None:
    assert with_letters(text) == expected


def test_words_and_shown_texts_have_them() -> None:
    texts = [r"the Schr\"odinger equation", r"a Schr\"{o}dinger operator"] * 2
    assert "schrödinger" in scan(texts, TextOptions()).words
    corpus = Corpus.from_texts(texts, min_df=1, stop_words=None)
    assert "schrödinger" in corpus.words
    assert list(there(corpus.texts)[:2]) == ["the Schrödinger equation", "a Schrödinger operator"]


@pytest.mark.parametrize("mark", [*_MARKS])
def test_every_accent_is_found_in_every_form(mark: str) -> None:
    marked = ((plain, normalize("NFC", plain + _MARKS[mark])) for plain in "aeouc")
    plain, letter = next(pair for pair in marked if len(pair[1]) == 1)
    assert with_letters(f"\\{mark}{{{plain}}}{{\\{mark}{{{plain}}}}}") == letter * 2

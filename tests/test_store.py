"""The file that is kept for serving: searches against a slow reading of every text, and faults."""

import math
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import Corpus, FormatError, Monitor, OptionError
from hlta._support.formats import is_ours
from hlta.explorer.serve.store import Kept, Store, write
from hlta.text import index as module
from hlta.text.index import check_sqlite
from hlta.text.patterns import normalize_text
from hlta.text.search import find, lacking, scores

WORDS = ("ab", "ab-cd", "知")
KEPT = Kept({"documents": "QUJD"}, {"numbers": np.arange(9), "none": np.zeros(0, np.uint16)})
UNSPACED = re.compile("[知能の]")
PARTS = ["ab", "abc", "a*", "ab*", "cd", "知", "知能", "知*", "é", "ab-cd", "?"]
PARTS += ['"ab cd"', '"知 能"']
PIECES = ("ab", "abc", "cd", "知", "能", "の", " ", " ", "-", ". ", "é", "AB", "\n", "\ud800")
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
queries = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map(" ".join)


@contextmanager
def stored(corpus: Corpus, path: Path | None = None) -> Iterator[Store]:
    with TemporaryDirectory() as folder:
        place = Path(folder) / "x.served" if path is None else path
        write(place, "key", KEPT, corpus, corpus.words, Monitor())
        with closing(Store(place, "key")) as store:
            yield store


def corpus_of(*bodies: str) -> Corpus:
    return Corpus(np.zeros((len(bodies), 3)), WORDS, texts=bodies)


def apart(text: str, at: int) -> bool:
    if at == 0 or at >= len(text) or " " in (text[at], text[at - 1]):
        return True
    return bool(UNSPACED.match(text[at]) or UNSPACED.match(text[at - 1]))


def occurrences(text: str, part: str, *, prefix: bool) -> int:
    text = normalize_text(text)
    found = [at for at in range(len(text)) if text.startswith(part, at) and apart(text, at)]
    return sum(prefix or apart(text, at + len(part)) for at in found)


def slow_score(query: str, columns: tuple[str, str, str]) -> float:
    """The score of a document by the page's rules; 0 if a word or phrase is missing."""
    parts = dict.fromkeys(match[0] for match in re.finditer(r'"[^"]*"?|[^\s"]+', query))
    score, wanted = 0.0, {(normalize_text(part), part.endswith("*")): None for part in parts}
    for text, prefix in wanted:
        if text:
            of_title, of_id, of_text = (occurrences(c, text, prefix=prefix) for c in columns)
            if not (of_title or of_id or of_text):
                return 0.0
            score += 3 * min(1, of_title + of_id) + math.log1p(of_text)
    return score


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=9), st.lists(queries))
@settings(deadline=None, max_examples=60)
def test_slow_scores_are_the_same(documents: list[tuple[str, str, str]], asked: list[str]) -> None:
    titles, ids, bodies = zip(*documents, strict=True)
    X = np.ones((len(documents), 3))  # words of the model, which are not searched beside texts
    corpus = Corpus(X, WORDS, titles=titles, ids=ids, texts=bodies)
    with stored(corpus) as store:
        for query in asked:
            expected = [slow_score(query, document) for document in documents]
            found = np.zeros(len(documents), dtype=bool)
            found[store.index.find(query)] = True
            assert found.tolist() == [score > 0 for score in expected], query
            np.testing.assert_allclose(store.index.score(query, found), expected, rtol=1e-6)
            np.testing.assert_allclose(scores(corpus, query), expected, rtol=1e-12)
            best_first = np.argsort(-np.array(expected), kind="stable")[: found.sum()]
            assert corpus.search(query).tolist() == best_first.tolist(), query


conditions = st.recursive(
    st.sampled_from(PARTS),
    lambda one: (
        st.builds("NOT ({})".format, one)
        | st.builds("({}) ({})".format, one, one)
        | st.builds("({}) OR {}".format, one, one)
    ),
    max_leaves=5,
)


@given(st.lists(texts, min_size=1, max_size=9), st.lists(conditions))
@settings(deadline=None, max_examples=60)
def test_the_index_finds_what_reading_does(bodies: list[str], asked: list[str]) -> None:
    corpus = corpus_of(*bodies)
    with stored(corpus) as store:
        for query in asked:
            assert sorted(find(corpus, query, store.index)) == sorted(find(corpus, query)), query
            assert lacking(corpus, query, store.index) == lacking(corpus, query), query


def test_a_corpus_is_searched_by_its_index_in_a_file(tmp_path: Path) -> None:
    corpus, path = corpus_of("ab cd", "cd", "cd cd ab"), tmp_path / "x.served"
    with stored(corpus, path):
        pass
    for query in ("ab", "cd -ab", "cd OR ab", "知"):
        assert corpus.search(query, index=path).tolist() == corpus.search(query).tolist()
    without_texts = Corpus(corpus.documents, WORDS)
    for other in (corpus_of("ab cd", "cd", "cd cd"), corpus.take([0, 1]), without_texts):
        with pytest.raises(FormatError, match="of another model, other documents"):
            other.search("ab", index=path)
    with stored(without_texts, path):
        assert without_texts.search("ab", index=path).tolist() == []
    with pytest.raises(FormatError, match=r"is damaged .*; hlta serve makes it again"):
        corpus.search("ab", index=tmp_path / "none.served")


def test_without_texts_the_words_of_the_model_stand_for_them(tmp_path: Path) -> None:
    corpus = Corpus([[1, 1, 0], [1, 0, 1], [0, 1, 1]], WORDS, titles=["x", "y", "ab"])
    with stored(corpus, tmp_path / "x.served") as store:
        found = {"ab": [0, 1, 2], "ab-cd": [0, 2], "cd*": [0, 2], "知": [1, 2], "知 x": []}
        found['"ab ab"'] = []  # two words
        for query, expected in found.items():
            assert store.index.find(query).tolist() == expected, query
            assert sorted(corpus.search(query)) == expected, query


def test_what_is_too_frequent_to_be_counted_is_found(tmp_path: Path) -> None:
    with stored(corpus_of(*["x " * 99] * 9), tmp_path / "x.served") as store:
        store.index._idle[0].setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 500)
        assert store.index.find("x").tolist() == list(range(9))
        assert store.index.score("x", np.ones(9, dtype=bool)).tolist() == [0] * 9


def test_time_is_limited_for_all_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with stored(corpus_of(*["x y"] * 9_000), tmp_path / "x.served") as store:
        looks = count()
        monkeypatch.setattr(module, "monotonic", lambda: next(looks))
        assert len(store.index.find("x")) == 9_000
        assert next(looks) < 10
        with pytest.raises(OptionError, match="takes more than 10 seconds; use fewer words"):
            store.index.find('x y x* y* "x y" "x y"* ')
        assert len(store.index.find("x")) == 9_000


QUERIES = (
    *('"', '"a', 'a"b"c', "a OR b", "NOT a", "-a", "a) OR (b", "title:a", "{title} : a", "^a"),
    *("a + b", "NEAR(a b)", "*", "a**", "'; DROP TABLE texts; --", "\0", "\ud800", "␣a", "%"),
    *("(" * 10_000, '"' * 10_000, "a " * 5_000, '"' + "a " * 5_000 + '"', "a" * 10_000),
    *(" ".join(f"a{k}" for k in range(2_000)), "*" * 10_000, "知" * 10_000, "a*" * 5_000),
)


def test_queries_are_words_and_nothing_else() -> None:
    bodies = ["a", "a b c", "a or b not near title drop table texts", "\ud800 知"]
    with stored(corpus_of(*bodies)) as store:
        for query in QUERIES:
            expected = [k for k, body in enumerate(bodies) if slow_score(query, ("", "", body))]
            assert store.index.find(query).tolist() == expected, query[:40]
            scored = np.flatnonzero(store.index.score(query, np.ones(4, dtype=bool)))
            assert set(expected) <= set(scored.tolist()), query[:40]


def test_threads_read_at_once() -> None:
    bodies = [f"a{k % 7} b{k % 5} c" for k in range(500)]
    with stored(corpus_of(*bodies)) as store:
        asked = [f"a{k % 7} b{k % 5}" for k in range(200)]
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(store.index.find, asked))
        assert len(store.index._idle) <= 8
    for k, rows in enumerate(found):
        assert rows.tolist() == [r for r in range(500) if (r % 7, r % 5) == (k % 7, k % 5)]


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    with stored(corpus_of("a"), tmp_path / "100%?#é") as store:
        assert store.blocks["documents"] == "QUJD"
        assert store.arrays.keys() == KEPT.arrays.keys()
        for name, array in KEPT.arrays.items():
            np.testing.assert_array_equal(store.arrays[name], array)
            assert store.arrays[name].dtype == array.dtype
    assert [path.name for path in tmp_path.iterdir()] == ["100%?#é"]


def test_another_file_in_its_place_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.served"
    with stored(corpus_of("a"), path) as store:
        write(path, "other", KEPT, corpus_of("b", "a"), WORDS, Monitor())
        assert store.index.find("a").tolist() == [0]  # the file that it has open
        taken = store.index._idle.pop()
        with pytest.raises(FormatError, match="is of another model, other documents"):
            store.index.find("a")
        taken.close()


def changing(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(change(path.read_bytes()))


def run_sql(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(statement)

    return change


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "cut": changing(lambda data: data[: len(data) // 2]),
    "scrambled": changing(lambda data: data[:4096] + b"\xa5" * (len(data) - 4096)),
    "no header": changing(lambda data: b"\0" * 100 + data[100:]),
    "empty": changing(lambda _: b""),
    "gone": Path.unlink,
    "no table": run_sql("DROP TABLE kept"),
    "no statement": changing(
        lambda data: data.replace(b"CREATE TABLE kept", b"CR\xffATE TABLE kept")
    ),
    "another number": run_sql(
        "UPDATE kept SET data = zeroblob(length(data)) WHERE name = 'numbers'"
    ),
    "half an array": run_sql("UPDATE kept SET data = x'00' WHERE name = 'numbers'"),
    "no type": run_sql("UPDATE kept SET dtype = 'Z9' WHERE name = 'numbers'"),
    "no array": run_sql("UPDATE kept SET data = 5 WHERE name = 'numbers'"),
    "another index": run_sql("UPDATE texts_data SET block = x'ffffffffffff'"),
    "another document": run_sql("INSERT INTO texts (rowid, text) VALUES (9, 'a')"),
    "no base64": run_sql("UPDATE kept SET data = '</script>' WHERE name = 'documents'"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_refused(damage: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "x.served"
    write(path, "key", KEPT, corpus_of("a"), WORDS, Monitor())
    assert is_ours(path)
    with pytest.raises(FormatError, match="is of another model"):
        Store(path, "another key")
    damage(path)
    with pytest.raises(FormatError, match="is damaged"):
        Store(path, "key")


def test_a_run_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    class Failing(Monitor):
        def advance(self, _: int = 1) -> None:
            raise KeyboardInterrupt

    path = tmp_path / "x.served"
    write(path, "key", KEPT, corpus_of("a"), WORDS, Monitor())
    before = path.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        write(path, "key", KEPT, corpus_of(*"b" * 1000), WORDS, Failing())
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["x.served"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(OSError, match=r"x\.served' cannot be written: "):
            write(tmp_path / "x.served", "key", KEPT, corpus_of(*"abc" * 5000), WORDS, Monitor())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_python_without_full_text_search_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    check_sqlite()
    monkeypatch.setitem(module._TABLES, "texts", "fts99(text)")
    with pytest.raises(OptionError, match=r"no such module: fts99\); use a Python whose mod"):
        check_sqlite()

"""Searches in the page and served find what a plain reading of the original texts finds."""

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pytest

from hlta import HLTA, Corpus, read_corpus
from hlta._support.letters import with_letters
from hlta.explorer.serve.terms import Clause, WithText
from tests.nightly import NIGHTLY
from tests.pages import documents_counted, page_in
from tests.served import archive_of

QUERIES: Final = 200 if NIGHTLY else 40
COMBINED: Final = 60 if NIGHTLY else 12
CHINESE: Final = ("人工智能的研究，数据挖掘。", "深度学习与神经网络！", "東京でデータを学習する。")
ACCENTS: Final = str.maketrans({"e": "é", "o": "ö", "A": "Å", "n": "ñ"})
HAN: Final = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")

COUNTS: Final = """queries => queries.map(query => {
    const field = document.querySelector("input[type=search]");
    field.value = query;
    field.dispatchEvent(new Event("focus"));
    return document.querySelector("#hit-0 .soft").textContent;
})"""


class Written(NamedTuple):
    """Documents as somebody wrote them, and as they were read."""

    parts: list[tuple[str, ...]]  # titles, texts and ids
    corpus: Corpus


def written(texts: list[tuple[str, str]], corpus: Corpus) -> Written:
    ids = corpus.ids or [""] * len(corpus)
    return Written([(*text, name) for text, name in zip(texts, ids, strict=True)], corpus)


@pytest.fixture(scope="module")
def rows(papers: list[dict[str, str]]) -> list[tuple[str, str]]:
    """The titles and abstracts of the demo; what TeX writes as accents are accents."""
    return [(with_letters(paper["title"]), with_letters(paper["abstract"])) for paper in papers]


@pytest.fixture(scope="module")
def short(demo: tuple[HLTA, Corpus], rows: list[tuple[str, str]]) -> Written:
    return written(rows, demo[1])


@pytest.fixture(scope="module")
def long(rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Texts of 5,000 characters and more: with accents, paragraphs that recur, and Chinese."""
    rng = np.random.default_rng(5)
    documents = []
    for k in range(150):
        paragraphs = [rows[row][1] for row in rng.integers(len(rows), size=7)]
        paragraphs[1] = paragraphs[1].translate(ACCENTS)
        paragraphs[2] = unicodedata.normalize("NFD", paragraphs[2].translate(ACCENTS))
        paragraphs[3] = CHINESE[k % 3] + paragraphs[3].upper()
        text = "\n\n".join([*paragraphs, paragraphs[0]])
        while len(text) < 5000:
            text += "\n\n" + paragraphs[0]
        documents.append({"title": f"Book {k}", "text": text})
    path = tmp_path_factory.mktemp("long") / "books.jsonl"
    path.write_text("\n".join(map(json.dumps, documents)), encoding="utf-8")
    corpus = read_corpus(path, mail="keep", languages=("english",))
    return written([(one["title"], one["text"]) for one in documents], corpus)


def words_of(text: str) -> list[str]:
    """The words of a text in small letters without accents; each Chinese one is a word."""
    parts = unicodedata.normalize("NFD", text.lower())
    plain = "".join(c for c in parts if not unicodedata.combining(c))
    return re.findall(f"{HAN.pattern}|(?:(?!{HAN.pattern})[^\\W_])+", plain)


def holds(words: list[str], asked: list[str], *, prefix: bool) -> bool:
    """Whether words follow each other somewhere; with `prefix`, the last one need only begin so."""
    *firsts, last = asked
    for at in range(len(words) - len(firsts)):
        end = words[at + len(firsts)]
        if words[at : at + len(firsts)] == firsts and (
            end.startswith(last) if prefix else end == last
        ):
            return True
    return False


def drawn(parts: list[tuple[str, ...]], seed: int) -> dict[str, set[int]]:
    """Queries of words, phrases and prefixes from anywhere in the documents, and those that have them."""
    rng = np.random.default_rng(seed)
    documents = [[words_of(part) for part in document] for document in parts]
    found: dict[str, set[int]] = {}
    while len(found) < QUERIES:
        words = documents[int(rng.integers(len(documents)))][int(rng.random() < 0.9)]
        length = int(rng.integers(1, 4))
        if length >= len(words):
            continue
        at = int(rng.integers(len(words) - length))
        asked = words[at : at + length]
        prefix = length == 1 and len(asked[0]) > 3 and bool(rng.random() < 0.3)
        if prefix:
            asked = [asked[0][:-2]]
        query = f"{asked[0]}*" if prefix else f'"{" ".join(asked)}"'
        if any(map(HAN.match, asked)):
            query = query.replace(" ", "")
            if not all(map(HAN.match, asked)):
                continue  # where a space is, and where none, matters
        found[query] = {
            row
            for row, one in enumerate(documents)
            if any(holds(words, asked, prefix=prefix) for words in one)
        }
    return found


def combined(found: dict[str, set[int]], count: int) -> dict[str, set[int]]:
    """Two or three of the queries each, joined in ways that people write, and those that have them."""
    rng = np.random.default_rng(count)
    every, queries = set(range(count)), list(found)
    joined: dict[str, set[int]] = {}
    while len(joined) < COMBINED:
        x, y, z = (queries[int(k)] for k in rng.integers(len(queries), size=3))
        a, b, c = found[x], found[y], found[z]
        joined |= {
            f"{x} OR {y} {z}": (a | b) & c,
            f"{x} AND {y} OR {z}": (a & b) | c,
            f"({x} OR {y}) -{z}": (a | b) - c,
            f"{x} OR NOT ({y} {z})": a | (every - (b & c)),
            f"NOT ({x} OR {y}) AND {z}": c - a - b,
            f"-({x} -({y} OR NOT {z}))": every - (a - (b | (every - c))),
        }
    return joined


def counted(documents: int) -> str:
    """A number of documents as the page tells it."""
    return f"{documents:,} document{'' if documents == 1 else 's'}"


@pytest.mark.parametrize("which", ["short", "long"])
def test_counts_are_those_of_the_original_texts(
    request: pytest.FixtureRequest,
    demo: tuple[HLTA, Corpus],
    visit: Callable[..., Any],
    tmp_path: Path,
    which: str,
) -> None:
    documents: Written = request.getfixturevalue(which)
    model, corpus = demo[0], documents.corpus
    having = drawn(documents.parts, seed=len(corpus))
    expected = {query: len(rows) for query, rows in having.items()}
    assert len(set(expected.values())) > 10
    with archive_of(tmp_path, model.tree_, model.topics_, corpus) as archive:
        served = {
            query: archive.found((Clause(False, (WithText(query),)),)).size for query in expected
        }
    assert served == expected
    joined = combined(having, len(corpus))
    assert {query: set(corpus.search(query).tolist()) for query in joined} == joined
    expected |= {query: len(rows) for query, rows in joined.items()}
    page = visit(page_in(tmp_path, (model, corpus)))
    shown = page.evaluate(COUNTS, list(expected))
    for query, number in zip(expected, shown, strict=True):
        assert number == counted(expected[query]), query
    for query in list(expected)[:5]:
        page.fill("input[type=search]", query)
        page.wait_for_selector("#hit-0")
        page.keyboard.press("Enter")
        page.wait_for_selector(".result .title")
        assert documents_counted(page).partition(",")[0] == counted(expected[query])
        shown = page.inner_text(".working .status")
        assert shown == f"{expected[query]:,} of {len(corpus):,} documents"
        page.click(".working .clear")

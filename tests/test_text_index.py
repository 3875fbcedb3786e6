"""Full-text search against a slow reading of every text, by the page's rules."""

from __future__ import annotations

import math
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hlta import Corpus, Monitor
from hlta.documents.matrix import as_documents
from hlta.serving.patterns import patterns, spaced
from hlta.serving.postings import by_word
from hlta.serving.text_index import TextIndex, index_texts

WORDS = ("ab", "ab-cd", "知")
UNSPACED = re.compile("[知能の]")
pieces = st.sampled_from(
    ["ab", "abc", "cd", "知", "能", "の", " ", " ", "-", ". ", "é", "AB", "\n"]
)
texts = st.lists(pieces, max_size=12).map("".join)
queries = st.lists(
    st.sampled_from(
        [
            "ab",
            "abc",
            "a*",
            "ab*",
            "cd",
            "知",
            "知能",
            "知*",
            '"ab cd"',
            '"知 能"',
            "é",
            "ab-cd",
            "?",
        ]
    ),
    min_size=1,
    max_size=3,
).map(" ".join)


def apart(text: str, at: int) -> bool:
    if at == 0 or at >= len(text) or " " in (text[at], text[at - 1]):
        return True
    return bool(UNSPACED.match(text[at]) or UNSPACED.match(text[at - 1]))


def occurrences(text: str, part: str, *, prefix: bool) -> int:
    found = [at for at in range(len(text)) if text.startswith(part, at) and apart(text, at)]
    return sum(prefix or apart(text, at + len(part)) for at in found)


def slow_score(query: str, title: str, name: str, body: str, present: list[str]) -> float:
    head, text = f"{spaced(title)} {spaced(name)}", spaced(body)
    score = 0.0
    for part, prefix in patterns(query):
        in_title = occurrences(head, part, prefix=prefix)
        in_body = occurrences(text, part, prefix=prefix)
        known = any(w.startswith(part) if prefix else w == part for w in map(spaced, present))
        if not (in_title or in_body or known):
            return 0.0
        score += 3 * min(1, in_title) + math.log1p(in_body) + known
    return score


@given(
    st.lists(
        st.tuples(texts, texts, texts, st.tuples(*[st.booleans()] * 3)), min_size=1, max_size=5
    ),
    queries,
)
def test_scores_are_those_of_a_slow_reading(
    documents: list[tuple[str, str, str, tuple[bool, bool, bool]]], query: str
) -> None:
    titles, ids, bodies, rows = zip(*documents, strict=True)
    X = np.array(rows, dtype=np.int8)
    corpus = Corpus(X, WORDS, titles=titles, ids=ids, texts=bodies)
    arrays = index_texts(corpus, Monitor())
    index = TextIndex(arrays, WORDS, by_word(as_documents(X)))
    expected = [
        slow_score(
            query, title, name, body, [w for w, is_in in zip(WORDS, row, strict=True) if is_in]
        )
        for title, name, body, row in documents
    ]
    np.testing.assert_allclose(index.scores(query), expected, rtol=1e-6)


def test_a_corpus_without_texts_is_searched_by_its_words() -> None:
    corpus = Corpus([[1, 0, 0], [0, 1, 1]], WORDS)
    having = by_word(corpus.documents)
    index = TextIndex(index_texts(corpus, Monitor()), WORDS, having)
    assert index.scores("ab").tolist() == [1, 0]
    assert index.scores("ab*").tolist() == [1, 1]
    assert index.scores("zebra").tolist() == [0, 0]
    assert index.scores("?").tolist() == [0, 0]

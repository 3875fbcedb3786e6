"""Phrases become words, and are found again in new texts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import Corpus, TextOptions
from hlta._kernels.tokens import END
from hlta.text.phrases import count_pairs, join_pairs
from hlta.text.scanner import scan
from hlta.text.vocabulary import with_vocabulary
from tests.scanning import TEXTS, numbers_in


def test_frequent_pairs_become_words() -> None:
    words = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0, n_words=14).words
    assert {"neural-network", "social-network"} <= set(words)


def test_the_parts_of_a_phrase_are_not_counted_where_it_stands() -> None:
    corpus = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0, include=["network"])
    present = corpus.documents.to_csr().toarray().astype(bool)[:6]
    phrase, part = (present[:, corpus.words.index(w)] for w in ("social-network", "network"))
    assert phrase.tolist() == ["social network" in text for text in TEXTS[:6]]
    assert not (phrase & part).any()


def test_phrases_grow_word_by_word() -> None:
    texts = ["support vector machine learning", "support vector machine", "machine shop"] * 20
    words = Corpus.from_texts(texts, ngrams=3, max_df=1.0, stop_words=None).words
    assert "support-vector-machine" in words
    words = Corpus.from_texts(texts, ngrams=2, max_df=1.0, stop_words=None).words
    assert max(word.count("-") for word in words) == 1


def test_phrases_of_a_vocabulary_are_found_in_texts() -> None:
    corpus = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0)
    assert corpus.text_options is not None
    again, _ = with_vocabulary(TEXTS, corpus.words, corpus.text_options)
    np.testing.assert_array_equal(again.indptr, corpus.documents.indptr)
    np.testing.assert_array_equal(again.indices, corpus.documents.indices)


def test_pairs_are_joined_from_the_left_and_known_by_their_names() -> None:
    texts = ["x ray ray lab", "x-ray lab", "ray x"]
    stream = scan(texts, TextOptions(tokenizer=str.split, min_length=1))
    joined = join_pairs(stream, [("x", "ray"), ("ray", "lab"), ("new", "york")])
    names = {END: ".", **dict(enumerate(joined.words))}
    read = [names[number] for number in numbers_in(joined)]
    assert read == ["x-ray", "ray-lab", ".", "x-ray", "lab", ".", "ray", "x", "."]
    assert joined.words.count("x-ray") == 1  # the phrase and the user's own word are the same
    assert joined.document_frequency[joined.words.index("x-ray")] == 2
    assert join_pairs(stream, [("new", "york")]) is stream


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from(["aaa", "bbb", "ccc", "ddd"])), min_size=1, max_size=9))
def test_pairs_are_counted_as_in_plain_python(documents: list[list[str]]) -> None:
    stream = scan([" ".join(document) for document in documents], TextOptions())
    chosen = [k for k, word in enumerate(stream.words) if word != "ddd"]
    pairs = count_pairs(stream, np.array(chosen, dtype=np.intp))
    neighbours = [[p for p in pairwise(document) if "ddd" not in p] for document in documents]
    names = [
        (stream.words[key // len(stream.words)], stream.words[key % len(stream.words)])
        for key in pairs.keys.tolist()
    ]
    occurrences = Counter(pair for row in neighbours for pair in row)
    assert dict(zip(names, pairs.occurrences.tolist(), strict=True)) == occurrences
    frequency = Counter(pair for row in neighbours for pair in set(row))
    assert dict(zip(names, pairs.document_frequency.tolist(), strict=True)) == frequency

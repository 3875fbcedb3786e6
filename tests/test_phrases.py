"""Phrases become words, and are found again in new texts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import Corpus, TextOptions
from hlta._kernels.tokens import END
from hlta.text.phrases import count_pairs, join_phrases
from hlta.text.scanner import scan
from hlta.text.vocabulary import with_vocabulary
from tests.scanning import TEXTS, numbers_in, words_in


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


def test_pairs_are_joined_from_the_left_and_known_by_their_names() -> None:
    texts = ["x ray ray lab", "x-ray lab", "ray x"]
    stream = scan(texts, TextOptions(tokenizer=str.split, min_length=1))
    joined = join_phrases(stream, [("x", "ray"), ("ray", "lab"), ("new", "york")])
    names = {END: ".", **dict(enumerate(joined.words))}
    read = [names[number] for number in numbers_in(joined)]
    assert read == ["x-ray", "ray-lab", ".", "x-ray", "lab", ".", "ray", "x", "."]
    assert joined.words.count("x-ray") == 1  # the phrase and the user's own word are the same
    assert joined.document_frequency[joined.words.index("x-ray")] == 2
    assert join_phrases(stream, [("new", "york")]) is stream


DOCUMENTS = st.lists(st.lists(st.sampled_from(["aaa", "bbb", "ccc", "."])), min_size=1, max_size=9)
SOME_PHRASES = st.lists(
    st.lists(st.sampled_from(["aaa", "bbb", "ccc", "ddd"]), min_size=2, max_size=4)
)


@settings(max_examples=200)
@given(DOCUMENTS, SOME_PHRASES, st.booleans())
def test_phrases_of_any_length_are_joined_as_in_plain_python(
    documents: list[list[str]], phrases: list[list[str]], pairs_only: bool
) -> None:
    wanted = [tuple(phrase[:2] if pairs_only else phrase) for phrase in phrases]
    stream = scan([" ".join(document) for document in documents], TextOptions())
    expected = []
    for document in documents:
        words = document.copy()
        row = []
        while words:
            length = max([len(p) for p in wanted if p == tuple(words[: len(p)])], default=1)
            row.append("-".join(words[:length]))
            del words[:length]
        expected.append([word for word in row if word != "."])
    assert words_in(join_phrases(stream, wanted)) == expected


RARE = ["deep learning for the brain", "the brain of a network"] * 20 + ["neural network"] * 3


@pytest.mark.parametrize("ngrams", [1, 2])
@pytest.mark.parametrize("phrase", ["neural-network", "Neural Network"])
def test_phrases_to_include_become_words_however_rare(phrase: str, ngrams: int) -> None:
    corpus = Corpus.from_texts(RARE, include=[phrase, "deep brain", "emu"], min_df=5, ngrams=ngrams)
    frequency = dict(zip(corpus.words, corpus.documents.document_frequency, strict=True))
    assert frequency["neural-network"] == 3
    assert frequency["network"] == 20  # where it stands alone
    assert not {"deep-brain", "emu"} & set(corpus.words)  # which no text has
    assert "neural-network" not in Corpus.from_texts(RARE, min_df=5, ngrams=ngrams).words


def test_phrases_to_include_may_be_long_and_hold_stop_words() -> None:
    texts = [*RARE, "the state of the art", "a state of mind", "state-of-the-art methods"]
    corpus = Corpus.from_texts(texts, include=["state of the art", "state"])
    frequency = dict(zip(corpus.words, corpus.documents.document_frequency, strict=True))
    assert (frequency["state-of-the-art"], frequency["state"]) == (2, 1)
    assert corpus.text_options is not None
    again, _ = with_vocabulary(texts, corpus.words, corpus.text_options)
    assert (again.to_csr() != corpus.documents.to_csr()).nnz == 0


def test_no_phrase_takes_all_places_of_a_word_to_include() -> None:
    words = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0).words
    assert {"deep-neural", "neural-network"} <= set(words)
    corpus = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0, include=["neural"])
    assert corpus.documents.document_frequency[corpus.words.index("neural")] > 0
    assert corpus.documents.document_frequency.min() > 0


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

"""Phrases: those that become words, and those that are shown, against a count of every run of words."""

from collections import Counter, defaultdict
from collections.abc import Collection
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from hlta import Corpus, TextOptions
from hlta._kernels.tokens import END
from hlta.documents.phrases import Phrases
from hlta.text.frequent_phrases import find_phrases
from hlta.text.phrases import count_pairs, join_phrases
from hlta.text.scanner import scan
from hlta.text.vocabulary import with_vocabulary
from tests.scanning import TEXTS, numbers_in, words_in
from tests.there import there

# ---- that become words ---------------------------------------------------------------------------


def test_phrases_grow_word_by_word_and_where_they_stand_parts_are_not_counted() -> None:
    corpus = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0, include=["network"])
    present = corpus.documents.to_csr().toarray().astype(bool)[:6]
    phrase, part = (present[:, corpus.words.index(w)] for w in ("social-network", "network"))
    assert phrase.tolist() == ["social network" in text for text in TEXTS[:6]]
    assert not (phrase & part).any()
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
SOME_WORDS = st.sampled_from(["aaa", "bbb", "ccc", "ddd"])
SOME_PHRASES = st.lists(st.lists(SOME_WORDS, min_size=2, max_size=4))


@settings(max_examples=60)
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
    again, _ = with_vocabulary(texts, corpus.words, there(corpus.text_options))
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
    places = (divmod(key, len(stream.words)) for key in pairs.keys.tolist())
    names = [(stream.words[one], stream.words[other]) for one, other in places]
    occurrences = Counter(pair for row in neighbours for pair in row)
    assert dict(zip(names, pairs.occurrences.tolist(), strict=True)) == occurrences
    frequency = Counter(pair for row in neighbours for pair in set(row))
    assert dict(zip(names, pairs.document_frequency.tolist(), strict=True)) == frequency


# ---- that are shown ------------------------------------------------------------------------------


STOP = {"of", "the", "well"}
CLAUSE_WORDS = {"has"}


def contents(phrases: Phrases) -> dict[str, set[int]]:
    """The documents that contain each phrase, by their numbers in the corpus."""
    rows, columns = phrases.documents.to_csr().nonzero()
    found: dict[str, set[int]] = {name: set() for name in phrases.names}
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        found[phrases.names[column]].add(int(phrases.rows[row]))
    return found


def slow_phrases(texts: list[str], rows: list[int], chosen: Collection[str]) -> dict[str, set[int]]:
    """The same with loops and sets: frequent runs, whole, with a chosen word, not within longer ones."""
    sentences = [(row, sentence.split()) for row in rows for sentence in texts[row].split(".")]
    content = {w for _, words in sentences for w in words if len(w) >= 3 and w not in STOP}

    def singular(word: str) -> str:
        stem = word.removesuffix("s")
        is_plural = len(stem) >= 4 and not stem.endswith(("s", "u", "i", "ic"))
        return stem if is_plural and {word, stem} <= content else word

    seen: dict[tuple[str, ...], set[int]] = defaultdict(set)
    written: dict[tuple[str, ...], Counter[tuple[str, ...]]] = defaultdict(Counter)
    for row, words in sentences:
        for length in range(1, 6):
            for begin in range(len(words) - length + 1):
                form = tuple(words[begin : begin + length])
                run = tuple(map(singular, form))
                seen[run].add(row)
                written[run][form] += 1
    frequent = {
        run: documents for run, documents in seen.items() if len(run) == 1 or len(documents) >= 3
    }

    def whole(run: tuple[str, ...]) -> bool:
        if not content.issuperset((run[0], run[-1])) or not CLAUSE_WORDS.isdisjoint(run):
            return False
        firm = len(frequent[run]) >= 0.3 * max(len(frequent[run[:-1]]), len(frequent[run[1:]]))
        return firm or len(run) == 2 or content.issuperset(run)

    def holders(run: tuple[str, ...]) -> list[set[int]]:
        """The documents of the whole runs, longer by a word or more, that a run is part of."""
        found: list[set[int]] = []
        for longer, documents in frequent.items():
            if run in (longer[:-1], longer[1:]):
                if whole(longer):
                    found.append(documents)
                elif len(longer) < 4:
                    found += holders(longer)
        return found

    def is_kept(run: tuple[str, ...]) -> bool:
        if not whole(run):
            return False
        absorbed = any(len(held) >= 0.8 * len(frequent[run]) for held in holders(run))
        return not absorbed or (len(run) == 4 and content.issuperset(run))

    of_model = {*chosen, *map(singular, chosen)}
    found = {}
    for run, documents in frequent.items():
        if 1 < len(run) < 5 and is_kept(run) and not of_model.isdisjoint(run):
            forms = written[run].items()
            usual = min((-sum(w in chosen for w in form), -n, form) for form, n in forms)
            found[" ".join(usual[2])] = documents
    return found


VOCABULARY = ["deep", "graph", "graphs", "basis", "of", "the", "art", "has", "well", "wells"]
word = st.sampled_from(VOCABULARY)
sentence = st.lists(word, min_size=2, max_size=7).map(" ".join)


@given(st.lists(sentence, min_size=1, max_size=4), st.data())
def test_phrases_are_those_of_a_slow_count(sentences: list[str], data: st.DataObject) -> None:
    """Texts are made of a few sentences, so that runs of words are frequent."""
    text = st.lists(st.sampled_from(sentences), min_size=1, max_size=3).map(". ".join)
    texts = data.draw(st.lists(text, min_size=6, max_size=12))
    rows = sorted(data.draw(st.sets(st.integers(0, len(texts) - 1), min_size=4)))
    stream = scan(texts, TextOptions())
    chosen = data.draw(st.sets(st.integers(0, len(stream.words) - 1), max_size=4))
    given = np.array(rows, int), np.array(sorted(chosen), int)
    found = find_phrases(stream, *given, STOP, CLAUSE_WORDS)
    expected = slow_phrases(texts, rows, {stream.words[k] for k in chosen})
    event("some phrases" if expected else "none")
    assert contents(found) == expected
    assert found.rows.tolist() == rows


def test_only_the_beginnings_of_long_documents_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["deep nets learn well and so do tall trees", "deep nets", "tall trees"] * 3
    monkeypatch.setattr("hlta.text.frequent_phrases._MOST_WORDS", 3)
    phrases = there(Corpus.from_texts(texts, min_df=1).phrases)
    of_nets = {"deep nets": {0, 1, 3, 4, 6, 7}, "deep nets learn": {0, 3, 6}}
    assert contents(phrases) == of_nets | {"tall trees": {2, 5, 8}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The package including compiler tools is for it.", {"compiler tools"}),
        ("The compiler is a frontend of the tool", {"frontend of the tool"}),
        ("Der Bus ist ein Nachrichtenbus und für die Sitzung", set()),
        ("Provides tools for networks", {"tools for networks"}),
    ],
)
@pytest.mark.parametrize("lowercase", [True, False])
def test_a_clause_is_no_phrase(text: str, expected: set[str], lowercase: bool) -> None:
    options: dict[str, Any] = {"max_df": 1.0, "count_repeats": True, "lowercase": lowercase}
    options["languages"] = ["english", "german"]
    corpus = Corpus.from_texts([text] * 4, min_df=1, **options)
    assert set(there(corpus.phrases).names) == expected


def test_the_documents_taken_keep_their_phrases() -> None:
    phrases = Corpus.from_texts(["deep nets learn", "deep nets", "trees", "deep nets"]).phrases
    assert phrases is not None
    assert repr(phrases) == "Phrases(1 phrases in 4 documents)"
    assert contents(phrases.take(np.array([3, 2, 0, 3]))) == {"deep nets": {0, 2, 3}}
    some = Phrases(phrases.names, np.array([1, 3]), phrases.documents[1:3])
    assert some.take(np.array([0, 3, 2])).rows.tolist() == [1]
    assert not len(some.take(np.array([0, 2])).rows)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ("a deep\nnet", {"deep net"}),  # a line may end anywhere
        ("a deep\n\nnet", set()),
        ("a deep\r\n\r\nnet", set()),
        ("a deep\n \t\nnet", set()),
        ("the deep\n\nNET\nstate", set()),
        ("the deep\n \n\n\nNET \r\n   state", set()),
        ("the deep\nNET\nstate", {"deep net state"}),  # as in HTML, around what is in bold
        ("deep\n\nNET" + 100_000 * " " + "state" + 100_000 * " \n", {"net state"}),
        ("DEEP NET\nstate art", {"deep net", "state art"}),
        ("deep NET\n\n state art\n\n", {"deep net", "state art"}),
    ],
)
def test_no_phrase_goes_beyond_a_paragraph_or_a_heading(texts: str, expected: set[str]) -> None:
    options: dict[str, Any] = {"min_df": 1, "max_df": 1.0, "count_repeats": True}
    corpus = Corpus.from_texts([texts] * 3, stop_words=["the"], **options)
    assert set(there(corpus.phrases).names) == expected

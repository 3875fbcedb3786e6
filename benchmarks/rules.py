"""The rules of learning, and of dividing documents among topics, that `benchmarks.ablation` changes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import read_only
from hlta.learning.em import batch_em
from hlta.text.selection import choose_words, eligible_words
from hlta.text.stop_words import stop_words_of

if TYPE_CHECKING:
    from hlta import LatentTree
    from hlta._support.arrays import Indices
    from hlta.documents.matrix import Documents
    from hlta.options import TextOptions
    from hlta.text.scanner import WordStream

_NONE: Final = 1e-9


@dataclass(frozen=True)
class Rule:
    """A change of learning: objects that are replaced, and options.

    changes         what is replaced while a model is learned and divides documents among topics, by the
                    target that `unittest.mock.patch` takes
    options         of `HLTA`
    reading         what is replaced while texts are read, likewise
    concerns_votes  whether the rule changes the votes of samples, as those of reading do, too
    needs_vectors   whether the rule concerns only documents with vectors
    """

    changes: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    reading: dict[str, Any] = field(default_factory=dict)
    concerns_votes: bool = False
    needs_vectors: bool = False


def _unmoved(tree: LatentTree, documents: Documents) -> LatentTree:
    return batch_em(tree, documents, steps=6).tree


def _words_by_length(stream: WordStream, options: TextOptions) -> Indices:
    """At most so many words that two of them, by chance, co-occur in a quarter of a document."""
    candidates = eligible_words(stream, options, stop_words_of(options))
    length = stream.document_frequency[candidates].sum() / stream.n_documents
    wanted = min(40.0, 2.0 * length) * stream.n_documents**0.5
    return choose_words(stream, replace(options, n_words=int(np.clip(wanted, 500, 10_000))))


def _twice_as_many_words(stream: WordStream, options: TextOptions) -> Indices:
    usual = len(choose_words(stream, options))
    return choose_words(stream, replace(options, n_words=2 * usual))


_A, _TEXT = "hlta.learning", "hlta.text.vocabulary"
_EM = f"{_A}.recipe.batch_em"
_SHARES, _COUNTS = "hlta.topics.shares", "hlta.topics.word_counts"


def _with_vectors(module: str, number: str, value: int) -> Rule:
    return Rule({f"hlta.topics.{module}.{number}": value}, needs_vectors=True)


def _in_steps(step: float) -> Rule:
    """Log ratios of words, which are kept in bytes, in steps of another size."""
    ratios = read_only(np.exp(step * np.arange(-127, 128)).astype(np.float32))
    return Rule({f"{_SHARES}.STEP": step, f"{_SHARES}._OF_CODE": ratios})


RULES: dict[str, Rule] = {
    "as they are": Rule(),
    # votes
    "the paper's search": Rule(options={"refine": False}, concerns_votes=True),
    "one vote": Rule(options={"samples": 1}, concerns_votes=True),
    "12 votes": Rule(options={"samples": 12}, concerns_votes=True),
    "50 votes": Rule(options={"samples": 50}, concerns_votes=True),
    "votes without free moves": Rule(
        {f"{_A}.structure.make_free_moves": _unmoved}, concerns_votes=True
    ),
    "large islands in all votes": Rule({f"{_A}.structure._LITTLE_TEXT": 0}, concerns_votes=True),
    # consensus
    "islands weigh less in votes": Rule({f"{_A}.votes._ISLAND_SHARE": 0.25}),
    "words' vectors do not count": Rule({f"{_A}.consensus._EMBEDDING_SHARE": _NONE}),
    "words' vectors count twice": Rule({f"{_A}.consensus._EMBEDDING_SHARE": 0.5}),
    "10 dimensions of words' vectors": Rule({f"{_A}.embedding._DIMENSIONS": 10}),
    "no firm units in root topics": Rule({f"{_A}.consensus._FIRM": 1.0}),
    "root topics do not count in islands": Rule({f"{_A}.consensus._ROOT_WEIGHT": _NONE}),
    "root topics count more in islands": Rule({f"{_A}.consensus._ROOT_WEIGHT": 0.5}),
    "fewer root topics": Rule({f"{_A}.consensus._ROOTS_PER_POWER_OF_TEN": 3}),
    "more root topics": Rule({f"{_A}.consensus._ROOTS_PER_POWER_OF_TEN": 6}),
    "islands of two words": Rule({f"{_A}.consensus._ISLAND_SIZE": 2.0}),
    "islands of four words": Rule({f"{_A}.consensus._ISLAND_SIZE": 4.0}),
    "narrower level 2": Rule(
        {f"{_A}.consensus._EVENNESS": 0.4, f"{_A}.consensus._MOST_ISLANDS": 20.0}
    ),
    "wider level 2": Rule({f"{_A}.consensus._EVENNESS": 1.0}),
    # parameters
    "no first steps": Rule({f"{_A}.given_structure._STEPS": 0}),
    "20 first steps": Rule({f"{_A}.given_structure._STEPS": 20}),
    "two states per island": Rule(options={"states": 2}),
    "eight states per island": Rule({f"{_A}.states._ISLAND_STATES": 8}),
    "words shrink less": Rule({_EM: partial(batch_em, shrinkage=1.0)}),
    "words shrink more": Rule({_EM: partial(batch_em, shrinkage=6.0)}),
    "rows shrink as well": Rule({_EM: partial(batch_em, state_shrinkage=2.0)}),
    # division of documents among topics
    "a prior of one word": Rule({f"{_SHARES}.PRIOR_WORDS": 1.0}),
    "a prior of ten words": Rule({f"{_SHARES}.PRIOR_WORDS": 10.0}),
    "coarser words of topics": _in_steps(1 / 4),
    "finer words of topics": _in_steps(1 / 24),
    "the tree weighs less in counts": Rule({f"{_COUNTS}._WORTH": 0.3}),
    "the tree weighs more in counts": Rule({f"{_COUNTS}._WORTH": 10.0}),
    "words of topics are not counted": Rule({f"{_COUNTS}._STEPS": 0}),
    "three steps of counting": Rule({f"{_COUNTS}._STEPS": 3}),
    "30 steps of counting": Rule({f"{_COUNTS}._STEPS": 30}),
    "5 words of a vector": _with_vectors("shares", "VECTOR_WORDS", 5),
    "20 words of a vector": _with_vectors("shares", "VECTOR_WORDS", 20),
    "one step with vectors": _with_vectors("vector_learning", "_STEPS", 1),
    "10 steps with vectors": _with_vectors("vector_learning", "_STEPS", 10),
    # words
    "filler words stay": Rule(reading={f"{_TEXT}.filler_words": lambda *_: ()}),
    "fewer words where texts are short": Rule(reading={f"{_TEXT}.choose_words": _words_by_length}),
    "words of two documents": Rule(reading={"hlta.text.selection._LEAST_DOCUMENTS": ((20, 2),)}),
    "twice as many words": Rule(reading={f"{_TEXT}.choose_words": _twice_as_many_words}),
}

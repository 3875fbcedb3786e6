"""The words of topics, counted in documents, because the tree alone gives them less exactly.

In a tree, the dependence of two words passes through the latent variables between them, so the tree
understates the co-occurrence of words that are far apart in it. Therefore the most specific topics are
also taken as a mixture, in which each document has one topic. EM counts the words of each topic; it
starts from the tree, which remains the prior, with the weight of a number of documents of each topic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from hlta._kernels.mixture import count_topics
from hlta._support.arrays import TINY, read_only
from hlta._support.passes import run_pass
from hlta.topics.vectors import TopicVectors
from hlta.tree.given_on import words_given_on
from hlta.tree.marginals import WordMarginals, mutual_information, word_marginals
from hlta.tree.parameters import MAX_PROBABILITY, MIN_PROBABILITY
from hlta.tree.reshaping import members, topics_above, topics_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hlta._support.arrays import Floats, Floats32, Indices
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

_WORTH: Final = 3.0  # weight of the tree as a prior, in documents of a mean topic
_STEPS: Final = 10  # of EM, in which words are counted
LOWEST: Final = 2  # level below which topics have too few words to be distinguished by counting
_MOST_NUMBERS: Final = 1 << 25  # words times topics: 256 MB a table; counting holds several
_MOST_DOCUMENTS: Final = np.iinfo(np.int32).max  # that counts of 32 bits hold
_GRAIN: Final = 1 << 17  # presences of a shard
_DIGITS: Final = 3  # digits of numbers of documents, and of counts after updates
_CLOSE: Final = 6  # digits of counts before they are rounded further


class WordCounts(NamedTuple):
    """How many documents of each topic have each word, and the vectors of topics, if documents have any.

    The counts of a topic are its own and those of all topics below it.

    Attributes
    ----------
    own : csr_array of float32 (n_latents, n_words)
        The expected number of documents of each topic itself with each word; whole after a fit.
    documents : float64 (n_latents,)
        The expected number of documents of each topic itself.
    length : float
        The mean number of words of a document.
    vectors : TopicVectors or None
        Where the vectors of the documents about each topic lie.
    """

    own: csr_array
    documents: Floats
    length: float
    vectors: TopicVectors | None = None

    def carry(self, latents: Indices, columns: Indices) -> WordCounts:
        """The counts for another tree.

        `latents` and `columns` are the numbers that its latent variables and words have in this tree;
        -1 for a new latent variable, which has no counts.
        """
        (n_latents, n_words), own = self.own.shape, self.own
        entries = own.data, own.indices, np.append(own.indptr, own.indptr[-1])
        padded = csr_array(entries, shape=(n_latents + 1, n_words))
        documents = np.append(self.documents, 0.0)[latents]
        vectors = None if self.vectors is None else self.vectors.carry(latents)
        return WordCounts(padded[latents][:, columns], documents, self.length, vectors)

    def with_own(
        self, latent: int, counts: csr_array, documents: float, vector: Floats32 | None
    ) -> WordCounts:
        """The same with other own counts, (1, n_words), documents and sum of vectors of one topic."""
        number = self.documents.copy()
        number[latent] = documents
        column = csr_array(([1], ([latent], [0])), shape=(len(number), 1))
        own = csr_array((self.own + column @ (counts - self.own[[latent]])).astype(np.float32))
        vectors = self.vectors
        if vectors is not None and vector is not None:
            vectors = vectors.with_own(latent, vector)
        return self._replace(own=own, documents=number, vectors=vectors)

    def vector(self, latent: int) -> Floats32 | None:
        """The sum of the vectors of a topic, without those below it; None without vectors."""
        return None if self.vectors is None else self.vectors.own[latent]

    def with_more(self, tree: LatentTree, documents: Documents, weight: float) -> WordCounts:
        """The counts with further documents added; the earlier ones count as `weight` documents."""
        latents = _find_counted(tree)
        expected = _expected_words(tree, latents, self.worth)
        seen = _Seen(self.own[latents].toarray().T.astype(np.float64), self.documents[latents])
        seen = _e_step(seen, expected, documents)
        own, number = _of_tree(tree, latents, seen, _DIGITS)
        factor, count = weight / max(1.0, float(self.documents.sum())), len(documents)
        own = csr_array(factor * self.own + own, dtype=np.float32)
        own.data = own.data.round(_DIGITS)
        number = np.round(factor * self.documents + number, _DIGITS)
        length = (weight * self.length + documents.n_presences) / max(weight + count, TINY)
        return WordCounts(own, number, length, self.vectors)

    def totals(self, tree: LatentTree) -> tuple[csr_array, Floats]:
        """Counts and numbers of documents of all topics, with those of the topics below them."""
        within = topics_within(tree)
        return csr_array(within @ self.own), within @ self.documents

    def plain(self) -> dict[str, Any]:
        """The fields that are not in `arrays`, as JSON values."""
        vectors = {} if self.vectors is None else {"vectors": self.vectors.plain()}
        return {"documents": self.documents.tolist(), "length": self.length, **vectors}

    @property
    def worth(self) -> float:
        """How many words the prior, which is the tree, adds to the counts of each topic."""
        mean = self.documents.sum() / max(1, np.count_nonzero(self.documents))
        return float(_WORTH * max(1.0, mean) * self.length)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The fields that a file stores as arrays."""
        own = self.own
        arrays = own.indptr.astype(np.int64), own.indices.astype(np.uint32), own.data
        of_vectors = {} if self.vectors is None else self.vectors.arrays
        return dict(zip(ARRAYS, arrays, strict=True)) | of_vectors

    @classmethod
    def read(
        cls, plain: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], shape: tuple[int, int]
    ) -> WordCounts:
        """Read a file of `shape` latent variables and words; raises ValueError if it is damaged."""
        indptr, words, counts = (arrays[name] for name in ARRAYS)
        documents = np.array(plain["documents"], dtype=np.float64)
        length = float(plain["length"])
        fits = len(indptr) == shape[0] + 1 and len(words) == len(counts) == indptr[-1]
        rising = fits and indptr[0] == 0 and (np.diff(indptr) >= 0).all()
        if not rising or (words >= shape[1]).any() or not (counts >= 0.0).all():
            raise ValueError("the counts of words do not fit the tree")
        if (np.bincount(words, counts, shape[1]) > _MOST_DOCUMENTS).any():
            raise ValueError("words are in more documents than there can be")
        are_numbers = (documents >= 0.0) & (documents <= _MOST_DOCUMENTS)
        if documents.shape != shape[:1] or not are_numbers.all():
            raise ValueError("there is not a number of documents per latent variable")
        if not 0.0 < length <= _MOST_DOCUMENTS:
            raise ValueError("the mean number of words of a document is not a number above 0")
        own = csr_array((counts, words.astype(np.int64), indptr), shape=shape, copy=True)
        own.sum_duplicates()
        vectors = plain.get("vectors")
        if vectors is not None:
            vectors = TopicVectors.read(vectors, arrays, shape[0])
        return cls(own, documents, length, vectors)


ARRAYS: Final = ("counts_indptr", "counts_words", "counts")
"""The names of the arrays in a file."""


def count_words(tree: LatentTree, documents: Documents) -> WordCounts:
    """Count the words of the most specific topics in documents that the model was learned from.

    If these topics are too many for the memory, those of a higher level are counted.
    """
    latents = _find_counted(tree)
    length = max(1, documents.n_presences) / max(1, len(documents))
    mean = max(1.0, len(documents) / len(latents))
    expected = _expected_words(tree, latents, _WORTH * mean * length)
    sizes = tree.marginals[tree.n_words + latents]
    seen = _Seen(np.zeros_like(expected), sizes / sizes.sum() * len(documents))
    for _ in range(_STEPS):
        seen = _e_step(seen, expected, documents)
    return WordCounts(*_of_tree(tree, latents, seen, 0), length)


def _expected_words(tree: LatentTree, latents: Indices, worth: float) -> Floats:
    """How many of the `worth` added words of each topic are each word, float64 (n_words, topics)."""
    given = shares_of_words(words_given_on(tree, latents))
    return np.ascontiguousarray(worth * given.T)


def _e_step(seen: _Seen, expected: Floats, documents: Documents) -> _Seen:
    """The sums over documents, by the mixture whose parameters follow from earlier sums and the prior."""
    counted, number = seen.words + expected, seen.documents + 1.0
    work = _Counting(np.log(counted / counted.sum(axis=0)), np.log(number / number.sum()))
    return run_pass(work, documents.shards(_GRAIN, most=8))


def _of_tree(
    tree: LatentTree, latents: Indices, seen: _Seen, digits: int
) -> tuple[csr_array, Floats]:
    """The sums of some topics as counts, words rounded to `digits`, with empty rows for other topics."""
    indptr = np.zeros(tree.n_latents + 1, dtype=np.int64)
    indptr[latents + 1] = 1
    indptr, order = np.cumsum(indptr), np.argsort(latents)
    rows = csr_array(seen.words.T[order].round(_CLOSE).round(digits).astype(np.float32))
    spread = np.ones(len(latents), dtype=np.float32), np.arange(len(latents)), indptr
    own = csr_array(spread, shape=(tree.n_latents, len(latents))) @ rows
    documents = np.zeros(tree.n_latents)
    documents[latents] = seen.documents.round(_DIGITS)
    return csr_array(own), documents


class _Seen(NamedTuple):
    """Sums over documents: P(topic | document) by word and topic, and by topic."""

    words: Floats  # (n_words, topics)
    documents: Floats  # (topics,)


class _Counting:
    """The E-step of the mixture, from log P(word | topic) and log P(topic)."""

    def __init__(self, evidence: Floats, prior: Floats) -> None:
        self._evidence, self._prior = read_only(evidence), read_only(prior)

    def zeros(self) -> _Seen:
        return _Seen(np.zeros_like(self._evidence), np.zeros_like(self._prior))

    def accumulate(self, shard: Documents) -> _Seen:
        seen, scratch = self.zeros(), np.empty_like(self._prior)
        count_topics(shard.rows, self._evidence, self._prior, scratch, *seen)
        return seen

    def merge(self, total: _Seen, part: _Seen) -> _Seen:
        total.words.__iadd__(part.words)
        total.documents.__iadd__(part.documents)
        return total


def words_of_topics(tree: LatentTree, counts: WordCounts | None) -> WordMarginals:
    """P(word | topic) and P(word | background), as counted, with the tree as a prior.

    For topics of level 1, and for those with no documents or all documents, the tree alone gives them.
    """
    table = word_marginals(tree)
    if counts is None:
        return table
    totals, number = counts.totals(tree)
    is_root = topics_above(tree) < 0
    latent = np.repeat(np.arange(tree.n_latents), np.diff(table.start))
    on, total = number[latent], max(float(number[is_root].sum()), 1.0)
    inside = np.asarray(totals[latent, table.word], dtype=np.float64).ravel()
    outside = np.asarray(totals[is_root].sum(axis=0)).ravel()[table.word] - inside
    prior = counts.worth / counts.length  # documents
    sizes = np.column_stack((total - on, on))
    given = np.column_stack((outside, inside)) + prior * table.given
    given = np.clip(given / (sizes + prior), MIN_PROBABILITY, MAX_PROBABILITY)
    information = mutual_information(given, sizes / total)
    known = (on > 0.0) & (total - on >= 1.0) & (tree.level[tree.n_words + latent] >= LOWEST)
    given = np.where(known[:, None], given, table.given)
    information = np.where(known, information, table.information)
    order = np.lexsort((table.word, -information, latent))
    return WordMarginals(
        table.start, table.word[order], table.states[order], given[order], information[order]
    )


def shares_of_words(present: Floats) -> Floats:
    """The share of each word in all words of documents, from P(word present): rows that sum to 1."""
    return np.asarray(present / present.sum(axis=1, keepdims=True))


def _find_counted(tree: LatentTree) -> Indices:
    """The latent variables whose words are counted, by their numbers from 0: the most specific ones."""
    level, top = tree.level, int(tree.level.max())
    for lowest in range(min(LOWEST, top), top + 1):
        chosen = [
            v - tree.n_words
            for v in np.flatnonzero(level >= lowest).tolist()
            if not any(level[below] >= lowest for below in members(tree, v))
        ]
        if len(chosen) * tree.n_words <= _MOST_NUMBERS:
            break
    return np.array(chosen, dtype=np.intp)

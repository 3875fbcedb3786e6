"""Corrections: how much more words speak for topics in the documents than the tree expects.

A tree understates how words that are far apart in it go together, since all that one says about the
other passes through the latent variables between them. So what words say of a topic is counted in the
documents, too, and a model remembers by how much that differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta.tree.given_on import words_given_on
from hlta.tree.posteriors import posteriors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

_DOUBT: Final = 300.0  # documents with words as the tree expects them, added to those on a topic
_STEPS: Final = 8.0  # per nat
_MOST_STEPS: Final = 127
_MOST_NUMBERS: Final = 5_000_000  # words times topics: a file grows by about 2 MB
_AT_ONCE: Final = 1 << 22  # probabilities in memory


class Corrections(NamedTuple):
    """What is to be added to the evidence that words are for topics, see `word_evidence`.

    Attributes
    ----------
    latents : int32 (rows,)
        The latent variables of the topics, counted from 0, ascending.
    steps : int8 (rows, words)
        In eighths of a nat.
    """

    latents: NDArray[np.int32]
    steps: NDArray[np.int8]

    def of(self, latents: NDArray[np.intp]) -> NDArray[np.float64]:
        """In nats, float64 (len(latents), words); 0 where nothing is known of a latent variable."""
        row = np.searchsorted(self.latents, latents)
        is_known = np.append(self.latents, -1)[row] == latents
        nats: NDArray[np.float64] = np.pad(self.steps, ((0, 1), (0, 0)))[row] / _STEPS
        return np.where(is_known[:, None], nats, 0.0)

    def carried(self, latents: Mapping[int, int], columns: NDArray[np.intp]) -> Corrections:
        """The same for another tree.

        `latents` are its latent variables by those of this tree, for as many as keep what is known;
        `columns` the places of its words among those of this tree, -1 for further words.
        """
        now = np.array([latents.get(v, -1) for v in self.latents.tolist()], dtype=np.int32)
        rows = np.argsort(now, kind="stable")[(now < 0).sum() :]
        padded = np.pad(self.steps, ((0, 0), (0, 1)))
        return Corrections(now[rows], padded[rows][:, columns])

    def with_row(self, latent: int, nats: NDArray[np.float64]) -> Corrections:
        """The same with what is known of one more latent variable."""
        row = int(np.searchsorted(self.latents, latent))
        latents = np.insert(self.latents, row, latent)
        return Corrections(latents, np.insert(self.steps, row, _in_steps(nats), axis=0))

    @classmethod
    def read(cls, latents: Any, steps: NDArray[np.int8], shape: tuple[int, int]) -> Corrections:
        """From a file, for `shape` latent variables and words; raises ValueError if it is damaged."""
        if not isinstance(latents, list) or not all(type(latent) is int for latent in latents):
            raise ValueError("corrections are not of latent variables")
        found = np.array(latents, dtype=np.int32)
        if steps.shape != (len(found), shape[1]):
            raise ValueError("corrections are not a row per topic and a number per word")
        if (np.diff(found, prepend=-1) <= 0).any() or (found >= shape[0]).any():
            raise ValueError("corrections are not of latent variables in ascending order")
        return cls(found, steps)


def find_corrections(
    tree: LatentTree, documents: Documents, *, n_jobs: int | None = None
) -> Corrections:
    """Count, in documents that the model was learned from, how far the tree is wrong.

    In how many of the documents on a topic each word is present is expected under P(topic | document),
    after some documents were added in which the words are as the tree expects them. There are
    corrections for all topics, or, if these are too many, for those of the higher levels.
    """
    latents = _corrected(tree)
    present, on = np.zeros((len(latents), tree.n_words)), np.zeros(len(latents))
    inference = tree.inference()
    for _, part in documents.chunks(max(1, _AT_ONCE // tree.n_latents)):
        given = posteriors(inference, part, n_jobs=n_jobs).dense(latents)
        present += (part.to_csr(np.float64).T @ given).T
        on += given.sum(axis=0)
    on_topics = _excess(present, words_given_on(tree, latents), on)
    usual = documents.document_frequency[None, :], tree.marginals[None, : tree.n_words]
    nats = on_topics - _excess(*usual, np.array([float(len(documents))]))
    return Corrections(latents.astype(np.int32), _in_steps(nats))


def merged(
    corrections: Corrections,
    tree: LatentTree,
    parts: NDArray[np.intp],
    after: LatentTree,
    into: int,
) -> NDArray[np.float64] | None:
    """Corrections in nats, a number per word, of the latent variable that parts of a tree became.

    In the tree `after`, it is number `into`. Its documents have the words of the parts, as they were
    counted, and each part contributes by its size. The words of both trees have the same order. None
    if there are no corrections of the parts.
    """
    if not np.isin(parts, corrections.latents).any():
        return None
    expected = words_given_on(tree, parts)
    size = tree.marginals[tree.n_words + parts] * expected.sum(axis=1)
    counted = size @ (_shares(expected) * np.exp(corrections.of(parts)))
    now = words_given_on(after, np.array([into]))
    nats: NDArray[np.float64] = np.log(_shares(counted[None]) / _shares(now))[0]
    return nats


def _in_steps(nats: NDArray[np.float64]) -> NDArray[np.int8]:
    steps: NDArray[np.int8] = np.clip(np.rint(_STEPS * nats), -_MOST_STEPS, _MOST_STEPS).astype(
        np.int8
    )
    return steps


def _corrected(tree: LatentTree) -> NDArray[np.intp]:
    """The latent variables that get corrections: of as many levels as fit, from the top down."""
    level = tree.level[tree.n_words :]
    lowest = int(level.max())
    while lowest > 1 and tree.n_words * int((level >= lowest - 1).sum()) <= _MOST_NUMBERS:
        lowest -= 1
    return np.flatnonzero(level >= lowest)


def _excess(
    present: NDArray[Any], expected: NDArray[np.float64], documents: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Log of the shares of words in documents, a row of words each, against those that are expected.

    `present` is in how many documents the words are, `expected` their probability.
    """
    counted = (present + _DOUBT * expected) / (documents + _DOUBT)[:, None]
    return np.log(_shares(counted) / _shares(expected))


def _shares(present: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of all words in documents, how many are each word."""
    return np.asarray(present / present.sum(axis=1, keepdims=True))

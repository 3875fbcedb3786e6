"""Why a document is on a topic: how much of its words is about it, and how they change P(topic)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta._support.arrays import TINY
from hlta._support.messages import plural
from hlta.documents.matrix import Documents
from hlta.topics.nodes import topic_nodes
from hlta.tree.given_on import words_given_on
from hlta.tree.latent_tree import AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hlta._support.arrays import Bools, Floats, Indices
    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree


class Part(NamedTuple):
    """How much of a word of a document is about a topic.

    Attributes
    ----------
    word : str
        The word.
    part : float
        From 0 to 1; the rest of it is about other topics.
    """

    word: str
    part: float

    def __str__(self) -> str:
        return f"{self.part:.2f} {self.word}"


@dataclass(frozen=True)
class Parts:
    """Why a topic has its share in a document.

    Attributes
    ----------
    share : float
        The share of the document's words that is about the topic: the mean of their parts and, if the
        document has a vector, of the part of that, which counts as several words.
    words : tuple of Part
        The words of the document, those with the largest parts first.
    vector : float or None
        How much of the vector is about the topic.
    """

    share: float
    words: tuple[Part, ...]
    vector: float | None = None

    def __str__(self) -> str:
        head = f"{self.share:.0%} of {plural(len(self.words), 'word')}"
        lines = list(map(str, self.words))
        if self.vector is not None:
            head += " and the vector"
            lines.insert(0, f"{self.vector:.2f} (vector)")
        return "\n".join((head, *lines))

    @classmethod
    def of(
        cls,
        parts: Mapping[str, Sequence[float]],
        vector: float | None = None,
        vector_words: float = 0.0,
    ) -> Parts:
        """The words of a document, from the part of each in each section that has it.

        `vector` is the part of its vector, which counts as `vector_words` words.
        """
        every = [part for some in parts.values() for part in some]
        means = {word: sum(some) / len(some) for word, some in parts.items()}
        order = sorted(means, key=lambda word: (-means[word], word))
        total, count = sum(every), float(len(every))
        if vector is not None:
            total, count = total + vector * vector_words, count + vector_words
        return cls(
            total / max(1.0, count), tuple(Part(word, means[word]) for word in order), vector
        )


class Reason(NamedTuple):
    """How a word, present or absent, changes the log odds of a topic.

    Attributes
    ----------
    word : str
        The word.
    present : bool
        Whether the document has it.
    alone : float
        The change if nothing else about the document is known.
    in_context : float
        The change if all other words of the document, present and absent, are known.
    """

    word: str
    present: bool
    alone: float
    in_context: float

    def __str__(self) -> str:
        change = "*" if self.alone >= 0 else "/"
        name = self.word if self.present else f"no {self.word}"
        return f"odds {change} {math.exp(min(abs(self.alone), 700)):,.1f}  {name}"


@dataclass(frozen=True)
class Reasons:
    """Why a document is on a topic, or is not.

    Attributes
    ----------
    probability : float
        P(topic | document).
    words : tuple of Reason
        The words of the document and the keywords that it lacks, by the size of `alone`, largest first.
    """

    probability: float
    words: tuple[Reason, ...]

    def __str__(self) -> str:
        return "\n".join((f"P = {self.probability:.4g}", *map(str, self.words)))


def reasons(tree: LatentTree, topic: Topic, document: Documents) -> Reasons:
    """Why a document is on a topic, or is not.

    Parameters
    ----------
    tree, topic
        The model and one of its topics.
    document
        A single document over the words of the tree.

    Returns
    -------
    Reasons
    """
    latent = int(topic_nodes(tree, [topic])[0]) - tree.n_words
    present = document.indices.astype(np.intp)
    number = {word: k for k, word in enumerate(tree.words)}
    # A topic from before a word was removed still has it among its keywords.
    keywords = np.array([number[word] for word in topic.words if word in number], dtype=np.intp)
    words = np.concatenate((present, keywords[~np.isin(keywords, present)]))
    is_present = np.arange(len(words)) < len(present)
    alone = _alone(tree, latent, words, is_present)
    order = sorted(range(len(words)), key=lambda k: (-abs(alone[k]), tree.words[words[k]]))
    on, off = _joint(tree, latent, _toggle_words(present, words[order], tree.n_words))
    known = on[0] - off[0]
    unknown = np.logaddexp(on[0], on[1:]) - np.logaddexp(off[0], off[1:])
    found = tuple(
        Reason(tree.words[words[k]], bool(is_present[k]), float(alone[k]), float(known - other))
        for k, other in zip(order, unknown, strict=True)
    )
    return Reasons(float(np.exp(-np.logaddexp(0.0, -known))), found)


def _toggle_words(present: Indices, words: Indices, n_words: int) -> Documents:
    """A document, and then a copy for each of some words, with that word removed or, if absent, added."""
    rows = [present, *(np.setxor1d(present, word) for word in words)]
    ends = np.cumsum([0, *map(len, rows)])
    return Documents(ends, np.concatenate(rows).astype(np.uint32), n_words)


def _joint(tree: LatentTree, latent: int, documents: Documents) -> tuple[Floats, Floats]:
    """Log P(document, topic on) and log P(document, topic off), per document."""
    is_on = tree.parameters.is_on[latent]
    likelihood = tree.log_likelihood(documents)
    log_on, log_off = [], []
    for _, part in documents.chunks(AT_ONCE // tree.state_marginals.size):
        states = tree.posteriors(part).states()[:, latent]
        log_on.append(np.log(np.maximum(states[:, is_on].sum(axis=1), TINY)))
        log_off.append(np.log(np.maximum(states[:, ~is_on].sum(axis=1), TINY)))
    return likelihood + np.concatenate(log_on), likelihood + np.concatenate(log_off)


def _alone(tree: LatentTree, latent: int, words: Indices, present: Bools) -> Floats:
    """Log P(word as observed | topic on) - log P(word as observed | topic off), per word."""
    given_on = words_given_on(tree, np.array([latent]))[0, words]
    share = tree.marginals[tree.n_words + latent]
    given_off = (tree.marginals[words] - share * given_on) / (1.0 - share)
    chances = [np.where(present, p, 1.0 - p) for p in (given_on, given_off)]
    on, off = (np.log(np.maximum(p, TINY)) for p in chances)
    return np.asarray(on - off)

"""Drift: how new documents differ from those that a model was learned from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from hlta._support.arrays import TINY
from hlta._support.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hlta._support.arrays import Floats, Indices
    from hlta.documents.corpus import Corpus
    from hlta.topics.annotations import Sizes
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

RATE: Final = 0.05
"""The false-alarm rate: how often drift is reported where there is none, at most."""
_PARTS: Final = 2  # tested parts of the report, topics and words; each gets half of the rate
# A word left out is assumed to be in at most so many times as many documents as the model's rarest word.
_LEFT_OUT: Final = 2.0
_SOFTEST: Final = 0.05  # least variance of shares, relative to that of documents about one topic


class Before(NamedTuple):
    """A model, and what is known of the documents it was learned from.

    tree       LatentTree: the model
    documents  float: how many documents of equal weight would give as much information
    sizes      Sizes: the sizes of topics in them
    allowed    float: the largest part of the documents that a word of a vocabulary may be in
    left_out   dict of float: for words that the tree lacks, an upper bound of the part of the documents
               that each was in
    others     float or None: the upper bound for all other words that it lacks; None if unknown
    """

    tree: LatentTree
    documents: float
    sizes: Sizes
    allowed: float
    left_out: Mapping[str, float]
    others: float | None


@dataclass(frozen=True)
class TopicChange:
    """A topic that grew or shrank.

    Attributes
    ----------
    topic, title : str
        Its id and title.
    before, after : float
        Its mean share in the earlier documents, and in the new ones, under the model before the update.
    low, high : float
        A 95% interval for `after`.
    """

    topic: str
    title: str
    before: float
    after: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class Drift:
    """How new documents differ from those that a model was learned from; `print` shows it.

    All figures are those of the model before it learned from the new documents. The false-alarm rate
    is at most 5% of updates.

    Attributes
    ----------
    n_documents : int
        How many documents are new.
    topics : tuple of TopicChange
        The topics that grew or shrank significantly, by ascending p-value.
    unknown_words : dict of int
        The words of the new documents that the model lacks, with their document frequencies, the most
        frequent first. Words that are too frequent for a vocabulary are left out.
    new_words : tuple of str
        Those of them that are significantly more frequent than in the earlier documents, by ascending
        p-value.
    """

    n_documents: int
    topics: tuple[TopicChange, ...]
    unknown_words: dict[str, int]
    new_words: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether there is drift."""
        return bool(self.topics or self.new_words)

    def __repr__(self) -> str:
        documents = plural(self.n_documents, "document")
        return f"Drift({documents}: {len(self.topics)} topics, {len(self.new_words)} new words)"

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, most: int = 10) -> str:
        """The report as lines.

        Parameters
        ----------
        most
            The most entries in each part.
        """
        return "\n".join(self._lines(most))

    def to_dict(self) -> dict[str, Any]:
        """The report as a dictionary that JSON can hold."""
        return {
            "documents": self.n_documents,
            "topics": [asdict(change) for change in self.topics],
            "unknown_words": self.unknown_words,
            "new_words": list(self.new_words),
        }

    def _lines(self, most: int) -> Iterator[str]:
        one = self.n_documents == 1
        count = plural(self.n_documents, "new document")
        differ = (
            ("differs" if one else "differ") if self else f"{'does' if one else 'do'} not differ"
        )
        yield f"{count} {differ} from the earlier ones."
        for name, rose in (("grew", True), ("shrank", False)):
            topics = [
                f"{t.before:.1%} to {t.after:.1%} ({t.low:.1%} to {t.high:.1%}) {t.title}"
                for t in self.topics
                if (t.after > t.before) == rose
            ]
            heading = f"Topics that {name}, with a 95% interval for the new share"
            yield from _part(heading, topics, most)
        in_documents = {w: plural(self.unknown_words[w], "document") for w in self.new_words}
        new = [f"{documents}: {word}" for word, documents in in_documents.items()]
        yield from _part("New words, which the model lacks", new, most)


def find_drift(
    before: Before, topics: TopicTree, corpus: Corpus, sizes: Sizes, n_documents: int
) -> Drift:
    """Compare new documents with the earlier ones; `sizes` are those of topics in the new documents.

    `n_documents` is the number of new documents; each row of `corpus` is a section of one.
    """
    rate = RATE / _PARTS
    sections = len(corpus) / max(1, n_documents)
    known, frequency = set(before.tree.words), corpus.documents.document_frequency.tolist()
    unknown = {
        word: count
        for word, count in zip(corpus.words, frequency, strict=True)
        if word not in known and 0 < count <= before.allowed * len(corpus)
    }
    return Drift(
        n_documents,
        tuple(topic_changes(before, topics, sizes, n_documents, sections, rate)),
        dict(sorted(unknown.items(), key=lambda entry: -entry[1])),
        tuple(_new_words(before, unknown, len(corpus), rate)),
    )


def topic_changes(
    before: Before, topics: TopicTree, sizes: Sizes, n_documents: int, sections: float, rate: float
) -> list[TopicChange]:
    """The shown topics that grew or shrank significantly, by ascending p-value.

    Shares vary less than if each document were about one topic; the test uses the larger of the
    variances in the two sets. Earlier documents are assumed to have as many `sections` each as the new
    ones. Topics whose earlier share is unknown, as after some edits, are left out.
    """
    number = {name: k for k, name in enumerate(before.tree.latent_names)}
    was = before.sizes
    shown = [topic for topic in topics if np.isfinite(was.spreads[number[topic.id]])]
    own = [number[topic.id] for topic in shown]
    old, new = was.shares[own], sizes.shares[own]
    spread = np.maximum(was.spreads[own], sizes.spreads[own])
    hard = np.maximum(np.minimum(old, new) * (1.0 - np.minimum(old, new)), TINY)
    softness = np.clip(spread / hard, _SOFTEST, 1.0)
    z = difference(old, new, before.documents / sections / softness, n_documents / softness)
    return [
        TopicChange(
            shown[k].id,
            shown[k].title,
            float(old[k]),
            float(new[k]),
            *interval(float(new[k]), n_documents / float(softness[k])),
        )
        for k in discoveries(two_sided(z), rate).tolist()
    ]


def _new_words(before: Before, unknown: Mapping[str, int], count: int, rate: float) -> list[str]:
    """The words significantly more frequent than in the earlier documents, by ascending p-value.

    A word is compared with an upper bound of its earlier frequency: `left_out` or `others` of `before`.
    If `others` is unknown, as for a model without texts, it is assumed to be `_LEFT_OUT` times the
    frequency of the rarest word of the model, and to have no error.
    """
    words, others, documents = list(unknown), before.others, before.documents
    if others is None:
        rarest = float(before.tree.marginals[: before.tree.n_words].min())
        others, documents = min(_LEFT_OUT * rarest, 1.0), np.inf
    was = np.array([before.left_out.get(word, others) for word in words])
    share = np.array([unknown[word] for word in words]) / count
    p_values = ndtr(-difference(was, share, documents, count))
    return [words[k] for k in discoveries(p_values, rate).tolist()]


def _part(name: str, entries: Sequence[str], most: int) -> Iterator[str]:
    """A heading, and the first entries below it; nothing if there are none."""
    if entries:
        yield f"{name}:"
        yield from (f"    {entry}" for entry in entries[:most])
        if len(entries) > most:
            yield f"    and {len(entries) - most:,} more"


# ---- tests of many differences at once ---------------------------------------------------------


def discoveries(p_values: Floats, rate: float) -> Indices:
    """The tests that are significant by the Benjamini-Hochberg procedure, by ascending p-value.

    The false discovery rate is at most `rate`; so is the probability of any discovery if all null
    hypotheses are true.
    """
    order = np.argsort(p_values, kind="stable")
    allowed = rate * np.arange(1, len(order) + 1) / max(1, len(order))
    passed = np.flatnonzero(p_values[order] <= allowed)
    return np.asarray(order[: passed[-1] + 1 if len(passed) else 0])


def difference(
    before: Floats, after: Floats, n_before: Floats | float, n_after: Floats | float
) -> Floats:
    """How many standard errors a share rose from one set of documents to another.

    Shares are compared on the scale of the arc sine, on which the error does not depend on the share.
    """
    rise = 2.0 * (np.arcsin(np.sqrt(after)) - np.arcsin(np.sqrt(before)))
    return np.asarray(rise / np.sqrt(1.0 / n_before + 1.0 / n_after))


def two_sided(z: Floats) -> Floats:
    """The two-sided p-value of a difference of this many standard errors."""
    return np.asarray(2.0 * ndtr(-np.abs(z)))


def interval(share: float, n: float) -> tuple[float, float]:
    """A 95% confidence interval for the share in the population that `n` documents were drawn from."""
    half = ndtri(0.975) / (2.0 * np.sqrt(n))
    middle = np.arcsin(np.sqrt(share))
    ends = np.clip((middle - half, middle + half), 0.0, np.pi / 2.0)
    low, high = (np.sin(ends) ** 2).tolist()
    return low, high

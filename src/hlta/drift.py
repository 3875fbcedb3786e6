"""Drift: how new documents differ from those that a model was learned from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.special import betainc, ndtr, ndtri

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
_SOFTEST: Final = 0.05  # least variance of shares, relative to that of documents about one topic


class Before(NamedTuple):
    """A model, and what is known of the documents it was learned from.

    tree       LatentTree: the model
    documents  float: how many documents of equal weight would give as much information
    sizes      Sizes: the sizes of topics in them
    allowed    float: the largest part of the documents that a word of a vocabulary may be in
    left_out   dict of float: for words that the tree lacks, in what part of the documents each was
    others     float: an upper bound of this part for all other words that it lacks
    n_read     float: the number of documents in which words were counted, each section of a long one as
               a document
    """

    tree: LatentTree
    documents: float
    sizes: Sizes
    allowed: float
    left_out: Mapping[str, float]
    others: float
    n_read: float


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
        How many documents are new; a text counts once.
    topics : tuple of TopicChange
        The topics that grew or shrank significantly, by ascending p-value.
    unknown_words : dict of int
        The words that the model lacks and that a model of the new documents alone could have, with the
        number of new documents, the most frequent first. Words in a greater part of these than the fit
        allowed (`max_df`) are left out.
    new_words : tuple of str
        Those of them that are significantly more frequent than in the earlier documents, by ascending
        p-value.
    n_repeats : int
        How many further documents repeat the text of another new one; topics are compared with them,
        words without them.
    """

    n_documents: int
    topics: tuple[TopicChange, ...]
    unknown_words: dict[str, int]
    new_words: tuple[str, ...]
    n_repeats: int = 0

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
            "repeats": self.n_repeats,
            "topics": [asdict(change) for change in self.topics],
            "unknown_words": self.unknown_words,
            "new_words": list(self.new_words),
        }

    def _lines(self, most: int) -> Iterator[str]:
        count = plural(self.n_documents, "new document")
        count += f", {plural(self.n_repeats, 'repeat')} aside," if self.n_repeats else ""
        if self:
            yield f"{count} {'differs' if self.n_documents == 1 else 'differ'} from the earlier ones."
        else:
            yield f"No significant difference between {count} and the earlier ones."
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
    before: Before, topics: TopicTree, corpus: Corpus, sizes: Sizes, *, least: int, n_repeats: int
) -> Drift:
    """Compare new documents, each text once, with the earlier ones.

    Parameters
    ----------
    before, topics
        The model before the update, and its topics.
    corpus
        The new documents without repeats.
    sizes
        The sizes of topics in the new documents.
    least
        Words in fewer new documents are not tested.
    n_repeats
        How many repeats the new documents have.
    """
    rate, documents = RATE / _PARTS, corpus.documents
    known = set(before.tree.words)
    units = documents.units  # sections of long documents
    sections = len(units) / max(1, len(documents))
    is_usual = units.document_frequency <= before.allowed * len(units)
    chosen = [
        (word, count, usual)
        for word, count, usual in zip(
            corpus.words, documents.document_frequency.tolist(), is_usual.tolist(), strict=True
        )
        if count >= least
    ]
    unknown = {word: count for word, count, usual in chosen if usual and word not in known}
    p_values = _p_values(before, unknown, len(documents), sections, least)
    # Known words could have been unknown, so they count as tests that find nothing.
    tests = np.append(p_values, np.ones(len(chosen) - len(unknown)))
    words = list(unknown)
    return Drift(
        len(documents),
        tuple(topic_changes(before, topics, sizes, len(documents), sections, rate)),
        dict(sorted(unknown.items(), key=lambda entry: -entry[1])),
        tuple(words[k] for k in discoveries(tests, rate).tolist()),
        n_repeats,
    )


def topic_changes(
    before: Before, topics: TopicTree, sizes: Sizes, n_documents: int, sections: float, rate: float
) -> list[TopicChange]:
    """The shown topics that grew or shrank significantly, by ascending p-value.

    Shares vary less than if each document were about one topic; the test uses the larger of the
    variances in the two sets. Earlier documents are assumed to have as many `sections` each as the new
    ones. Topics whose earlier shares were not counted in documents, as after some edits, are left out.
    """
    number = {name: k for k, name in enumerate(before.tree.latent_names)}
    was = before.sizes
    shown = [topic for topic in topics if was.documents[number[topic.id]] >= 0]
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


def _p_values(
    before: Before, unknown: Mapping[str, int], n_documents: int, sections: float, least: int
) -> Floats:
    """The p-value of each unknown word: that it is no more frequent than in the earlier documents.

    A word in some sections of the earlier documents was in as many documents at most; these are assumed
    to have as many `sections` each as the new ones.
    """
    share = np.array([before.left_out.get(word, before.others) for word in unknown])
    earlier, new = share * before.n_read, np.array(list(unknown.values()), dtype=np.float64)
    chance = n_documents / (before.n_read / sections + n_documents)
    return tail(earlier, new, chance, least)


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


def tail(earlier: Floats, new: Floats, chance: float, least: int) -> Floats:
    """P(X >= `new` | X >= `least`) for X of the binomial distribution of `earlier` + `new` trials.

    If a word is as frequent as before, each of the documents that have it is among the new ones with
    this `chance`. Words in fewer than `least` new documents are not tested; hence the condition, without
    which words would be tested because they are frequent. P(X >= k) in n trials is the incomplete beta
    function with parameters k and n - k + 1.
    """
    trials = earlier + new
    tested = betainc(least, trials - least + 1.0, chance)
    ratio = betainc(new, earlier + 1.0, chance) / np.maximum(tested, TINY)
    return np.where(new <= least, 1.0, ratio)  # also where both underflow


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

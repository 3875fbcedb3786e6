"""What became of seeds: the topic of each, and what the documents say against it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.messages import counted
from hlta.documents.writer import take_words
from hlta.learning.seeds import SEED_LEVEL
from hlta.tree.reshaping import topic_above

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Bools, Floats
    from hlta.documents.matrix import Documents
    from hlta.seeds.given import Seed
    from hlta.tree.latent_tree import LatentTree

_MUCH: Final = 0.1  # of the entropy of a seed's words: what it may cost before that is much
_VERY_MUCH: Final = 0.25  # the same if its words meet often
_OFTEN: Final = 2.0  # times as often as by chance
_MOST_NAMED: Final = 3  # in a warning
_NOISE: Final = 1e-3  # of the log-likelihood: what a change of the structure may cost by chance
_FEW: Final = 1000  # documents; with fewer, it is more


class SeedReport(NamedTuple):
    """A seed, its topic, and what the documents say against it.

    Attributes
    ----------
    title : str or None
        The title given with it.
    words : tuple of str
        Its words, as the model spells them.
    apart : bool
        Whether its words must be apart, rather than together.
    topic : str or None
        The id of its topic; None for words apart.
    lost : float
        What it costs, in nats: the mean log P(document) of the tree learned without it, less that of
        the tree learned with it, both before the last EM. Below 0, the tree is better with it.
    documents : int
        How many documents have two or more of its words; of a seed that is made of others, words of
        two or more of these.
    by_chance : float
        How many would have them if each were in as many documents, but regardless of the others.
    against : str
        Why the documents say that it does not hold; empty if they do not say so.
    """

    title: str | None
    words: tuple[str, ...]
    apart: bool
    topic: str | None
    lost: float
    documents: int
    by_chance: float
    against: str

    @property
    def name(self) -> str:
        """The title, or the first words."""
        return self.title or ", ".join(self.words[:3])

    def __str__(self) -> str:
        where = "apart" if self.apart else self.topic
        lost = round(self.lost, 3)
        cost = f"costs {lost:.3f}" if lost >= 0 else f"gains {-lost:.3f}"
        documents = counted(self.documents, "document")
        against = f" - {self.against}" if self.against else ""
        return (
            f"{where} {self.name}: {cost} of log-likelihood per document; its words meet in "
            f"{documents}, by chance in {self.by_chance:,.0f}{against}"
        )

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {**self._asdict(), "words": list(self.words)}

    @classmethod
    def read(cls, entry: dict[str, Any]) -> SeedReport:
        """From a file; raises KeyError or TypeError if it is damaged."""
        return cls(**{**entry, "words": tuple(entry["words"])})


def seed_topics(tree: LatentTree, seeds: Sequence[Seed]) -> list[str | None]:
    """The topic of each seed, by its id; None for words apart.

    It is the lowest topic above all words of the seed; or, if that is of level 1, the one above it,
    unless words of another seed are below that.
    """
    number = {word: k for k, word in enumerate(tree.words)}
    above = {w: _above(tree, number[w]) for seed in seeds for w in seed.words}
    seeded = {word for seed in seeds if not seed.apart for word in seed.words}
    found: list[str | None] = []
    for seed in seeds:
        if seed.apart:
            found.append(None)
            continue
        foreign = {topic for word in seeded.difference(seed.words) for topic in above[word]}
        shared = [t for t in above[seed.words[0]] if all(t in above[w] for w in seed.words)]
        topic, *higher = shared
        if higher and tree.level[topic] < SEED_LEVEL and higher[0] not in foreign:
            topic = higher[0]
        found.append(tree.names[topic])
    return found


def _above(tree: LatentTree, word: int) -> list[int]:
    """The topics above a word, the lowest first."""
    found = [topic_above(tree, word)]
    while (node := topic_above(tree, found[-1])) >= 0:
        found.append(node)
    return found


def report_seeds(
    tree: LatentTree, documents: Documents, seeds: Sequence[Seed], lost: Sequence[float]
) -> list[SeedReport]:
    """A report per seed, with its topic and what it costs, from the documents learned from."""
    if not seeds:
        return []
    names = sorted({word for seed in seeds for part in seed.parts for word in part})
    number = {word: k for k, word in enumerate(names)}
    column = {word: k for k, word in enumerate(tree.words)}
    chosen = take_words(documents, np.array([column[name] for name in names]))
    columns = chosen.to_csr(bool).tocsc()
    share = chosen.document_frequency / len(documents)
    noise = _NOISE * abs(float(tree.log_likelihood(documents).mean()))
    noise *= max(1.0, _FEW / len(documents))
    reports = []
    for seed, topic, cost in zip(seeds, seed_topics(tree, seeds), lost, strict=True):
        parts = [[number[word] for word in part] for part in seed.parts]
        has = [columns[:, part].max(axis=1).toarray() for part in parts]
        met, by_chance = meetings(np.column_stack(has))
        reasons = []
        confirmed = not seed.apart and met > _OFTEN * by_chance
        entropy = _entropy(share[np.concatenate(parts)])
        if cost > max(noise, (_VERY_MUCH if confirmed else _MUCH) * entropy):
            reasons.append("the tree is much better without it")
        if not seed.apart and met < by_chance:
            reasons.append("its words meet less often than by chance")
        against = ", and ".join(reasons)
        reports.append(
            SeedReport(seed.title, seed.words, seed.apart, topic, cost, met, by_chance, against)
        )
    return reports


def warn_of_doubts(reports: Sequence[SeedReport]) -> None:
    """Warn the caller's caller if the documents say that seeds do not hold."""
    doubtful = [f"{seed.name}: {seed.against}" for seed in reports if seed.against]
    if doubtful:
        more = "; ..." if len(doubtful) > _MOST_NAMED else ""
        warnings.warn(
            f"the documents speak against {len(doubtful)} of {len(reports)} seeds: "
            f"{'; '.join(doubtful[:_MOST_NAMED])}{more}",
            stacklevel=3,
        )


def meetings(has: Bools) -> tuple[int, float]:
    """In how many rows two or more columns are true, and would be if columns were independent."""
    none, one = 1.0, 0.0
    for share in has.mean(axis=0).tolist():
        none, one = none * (1.0 - share), one * (1.0 - share) + none * share
    return int((has.sum(axis=1) >= 2).sum()), len(has) * (1.0 - none - one)


def _entropy(share: Floats) -> float:
    """The entropies of binary variables, summed up."""
    p = np.clip(share, 1e-12, 1.0 - 1e-12)
    return float((-p * np.log(p) - (1.0 - p) * np.log1p(-p)).sum())

"""Reports on seeds: the topic of each, and what the documents say against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.special import pdtr

from hlta._support.messages import plural, warn
from hlta.documents.writer import take_words
from hlta.learning.seeds import SEED_LEVEL
from hlta.tree.reshaping import topics_over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Bools
    from hlta.documents.matrix import Documents
    from hlta.seeds.given import Seed
    from hlta.tree.latent_tree import LatentTree

_SELDOM: Final = 0.2  # a seed is doubtful if samples put its words together less than this
_MOSTLY: Final = 0.5  # words apart are doubtful if samples put them together more than this
_RARELY: Final = 0.05  # so rarely, a number of documents is as low by chance
_MOST_NAMED: Final = 3  # seeds in a warning, at most


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
    together : float or None
        How often, and how closely, its words are together in trees that were learned from samples of
        the documents without seeds: the mean over pairs of words. It is 1 if all share their island, and
        so all topics, in all of these trees, and 0 if they never share a topic. None in files of earlier
        versions.
    documents : int
        How many documents have two or more of its words; for a seed that is made of others, words of
        two or more of these.
    by_chance : float
        How many documents would, if its words, or its seeds, were as frequent but independent.
    against : str
        What speaks against the seed in the documents; empty if nothing does.
    """

    title: str | None
    words: tuple[str, ...]
    apart: bool
    topic: str | None
    together: float | None
    documents: int
    by_chance: float
    against: str

    @property
    def name(self) -> str:
        """The title, or the first words."""
        return self.title or ", ".join(self.words[:3])

    def __str__(self) -> str:
        where = "apart" if self.apart else self.topic
        together = "" if self.together is None else f"together {self.together:.2f} in samples; "
        documents = plural(self.documents, "document")
        chance = f"{self.by_chance:,.0f}" if self.by_chance >= 10 else f"{self.by_chance:.2g}"
        against = f" - {self.against}" if self.against else ""
        return (
            f"{where} {self.name}: {together}its words meet in {documents}, "
            f"by chance in {chance}{against}"
        )

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {**self._asdict(), "words": list(self.words)}

    @classmethod
    def read(cls, entry: dict[str, Any]) -> SeedReport:
        """Read a report from a file; raises KeyError or TypeError if it is damaged."""
        held = {"together": None} | entry | {"words": tuple(entry["words"])}
        held.pop("lost", None)  # in older files
        return cls(**held)


def seed_topics(tree: LatentTree, seeds: Sequence[Seed]) -> list[str | None]:
    """The topic of each seed, by its id; None for words apart.

    It is the lowest topic above all words of the seed; or, if that is of level 1, the one above it,
    unless words of another seed are below that.
    """
    number = {word: k for k, word in enumerate(tree.words)}
    above = {w: topics_over(tree, number[w]) for seed in seeds for w in seed.words}
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


def report_seeds(
    tree: LatentTree, documents: Documents, seeds: Sequence[Seed], together: Sequence[float]
) -> list[SeedReport]:
    """A report per seed; `together` is how much samples put the words of each together."""
    if not seeds:
        return []
    names = sorted({word for seed in seeds for part in seed.parts for word in part})
    number = {word: k for k, word in enumerate(names)}
    column = {word: k for k, word in enumerate(tree.words)}
    chosen = take_words(documents, np.array([column[name] for name in names]))
    columns = chosen.to_csr(bool).tocsc()
    reports = []
    for seed, topic, share in zip(seeds, seed_topics(tree, seeds), together, strict=True):
        parts = [[number[word] for word in part] for part in seed.parts]
        has = [columns[:, part].max(axis=1).toarray() for part in parts]
        met, by_chance = meetings(np.column_stack(has))
        reasons = []
        if seed.apart and share > _MOSTLY:
            reasons.append("samples mostly put its words together")
        # Words of a seed of seeds need to share only topics above those of its seeds.
        if not seed.apart and not seed.has_seeds and share < _SELDOM:
            reasons.append("samples seldom put its words together")
        if not seed.apart and pdtr(met, by_chance) < _RARELY:
            reasons.append("its words meet significantly less often than by chance")
        against = ", and ".join(reasons)
        reports.append(
            SeedReport(seed.title, seed.words, seed.apart, topic, share, met, by_chance, against)
        )
    return reports


def warn_of_doubts(reports: Sequence[SeedReport]) -> None:
    """Warn of seeds that the documents speak against."""
    doubtful = [f"{seed.name}: {seed.against}" for seed in reports if seed.against]
    if doubtful:
        more = "; ..." if len(doubtful) > _MOST_NAMED else ""
        warn(
            f"the documents speak against {len(doubtful)} of {len(reports)} seeds: "
            f"{'; '.join(doubtful[:_MOST_NAMED])}{more}"
        )


def meetings(has: Bools) -> tuple[int, float]:
    """The number of rows with two or more true columns, and that expected of independent columns."""
    none, one = 1.0, 0.0
    for share in has.mean(axis=0).tolist():
        none, one = none * (1.0 - share), one * (1.0 - share) + none * share
    return int((has.sum(axis=1) >= 2).sum()), len(has) * (1.0 - none - one)

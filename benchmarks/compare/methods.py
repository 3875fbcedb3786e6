"""HLTA and the methods that it is compared with, and what each needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.compare import mixtures, trees

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.compare.corpora import Split
    from benchmarks.compare.learned import Learned

# About as many topics as HLTA finds: the number that other methods are asked for.
HLTA_TOPICS = {"nips-1k": 130, "nips-5k": 420, "news-1k": 130, "news-5k": 470, "arxiv-10k": 430}


@dataclass(frozen=True)
class Method:
    """How to run a method, and what it needs.

    Attributes
    ----------
    run
        Takes the documents, the number of topics to find, and a seed.
    label
        Its name in the tables.
    package
        The package that must be installed besides hlta; None if there is none.
    least
        Below this number of documents it is not run, as in the paper.
    asked
        Whether it is told how many topics to find.
    """

    run: Callable[[Split, int, int], Learned]
    label: str
    package: str | None = None
    least: int = 0
    asked: bool = True


METHODS = {
    "hlta": Method(trees.hlta_once, "hlta, `samples=1`", asked=False),
    "hlta-default": Method(trees.hlta_default, "hlta", asked=False),
    "hlta-states": Method(trees.hlta_states, 'hlta, `states="auto"`', asked=False),
    "hlta-batch": Method(trees.hlta_batch, "HLTA-batch", asked=False),
    "hlta-step": Method(trees.hlta_step, "HLTA-step", least=10_001, asked=False),
    "ncrp-bin": Method(mixtures.ncrp, "nCRP-bin", "tomotopy", asked=False),
    "corex": Method(trees.corex, "CorEx", "corextopic"),
    "lda-sklearn-bin": Method(mixtures.lda_sklearn, "LDA, scikit-learn"),
    "lda-tomotopy-bin": Method(mixtures.lda_tomotopy, "LDA, tomotopy", "tomotopy"),
    "independent": Method(trees.independent, "independent words", asked=False),
}

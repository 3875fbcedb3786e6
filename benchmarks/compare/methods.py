"""HLTA and its rivals, and what each needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.compare import mixtures, trees

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.compare.corpora import Split
    from benchmarks.compare.learned import Learned

# About as many as HLTA finds; what others are asked for.
HLTA_TOPICS = {"nips-1k": 130, "nips-5k": 420, "news-1k": 130, "news-5k": 470, "arxiv-10k": 430}


@dataclass(frozen=True)
class Method:
    """How to run it, and what it needs.

    label     as in the tables
    package   what must be installed, besides hlta
    least     documents below which it is not run, as in the paper
    bow       whether it learns from counts
    asked     whether it is told how many topics to find
    edition   raised when it is run in another way: cells of an earlier one are computed anew
    """

    run: Callable[[Split, int, int], Learned]
    label: str
    package: str | None = None
    least: int = 0
    bow: bool = False
    asked: bool = True
    edition: int = 1


METHODS = {
    "hlta": Method(trees.hlta_default, "hlta, its defaults", asked=False),
    "hlta-batch": Method(trees.hlta_batch, "HLTA-batch", asked=False),
    "hlta-step": Method(trees.hlta_step, "HLTA-step", least=10_001, asked=False),
    "ncrp-bin": Method(mixtures.ncrp, "nCRP-bin", "tomotopy", asked=False),
    "nhdp-bin": Method(mixtures.nhdp, "nHDP-bin", edition=2),
    "hpam-bin": Method(mixtures.hpam, "hPAM-bin", "tomotopy"),
    "corex": Method(trees.corex, "CorEx", "corextopic"),
    "lda-sklearn-bin": Method(mixtures.lda_sklearn, "LDA, scikit-learn"),
    "lda-tomotopy-bin": Method(mixtures.lda_tomotopy, "LDA, tomotopy", "tomotopy"),
    "ncrp-bow": Method(mixtures.ncrp, "nCRP-bow", "tomotopy", bow=True, asked=False),
    "nhdp-bow": Method(mixtures.nhdp, "nHDP-bow", bow=True, edition=2),
    "hpam-bow": Method(mixtures.hpam, "hPAM-bow", "tomotopy", bow=True),
    "lda-sklearn-bow": Method(mixtures.lda_sklearn, "LDA, scikit-learn, bow", bow=True),
    "lda-tomotopy-bow": Method(mixtures.lda_tomotopy, "LDA, tomotopy, bow", "tomotopy", bow=True),
    "independent": Method(trees.independent, "independent words", asked=False),
}

"""What a method learned: topics as lists of words, and what predicts words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hlta.evaluate.word_lists import WordList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from benchmarks.compare.predictors import Predictor

WORDS = 10
_LIVE = 0.1  # of an equal share of the words


@dataclass
class Learned:
    """Topics, and a predictor.

    dead  topics that hardly any word is on; they are not among the others
    """

    predict: Predictor
    topics: list[WordList] = field(default_factory=list)
    dead: int = 0


def live(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which topics have a tenth or more of an equal share of the words.

    What is left of the others is where their learning began, or the prior. They are nothing that
    a reader of topics would be shown, and nothing to hold against a method.
    """
    found: NDArray[np.bool_] = shares >= _LIVE * shares.sum() / len(shares)
    return found


def lists(phi: NDArray[np.float64], words: Sequence[str], levels: Sequence[int]) -> list[WordList]:
    """The likeliest words of each topic."""
    best = np.argsort(-phi, axis=1, kind="stable")[:, :WORDS]
    return [
        WordList([words[k] for k in row], level) for row, level in zip(best, levels, strict=True)
    ]


def of_topics(
    predict: Predictor,
    phi: NDArray[np.float64],
    shares: NDArray[np.float64],
    words: Sequence[str],
    levels: Sequence[int],
) -> Learned:
    """Those topics that are alive."""
    alive = live(shares)
    kept = [level for level, yes in zip(levels, alive.tolist(), strict=True) if yes]
    return Learned(predict, lists(phi[alive], words, kept), dead=int((~alive).sum()))

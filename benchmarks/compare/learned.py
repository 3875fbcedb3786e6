"""What a method learned: topics as lists of words, and a predictor of words."""

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
_LIVE = 0.1  # times an equal share of the words


@dataclass
class Learned:
    """A predictor and topics.

    Attributes
    ----------
    predict
        Predicts the words of a document of which half are given.
    topics
        The live topics.
    dead
        The number of topics to which hardly any word is assigned; they are not in `topics`.
    """

    predict: Predictor
    topics: list[WordList] = field(default_factory=list)
    dead: int = 0


def live(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which topics have at least a tenth of an equal share of the words.

    The others are still at their starting point or at the prior. A reader of topics would not be
    shown them, so a method should not be judged by them.
    """
    found: NDArray[np.bool_] = shares >= _LIVE * shares.sum() / len(shares)
    return found


def lists(phi: NDArray[np.float64], words: Sequence[str], levels: Sequence[int]) -> list[WordList]:
    """The most probable words of each topic."""
    best = np.argsort(-phi, axis=1, kind="stable")[:, :WORDS]
    return [
        WordList([words[k] for k in row], level) for row, level in zip(best, levels, strict=True)
    ]


def of_topics(
    predict: Predictor,
    phi: NDArray[np.float64],
    shares: NDArray[np.float64],
    words: Sequence[str],
) -> Learned:
    """Keep the live topics, and count the dead ones."""
    alive = live(shares)
    kept = lists(phi[alive], words, [1] * int(alive.sum()))
    return Learned(predict, kept, dead=int((~alive).sum()))

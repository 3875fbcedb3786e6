"""The corpora of the comparison, split into what is learned from and what is held out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from benchmarks.learning import SHARED, read

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("nips-1k", "nips-5k", "news-1k", "news-5k", "arxiv-10k")


class Split(NamedTuple):
    """Binary documents by words."""

    train: sparse.csr_array
    test: sparse.csr_array
    words: list[str]


def split(name: str, seed: int, *, quick: bool = False) -> Split:
    """Four fifths and a fifth: seed 0 as in the files, others drawn anew; quick: 400 documents."""
    data = read(name)
    train, test = data.train, data.test
    if seed:
        pooled = sparse.csr_array(sparse.vstack([train, test]))
        order = np.random.default_rng(seed).permutation(pooled.shape[0])
        held = test.shape[0]
        train, test = pooled[np.sort(order[held:])], pooled[np.sort(order[:held])]
    if quick:
        train, test = train[:400], test[:100]
    return Split(sparse.csr_array(train), sparse.csr_array(test), data.words)


def vectors() -> Path | None:
    """The Google News vectors, if they are there."""
    path = SHARED / "googlenews-26k.bin.xz"
    return path if path.exists() else None

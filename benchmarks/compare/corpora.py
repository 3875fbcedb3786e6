"""The corpora of the comparison, split into what is learned from and what is held out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from benchmarks.compare.counts import counted
from benchmarks.learning import SHARED, read

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("nips-1k", "nips-5k", "news-1k", "news-5k", "arxiv-10k")


class Split(NamedTuple):
    """Documents by words."""

    name: str
    train: sparse.csr_array
    test: sparse.csr_array
    words: list[str]


def split(name: str, seed: int, *, quick: bool = False) -> Split:
    """Four fifths and a fifth: seed 0 as in the files, others drawn anew; quick: 400 documents."""
    data = read(name)
    return _drawn(Split(name, data.train, data.test, data.words), seed, quick=quick)


def _drawn(data: Split, seed: int, *, quick: bool) -> Split:
    train, test = data.train, data.test
    if seed:
        pooled = sparse.csr_array(sparse.vstack([train, test]))
        order = np.random.default_rng(seed).permutation(pooled.shape[0])
        held = test.shape[0]
        train, test = pooled[np.sort(order[held:])], pooled[np.sort(order[:held])]
    if quick:
        train, test = train[:400], test[:100]
    return data._replace(train=sparse.csr_array(train), test=sparse.csr_array(test))


def with_counts(name: str, seed: int, *, quick: bool = False) -> Split:
    """The same split with counts in what is learned from; what is held out stays binary."""
    data = read(name)
    parts = Split(
        name,
        counted(name, "train", data.train, data.words),
        counted(name, "test", data.test, data.words),
        data.words,
    )
    whole = split(name, seed, quick=quick)
    return whole._replace(train=_drawn(parts, seed, quick=quick).train)


def vectors() -> Path | None:
    """The Google News vectors, if they are there."""
    path = SHARED / "googlenews-26k.bin.xz"
    return path if path.exists() else None

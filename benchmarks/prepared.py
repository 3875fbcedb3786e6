"""The prepared corpora: NIPS, 20 Newsgroups and arXiv, which do not come with the repository.

They are looked for in `shared/data` beside the repository, or in `data` below the folder that the
environment variable HLTA_SHARED names. Benchmarks that need them say so if they are not there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

import hlta

_SHARED = Path(os.environ.get("HLTA_SHARED", Path(__file__).parents[2] / "shared"))
DATA = _SHARED / "data"
BASELINE = _SHARED / "baseline"  # models of the authors' program
DEMO = Path(hlta.__file__).parent / "data" / "arxiv.tsv.xz"  # abstracts with categories
ABSTRACTS = DATA / "arxiv-50k.tsv.xz"  # further ones
MATRICES = ("nips-1k", "nips-5k", "news-1k", "news-5k")
ARXIV = "arxiv-10k"
_ARXIV_HELD_OUT = 20_000


class Matrices(NamedTuple):
    """A corpus, split: binary matrices of documents by words, and the names of the words."""

    train: sparse.csr_array
    test: sparse.csr_array
    words: list[str]


def read(name: str) -> Matrices:
    """One of `MATRICES`, split as in its files, or `ARXIV`, split at random."""
    folder = DATA / name
    words = (folder / "vocab.txt").read_text(encoding="utf-8").split()
    if name == ARXIV:
        documents = sparse.csr_array(sparse.load_npz(folder / "docs.npz"))
        order = np.random.default_rng(0).permutation(documents.shape[0])
        held_out, kept = order[:_ARXIV_HELD_OUT], order[_ARXIV_HELD_OUT:]
        return Matrices(documents[np.sort(kept)], documents[np.sort(held_out)], words)
    train, test = (
        sparse.csr_array(sparse.load_npz(folder / f"{part}.npz")) for part in ("train", "test")
    )
    return Matrices(train, test, words)


def require() -> None:
    """Exit with a message unless the prepared corpora are there."""
    if not DATA.exists():
        sys.exit(f"The prepared corpora are missing: there is no folder {DATA}; set HLTA_SHARED")

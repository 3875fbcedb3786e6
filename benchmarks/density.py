"""Test log-likelihood with two states and with more, on sets for which others published figures.

    python -m benchmarks.density [--sets c20ng cr52 ad nips-1k nips-5k news-1k news-5k arxiv-10k]

The first three sets, the default, are those on which tractable density models are compared: 0/1
matrices without words, split into training, validation and test documents since 2010. The others are
the prepared corpora. Each is fitted with two states per latent variable and with `states="auto"`,
the structure from all training documents (for arXiv, from a sample) and every other parameter at its
default; the validation documents are not used. The tables show log-likelihoods in nats per test
document, wall seconds of the fit, parameters and states, and the published figures.
"""

from __future__ import annotations

import argparse
import gzip
import time
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse

from benchmarks import prepared
from benchmarks.prepared import ARXIV, DATA, MATRICES
from hlta import HLTA

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PUBLIC: Final = ("c20ng", "cr52", "ad")
SETS: Final = (*PUBLIC, *MATRICES, ARXIV)
PUBLISHED: Final = {
    "independent words": (-172.39, -108.11, -63.81),
    "LearnSPN, 2013": (-155.93, -85.07, -19.73),
    "ID-SPN, 2014": (-151.47, -83.35, -19.00),
    "RAT-SPN, 2019": (-152.06, -87.37, -48.47),
    "EiNet, 2020": (-153.94, -87.37, -26.27),
    "HCLT, regularised, 2021 (median of 5)": (-151.71, -84.28, -16.04),
    "continuous mixtures of trees, 2023": (-148.28, -81.31, -14.42),
}


def split(name: str) -> tuple[csr_array, csr_array]:
    """The training and test documents of a set."""
    if name in PUBLIC:
        return read(name, "ts"), read(name, "test")
    data = prepared.read(name)
    return data.train, data.test


def read(name: str, part: str) -> csr_array:
    """One part of a public set: "ts" for training, "valid" or "test"."""
    with gzip.open(DATA / "density" / f"{name}.{part}.data.gz", "rt", encoding="ascii") as lines:
        return sparse.csr_array(np.loadtxt(lines, delimiter=",", dtype=np.int8))


def row(name: str, states: int | str) -> str:
    """Fit, score and show one model."""
    train, test = split(name)
    HLTA(samples=2).fit(train[:200])  # compiles the kernels
    sample = HLTA().structure_sample if name == ARXIV else None
    start = time.perf_counter()
    model = HLTA(states=states, structure_sample=sample).fit(train)
    spent = time.perf_counter() - start
    tree, states_of = model.tree_, model.tree_.parameters.states
    return (
        f"| {name} | {states} | {model.score(test):.2f} | {spent:.1f} | {tree.n_parameters:,} "
        f"| {states_of.min()} to {states_of.max()} |"
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", nargs="+", choices=SETS, default=PUBLIC, metavar="SET")
    chosen = parser.parse_args()
    prepared.require()
    print("| set | `states` | test log-likelihood | fit, s | parameters | states per latent |")
    print("|---|---|---|---|---|---|")
    for name in chosen.sets:
        for states in (2, "auto"):
            print(row(name, states), flush=True)
    print(f"\n| published | {' | '.join(PUBLIC)} |\n|---|{'---|' * len(PUBLIC)}")
    for method, figures in PUBLISHED.items():
        print(f"| {method} | {' | '.join(f'{figure:.2f}' for figure in figures)} |")


if __name__ == "__main__":
    main()

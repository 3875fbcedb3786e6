"""The map of the documents: how long it takes, as a ratio to the fit, and how well it keeps groups.

    python -m benchmarks.map [--documents 2000 20000 200000] [--groups FILE]

A model is fitted to documents sampled from a planted tree, and more such documents are laid out by
their shares. "purity" is the share of the 10 nearest documents that are of the same group (of a root
topic, for sampled documents), in topic space and on the map; "trust" is trustworthiness, from 0 to 1:
whether those that are neighbours on the map are neighbours in topic space, too. --groups takes a
prepared corpus with groups, as `Corpus.save` writes it, and fits and lays out that one as well.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta import HLTA, Corpus
from hlta.explorer.layout.document_map import document_places
from hlta.explorer.page_data import as_shares, select_page_documents
from hlta.options import IN_PART
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

WORDS = 600
FITTED = 5000
NEAREST = 10
ASKED = 1000  # documents whose neighbours are looked at
KNOWN = 5000  # documents among which trustworthiness is computed


class Kept(NamedTuple):
    """What the map keeps of the neighbours in topic space."""

    chance: float
    in_topics: float
    on_map: float
    trust: float


def nearest(points: NDArray[np.float64], asked: NDArray[np.intp]) -> NDArray[np.intp]:
    """The nearest others of the points that are asked about: (asked, NEAREST)."""
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=NEAREST + 1, algorithm="brute").fit(points)
    found: NDArray[np.intp] = search.kneighbors(points[asked], return_distance=False)[:, 1:]
    return found


def what_is_kept(shares: csr_array, place: NDArray[np.float64], group: NDArray[np.intp]) -> Kept:
    """Purity in topic space and on the map, and trustworthiness, over documents on topics."""
    from sklearn.manifold import trustworthiness

    on = np.flatnonzero((shares >= IN_PART).sum(axis=1) > 0)
    on = np.random.default_rng(0).permutation(on)[:KNOWN]
    asked, group = np.arange(min(ASKED, len(on))), group[on]
    topics, there = shares[on].toarray(), place[on]
    in_topics, on_map = (
        float((group[nearest(points, asked)] == group[asked, None]).mean())
        for points in (topics, there)
    )
    chance = float(((np.bincount(group) / len(group)) ** 2).sum())
    trust = float(trustworthiness(topics, there, n_neighbors=NEAREST))
    return Kept(chance, in_topics, on_map, trust)


def laid_out(
    model: HLTA, corpus: Corpus, group: NDArray[np.intp] | None, name: str, fit: float
) -> None:
    """Print a row of the table."""
    shares = as_shares(select_page_documents(model.tree_, model.topics_, corpus, None, None).shares)
    if group is None:
        roots = [k for k, topic in enumerate(model.topics_) if topic.parent is None]
        group = np.asarray(shares[:, roots].toarray().argmax(axis=1))
    document_places(shares[:100], None)  # compiles
    begin = time.perf_counter()
    place = document_places(shares, None)
    seconds = time.perf_counter() - begin
    kept = what_is_kept(shares, place, group)
    print(
        f"{name:>12} {shares.shape[0]:>9,} {seconds:>7.1f} {seconds / fit:>7.2f} {kept.chance:>7.2f} "
        f"{kept.in_topics:>7.2f} {kept.on_map:>7.2f} {kept.trust:>7.2f}",
        flush=True,
    )


def fitted(model: HLTA, corpus: Corpus) -> float:
    """Seconds of a fit."""
    begin = time.perf_counter()
    model.fit(corpus)
    return time.perf_counter() - begin


def main() -> None:
    """Fit, lay out, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, nargs="*", default=[2000, 20_000, 200_000])
    parser.add_argument("--groups", metavar="FILE")
    chosen = parser.parse_args()
    print(f"{'':>12} {'documents':>9} {'seconds':>7} {'of fit':>7} {'chance':>7} ", end="")
    print(f"{'topics':>7} {'map':>7} {'trust':>7}")
    if chosen.documents:
        tree, model = planted(WORDS), HLTA()
        seconds = fitted(model, Corpus(tree.sample(FITTED, seed=1), tree.words))
        for documents in chosen.documents:
            laid_out(
                model, Corpus(tree.sample(documents, seed=2), tree.words), None, "planted", seconds
            )
    if chosen.groups:
        corpus, model = Corpus.load(chosen.groups), HLTA()
        group = np.unique(list(corpus.groups or ()), return_inverse=True)[1]
        laid_out(model, corpus, group, "groups", fitted(model, corpus))


if __name__ == "__main__":
    main()

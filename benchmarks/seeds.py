"""What seeds cost that hold, and seeds that do not, where the truth is known.

    python -m benchmarks.seeds [--trees 6] [--words 150] [--documents 2000]

Documents are sampled from planted trees. Each kind of seed is drawn four times per tree, and learned
by itself; a row holds the mean of what it costs and its range, in nats per document, in how many times
as many documents as by chance its words meet, and how many seeds the documents are said to speak
against.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta import HLTA
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hlta import LatentTree
    from hlta.estimator.seed_reports import SeedReport

DRAWS: Final = 4
SAMPLES: Final = 20


def topics_at(tree: LatentTree, level: int) -> list[NDArray[np.intp]]:
    """The words below each topic of a level."""
    above = tree.parent[: tree.n_words].astype(np.intp)
    for _ in range(level - 1):
        above = tree.parent[above].astype(np.intp)
    return [np.flatnonzero(above == topic) for topic in np.unique(above)]


def drawn(tree: LatentTree, rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Seeds by what they are, as parameters of `HLTA`."""
    islands, groups = topics_at(tree, 1), topics_at(tree, 2)
    for _ in range(DRAWS):
        island = rng.permutation(islands[rng.integers(len(islands))])
        group = rng.permutation(groups[rng.integers(len(groups))])
        yield "together: all words of a planted topic of level 1", {"seeds": [island]}
        yield "together: two words of a planted topic of level 1", {"seeds": [island[:2]]}
        yield "together: five words of a planted topic of level 2", {"seeds": [group[:5]]}
        yield "apart: two words of a planted topic of level 1", {"apart": [island[:2]]}
        for count, name in ((2, "two"), (3, "three"), (5, "five")):
            others = rng.choice(len(islands), count, replace=False)
            words = [rng.choice(islands[k]) for k in others]
            yield f"together: {name} words of as many topics", {"seeds": [words]}
        yield "apart: two words of two topics", {"apart": [words[:2]]}


def learned(tree: LatentTree, X: Any, wanted: dict[str, Any]) -> SeedReport:
    """The report on a seed."""
    named: dict[str, Any] = {
        k: [[tree.words[w] for w in words] for words in v] for k, v in wanted.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return HLTA(samples=SAMPLES, em_steps=1, **named).fit(X, words=tree.words).seeds_[0]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, count in (("--trees", 6), ("--words", 150), ("--documents", 2000)):
        parser.add_argument(name, type=int, default=count)
    chosen = parser.parse_args()
    found = defaultdict[str, list["SeedReport"]](list)
    for seed in range(chosen.trees):
        tree = planted(chosen.words, seed)
        X = tree.sample(chosen.documents, seed=seed)
        for kind, wanted in drawn(tree, np.random.default_rng(seed)):
            found[kind].append(learned(tree, X, wanted))
    print("| words wanted | nats per document | range | met / by chance | said not to hold |")
    print("|---|---|---|---|---|")
    for kind, reports in found.items():
        lost = np.array([report.lost for report in reports])
        lift = np.median([report.documents / report.by_chance for report in reports])
        against = sum(bool(report.against) for report in reports)
        print(
            f"| {kind} | {lost.mean():.3f} | {lost.min():.3f} to {lost.max():.3f} | {lift:.1f} "
            f"| {against} of {len(reports)} |"
        )


if __name__ == "__main__":
    main()

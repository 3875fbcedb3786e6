"""What each part of refinement gives: `python -m benchmarks.ablation [--splits 3]`.

Learned from four fifths of the training documents and scored on the last fifth, for several such
splits: the test documents are for reporting alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import NamedTuple

import numpy as np

from benchmarks.learning import SHARED, read
from hlta import TopicTree
from hlta.corpus.documents import Documents, as_documents
from hlta.evaluate.coherence import topic_coherence
from hlta.model.learning import SHRINKAGE, batch_em
from hlta.monitor import Monitor
from hlta.options import StructureOptions
from hlta.structure.levels import learn_structure
from hlta.structure.refine import Plan, refine_structure
from hlta.topics.states import order_states

OPTIONS = StructureOptions(structure_sample=None)


class Variant(NamedTuple):
    label: str
    plan: Plan | None
    shrinkage: float = SHRINKAGE


VARIANTS = (
    Variant("the paper's, maximum likelihood but for 0.1 documents", None, 0.0),
    Variant("and words shrink to their frequency at large", None),
    Variant("free moves", Plan(free=3, fair=0, renew=False)),
    Variant("fair moves", Plan(free=0, fair=4, renew=False)),
    Variant("free, then fair moves", Plan(free=1, fair=2, renew=False)),
    Variant("upper levels anew, no moves", Plan(free=0, fair=0)),
    Variant("upper levels anew, free moves", Plan(free=2, fair=0)),
    Variant("all of it (the default)", Plan()),
    Variant("all of it, no shrinkage", Plan(), 0.0),
    Variant("all of it, more rounds", Plan(free=2, fair=4)),
)


def parts(documents: Documents, split: int) -> tuple[Documents, Documents]:
    order = np.random.default_rng(99 + split).permutation(len(documents))
    held = len(order) // 5
    return documents.take(np.sort(order[held:])), documents.take(np.sort(order[:held]))


def measure(name: str, splits: int) -> None:
    data = read(name)
    rows: dict[str, list[tuple[float, float, int, float]]] = {v.label: [] for v in VARIANTS}
    for split in range(splits):
        learned, held = parts(as_documents(data.train), split)
        start = time.perf_counter()
        built = learn_structure(learned, data.words, OPTIONS, monitor=Monitor())
        building = time.perf_counter() - start
        for variant in VARIANTS:
            start = time.perf_counter()
            tree = built
            if variant.plan is not None:
                tree = refine_structure(
                    tree, learned, OPTIONS, plan=variant.plan, monitor=Monitor()
                )
            tree = order_states(batch_em(tree, learned, shrinkage=variant.shrinkage).tree)
            seconds = building + time.perf_counter() - start
            score = float(tree.log_likelihood(held).mean())
            found = topic_coherence(TopicTree.from_tree(tree), learned, data.words)
            scored = int(np.isfinite(found).sum())
            rows[variant.label].append((score, float(np.nanmean(found)), scored, seconds))
    print(f"\n{name}, {splits} splits: mean (standard deviation)")
    for label, values in rows.items():
        mean, spread = np.mean(values, axis=0), np.std(values, axis=0)
        gain = np.mean(np.array(values)[:, 0] - np.array(rows[VARIANTS[0].label])[:, 0])
        print(
            f"  {label:52} {mean[0]:9.2f} ({gain:+6.2f})  {mean[1]:6.2f} ({spread[1]:.2f})  "
            f"{mean[2]:4.0f} topics  {mean[3]:5.2f} s"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    chosen = parser.parse_args()
    if not SHARED.exists():
        sys.exit(f"the benchmark corpora are not at {SHARED}")
    for name in ("nips-1k", "nips-5k", "news-1k", "news-5k"):
        measure(name, chosen.splits)


if __name__ == "__main__":
    main()

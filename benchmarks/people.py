"""How well figures that are computed from word lists agree with people.

    python -m benchmarks.people FILE [--vectors VECTORS]

FILE holds topics that people judged, as Hoyle et al. (2021) published them: 300 topics of three models
on two corpora, with their words, their coherence by several measures, ratings from 1 (not related) to 3
(very related), and word intrusion, the share of people who found a word that does not belong. The output
is Spearman's rank correlation of each measure with both, over all topics of a corpus and as the mean over
the models, each with its 95% bootstrap interval over topics. Compactness is added if word vectors are
given.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata

from benchmarks.prepared import DATA
from hlta.evaluate import WordList, read_vectors, topic_compactness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MEASURES = {
    "NPMI, window of 10, documents learned from": "c_npmi_10_train",
    "NPMI, window of 10, other documents": "c_npmi_10_test",
    "C_V": "c_v_full",
    "UCI (PMI)": "c_uci_full",
    "UMass": "u_mass_full",
}
JUDGEMENTS = {"rating": "ratings_scores_avg", "intrusion": "intrusion_scores_avg"}
_DRAWS = 2000
_WORDS = 10


def correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spearman's rank correlation along the last axis."""
    ranks = [rankdata(some, axis=-1) for some in (one, other)]
    a, b = (some - some.mean(axis=-1, keepdims=True) for some in ranks)
    total = np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    return np.asarray((a * b).sum(axis=-1) / np.maximum(total, 1e-300))


def interval(values: NDArray[np.float64]) -> str:
    """The first value, with the 95% interval of the others."""
    low, high = np.quantile(values[1:], (0.025, 0.975))
    return f"{values[0]:.2f} ({low:.2f} to {high:.2f})"


def rows(models: dict[str, Any], vectors: Path | None) -> Iterator[tuple[str, list[str]]]:
    """Per measure: correlations over all topics of a corpus and within models, for each judgement."""
    topics = [topic for model in models.values() for topic in model["topics"]]
    found = {
        name: np.array([x for model in models.values() for x in model["metrics"][key]], dtype=float)
        for name, key in MEASURES.items()
    }
    if vectors is not None:
        known = read_vectors(vectors, {word for words in topics for word in words})
        lists = [WordList(words) for words in topics]
        found["compactness"] = topic_compactness(lists, known, n_words=_WORDS).scores
    of = np.repeat(np.arange(len(models)), [len(model["topics"]) for model in models.values()])
    rng = np.random.default_rng(0)
    own = [np.flatnonzero(of == k) for k in range(len(models))]
    draws = [np.stack([some, *rng.choice(some, (_DRAWS, len(some)))]) for some in own]
    for name, measure in found.items():
        cells = []
        for key in JUDGEMENTS.values():
            people = np.array([x for model in models.values() for x in model["metrics"][key]])
            whole = np.concatenate(draws, axis=1)
            usual = np.nan_to_num(measure, nan=np.nanmedian(measure))
            cells.append(interval(correlation(usual[whole], people[whole])))
            within = [correlation(usual[drawn], people[drawn]) for drawn in draws]
            cells.append(interval(np.mean(within, axis=0)))
        yield name, cells


def main() -> None:
    """Print a table per corpus."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=DATA / "human-topics.json")
    parser.add_argument("--vectors", type=Path)
    chosen = parser.parse_args()
    if not chosen.file.is_file():
        parser.error(f"{chosen.file}: there is no such file; give the judged topics")
    head = [f"{name}, {over}" for name in JUDGEMENTS for over in ("all topics", "within models")]
    for corpus, models in json.loads(chosen.file.read_text(encoding="utf-8")).items():
        print(f"| {corpus} | {' | '.join(head)} |\n{'|---' * (len(head) + 1)}|")
        for name, cells in rows(models, chosen.vectors):
            print(f"| {name} | {' | '.join(cells)} |")
        print()


if __name__ == "__main__":
    main()

"""Text in, corpus out: `python -m benchmarks.text`, against scikit-learn in the same run.

Both read 50,000 arXiv abstracts and keep 5,000 words by average TF-IDF.
"""

from __future__ import annotations

import csv
import lzma
import sys
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.inference import in_turn
from hlta import Corpus

SOURCE = Path(__file__).parents[2] / "shared" / "data" / "arxiv-50k.tsv.xz"
WORDS = 5000


def read() -> list[str]:
    with lzma.open(SOURCE, "rt", encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [f"{row[3]}\n{row[4]}" for row in rows]


def with_scikit_learn(texts: list[str]) -> sparse.csr_array:
    vectorizer = CountVectorizer(
        stop_words="english", min_df=5, max_df=0.25, token_pattern=r"(?u)\b[^\W\d_]{3,40}\b"
    )
    counts = vectorizer.fit_transform(texts)
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    total = np.asarray(counts.sum(axis=0)).ravel()
    best = np.argsort(-total * np.log(len(texts) / frequency))[:WORDS]
    return sparse.csr_array(counts[:, np.sort(best)] > 0)


def main() -> None:
    if not SOURCE.exists():
        sys.exit(f"the benchmark corpora are not at {SOURCE.parent}")
    texts = read()
    print(f"{len(texts):,} texts, {sum(map(len, texts)) / 1e6:.0f} million characters")
    timing = in_turn(
        lambda: with_scikit_learn(texts),
        lambda: Corpus.from_texts(texts, n_words=WORDS, stop_words="english", max_df=0.25),
        rounds=5,
    )
    print(
        f"scikit-learn {timing.first:.2f} s, hlta {timing.second:.2f} s: "
        f"{timing.ratio:.1f} times faster (median of pairs), {timing.best:.1f} (of the best)"
    )


if __name__ == "__main__":
    main()

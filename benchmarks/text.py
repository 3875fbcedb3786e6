"""From texts to a corpus, against scikit-learn's `CountVectorizer` in the same run.

    python -m benchmarks.text [--memory]

Both take the same texts and keep 5,000 words by average TF-IDF: first from texts in memory, then
from files through hlta's reader. The ratios say how many times faster hlta is. With `--memory` it
prints instead the peak memory of a process that reads the arXiv records 1 to 16 times over.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks import prepared
from benchmarks.prepared import ABSTRACTS, DATA
from benchmarks.timing import in_turn
from hlta import Corpus
from hlta.reading.records import ReadOptions
from hlta.reading.sources import read_documents

WORDS = 5000
MIN_DF, MAX_DF = 5, 0.25
_READ = """
import resource, sys
from hlta import read_corpus
corpus = read_corpus(sys.argv[1], n_words=5000)
print(len(corpus), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
"""Reads a file in a process of its own; prints its documents and the peak memory in MB."""


def sources(folder: Path) -> dict[str, Path]:
    """The inputs by their headings; the newsgroups are unpacked into `folder`."""
    with tarfile.open(DATA / "20newsgroups.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return {"50,000 arXiv records": ABSTRACTS, "20 Newsgroups, raw": folder}


def texts_of(path: Path) -> list[str]:
    """Read the texts of a file or a folder with hlta's reader."""
    return [record.text for record in read_documents(path)]


def with_scikit_learn(texts: list[str]) -> sparse.csr_array:
    """A binary matrix; words are runs of at least 3 letters, as in hlta."""
    vectorizer = CountVectorizer(
        stop_words="english",
        token_pattern=r"(?u)\b[^\W\d_]{3,40}\b",
        min_df=MIN_DF,
        max_df=MAX_DF,
    )
    counts = vectorizer.fit_transform(texts)
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    total = np.asarray(counts.sum(axis=0)).ravel()
    best = np.argsort(-total * np.log(len(texts) / frequency))[:WORDS]
    return sparse.csr_array(counts[:, np.sort(best)] > 0)


def with_hlta(texts: list[str]) -> Corpus:
    """The same with hlta."""
    return Corpus.from_texts(
        texts, n_words=WORDS, stop_words="english", min_df=MIN_DF, max_df=MAX_DF
    )


def compare(name: str, path: Path) -> None:
    """Print the times for one input, from texts and from files."""
    texts = texts_of(path)
    print(f"{name}: {len(texts):,} texts, {sum(map(len, texts)) / 1e6:.0f} million characters")
    timing = in_turn(lambda: with_scikit_learn(texts), lambda: with_hlta(texts), rounds=5)
    print(
        f"  from texts: scikit-learn {timing.first:.2f} s, hlta {timing.second:.2f} s: "
        f"{timing.ratio:.1f} times faster (median ratio), {timing.best:.1f} (shortest runs)"
    )
    timing = in_turn(
        lambda: with_scikit_learn(texts_of(path)), lambda: with_hlta(texts_of(path)), rounds=3
    )
    print(
        f"  from files, both through hlta's reader: scikit-learn {timing.first:.2f} s, "
        f"hlta {timing.second:.2f} s: {timing.ratio:.1f} times faster"
    )


def memory() -> None:
    """Print the peak memory of processes that read larger and larger files."""
    options = ReadOptions(mail="keep")
    lines = [
        json.dumps({"id": record.id, "text": record.text}).encode() + b"\n"
        for record in read_documents(ABSTRACTS, options)
    ]
    for times in (1, 2, 4, 8, 16):
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            for _ in range(times):
                file.writelines(lines)
            file.flush()
            size = Path(file.name).stat().st_size
            answer = subprocess.check_output([sys.executable, "-c", _READ, file.name])
        documents, peak = map(int, answer.split())
        print(f"{size / 1e6:,.0f} MB, {documents:,} documents: peak memory {peak:,} MB")


def main() -> None:
    """Print times, or the memory if that was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memory", action="store_true", help="peak memory as the input grows")
    arguments = parser.parse_args()
    prepared.require()
    if arguments.memory:
        memory()
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, path in sources(Path(folder)).items():
            compare(name, path)


if __name__ == "__main__":
    main()

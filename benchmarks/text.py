"""Text in, corpus out: `python -m benchmarks.text`, against scikit-learn in the same run.

Both take the same texts and keep 5,000 words by average TF-IDF. `--memory` shows what the memory
does as the input grows.
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

from benchmarks.inference import in_turn
from hlta import Corpus
from hlta.reading.records import ReadOptions
from hlta.reading.sources import read_documents

DATA = Path(__file__).parents[2] / "shared" / "data"
WORDS = 5000
BOUNDS = {"min_df": 5, "max_df": 0.25}


def sources(folder: Path) -> dict[str, Path]:
    with tarfile.open(DATA / "20newsgroups.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return {"50,000 arXiv records": DATA / "arxiv-50k.tsv.xz", "20 Newsgroups, raw": folder}


def texts_of(path: Path) -> list[str]:
    return [record.text for record in read_documents(path)]


def with_scikit_learn(texts: list[str]) -> sparse.csr_array:
    """Letters only, at least 3 of them, as ours."""
    vectorizer = CountVectorizer(
        stop_words="english", token_pattern=r"(?u)\b[^\W\d_]{3,40}\b", **BOUNDS
    )
    counts = vectorizer.fit_transform(texts)
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    total = np.asarray(counts.sum(axis=0)).ravel()
    best = np.argsort(-total * np.log(len(texts) / frequency))[:WORDS]
    return sparse.csr_array(counts[:, np.sort(best)] > 0)


def with_hlta(texts: list[str]) -> Corpus:
    return Corpus.from_texts(texts, n_words=WORDS, stop_words="english", **BOUNDS)


def compare(name: str, path: Path) -> None:
    texts = texts_of(path)
    print(f"{name}: {len(texts):,} texts, {sum(map(len, texts)) / 1e6:.0f} million characters")
    timing = in_turn(lambda: with_scikit_learn(texts), lambda: with_hlta(texts), rounds=5)
    print(
        f"  from texts: scikit-learn {timing.first:.2f} s, hlta {timing.second:.2f} s: "
        f"{timing.ratio:.1f} times faster (median of pairs), {timing.best:.1f} (of the best)"
    )
    timing = in_turn(
        lambda: with_scikit_learn(texts_of(path)), lambda: with_hlta(texts_of(path)), rounds=3
    )
    print(
        f"  from files, both through our reader: {timing.first:.2f} s, {timing.second:.2f} s: "
        f"{timing.ratio:.1f} times faster"
    )


def memory() -> None:
    """Peak memory of a process that reads a file of so many times the arXiv records."""
    code = (
        "import resource, sys; from hlta import read_corpus; "
        "c = read_corpus(sys.argv[1], n_words=5000, snippet=200); "
        "print(len(c), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    options = ReadOptions(mail="keep")
    lines = [
        json.dumps({"id": record.id, "text": record.text}).encode() + b"\n"
        for record in read_documents(DATA / "arxiv-50k.tsv.xz", options)
    ]
    for times in (1, 2, 4, 8, 16):
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            for _ in range(times):
                file.writelines(lines)
            file.flush()
            size = Path(file.name).stat().st_size
            done = subprocess.run(
                [sys.executable, "-c", code, file.name], capture_output=True, text=True, check=True
            )
        documents, peak = map(int, done.stdout.split())
        print(f"{size / 1e6:,.0f} MB, {documents:,} documents: at most {peak:,} MB of memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", action="store_true", help="peak memory as the input grows")
    arguments = parser.parse_args()
    if not DATA.exists():
        sys.exit(f"the benchmark corpora are not at {DATA}")
    if arguments.memory:
        memory()
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, path in sources(Path(folder)).items():
            compare(name, path)


if __name__ == "__main__":
    main()

"""Peak memory as the documents grow.

    python -m benchmarks.scale [--millions 1 2 4 8] [--passes 50] [--stages STAGE ...] [--keep FOLDER]
    python -m benchmarks.scale --words 30000 100000 --millions 0.6 --stages "fit, votes"

A model is learned from 50,000 abstracts of arXiv papers, with 10,000 words, and documents are drawn
from it, about 50 words each, as texts in a file and as a corpus on disk. With `--words`, they are drawn
from synthetic trees of so many words instead, 12 words each, and stages that need a model are left out.
Each stage runs in a process of its own, whose peak of anonymous memory is printed: mapped files,
temporary ones included, are in the system's page cache and do not count. 8 million documents take 12 GB
on disk, which `--keep` leaves in a folder for the next run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from itertools import pairwise, product
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchmarks import prepared
from benchmarks.prepared import ABSTRACTS
from benchmarks.synthetic import hierarchy
from benchmarks.timing import PeakMemory
from hlta import HLTA, Corpus, LatentTree, batch_em, load, read_corpus
from hlta.cli.results import main_parts
from hlta.documents.writer import DocumentsWriter
from hlta.explorer.page import explorer_page

if TYPE_CHECKING:
    from collections.abc import Callable

MILLION: Final = 1_000_000
PORTION: Final = 250_000  # documents of `N_WORDS` words that are drawn at a time
N_WORDS: Final = 10_000
SHORT: Final = 12  # words of a synthetic document
NEED_NO_MODEL: Final = ("reading", "loading", "fit", "structure")
TEXTS: Final = "texts.jsonl"
CORPUS: Final = "corpus"


def draw(tree: LatentTree, count: int, folder: Path) -> None:
    """Write documents drawn from a tree, as a file of texts and as a corpus."""
    folder.mkdir()
    writer, words = DocumentsWriter(tree.n_words), np.array(tree.words, dtype=object)
    portion = PORTION * N_WORDS // tree.n_words
    with (folder / TEXTS).open("w", encoding="utf-8") as file:
        for begin in range(0, count, portion):
            drawn = Corpus(tree.sample(min(portion, count - begin), seed=begin), tree.words)
            writer.append(drawn.documents)
            indptr, indices = drawn.documents.presences()
            found = words[indices].tolist()
            texts = (", ".join(found[first:end]) for first, end in pairwise(indptr.tolist()))
            file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
    Corpus(writer.read(), tree.words).save(folder / CORPUS)  # last: with it the folder is complete


def read(_: HLTA, folder: Path) -> None:
    """Read the texts, and save the corpus."""
    read_corpus(folder / TEXTS, n_words=N_WORDS, min_df=5).save(folder / "read")
    rmtree(folder / "read")


def structure(_: HLTA, folder: Path) -> None:
    """Learn the paper's structure from all documents; EM has no steps."""
    corpus = Corpus.load(folder / CORPUS)
    HLTA(refine=False, structure_sample=None, em="batch", em_steps=0).fit(corpus)


def assign(model: HLTA, folder: Path) -> None:
    """Make the table of all topics of all documents."""
    for _ in main_parts(model, Corpus.load(folder / CORPUS)):
        pass


def page(model: HLTA, folder: Path) -> None:
    """Write the page."""
    corpus = Corpus.load(folder / CORPUS)
    explorer_page(model.tree_, model.topics_, corpus, title="scale", most_documents=None)


def stages(passes: int) -> dict[str, Callable[[HLTA, Path], object]]:
    """The stages to measure, as functions of a model and a folder."""
    return {
        "reading": read,
        "loading": lambda _, folder: Corpus.load(folder / CORPUS),
        "fit, votes": lambda _, folder: HLTA().fit(Corpus.load(folder / CORPUS)),
        "fit, stepwise EM": lambda _, folder: HLTA(samples=1).fit(Corpus.load(folder / CORPUS)),
        "structure from all": structure,
        f"batch EM, {passes} passes": lambda model, folder: batch_em(
            model.tree_, Corpus.load(folder / CORPUS).documents, steps=passes
        ),
        "assignment": assign,
        "page": page,
    }


def watched(stage: Callable[[HLTA, Path], object], model: Path, folder: Path) -> None:
    """Run a stage; print the peak of anonymous memory in MB, and the seconds."""
    began = time.perf_counter()
    with PeakMemory() as memory:
        known: Any = load(model)  # a tree for stages that need no model
        stage(known, folder)
    print(memory.peak // 1024, round(time.perf_counter() - began))


def source(place: Path, n_words: int | None) -> Path:
    """The file of the model, or of the synthetic tree, from which documents are drawn."""
    path = place / ("model.hlta" if n_words is None else f"tree-{n_words}.hlta")
    if not path.exists() and n_words is not None:
        hierarchy(n_words, SHORT).save(path)
    elif not path.exists():
        texts = read_corpus(ABSTRACTS, n_words=N_WORDS, min_df=5, keep_texts=False)
        HLTA(samples=1).fit(texts).save(path)
    return path


def memory(
    sizes: list[tuple[float, int | None]], passes: int, chosen: list[str], place: Path
) -> None:
    """Print the table of peaks, for millions of documents and numbers of words."""
    print(
        "| documents | words | stage | peak memory | seconds |\n|---|---|---|---|---|", flush=True
    )
    for millions, n_words in sizes:
        path = source(place, n_words)
        folder = place / f"{path.stem}-{millions:g}"
        tree = HLTA.load(path).tree_ if n_words is None else LatentTree.load(path)
        if not (folder / CORPUS).exists():
            rmtree(folder, ignore_errors=True)
            draw(tree, round(millions * MILLION), folder)
        for stage in chosen:
            command = ["-m", "benchmarks.scale", "--passes", str(passes)]
            alone = ["--alone", stage, str(path), str(folder)]
            answer = subprocess.check_output([sys.executable, *command, *alone], text=True)
            peak, seconds = answer.split()
            about = f"{millions:g} million | {tree.n_words:,}"
            print(f"| {about} | {stage} | {int(peak):,} MB | {seconds} |", flush=True)


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--millions", type=float, nargs="+", default=[1, 2, 4, 8], help="documents")
    parser.add_argument("--words", type=int, nargs="+", default=[None], help="of synthetic trees")
    parser.add_argument("--passes", type=int, default=50, help="of batch EM")
    parser.add_argument("--stages", nargs="+", metavar="STAGE", help="some of them, by first words")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for what is drawn")
    parser.add_argument("--alone", nargs=3, metavar=("STAGE", "MODEL", "FOLDER"), help="for itself")
    arguments = parser.parse_args()
    every = stages(arguments.passes)
    if arguments.alone:
        stage, model, folder = arguments.alone
        watched(every[stage], Path(model), Path(folder))
        return
    synthetic = arguments.words != [None]
    if not synthetic:
        prepared.require()
    possible = [name for name in every if not synthetic or name.startswith(NEED_NO_MODEL)]
    wanted = tuple(arguments.stages or possible)
    chosen = [name for name in possible if name.startswith(wanted)]
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.keep or Path(folder)
        place.mkdir(exist_ok=True)
        memory([*product(arguments.millions, arguments.words)], arguments.passes, chosen, place)


if __name__ == "__main__":
    main()

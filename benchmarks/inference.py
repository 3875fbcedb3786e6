"""The pass over documents, measured: `python -m benchmarks.inference [--quick]`.

Everything is a ratio to something that runs in turn with it: a C++ twin of the same loop, one
thread, dense message passing in NumPy. Absolute times are printed for orientation only.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks import dense
from benchmarks.synthetic import hierarchy
from hlta._kernels import propagation as passes
from hlta.documents.matrix import as_documents
from hlta.tree.counts import Sums, Workspace, count
from hlta.tree.inference import absent_messages
from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta.documents.matrix import Documents

SHARED = Path(__file__).parents[2] / "shared"
FLAGS = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC"]


class Timing(NamedTuple):
    """Two functions run in turn: median seconds of each, median ratio a pair, ratio of the best."""

    first: float
    second: float
    ratio: float
    best: float


def in_turn(first: Callable[[], object], second: Callable[[], object], rounds: int) -> Timing:
    """Run A B A B ..., after one round that does not count."""
    first(), second()
    pairs = []
    for _ in range(rounds):
        times = []
        for function in (first, second):
            start = time.perf_counter()
            function()
            times.append(time.perf_counter() - start)
        pairs.append(times)
    ratio = statistics.median(a / b for a, b in pairs)
    firsts, seconds = zip(*pairs, strict=True)
    best = min(firsts) / min(seconds)
    return Timing(statistics.median(firsts), statistics.median(seconds), ratio, best)


def compiled_twin(folder: str) -> Callable[..., float]:
    library = Path(folder) / "twin.so"
    source = Path(__file__).with_name("twin.cpp")
    subprocess.run(["g++", *FLAGS, "-o", str(library), str(source)], check=True)
    function = ctypes.CDLL(str(library)).accumulate_counts
    function.restype = ctypes.c_double

    def as_c(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return ctypes.c_void_p(value.ctypes.data)
        return ctypes.c_bool(value) if isinstance(value, bool) else ctypes.c_int64(value)

    def call(*arguments: Any) -> float:
        flat = [
            part for each in arguments for part in (each if isinstance(each, tuple) else [each])
        ]
        return float(function(*map(as_c, flat)))

    return call


def single_pass(
    kernel: Callable[..., float], tree: LatentTree, documents: Documents
) -> tuple[Callable[[], None], Sums, list[float]]:
    absent = absent_messages(tree)
    sums, memory, totals = Sums.zeros(absent), absent.memory(), []

    def run() -> None:
        totals.append(
            kernel(
                documents.indptr,
                documents.indices,
                0,
                len(documents),
                absent.tables,
                memory,
                sums.latent,
                sums.word,
            )
        )

    return run, sums, totals


def against_twin(cases: dict[str, tuple[LatentTree, Documents]], rounds: int) -> None:
    print("\n## One pass, one thread: Numba against a C++ twin (g++ -O3 -march=native)\n")
    if shutil.which("g++") is None:
        print("g++ is not here; skipped")
        return
    print(
        "| tree | words a document | active latents | hlta, us/doc | C++, us/doc | hlta / C++ | best |"
    )
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        twin = compiled_twin(folder)
        for name, (tree, documents) in cases.items():
            ours, our_sums, our_totals = single_pass(passes.accumulate_counts, tree, documents)
            theirs, their_sums, their_totals = single_pass(twin, tree, documents)
            t = in_turn(ours, theirs, rounds)
            np.testing.assert_allclose(our_totals, their_totals, rtol=1e-12)
            np.testing.assert_allclose(our_sums.latent, their_sums.latent, rtol=1e-9)
            np.testing.assert_allclose(our_sums.word, their_sums.word, rtol=1e-9)
            n = len(documents)
            active = our_sums.latent[:, passes.VISITS].sum() / n / len(our_totals)
            print(
                f"| {name} | {documents.indptr[-1] / n:.0f} | {active:.0f} | {t.first / n * 1e6:.2f} "
                f"| {t.second / n * 1e6:.2f} | **{t.ratio:.2f}** | {t.best:.2f} |"
            )


def halves(tree: LatentTree, documents: Documents) -> tuple[Callable[[], None], Callable[[], None]]:
    """The kernel alone on each half of the documents: one after the other, and on two bare threads.

    What the second gains is what the machine has to give; a library can only lose some of it.
    """
    absent = absent_messages(tree)
    middle = len(documents) // 2
    ranges = [(0, middle), (middle, len(documents))]
    memory = [(absent.memory(), Sums.zeros(absent)) for _ in ranges]

    def half(number: int) -> None:
        working, sums = memory[number]
        begin, end = ranges[number]
        arguments = (documents.indptr, documents.indices, begin, end, absent.tables, working)
        passes.accumulate_counts(*arguments, sums.latent, sums.word)

    def in_order() -> None:
        half(0), half(1)

    def at_once() -> None:
        other = threading.Thread(target=half, args=(1,))
        other.start()
        half(0)
        other.join()

    return in_order, at_once


def against_one_thread(cases: dict[str, tuple[LatentTree, Documents]], rounds: int) -> None:
    print("\n## Two threads against one\n")
    print("'Bare' is the kernel alone, half of the documents a thread: what the machine allows.\n")
    print("| tree | documents | one, ms | two, ms | one / two | best | bare | bare, best |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (tree, documents) in cases.items():
        absent, space = absent_messages(tree), Workspace()
        t = in_turn(
            lambda: count(absent, documents, n_jobs=1, workspace=space),  # noqa: B023
            lambda: count(absent, documents, n_jobs=2, workspace=space),  # noqa: B023
            rounds,
        )
        bare = in_turn(*halves(tree, documents), rounds)
        print(
            f"| {name} | {len(documents):,} | {t.first * 1e3:.1f} | {t.second * 1e3:.1f} "
            f"| **{t.ratio:.2f}** | {t.best:.2f} | {bare.ratio:.2f} | {bare.best:.2f} |"
        )


def against_dense(rounds: int) -> None:
    print("\n## The E-step against dense NumPy message passing (News-1k shape: 15,000 x 1,000)\n")
    tree = hierarchy(1000, 30)
    matrix = tree.sample(15_000, seed=0)
    documents, full = as_documents(matrix), matrix.toarray()
    absent = absent_messages(tree)
    table, total = dense.expected_counts(tree, full)
    ours = count(absent, documents, n_jobs=1)
    np.testing.assert_allclose(ours.table, table, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.log_likelihood, total, rtol=1e-9)
    t = in_turn(
        lambda: dense.expected_counts(tree, full),
        lambda: count(absent, documents, n_jobs=1),
        rounds,
    )
    print(
        f"dense {t.first:.2f} s, hlta on one thread {t.second * 1e3:.1f} ms: "
        f"**{t.ratio:.0f} times faster**"
    )


def over_vocabularies(rounds: int, largest: int) -> None:
    print("\n## Cost against the size of the vocabulary, 60 words a document, one thread\n")
    print(
        "| words | latents | active latents a document | us/doc | to 1,000 words | ns a node visited |"
    )
    print("|---|---|---|---|---|---|")
    base: Callable[[], None] | None = None
    for n_words in (1000, 3000, 10_000, 30_000, 100_000):
        if n_words > largest:
            break
        tree = hierarchy(n_words, 60)
        documents = as_documents(tree.sample(5000, seed=0))
        run, sums, _ = single_pass(passes.accumulate_counts, tree, documents)
        run()
        active = sums.latent[:, passes.VISITS].sum() / 5000
        base = base or run
        t = in_turn(run, base, rounds)
        visited = 5000 * active + len(documents.indices)
        print(
            f"| {n_words:,} | {tree.n_latents:,} | {active:.0f} | {t.first / 5000 * 1e6:.2f} "
            f"| {t.ratio:.2f} | {t.first / visited * 1e9:.1f} |"
        )


def sampling() -> None:
    print("\n## Sampling, all threads\n")
    for n_words, length in ((1000, 30), (10_000, 157)):
        tree = hierarchy(n_words, length)
        tree.sample(10, seed=0)
        start = time.perf_counter()
        tree.sample(200_000, seed=0)
        seconds = time.perf_counter() - start
        print(
            f"- {n_words:,} words, {length} a document: {200_000 / seconds:,.0f} documents a second"
        )


def startup() -> None:
    print("\n## Start\n")
    everything = (
        "import hlta._kernels.wordless, hlta._kernels.propagation; "
        "import numpy as np; from benchmarks.synthetic import hierarchy; "
        "hierarchy(50, 5).sample(10, 0)"
    )

    def seconds(code: str, **environment: str) -> tuple[float, float]:
        """CPU and wall seconds of a Python process."""
        before, start = os.times(), time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | environment)
        after = os.times()
        cpu = after.children_user + after.children_system
        return cpu - before.children_user - before.children_system, time.perf_counter() - start

    with tempfile.TemporaryDirectory() as cache:
        numba_only = min(seconds("import numba, scipy.sparse")[1] for _ in range(3))
        cold = seconds(everything, NUMBA_CACHE_DIR=cache)[0]
        warm = min(seconds(everything, NUMBA_CACHE_DIR=cache)[1] for _ in range(3))
    bare = min(seconds("pass")[1] for _ in range(5))
    package = min(seconds("import hlta")[1] for _ in range(5))
    print(
        f"- all kernels, compiled for the first time: {cold:.1f} s of CPU (Numba's import included)"
    )
    print(
        f"- all kernels, from the cache: {warm - numba_only:.2f} s beyond importing Numba and SciPy"
    )
    print(f"- `import hlta`: {(package - bare) * 1e3:.0f} ms beyond starting Python")


def cases(quick: bool) -> dict[str, tuple[LatentTree, Documents]]:
    scale = 5 if quick else 1
    small, large = hierarchy(1000, 30), hierarchy(10_000, 157)
    found = {
        "1,000 words": (small, as_documents(small.sample(100_000 // scale, seed=0))),
        "10,000 words": (large, as_documents(large.sample(50_000 // scale, seed=0))),
    }
    for corpus, model in (("news-1k", "stepnb.bif"), ("nips-1k", "batch.bif")):
        data, path = SHARED / "data" / corpus, SHARED / "baseline" / corpus / model
        if data.is_dir() and path.is_file():
            from scipy import sparse

            words = (data / "vocab.txt").read_text(encoding="utf-8").split()
            documents = as_documents(sparse.load_npz(data / "train.npz"))
            found[f"{corpus}, the authors' model"] = (
                LatentTree.from_bif(path).with_words(words),
                documents,
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small samples, few rounds")
    quick = parser.parse_args().quick
    rounds = 5 if quick else 15
    print("# Inference\n")
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    chosen = cases(quick)
    against_twin(chosen, rounds)
    against_one_thread(chosen, rounds)
    against_dense(2 if quick else 5)
    over_vocabularies(rounds, 10_000 if quick else 100_000)
    sampling()
    startup()


if __name__ == "__main__":
    main()

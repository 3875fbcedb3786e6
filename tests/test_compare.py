"""The comparison: measures by hand, conversions, and cells that go wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.sparse import csr_array

from benchmarks.compare import cells, tables
from benchmarks.compare.completion import Mixture, complete, of_mixture, of_tree
from benchmarks.compare.corex import Layer, as_tree
from benchmarks.compare.methods import METHODS
from tests.strategies import random_tree

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", range(5))
def test_words_given_some_words(seed: int) -> None:
    tree = random_tree(seed, 8, 4)
    n, m = tree.n_words, tree.n_latents
    given = [np.array([1, 4]), np.array([], dtype=int), np.array([0, 2, 7])]
    found = of_tree(tree)(given)
    states = np.array(list(product((0, 1), repeat=m)))
    for row, words in zip(found, given, strict=True):
        weight = np.ones(len(states))
        for v in [*words.tolist(), *range(n, n + m)]:
            up = int(tree.parent[v])
            above = np.zeros(len(states), dtype=int) if up < 0 else states[:, up - n]
            p = tree.probability[v][above]
            weight *= p if v < n else np.where(states[:, v - n], p, 1 - p)
        weight /= weight.sum()
        for word in range(n):
            above = states[:, tree.parent[word] - n]
            assert row[word] == pytest.approx(weight @ tree.probability[word][above])


def test_a_mixture_of_one_topic_needs_no_fitting() -> None:
    phi = np.array([[0.5, 0.3, 0.2]])
    found = of_mixture(Mixture(phi, np.array([0.1])))([np.array([0])])
    np.testing.assert_allclose(found, phi)


def test_a_mixture_follows_the_words() -> None:
    phi = np.array([[0.49, 0.49, 0.01, 0.01], [0.01, 0.01, 0.49, 0.49]])
    predict = of_mixture(Mixture(phi, np.array([0.01, 0.01])))
    left, right = predict([np.array([0]), np.array([2])])
    assert left[1] > 0.45
    assert right[3] > 0.45
    paths = (np.array([[0, 1], [1, 0]]), np.array([0.5, 0.5]))
    along = of_mixture(Mixture(phi, np.array([1.0, 0.01]), paths))([np.array([0])])[0]
    assert along.sum() == pytest.approx(1.0)
    assert along[1] > along[3]


def test_completion_of_uniform_predictions() -> None:
    X = csr_array((np.random.default_rng(0).random((30, 12)) < 0.5).astype(int))

    def uniform(given: list[np.ndarray]) -> np.ndarray:
        return np.ones((len(given), 12))

    rows = [r for r in range(30) if X[[r]].sum() >= 2]
    lengths = [int(X[[r]].sum()) for r in rows]
    expected = [-np.log(12 - length // 2) for length in lengths]
    done = complete(X, uniform)
    assert done.word == pytest.approx(np.mean(expected))
    assert done.document == pytest.approx(np.mean(np.array(expected) * lengths))


def test_corex_as_a_tree() -> None:
    rng = np.random.default_rng(0)
    X = (rng.random((500, 6)) < 0.4).astype(float)
    on = rng.random((500, 3))
    on[:, 2] = 0.5  # nothing belongs to it
    first = Layer(X, on, np.array([0, 0, 0, 1, 1, 1]))
    labels = (on > 0.5).astype(float)
    top = rng.random((500, 2))
    tree = as_tree([f"w{k}" for k in range(6)], [first, Layer(labels, top, np.array([0, 1, 1]))])
    assert [len(level) for level in tree.levels] == [6, 2, 2]
    for word, latent in ((0, 0), (5, 1)):
        for state, weight in enumerate((1 - on[:, latent], on[:, latent])):
            expected = (X[:, word] * weight).sum() / weight.sum()
            assert tree.probability[word, state] == pytest.approx(expected)
    latents = tree.levels[1]
    given = (labels[:, 1] * top[:, 1]).sum() / top[:, 1].sum()
    assert tree.probability[latents[1], 1] == pytest.approx(given)
    assert tree.marginals[tree.levels[2]] == pytest.approx(top.mean(axis=0))
    # The tops are independent.
    assert tree.probability[tree.levels[2], 0] == pytest.approx(tree.probability[tree.levels[2], 1])


REAL = subprocess.run


def fake(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """What a cell's process does instead."""

    def run(_: list[str], **options: object) -> object:
        return REAL([sys.executable, "-c", code], **options)

    monkeypatch.setattr(cells.subprocess, "run", run)


def ask(folder: Path, limit: float = 30.0, **more: bool) -> tuple[cells.Cell | None, bool]:
    options = {"quick": False, "kept": False, **more}
    return cells.run("nips-1k", "hlta", 0, limit=limit, folder=folder, **options)


def test_cells_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert ask(tmp_path, kept=True) == (None, True)
    fake(monkeypatch, "print('chatter'); print('{\"seconds\": 1.5}')")
    cell, kept = ask(tmp_path)
    assert (cell.status, cell.figures, kept) == ("ok", {"seconds": 1.5}, False)
    fake(monkeypatch, "raise SystemExit(1)")
    assert ask(tmp_path) == (cell, True)
    assert [file.suffix for file in tmp_path.iterdir()] == [".json"]


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("raise MemoryError('too much')", "failed", "MemoryError: too much"),
        ("import os; os.kill(os.getpid(), 9)", "failed", "want of memory"),
        ("print('no figures')", "failed", "ended with 0"),
        ("import time; time.sleep(60)", "timeout", "after 1 s"),
    ],
)
def test_cells_that_go_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, status: str, reason: str
) -> None:
    fake(monkeypatch, code)
    cell, _ = ask(tmp_path, limit=1.0 if status == "timeout" else 25.0)
    assert cell.status == status
    assert reason in cell.reason
    fake(monkeypatch, "print('{\"seconds\": 1.5}')")
    _, kept = ask(tmp_path, limit=0.9)
    assert kept == (status == "timeout")  # more time is another matter
    assert ask(tmp_path, limit=30.0)[0].status == "ok"


def test_a_peer_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(cells.METHODS, "hlta", METHODS["hlta"].__class__(None, "x", "no-such-peer"))
    cell, _ = ask(tmp_path)
    assert cell.status == "missing"
    assert "pip install no-such-peer" in cell.reason


def test_tables_say_what_is_missing_and_why() -> None:
    figures = {
        "seconds": 2.0,
        "cpu_seconds": 3.0,
        "peak_memory": 10**9,
        "topics": 9,
        "coherence": -5.0,
        "coherence_topics": 8,
        "best_coherence": {},
        "completion": -6.0,
        "tokens": -900.0,
        "npmi": 0.1,
        "diversity": 0.9,
        "log_likelihood": -430.0,
    }
    found = [
        cells.Cell("nips-1k", "hlta", 0, figures=figures),
        cells.Cell("nips-1k", "hlta", 1, figures={**figures, "log_likelihood": -432.0}),
        cells.Cell("nips-1k", "ncrp-bin", 0, "timeout", "no result after 9 s"),
        cells.Cell("nips-1k", "hlta-step", 0, "not run", "small"),
    ]
    text = tables.markdown(found, ["nips-1k"])
    assert "| hlta, its defaults | -431.00 ± 1.00 |" in text
    assert "| nCRP-bin | - |" in text
    assert "| HLTA-step | NR |" in text
    assert "nCRP-bin on nips-1k: timeout; no result after 9 s" in text
    assert "| the authors' Java, recorded | 724 |" in text  # times faster
    quick = tables.markdown(found, ["nips-1k"], quick=True)
    assert "Java" not in quick
    assert json.dumps(figures)

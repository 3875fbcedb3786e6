"""The comparison: measures by hand, conversions, and cells that go wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.decomposition import LatentDirichletAllocation

from benchmarks import __main__ as program
from benchmarks.compare import cells, corpora, mixtures, tables
from benchmarks.compare.completion import complete
from benchmarks.compare.corex import Layer, as_tree
from benchmarks.compare.corpora import Split
from benchmarks.compare.learned import live, of_topics
from benchmarks.compare.methods import METHODS, Method
from benchmarks.compare.predictors import GIVEN, Paths, SuperTopics, Topics, Tree
from benchmarks.compare.trees import independent
from tests.strategies import random_tree


@pytest.mark.parametrize("seed", range(5))
def test_words_held_back_by_enumeration(seed: int) -> None:
    """Half of the present words are given: P(word there and held back | given ones, no other given)."""
    tree = random_tree(seed, 6, 3)
    n = tree.n_words
    everything = np.array(list(product((0, 1), repeat=n)))
    p = np.exp(tree.log_likelihood(everything))
    given = [np.array([1, 4]), np.array([], dtype=int), np.array([0, 2, 5])]
    found = Tree(tree)(given)
    for row, words in zip(found, given, strict=True):
        fits = everything[:, words].all(axis=1)
        weight = p * fits * GIVEN ** everything.sum(axis=1)
        for word in set(range(n)) - set(words.tolist()):
            expected = weight[everything[:, word] == 1].sum() / weight.sum()
            assert row[word] == pytest.approx(expected)


def test_independent_words() -> None:
    rng = np.random.default_rng(0)
    X = csr_array((rng.random((40, 6)) < 0.4).astype(int))
    found = independent(Split("", X, X, list("abcdef")), 0, 0).predict
    p = (X.toarray().sum(axis=0) + 0.1) / 40.2
    expected = np.log(np.where(X.toarray(), p, 1 - p)).sum(axis=1).mean()
    assert found.log_likelihood(X) == pytest.approx(expected)
    np.testing.assert_allclose(found([np.array([1])]), [p])


def test_lda_infers_as_scikit_learn_does() -> None:
    rng = np.random.default_rng(0)
    X = csr_array((rng.random((200, 30)) < 0.3).astype(float))
    model = LatentDirichletAllocation(6, random_state=0, max_iter=3).fit(X)
    phi = model.components_ / model.components_.sum(axis=1, keepdims=True)
    topics = Topics(phi, model.exp_dirichlet_component_, np.full(6, model.doc_topic_prior_))
    words = [X.indices[X.indptr[d] : X.indptr[d + 1]] for d in range(5)]
    shares = np.array([topics.shares(w) for w in words])
    np.testing.assert_allclose(shares, model.transform(X[:5]), atol=5e-3)
    np.testing.assert_allclose(topics(words), shares @ phi)


def test_a_document_follows_its_words() -> None:
    """Each kind of mixture: two topics with words of their own, and one that all share."""
    phi = np.array([[0.25] * 4, [0.49, 0.49, 0.01, 0.01], [0.01, 0.01, 0.49, 0.49]])
    flat = Topics(phi, phi, np.full(3, 0.1))
    paths = Paths(phi, np.array([[0, 1], [0, 2]]), np.array([0.5, 0.5]), np.full((2, 2), 0.5))
    upper = SuperTopics(
        np.vstack((phi, phi[1:])), np.full(3, 0.1), np.array([[0.1, 5.0, 0.1], [0.1, 0.1, 5.0]])
    )
    variational = (flat, paths, upper)
    collapsed = tuple(replace(predict, collapsed=True) for predict in variational)
    for predict in (*variational, *collapsed):
        left, right, none = predict([np.array([0]), np.array([2]), np.array([], dtype=int)])
        for row in (left, right, none):
            assert row.sum() == pytest.approx(1.0)
        assert left[1] > 0.32
        assert right[3] > 0.32
        np.testing.assert_allclose(none, 0.25, atol=1e-6)


def test_shares_of_super_topics_without_words_are_those_of_the_prior() -> None:
    rng = np.random.default_rng(0)
    alpha, below = rng.random(4), rng.random((3, 6))
    found = SuperTopics(rng.dirichlet(np.ones(8), 9), alpha, below).shares(np.array([], dtype=int))
    a, b = alpha / alpha.sum(), below / below.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, np.concatenate((a[:1], a[1:] * b[:, 0], a[1:] @ b[:, 1:])))


PEERS = ["hpam-bin", "lda-tomotopy-bin", "ncrp-bin", "lda-sklearn-bin", "nhdp-bin", "corex"]


@pytest.mark.parametrize("name", PEERS)
def test_peers_learn_what_is_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two topics, learned by each: words of both, and a word is predicted by those it goes with."""
    method = METHODS[name]
    if method.package is not None:
        pytest.importorskip(method.package)
    monkeypatch.setattr(mixtures, "_ITERATIONS", 100)
    monkeypatch.setattr(mixtures, "_WORKERS", 1)
    rng = np.random.default_rng(0)
    topic = rng.integers(2, size=400)
    p = np.where(np.arange(16) // 8 == topic[:, None], 0.6, 0.03)
    X = csr_array((rng.random((400, 16)) < p).astype(int))
    words = [f"w{k:02}" for k in range(16)]
    learned = method.run(Split("news-1k", X, X, words), 8, 0)
    assert learned.topics
    assert all(set(t.words) <= set(words) and t.level in (1, 2, 3) for t in learned.topics)
    of_one = {frozenset(w < "w08" for w in t.words[:3]) for t in learned.topics}
    assert {frozenset({True}), frozenset({False})} <= of_one
    left, right = learned.predict([np.array([0, 1]), np.array([8, 9])])
    assert left[2:8].sum() > 3 * left[10:].sum()
    assert right[10:].sum() > 3 * right[2:8].sum()


def test_dead_topics_are_left_out() -> None:
    phi = np.eye(3)
    shares = np.array([60.0, 39.0, 1.0])
    assert live(shares).tolist() == [True, True, False]
    found = of_topics(Topics(phi, phi, np.ones(3)), phi, shares, list("abc"), [3, 2, 1])
    assert [(topic.words[0], topic.level) for topic in found.topics] == [("a", 3), ("b", 2)]
    assert found.dead == 1


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


def fake(
    monkeypatch: pytest.MonkeyPatch, code: str, measured: str = "print('{\"npmi\": 2}')"
) -> None:
    """What a cell's processes do instead; learning leaves a file."""

    def run(command: list[str], **options: object) -> object:
        learning = command[3] == "learn"
        if learning:
            Path(command[7]).write_text("learned")
        return REAL([sys.executable, "-c", code if learning else measured], **options)

    monkeypatch.setattr(cells.subprocess, "run", run)


def ask(folder: Path, limit: float = 30.0) -> tuple[cells.Cell, bool]:
    return cells.run(cells.Place(folder, "nips-1k", "hlta", 0, quick=False), limit=limit)


LEARNED = "print('chatter'); print('{\"seconds\": 1.5}')"
FAILS = "raise SystemExit(1)"


def test_cells_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cells.kept(tmp_path, quick=False) == []
    fake(monkeypatch, LEARNED)
    cell, kept = ask(tmp_path)
    assert (cell.status, cell.figures, kept) == ("ok", {"seconds": 1.5, "npmi": 2}, False)
    assert "cores" in cell.machine
    fake(monkeypatch, FAILS, FAILS)
    assert ask(tmp_path) == (cell, True)
    assert cells.kept(tmp_path, quick=False) == [cell]
    assert cells.kept(tmp_path, quick=True) == []
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".json", ".learned"]


def test_new_measures_do_not_learn_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake(monkeypatch, LEARNED)
    ask(tmp_path)
    fake(monkeypatch, FAILS, "print('{\"npmi\": 3}')")
    monkeypatch.setattr(cells, "MEASURES", cells.MEASURES + 1)
    cell, kept = ask(tmp_path)
    assert (cell.figures, kept) == ({"seconds": 1.5, "npmi": 3}, False)


def test_other_vectors_are_measured_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = cells.Place(tmp_path, "nips-1k", "hlta", 0, quick=False)
    fake(monkeypatch, LEARNED, "print('{\"topics\": 3}')")
    cells.run(place, limit=30.0)
    fake(monkeypatch, FAILS, 'print(\'{"topics": 3, "vectors": "a.txt"}\')')
    one = cells.run(place, limit=30.0, vectors=Path("a.txt"))
    assert (one[0].figures["vectors"], one[1]) == ("a.txt", False)
    assert cells.run(place, limit=30.0, vectors=Path("a.txt"))[1]
    assert cells.run(place, limit=30.0)[1]
    assert not cells.run(place, limit=30.0, vectors=Path("b.txt"))[1]


def test_another_edition_and_a_spoilt_file_are_learned_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake(monkeypatch, LEARNED)
    first, _ = ask(tmp_path)
    (file,) = tmp_path.glob("*.json")
    for spoilt in (
        "{",
        "[1]",
        '{"corpus": "x"}',
        file.read_text().replace('"edition": 1', '"edition": 0'),
    ):
        file.write_text(spoilt)
        assert cells.kept(tmp_path, quick=False) == []
        assert ask(tmp_path) == (first, False)


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("raise MemoryError('too much')", "failed", "MemoryError: too much"),
        ("import os; os.kill(os.getpid(), 9)", "failed", "want of memory"),
        ("print('no figures')", "failed", "ended with 0"),
        ("import time; time.sleep(60)", "timeout", "after 1 s"),
        ('print(\'{"not run": "small"}\')', "not run", "small"),
    ],
)
def test_cells_that_go_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, status: str, reason: str
) -> None:
    fake(monkeypatch, code)
    cell, _ = ask(tmp_path, limit=1.0 if status == "timeout" else 25.0)
    assert cell.status == status
    assert reason in cell.reason
    fake(monkeypatch, LEARNED)
    _, kept = ask(tmp_path, limit=0.9)
    assert kept == (status in ("timeout", "not run"))  # more time is another matter
    assert ask(tmp_path, limit=30.0)[0].status == ("not run" if status == "not run" else "ok")


def test_what_was_learned_and_cannot_be_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake(monkeypatch, LEARNED, "raise ValueError('odd topics')")
    cell, _ = ask(tmp_path)
    assert (cell.status, "odd topics" in cell.reason) == ("failed", True)
    fake(monkeypatch, FAILS)  # it need not be learned again
    assert ask(tmp_path)[0].status == "ok"


def test_a_peer_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(cells.METHODS, "hlta", Method(independent, "x", "no-such-peer"))
    cell, _ = ask(tmp_path)
    assert cell.status == "missing"
    assert "pip install no-such-peer" in cell.reason


FIGURES = {
    "seconds": 2.0,
    "cpu_seconds": 3.0,
    "peak_memory": 10**9,
    "topics": 9,
    "dead": 2,
    "scored": 8,
    "coherence": -5.0,
    "best_coherence": {"50": -4.0},
    "completion": -6.0,
    "tokens": -900.0,
    "npmi": 0.1,
    "diversity": 0.9,
    "log_likelihood": -430.0,
}
MIXED = {name: value for name, value in FIGURES.items() if name != "log_likelihood"}
FOUND = [
    cells.Cell("nips-1k", "hlta", 0, figures=FIGURES),
    cells.Cell("nips-1k", "hlta", 1, figures={**FIGURES, "log_likelihood": -432.0}),
    cells.Cell("nips-1k", "ncrp-bin", 0, "timeout", "no result after 9 s"),
    cells.Cell("nips-1k", "hlta-step", 0, "not run", "small"),
    cells.Cell("nips-1k", "nhdp-bin", 0, figures={**MIXED, "cpu_seconds": 18.0}),
]


def test_tables_say_what_is_missing_and_why() -> None:
    text = tables.markdown(FOUND, ["nips-1k"])
    assert "| hlta, its defaults | -431.00 ± 1.41 |" in text
    assert "| nCRP-bin | - |" in text
    assert "| HLTA-step | NR |" in text
    assert "| nHDP-bin | - |" in text  # a mixture says nothing of absent words
    assert "| hlta, its defaults | -5.00 ± 0.00 (8) |" in text
    assert "| hlta, its defaults | -4.00 / - / - / - |" in text
    assert "nCRP-bin on nips-1k: timeout; no result after 9 s" in text
    assert "| the authors' Java, batch | 460 |" in text  # times the CPU time
    assert "| *paper:* HLTA-batch, time on the clock | 168 |" in text
    assert "| nHDP-bin | 6 |" in text
    assert "| *paper:* CorEx | -445 |" in text
    quick = tables.markdown(FOUND, ["nips-1k"], quick=True)
    assert "Java" not in quick
    assert "*paper:*" not in quick


def test_the_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    tables.picture(FOUND, ["nips-1k"], tmp_path / "q.svg")
    drawn = (tmp_path / "q.svg").read_text()
    assert "<svg" in drawn
    for name in ("hlta", "nhdp"):
        assert METHODS[f"{name}-bin" if name == "nhdp" else name].label in drawn


def test_own_files_are_split(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.4, (50, 12))
    file = tmp_path / "own.sparse.txt"
    pairs = [f"d{d:02},w{w:02}" for d, w in zip(*np.nonzero(counts), strict=True)]
    file.write_text("\n".join(pairs))
    assert corpora.why_not(str(file)) is None
    assert "neither such a corpus nor such a file" in corpora.why_not("nowhere")
    one, again, other = (corpora.split(str(file), seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.test.toarray(), again.test.toarray())
    assert (one.test.toarray() != other.test.toarray()).any()
    assert one.train.shape == (40, 12)
    assert one.test.shape == (10, 12)
    together = np.vstack((one.train.toarray(), one.test.toarray()))
    known = (counts > 0).astype(int)[:, [int(word[1:]) for word in one.words]]
    assert sorted(map(tuple, together)) == sorted(map(tuple, known[known.any(axis=1)]))
    assert not corpora.has_counts(str(file))


def test_counts_are_learned_from_and_never_held_out(tmp_path: Path) -> None:
    counts = csr_array(np.random.default_rng(0).poisson(0.6, (30, 5)))
    with (tmp_path / "docword.own.txt").open("wb") as out:
        rows, columns = counts.nonzero()
        out.write(f"30\n5\n{counts.nnz}\n".encode())
        for d, w in zip(rows, columns, strict=True):
            out.write(f"{d + 1} {w + 1} {counts[d, w]}\n".encode())
    (tmp_path / "vocab.own.txt").write_text("\n".join("abcde"))
    name = str(tmp_path / "docword.own.txt")
    assert corpora.has_counts(name)
    bow, binary = corpora.split(name, 2, counts=True), corpora.split(name, 2)
    assert bow.train.max() > 1
    np.testing.assert_array_equal(bow.train.toarray() > 0, binary.train.toarray())
    np.testing.assert_array_equal(bow.test.toarray(), binary.test.toarray())
    assert binary.train.max() == binary.test.max() == 1


def test_the_demo_needs_nothing_else() -> None:
    data = corpora.split("demo", 0, quick=True)
    assert (data.train.shape[0], data.test.shape[0]) == (400, 100)
    assert data.train.shape[1] == len(data.words) > 500


@pytest.mark.parametrize("name", ["hlta", "independent", "lda-sklearn-bin"])
def test_what_is_measured_are_numbers(name: str, tmp_path: Path) -> None:
    file = tmp_path / "x.learned"
    first = cells.learn("demo", name, 0, file, quick=True)
    assert first["seconds"] > 0.0
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("notaword 1 2\n")
    found = cells.measure("demo", 0, file, vectors, quick=True)
    json.dumps(found, allow_nan=False)
    assert -8.0 < found["completion"] < -5.0
    if name == "independent":
        assert "coherence" not in found
        return
    assert found["scored"] <= found["topics"]
    assert "none of the" in found["no_compactness"]
    vectors.write_text("model 1 2\ndata 2 1\nnetwork 1 1\nlearning 3 1\n")
    again = cells.measure("demo", 0, file, vectors, quick=True)
    assert 0.0 < again["covered"] < 0.5
    assert again["coherence"] == found["coherence"]


def test_what_was_learned_and_cannot_be_read_is_learned_again(tmp_path: Path) -> None:
    file = tmp_path / "x.learned"
    file.write_bytes(b"garbage")
    with pytest.raises(SystemExit, match="run again"):
        cells.measure("demo", 0, file, None, quick=True)
    assert not file.exists()


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def command(*more: str) -> tuple[str, str]:
        options = ["--methods", "independent", "--folder", str(tmp_path), "--quick", *more]
        monkeypatch.setattr(sys, "argv", ["benchmarks", *options])
        program.main()
        return capsys.readouterr()

    with pytest.raises(SystemExit, match="there are no cells"):
        command("--kept")
    out, err = command()
    assert "| independent words | -1" in out
    assert "demo independent 0: ok, 0.0 s\n" in err
    again, err = command()
    assert again == out
    assert "(kept)" in err
    assert command("--kept") == (out, "")
    assert (tmp_path / "tables-quick.md").read_text() == out.removesuffix("\n")
    json.loads((tmp_path / "results-quick.json").read_text())
    monkeypatch.setattr(sys, "argv", ["benchmarks", "nowhere.txt"])
    with pytest.raises(SystemExit):
        program.main()
    assert "neither such a corpus nor such a file" in capsys.readouterr().err

"""The comparison: cells that are kept and that go wrong, corpora, tables, the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from benchmarks import __main__ as program
from benchmarks.compare import cells, corpora, one_cell, pictures, tables
from benchmarks.compare.methods import METHODS, Method
from benchmarks.compare.trees import independent

REAL = subprocess.run


def fake(
    monkeypatch: pytest.MonkeyPatch, code: str, measured: str = "print('{\"npmi\": 2}')"
) -> None:
    """What a cell's processes do instead; learning leaves a file."""

    def run(command: list[str], **options: Any) -> object:
        learning = command[3] == "learn"
        if learning:
            Path(command[7]).write_text("learned")
        return REAL([sys.executable, "-c", code if learning else measured], **options)

    monkeypatch.setattr("benchmarks.compare.cells.subprocess.run", run)


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
        file.read_text().replace(f'"edition": {first.edition}', '"edition": 0'),
    ):
        file.write_text(spoilt)
        assert cells.kept(tmp_path, quick=False) == []
        assert ask(tmp_path) == (first, False)


@pytest.mark.slow
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
    monkeypatch.setitem(METHODS, "hlta", Method(independent, "x", "no-such-peer"))
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
    assert "| hlta, `samples=1` | -431.00 ± 1.41 |" in text
    assert "| nCRP-bin | - |" in text
    assert "| HLTA-step | NR |" in text
    assert "| nHDP-bin | - |" in text  # a mixture says nothing of absent words
    assert "| hlta, `samples=1` | -5.00 ± 0.00 (8) |" in text
    assert "| hlta, `samples=1` | -4.00 / - / - / - |" in text
    assert "nCRP-bin on nips-1k: timeout; no result after 9 s" in text
    assert "| the authors' Java, batch | 460 |" in text  # times the CPU time
    assert "| *paper:* HLTA-batch, wall time | 168 |" in text
    assert "| nHDP-bin | 6 |" in text
    assert "| *paper:* CorEx | -445 |" in text
    quick = tables.markdown(FOUND, ["nips-1k"], quick=True)
    assert "Java" not in quick
    assert "*paper:*" not in quick


@pytest.mark.slow
def test_the_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pictures.picture(FOUND, ["nips-1k"], tmp_path / "q.svg")
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
    assert "neither such a corpus nor such a file" in str(corpora.why_not("nowhere"))
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hlta", "independent", "lda-sklearn-bin"])
def test_what_is_measured_are_numbers(name: str, tmp_path: Path) -> None:
    file = tmp_path / "x.learned"
    first = one_cell.learn("demo", name, 0, file, quick=True)
    assert first["seconds"] > 0.0
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("notaword 1 2\n")
    found = one_cell.measure("demo", 0, file, vectors, quick=True)
    json.dumps(found, allow_nan=False)
    assert -8.0 < found["completion"] < -5.0
    if name == "independent":
        assert "coherence" not in found
        return
    assert found["scored"] <= found["topics"]
    assert "none of the" in found["no_compactness"]
    vectors.write_text("model 1 2\ndata 2 1\nnetwork 1 1\nlearning 3 1\n")
    again = one_cell.measure("demo", 0, file, vectors, quick=True)
    assert 0.0 < again["covered"] < 0.5
    assert again["coherence"] == found["coherence"]


def test_what_was_learned_and_cannot_be_read_is_learned_again(tmp_path: Path) -> None:
    file = tmp_path / "x.learned"
    file.write_bytes(b"garbage")
    with pytest.raises(SystemExit, match="run again"):
        one_cell.measure("demo", 0, file, None, quick=True)
    assert not file.exists()


@pytest.mark.slow
def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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

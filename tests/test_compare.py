"""The comparison: cells that are kept and that go wrong, corpora, tables, the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import __main__ as program
from benchmarks.compare import cells, corpora, one_cell

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
    fake(monkeypatch, FAILS, FAILS)
    assert ask(tmp_path) == (cell, True)
    assert cells.kept(tmp_path, quick=False) == [cell]
    assert cells.kept(tmp_path, quick=True) == []
    fake(monkeypatch, FAILS, "print('{\"npmi\": 3}')")
    monkeypatch.setattr(cells, "MEASURES", cells.MEASURES + 1)  # which need not be learned for
    measured, kept = ask(tmp_path)
    assert (measured.figures, kept) == ({"seconds": 1.5, "npmi": 3}, False)


def test_another_edition_and_a_spoilt_file_are_learned_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake(monkeypatch, LEARNED)
    first, _ = ask(tmp_path)
    (file,) = tmp_path.glob("*.json")
    older = file.read_text().replace(f'"edition": {first.edition}', '"edition": 0')
    for spoilt in ("{", "[1]", '{"corpus": "x"}', older):
        file.write_text(spoilt)
        assert cells.kept(tmp_path, quick=False) == []
        assert ask(tmp_path) == (first, False)
    learned = tmp_path / "x.learned"
    learned.write_bytes(b"garbage")
    with pytest.raises(SystemExit, match="run again"):
        one_cell.measure("demo", 0, learned, None, quick=True)
    assert not learned.exists()


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


@pytest.mark.slow
def test_what_is_measured_are_numbers(tmp_path: Path) -> None:
    file, vectors = tmp_path / "x.learned", tmp_path / "vectors.txt"
    assert one_cell.learn("demo", "hlta", 0, file, quick=True)["seconds"] > 0.0
    vectors.write_text("model 1 2\ndata 2 1\nnetwork 1 1\nlearning 3 1\n")
    found = one_cell.measure("demo", 0, file, vectors, quick=True)
    json.dumps(found, allow_nan=False)
    assert -8.0 < found["completion"] < -5.0
    assert found["scored"] <= found["topics"]
    assert 0.0 < found["covered"] < 0.5


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

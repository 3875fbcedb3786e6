"""The command as a whole: its help, how it fails, and what it leaves when it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import hlta
from tests.command import run, start
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path


def test_version() -> None:
    assert run("--version").stdout == f"hlta {hlta.__version__}\n"


def test_help_offers_completion() -> None:
    assert "--show-completion" in run("--help").stdout


def test_python_dash_m_shows_the_symbols_of_the_paper() -> None:
    done = start("fit", "--help")
    shown, _ = done.communicate(timeout=60)
    assert done.returncode == 0
    for symbol in ("tau", "(mu)", "(delta)", "(kappa)", "(alpha)", "(N')", "--structure-sample"):
        assert symbol in shown


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from hlta.cli import app; from typer.testing import CliRunner; "
        "assert CliRunner().invoke(app, ['fit', '--help']).exit_code == 0; "
        "print({'numba', 'sklearn', 'scipy', 'numpy', 'polars'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "nowhere", "-o", "{out}"], "'nowhere' does not exist"),
        (["fit", "{source}", "-o", "{out}", "--text", "body"], "there is no column 'body'"),
        (["fit", "nowhere", "-o", "{out}", "--em", "fast"], "--em fast:"),
        (["fit", "nowhere", "-o", "{out}", "--states", "1"], "--states 1:"),
        (["fit", "nowhere", "-o", "{out}", "--lowest-level", "0"], "--lowest-level 0:"),
        (["fit", "nowhere", "-o", "{out}", "--keywords", "0"], "--keywords 0:"),
        (["fit", "nowhere", "-o", "{out}", "--topics", "0"], "--topics 0:"),
        (["fit", "nowhere", "-o", "{out}", "--jobs", "0"], "--jobs 0:"),
        (["fit", "nowhere", "-o", "{out}", "--stop-words", "klingon"], "--stop-words klingon"),
        (["fit", "nowhere", "-o", "{out}", "--min-df", "inf"], "--min-df inf: use a number"),
        (["fit", "nowhere", "-o", "{out}", "--max-df", "inf"], "--max-df inf: use a number"),
        (["fit", "nowhere", "-o", "{out}", "--delimiter", "::"], "--delimiter '::': use one"),
        (["fit", "https://x.org/a.csv", "-o", "{out}"], "is an address, and only files are read"),
        (["fit", "{source}", "-o", "{out}", "--encoding", "utf-7.5"], "--encoding utf-7.5"),
        (["topics", "nowhere"], "'nowhere': No such file"),
        (["topics", "{source}"], "is not a model; to learn one from documents, run `hlta fit"),
    ],
)
def test_mistakes_are_a_line(
    arguments: list[str], message: str, texts_file: Path, tmp_path: Path
) -> None:
    places = {"source": texts_file, "out": tmp_path / "out"}
    done = run(*(argument.format(**places) for argument in arguments))
    assert done.exit_code == 1
    assert message in done.stderr
    assert "Traceback" not in done.output
    assert not list(tmp_path.iterdir())


def test_files_that_are_no_model_are_told_apart(fitted: Path, tmp_path: Path) -> None:
    (tmp_path / "model.bif").write_text("network x {}")
    done = run("topics", tmp_path / "model.bif")
    assert "is not a model; to make one of it, run `hlta convert" in done.stderr
    done = run("topics", fitted / "topics.json")
    assert f"is not a model; give the folder with the model, {fitted}" in done.stderr


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "has no documents that can be read; give at least one text"),
        (b"one\ntwo\nthree\n", "words are left"),
        (b"the of and\n" * 50, "words are left"),
        (b"\0\1\2", "holds no text"),
    ],
)
def test_too_little_text_is_refused(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(data)
    done = run("fit", tmp_path / "x.txt", "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert message in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["x.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
@pytest.mark.slow
def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    import resource

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    (tmp_path / "x.txt").write_text("\n".join(TEXTS))
    # Coverage writes a larger file than this, and its traceback to stderr.
    unwatched = {name: v for name, v in os.environ.items() if not name.startswith("COVERAGE_")}
    done = start(
        *("fit", tmp_path / "x.txt", "-o", tmp_path / "out"), preexec_fn=small_files, env=unwatched
    )
    _, errors = done.communicate(timeout=120)
    assert done.returncode == 1
    assert "File too large; make room and try again" in errors
    assert "Traceback" not in errors
    assert [p.name for p in tmp_path.iterdir()] == ["x.txt"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    done = start("fit", "-", "-o", tmp_path / "out", stdin=subprocess.PIPE, start_new_session=True)
    assert done.stdin is not None
    done.stdin.write("some words\n" * 100_000)  # more than a pipe holds: returns when it reads
    done.send_signal(number)
    _, errors = done.communicate(timeout=120)
    assert done.returncode == 128 + number
    assert "Traceback" not in errors
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do anything")
def test_files_and_folders_without_permission_are_refused(texts_file: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("text")
    (tmp_path / "secret.txt").chmod(0)
    done = run("fit", tmp_path / "secret.txt", "-o", tmp_path / "out")
    assert (done.exit_code, "Permission denied" in done.stderr) == (1, True)
    (tmp_path / "shut").mkdir(mode=0o500)
    done = run("fit", texts_file, "-o", tmp_path / "shut" / "out")
    assert (done.exit_code, "cannot be written: Permission denied" in done.stderr) == (1, True)

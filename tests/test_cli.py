"""The command as a whole: how it fails and what it leaves; streams, signals, the current folder."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlta
from hlta.cli import process
from tests.command import mistake, run, start


def test_the_version_is_printed_and_help_has_the_symbols_of_the_paper() -> None:
    assert run("--version").stdout == f"hlta {hlta.__version__}\n"
    shown = run("fit", "--help").stdout
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
        *(
            (["fit", "nowhere", "-o", "{out}", option, value], f"{option} {value}")
            for option, value in (
                *(("--em", "fast"), ("--states", "1"), ("--lowest-level", "0"), ("--jobs", "0")),
                *(("--keywords", "0"), ("--topics", "0"), ("--stop-words", "klingon")),
                *(("--min-df", "inf"), ("--max-df", "inf"), ("--delimiter", "'::'")),
                *(("--encoding", "utf-7.5"), ("--segment", "x")),
            )
        ),
        (["fit", "https://x.org/a.csv", "-o", "{out}"], "is an address, and only files are read"),
        (["topics", "nowhere"], "'nowhere': No such file or directory; check the name"),
        (["topics", "{source}"], "is not a model; to learn one from documents, run `hlta fit"),
        (["topics", "{bif}"], "is not a model; to make one of it, run `hlta convert"),
        (["topics", "{fitted}/topics.json"], "is not a model; give the folder with the model"),
    ],
)
def test_mistakes_are_a_line(
    arguments: list[str], message: str, fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    (bif := tmp_path / "model.bif").write_text("network x {}")
    places = {"source": texts_file, "out": tmp_path / "out", "bif": bif, "fitted": fitted}
    assert message in mistake(*(argument.strip("'").format(**places) for argument in arguments))
    assert [path.name for path in tmp_path.iterdir()] == ["model.bif"]


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


MODEL = Path(__file__).parent / "frozen" / "model.hlta"

SHELL = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `hlta` is the command."""
    line = f'hlta() {{ "{sys.executable}" -m hlta "$@"; }}; {line}'
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, check=False, env=os.environ | more
    )


@SHELL
def test_narrow_streams_get_escapes() -> None:
    print_ = "from hlta.cli import process, printing; process.begin(); printing.show('ma\u00f1ana')"
    done = shell(f'{sys.executable} -c "{print_}"', PYTHONIOENCODING="ascii")
    assert (done.stdout, done.stderr) == ("ma\\u00f1ana\n", "")


@SHELL
def test_closed_streams_are_no_error_and_no_file_is_one() -> None:
    open_ = "from hlta.cli import process; process.begin(); exit(open('/dev/null').fileno())"
    status = {"hlta --version": 0, "hlta topics": 2, f'{sys.executable} -c "{open_}"': 3}
    for line, expected in status.items():
        assert shell(f"{line} <&- >&- 2>&-").returncode == expected


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_output_is_a_message() -> None:
    done = shell("hlta --help >/dev/full")
    assert done.returncode == 1
    assert done.stderr == "hlta: No space left on device; make room and try again\n"


@given(st.text(st.characters(exclude_categories=(), exclude_characters="\\")))
def test_any_text_is_written_to_any_stream(text: str) -> None:
    process.begin_streams()
    written = text.encode("ascii", "hlta.escaped").decode("ascii")
    again = written.encode().decode("unicode_escape").encode("utf-16", "surrogatepass")
    assert again == text.encode("utf-16", "surrogatepass")


def test_the_first_signal_ends_and_the_next_ones_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    ending = process.Ending()
    with pytest.raises(KeyboardInterrupt):
        ending(signal.SIGINT, None)
    for _ in range(6):
        now[0] += 0.5
        ending(signal.SIGINT, None)
        ending(signal.SIGTERM, None)
    now[0] += process._GRACE
    with pytest.raises(SystemExit) as ended:
        ending(signal.SIGTERM, None)
    assert ended.value.code == 128 + signal.SIGTERM


LOADING = """
import os, signal, time
from hlta import cli
def app():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
    except KeyboardInterrupt:
        raise ImportError("initialization failed") from None
cli.app = app
cli.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_an_interrupt_that_a_module_makes_an_error_of_is_an_interrupt() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "hlta: interrupted\n")


@pytest.mark.slow
def test_no_module_of_the_folder_is_run(tmp_path: Path) -> None:
    for name in ("typer", "numba", "numpy", "polars", "rich", "scipy", "json", "csv"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('ran a module of the folder')")
    with start("score", MODEL, MODEL.parent / "corpus", cwd=tmp_path) as running:
        out, errors = running.communicate()
    assert (running.returncode, errors) == (0, "")
    assert "folder" not in out

"""What commands print: progress, topics, errors; on a terminal and elsewhere, and harmlessly."""

import errno
import io
import json
import re
import subprocess
import sys
import time
import unicodedata
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import hlta
from hlta import Keyword, Monitor, OptionError, TextMonitor, Topic, TopicTree
from hlta.cli.output import monitoring, report_errors, show_topics
from hlta.cli.printing import pass_on, show, tell, visible
from hlta.monitor import as_monitor, progress_bars
from tests.there import there
from tests.trees import FACETS, small_tree


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def plain(shown: str) -> str:
    """Without the codes for bold and dim."""
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


def test_a_terminal_sees_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with monitoring(quiet=False) as monitor:
        with monitor.stage("reading", 3):
            monitor.advance(3)
            with monitor.stage("inner", 5):
                monitor.advance(2)
            monitor.note("a note [with brackets]")
        with pytest.raises(ValueError, match="x"), monitor.stage("fitting"):
            raise ValueError("x")
    shown = plain(terminal.getvalue())
    for part in ("reading", "/3", "  inner", "✓ reading", "[with brackets]", "✗ fitting"):
        assert part in shown


def test_a_bar_says_how_much_and_how_long_only_where_it_is_known() -> None:
    bars = progress_bars(console := Console(file=(written := io.StringIO()), width=100))
    open_ended, known = (
        bars.add_task(name, total=total) for name, total in (("reading", None), ("fitting", 200))
    )
    for task in (open_ended, known):
        bars.advance(task, 60)
        time.sleep(0.01)  # which gives a speed
        bars.advance(task, 60)
    console.print(bars.make_tasks_table(bars.tasks))
    reading, fitting = written.getvalue().splitlines()
    assert re.search(r" 120 +0:00:00 *$", reading)
    assert re.search(r" 120/200 +0:00:00 +0:00:0\d left *$", fitting)


@pytest.fixture
def topics() -> TopicTree:
    """Two roots, x and y; x has three children."""

    def topic(name: str, parent: Topic | None) -> Topic:
        words = [Keyword(f"{name}{k}", 0.9, 0.1, 0.2) for k in "abcd"]
        made = Topic(name, 2, 0.25, words, parent)
        if parent is not None:
            parent.children.append(made)
        return made

    roots = [topic("x", None), topic("y", None)]
    for name in ("z", "u", "v"):
        topic(name, roots[0])
    return TopicTree(roots)


@pytest.mark.parametrize("columns", [80, 30])
def test_a_terminal_sees_facets_too(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    with redirect_stdout(Terminal()) as out:
        show_topics(TopicTree.from_tree(FACETS))
    assert "(space orbit nasa; bike ride dod)" in " ".join(plain(out.getvalue()).split())


def test_a_file_gets_topics_that_fit(topics: TopicTree, capsys: pytest.CaptureFixture[str]) -> None:
    show_topics(topics, n_words=3, ids=True)
    assert capsys.readouterr().out == topics.to_text(n_words=3, ids=True) + "\n"
    lines = topics.to_text().splitlines()
    show_topics(topics, most_lines=2, model=Path("my topics"))
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [lines[0], lines[-1]]
    assert captured.err == "3 more topics below; `hlta topics 'my topics'` shows them\n"
    show_topics(topics, most_lines=4)
    assert capsys.readouterr().out.splitlines() == [*lines[:3], lines[-1]]


def test_a_terminal_sees_a_tree_of_as_many_layers_as_fit(topics: TopicTree) -> None:
    def shown(**options: Any) -> str:
        with redirect_stdout(Terminal()) as out:
            show_topics(topics, n_words=3, ids=True, **options)
        return plain(out.getvalue())

    for part in ("25.0%", "xa, xb:", " xc", "├── ", "└── ", "va, vb:", "u "):
        assert part in shown()
    assert "xd" not in shown()
    assert len(shown(most_lines=5).splitlines()) == 5
    cut = shown(most_lines=3, model=Path("runs[old]/a[/b]"))  # which is no markup
    assert len(cut.splitlines()) == 4
    assert cut.endswith("2 more topics below; `hlta topics 'runs[old]/a[/b]'` shows them\n")


def test_vague_topics_are_counted(topics: TopicTree, capsys: pytest.CaptureFixture[str]) -> None:
    topics["v"].is_vague = True
    line = "1 vague topic names no subject and is set aside; `hlta topics --all` shows all\n"
    show_topics(topics)
    assert capsys.readouterr() == (topics.to_text() + "\n", line)
    show_topics(topics, depth=1)
    assert not capsys.readouterr().err.endswith(line)  # it would have no line, either way
    show_topics(topics, whole=True)
    assert capsys.readouterr() == (topics.to_text(whole=True) + "\n", "")
    with redirect_stdout(Terminal()) as out:
        show_topics(topics)
    assert "va vb" not in out.getvalue()
    assert line in plain(out.getvalue())


@pytest.mark.parametrize(
    ("error", "message", "code"),
    [
        (OSError(errno.ENOSPC, "No space left", "out"), "'out': No space left; make room", 1),
        (OSError(errno.EDQUOT, "Full"), "hlta: Full; make room and try again", 1),
        (OSError(errno.EROFS, "No"), "No; choose another place, or change its permissions", 1),
        (OSError(errno.EACCES, "No"), "No; choose another place, or change its permissions", 1),
        (OSError(errno.ENAMETOOLONG, "Long"), "Long; choose a shorter name", 1),
        (OSError("odd"), "hlta: odd", 1),
        (MemoryError(), "out of memory; try fewer --words", 1),
        (KeyboardInterrupt(), "interrupted", 130),
    ],
)
def test_errors_become_a_line_and_an_exit_code(
    error: BaseException, message: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended, report_errors():
        raise error
    assert ended.value.exit_code == code
    assert message in capsys.readouterr().err


EVIL = "\x1b]0;owned\x07"
ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_no_control_characters_but_line_feeds_and_tabs_are_left(text: str) -> None:
    shown = visible(text)
    assert not [c for c in shown if unicodedata.category(c) == "Cc" and c not in "\n\t"]
    assert not re.search("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", shown)
    assert visible(shown) == shown
    assert json.loads(visible(json.dumps(text, ensure_ascii=False))) == text
    harmless = "".join(c for c in text if unicodedata.category(c)[0] in "LMNPS" or c == " ")
    assert visible(harmless) == harmless


def test_data_are_escaped_for_a_terminal_alone(capsys: pytest.CaptureFixture[str]) -> None:
    show(EVIL)
    tell(EVIL)
    captured = capsys.readouterr()
    assert captured.out == captured.err == "\\u001b]0;owned\\u0007\n"
    with redirect_stdout(StringIO()) as file:
        pass_on([EVIL])
    assert file.getvalue() == EVIL
    with redirect_stdout(Terminal()) as terminal:
        pass_on([EVIL])
    assert terminal.getvalue() == visible(EVIL)


def test_words_and_ids_of_topics_are_harmless() -> None:
    tree = small_tree(words=(*(f"{EVIL}{k}" for k in range(6)), "g"))
    for stream in (StringIO(), Terminal()):
        with redirect_stdout(stream):
            show_topics(TopicTree.from_tree(tree), ids=True)
        shown = plain(stream.getvalue())  # bold and dim are ours
        assert "\\u001b]0;owned" in shown
        assert visible(shown) == shown


def test_commands_print_by_these_functions_alone() -> None:
    own = re.compile(r"typer\.echo|\bprint\(|\.write\(")
    files = Path(hlta.__file__).parent.joinpath("cli").glob("*.py")
    found = {file.name for file in files if own.search(file.read_text(encoding="utf-8"))}
    # The tree of topics is drawn by Rich; results go to files.
    assert found == {"printing.py", "output.py", "results.py"}


FROZEN = Path(__file__).parent / "frozen"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_fit_goes_on_if_nobody_reads_its_progress(tmp_path: Path, texts_file: Path) -> None:
    command = f'"{sys.executable}" -m hlta fit "{texts_file}" -o "{tmp_path}/results" 2>&1 | :'
    subprocess.run(["sh", "-c", command], check=True)
    assert (tmp_path / "results" / "model.hlta").exists()


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = [sys.executable, "-m", "hlta", "topics", str(FROZEN / "model.hlta")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        there(process.stdout).close()  # before anything is written
        assert there(process.stderr).read() == b""
    assert process.returncode == 0


def work(monitor: Monitor) -> None:
    with monitor.stage("outer"), monitor.stage("inner", 3):
        for _ in range(3):
            monitor.advance()
    monitor.note("done")


def test_a_file_gets_a_line_per_stage_that_ends() -> None:
    stream = io.StringIO()
    work(TextMonitor(stream))
    with suppress(KeyboardInterrupt), TextMonitor(stream).stage("pairs", 5):
        raise KeyboardInterrupt
    without_times = re.sub(r"\d+\.\d\d s", "0 s", stream.getvalue())
    ended = "outer: inner (3) 0 s\nouter 0 s\ndone\npairs (5) 0 s, not completed\n"
    assert without_times == ended


def test_progress_is_silent_on_stderr_or_a_monitor(capsys: pytest.CaptureFixture[str]) -> None:
    work(as_monitor(False))
    work(as_monitor(None))
    assert capsys.readouterr() == ("", "")
    work(as_monitor(True))
    out, err = capsys.readouterr()
    assert out == ""
    assert "outer: inner (3)" in err
    monitor = Monitor()
    assert as_monitor(monitor) is monitor
    for odd in ("yes", 1, 0):
        with pytest.raises(OptionError, match=f"progress={odd!r}"):
            as_monitor(odd)

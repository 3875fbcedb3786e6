"""What the command prints: progress, topics, what was skipped, errors."""

from __future__ import annotations

import errno
import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import typer
from rich.console import Console
from rich.progress import Progress, TextColumn

from hlta import Keyword, Topic, TopicTree
from hlta.cli.output import BarMonitor, reported_errors, show_topics, tell_skipped
from hlta.reading.skipped import Skipped
from tests.trees import flat_tree


def test_a_terminal_sees_bars() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, color_system=None)
    with Progress(TextColumn("{task.description} {task.completed}"), console=console) as progress:
        bars = BarMonitor(progress)
        with bars.stage("reading"):
            bars.advance(100)
            with bars.stage("inner", 5):
                bars.advance(2)
                progress.refresh()
            bars.note("a note [with brackets]")
        with pytest.raises(ValueError, match="x"), bars.stage("fitting"):
            raise ValueError("x")
    shown = out.getvalue()
    for part in ("reading 100", "  inner 2", "✓ reading", "[with brackets]", "✗ fitting"):
        assert part in shown


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


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_tree(topics: TopicTree) -> None:
    with redirect_stdout(Terminal()) as out:
        show_topics(topics, n_words=3, ids=True)
    for part in ("25.0%", "xa xb", " xc", "├── ", "└── ", "va vb", "u "):
        assert part in out.getvalue()
    assert "xd" not in out.getvalue()


def plain(shown: str) -> str:
    """Without the codes for bold and dim."""
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


@pytest.mark.parametrize("columns", [80, 30])
def test_a_terminal_sees_facets_too(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    off, sales = [0.02] * 6, [0.8, 0.8, 0.8, 0.02, 0.02, 0.02]
    space = [0.3, 0.3, 0.3, 0.9, 0.9, 0.9]
    states = ((0.6, off), (0.3, sales), (0.1, space))
    tree = flat_tree(("car", "price", "buy", "space", "orbit", "nasa"), states)
    with redirect_stdout(Terminal()) as out:
        show_topics(TopicTree.from_tree(tree))
    assert "(car price buy; space orbit nasa)" in " ".join(plain(out.getvalue()).split())


def test_a_file_gets_plain_lines(topics: TopicTree, capsys: pytest.CaptureFixture[str]) -> None:
    show_topics(topics, n_words=3, ids=True)
    assert capsys.readouterr().out == topics.to_text(n_words=3, ids=True) + "\n"


def test_a_file_gets_as_many_topics_as_fit_if_nobody_asked(
    topics: TopicTree, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = topics.to_text().splitlines()
    show_topics(topics, most_lines=2, model=Path("my topics"))
    told = capsys.readouterr()
    assert told.out.splitlines() == [lines[0], lines[-1]]
    assert told.err == "3 more topics below; `hlta topics 'my topics'` shows them\n"
    show_topics(topics, most_lines=4)
    told = capsys.readouterr()
    assert told.out.splitlines() == [*lines[:3], lines[-1]]
    assert told.err == "1 more topic below; `hlta topics` shows it\n"


def test_of_the_layer_that_does_not_fit_each_topic_shows_as_many() -> None:
    below = {"a": "bcd", "b": "ef", "c": "g", "h": "i", "i": "jk"}
    made = {
        name: Topic(name, 1, 0.001, [Keyword(name, 0.9, 0.1, 0.2)], None) for name in "abcdefghijk"
    }
    for name, children in below.items():
        for child in children:
            made[child].parent = made[name]
            made[name].children.append(made[child])
    topics = TopicTree([made["a"], made["h"]])
    assert "[<.01] a" in topics.to_text()

    def shown(most: int) -> str:
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()):
            show_topics(topics, most_lines=most)
        return "".join(line.split()[-1] for line in out.getvalue().splitlines())

    lines = ["ah"] * 4 + ["abhi"] + ["abchi"] + ["abcdhi"] * 3 + ["abecgdhij"] * 2 + ["abefcgdhijk"]
    assert [shown(most) for most in range(12)] == lines


def test_a_terminal_sees_as_many_layers_as_fit(topics: TopicTree) -> None:
    with redirect_stdout(Terminal()) as out:
        show_topics(topics, most_lines=3)
    assert "2 more topics below" in out.getvalue()
    assert len(out.getvalue().splitlines()) == 4
    with redirect_stdout(Terminal()) as out:
        show_topics(topics, most_lines=5)
    assert "below" not in out.getvalue()
    assert len(out.getvalue().splitlines()) == 5


def test_the_name_of_a_model_is_no_markup(topics: TopicTree) -> None:
    with redirect_stdout(Terminal()) as out:
        show_topics(topics, most_lines=2, model=Path("runs[old]/a[/b]"))
    assert "`hlta topics 'runs[old]/a[/b]'` shows them" in plain(out.getvalue())


def test_vague_topics_are_counted_in_place_of_their_lines(
    topics: TopicTree, capsys: pytest.CaptureFixture[str]
) -> None:
    topics["v"].is_vague = True
    told = "1 vague topic is set aside; `hlta topics --all` shows all topics\n"
    show_topics(topics)
    assert capsys.readouterr() == (topics.to_text() + "\n", told)
    show_topics(topics, depth=1)
    assert not capsys.readouterr().err.endswith(told)  # it would have no line, either way
    show_topics(topics, most_lines=3)
    assert capsys.readouterr().err == "1 more topic below; `hlta topics` shows it\n" + told
    show_topics(topics, whole=True)
    assert capsys.readouterr() == (topics.to_text(whole=True) + "\n", "")
    with redirect_stdout(Terminal()) as out:
        show_topics(topics)
    assert "va vb" not in out.getvalue()
    assert told in plain(out.getvalue())


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (0, ""),
        (1, "Skipped 'file 0': it is empty\n"),
        (1500, "Skipped 'file 0' and 1,499 more: it is empty\n"),
    ],
)
def test_what_was_skipped_is_told_with_an_example(
    count: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    skipped = Skipped()
    for k in range(count):
        skipped(f"file {k}", "it is empty")
    tell_skipped(skipped, quiet=True)
    assert capsys.readouterr().err == ""
    tell_skipped(skipped, quiet=False)
    assert capsys.readouterr().err == message


@pytest.mark.parametrize(
    ("error", "message", "code"),
    [
        (OSError(errno.ENOSPC, "No space left", "out"), "'out': No space left; make room", 1),
        (OSError("odd"), "hlta: odd", 1),
        (MemoryError(), "out of memory; try fewer --words", 1),
        (KeyboardInterrupt(), "interrupted", 130),
    ],
)
def test_errors_become_a_line_and_an_exit_code(
    error: BaseException, message: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended, reported_errors():
        raise error
    assert ended.value.exit_code == code
    assert message in capsys.readouterr().err


def test_errors_of_the_program_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), reported_errors():
        raise ZeroDivisionError

"""What the command says: bars, a tree, and that the first run compiles."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import pytest

from hlta import Keyword, TextMonitor, Topic, TopicTree
from hlta.cli import first_run as warming
from hlta.cli.output import BarMonitor, show_topics

if TYPE_CHECKING:
    from pathlib import Path


def test_a_terminal_sees_bars() -> None:
    from rich.console import Console
    from rich.progress import Progress, TextColumn

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


def test_a_terminal_sees_a_tree() -> None:
    def topic(name: str, parent: Topic | None) -> Topic:
        words = [Keyword(f"{name}{k}", 0.9, 0.1, 0.2) for k in "abcd"]
        made = Topic(name, 2, 0.25, words, parent)
        if parent is not None:
            parent.children.append(made)
        return made

    roots = [topic("x", None), topic("y", None)]
    for name in ("z", "u", "v"):
        topic(name, roots[0])
    topics = TopicTree(roots)
    out = io.StringIO()
    show_topics(topics, n_words=3, ids=True, file=out, terminal=True)
    for part in ("25.0%", "xa xb", " xc", "├── ", "└── ", "va vb", "u "):
        assert part in out.getvalue()
    assert "xd" not in out.getvalue()
    out = io.StringIO()
    show_topics(topics, n_words=3, ids=True, file=out, terminal=False)
    assert out.getvalue() == topics.to_text(n_words=3, ids=True) + "\n"
    out = io.StringIO()
    show_topics(topics, file=out, terminal=True, most_lines=4)
    assert "3 topics below" in out.getvalue()
    assert len(out.getvalue().splitlines()) == 3


@pytest.mark.slow
def test_kernels_are_compiled_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    names = (*warming._THERE, *warming._HERE)
    (tmp_path / "_kernels").mkdir()
    for name in names:
        file = tmp_path / f"{name.replace('.', '/')}.py"
        (file.parent / "__pycache__").mkdir(parents=True, exist_ok=True)
        file.touch()
        assert warming._missing(tmp_path)
        (file.parent / "__pycache__" / f"{file.stem}.kernel-12.{python}.nbi").touch()
    assert not warming._missing(tmp_path)
    os.utime(tmp_path / f"{names[0].replace('.', '/')}.py", (2**32, 2**32))
    assert warming._missing(tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not warming._missing(tmp_path)

    out = io.StringIO()
    monkeypatch.setattr(warming, "_missing", lambda: False)
    warming.compile_kernels(TextMonitor(out))
    assert not out.getvalue()
    monkeypatch.setattr(warming, "_missing", lambda: True)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    warming.compile_kernels(TextMonitor(out))
    assert "compiling, which only the first run does" in out.getvalue()

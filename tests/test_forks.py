"""A child that lacks the threads of its parent says so where it would hang."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hlta._support import forks
from hlta.errors import OptionError

if TYPE_CHECKING:
    from pathlib import Path

NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def threads_of(folder: Path, *names: str) -> None:
    for k, name in enumerate(names):
        (folder / str(k)).mkdir()
        (folder / str(k) / "comm").write_text(f"{name}\n")


@pytest.mark.parametrize(
    ("names", "lost"),
    [((), False), (("python", "polars-ooc-clea"), False), (("python", "polars-11"), True)],
)
def test_polars_is_refused_if_its_threads_are_lost(
    names: tuple[str, ...], lost: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads_of(tmp_path, *names)
    monkeypatch.setattr(forks, "_THREADS", tmp_path)
    for state in ("_lost", "_lost_by_fork"):
        monkeypatch.setattr(forks, state, False)
    forks._note_threads()
    forks.check_threads_of_polars()  # the parent goes on
    forks._lose_threads()
    if lost:
        with pytest.raises(OptionError, match="spawn"):
            forks.check_threads_of_polars()
    else:
        forks.check_threads_of_polars()


@NEEDS_FORK
@pytest.mark.skipif(not forks._THREADS.exists(), reason="the system does not tell its threads")
def test_a_fork_after_polars_is_noted_and_one_before_is_not() -> None:
    code = """
import os, hlta
from hlta._support.forks import check_threads_of_polars
def in_child():
    child = os.fork()
    if not child:
        try:
            check_threads_of_polars()
        except hlta.OptionError:
            os._exit(3)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
before = in_child()
import polars
polars.LazyFrame({"a": [2, 1]}).sort("a").collect()
print(before, in_child())
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "0 3\n"

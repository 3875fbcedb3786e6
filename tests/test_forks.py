"""A child that lacks the threads of its parent says so where it would hang."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hlta._support import forks


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
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

"""How much work something is, in numbers that do not depend on the machine or on what else it does."""

import gc
import re
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, NamedTuple

import pytest

# Methods that go through all of what they belong to, or copy it.
_OF_TEXT = frozenset({"count", "split", "splitlines", "replace", "translate", "lower", "decode"})
_GO_THROUGH: dict[type, frozenset[str]] = {
    str: _OF_TEXT,
    bytes: _OF_TEXT,
    list: frozenset({"index", "remove", "insert"}),
}


_MOST = 1.2
"""Times what the first n take, the second n may take: as where work grows with n log n, and n is a
thousand. Work that grows with the square takes three times as much, so a tenth of it is too much."""
_ATTEMPTS = 3
_SLACK = 100
"""Lines, bytes or characters for each of the n, since lists and tables grow in steps."""


class Work(NamedTuple):
    """What was done.

    lines     of Python that were run, of `hlta` and the standard library
    bytes     that were allocated, by Python and NumPy, if only for the time of a line: what is copied
              by slices, joins and the like
    searched  characters that patterns of `hlta` went through, and those of texts and entries of lists
              whose methods were called

    What other compiled code does is not seen, such as Polars, PDFium, HTML's parser and kernels; nor
    is what a pattern tries again, or what `in` looks through.
    """

    lines: int
    bytes: int
    searched: int


def work(do: Callable[[], object]) -> Work:
    """Do something in this thread alone, and count: the bytes of others would be counted at any time."""
    lines = taken = before = searched = 0
    memory, reset = tracemalloc.get_traced_memory, tracemalloc.reset_peak

    def on_line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines, taken, before
        if event == "line":
            lines += 1
            now, most = memory()
            taken += most - before
            before = now
            reset()
        elif event == "call" and "site-packages" in frame.f_code.co_filename:
            return None
        return on_line

    def on_call(_: FrameType, event: str, called: Any) -> None:
        if event == "c_call":
            of: Any = getattr(called, "__self__", None)
            if called.__name__ in _GO_THROUGH.get(type(of), frozenset()):
                count(len(of))

    def count(characters: int) -> None:
        nonlocal searched
        searched += characters

    outer = sys.gettrace(), sys.getprofile()
    gc.disable()
    tracemalloc.start()
    with pytest.MonkeyPatch.context() as patch:
        _count_patterns(patch, count)
        sys.setprofile(on_call)
        sys.settrace(on_line)
        try:
            do()
        finally:
            sys.settrace(outer[0])
            sys.setprofile(outer[1])
            tracemalloc.stop()
            gc.enable()
    return Work(lines, taken, searched)


def _count_patterns(patch: pytest.MonkeyPatch, count: Callable[[int], None]) -> None:
    """Let the patterns of all modules of `hlta` say how many characters they go through."""
    for module in [module for name, module in sys.modules.items() if name.startswith("hlta.")]:
        for name, value in vars(module).copy().items():
            if isinstance(value, re.Pattern):
                patch.setattr(module, name, _Counting(value, count))


class _Counting:
    """A pattern that counts."""

    def __init__(self, pattern: re.Pattern[Any], count: Callable[[int], None]) -> None:
        self._pattern, self._count = pattern, count

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._pattern, name)
        if not callable(method):
            return method

        def counting(*given: Any, **more: Any) -> Any:
            found = method(*given, **more)
            if name in {"match", "fullmatch", "search"} and found:
                self._count(found.end() - found.pos)
            elif name not in {"match", "fullmatch"}:
                self._count(len(given[name in {"sub", "subn"}]))
            return found

        return counting


def assert_linear(do: Callable[[int], object], n: int, least: int = 1) -> None:
    """Twice as much to do is about twice as much work, beyond what there is in any case.

    What other threads allocate can only add to it, so a count that is too large is made again.
    """
    do(least)
    for _ in range(_ATTEMPTS):
        excess = _excess(do, n, least)
        if not excess:
            return
    pytest.fail("; ".join(excess))


def _excess(do: Callable[[int], object], n: int, least: int) -> list[str]:
    """What grows too much, with its counts."""
    counted = zip(*(work(partial(do, size)) for size in (least, n, 2 * n)), strict=True)
    found = []
    for name, (always, small, large) in zip(Work._fields, counted, strict=True):
        each = max(small - always, 0) / (n - least)
        if large > small + n * (_MOST * each + _SLACK):
            found.append(f"{name}: {always:,}, {small:,}, then {large:,}")
    return found

"""Small tools of all rooms: checks of arguments, arrays, what grows into a file, text in messages."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta import Corpus, DocumentsError, OptionError, TextOptions
from hlta._support import forks, spool
from hlta._support.arrays import read_only
from hlta._support.checks import check_choice, check_flag, check_real, check_whole
from hlta._support.limited import start
from hlta._support.messages import printable
from hlta._support.spool import Spool
from hlta.documents import strings as strings_module
from hlta.documents.strings import Strings, beginning
from hlta.options import EMOptions, StructureOptions


@pytest.mark.parametrize("value", [2, 9, 4.0, "4", True, None, [4], np.array([4, 5])])
def test_what_is_not_a_whole_number_within_bounds_is_refused(value: Any) -> None:
    with pytest.raises(OptionError, match=r"^n=.*: use a whole number, from 3 to 8$"):
        check_whole("n", value, least=3, most=8)


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), Fraction(1, 2)])
def test_numbers_within_bounds_pass(value: Any) -> None:
    check_real("x", value, least=0.0, most=1.0)


@pytest.mark.parametrize(
    "value", [-0.1, 1.5, float("nan"), float("inf"), 10**400, "1", True, None, 1j]
)
def test_what_is_not_a_number_within_bounds_is_refused(value: Any) -> None:
    with pytest.raises(OptionError, match=r"^x=.*: use a number, from 0 to 1 \(1 keeps all\)$"):
        check_real("x", value, least=0.0, most=1.0, hint="1 keeps all")


@pytest.mark.parametrize("value", [1, 0, None, "yes", np.True_, "", ["a"], np.array(["a", "b"])])
def test_flags_are_true_or_false_and_choices_are_named(value: Any) -> None:
    check_flag("f", True)
    check_choice("em", "a", ("a", "b"))
    with pytest.raises(OptionError, match="use True or False"):
        check_flag("f", value)
    with pytest.raises(OptionError, match="use one of 'a', 'b'"):
        check_choice("em", value, ("a", "b"))


def test_a_read_only_view_shares_the_memory_of_the_array(tmp_path: Path) -> None:
    array = np.arange(3)
    view = read_only(array)
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 5
    array[0] = 7
    assert view[0] == 7
    mapped = np.memmap(tmp_path / "array", dtype=np.int64, shape=3, mode="w+")
    assert type(read_only(mapped)) is np.ndarray  # as kernels take it


# ---- what grows into a temporary file ------------------------------------------------------------

PARTS = [np.arange(n, dtype=np.int32) - n for n in (3, 0, 5, 1)]


@pytest.mark.parametrize("parts", [PARTS, []])
@pytest.mark.parametrize("in_memory", [1, 16, 1 << 20])
def test_a_spool_is_its_parts_in_one_array_and_one_by_one(
    monkeypatch: pytest.MonkeyPatch, parts: list[NDArray[np.int32]], in_memory: int
) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", in_memory)
    written = Spool(np.int32)
    for array in parts:
        written.write(array)
    for _ in range(2):
        assert [part.tolist() for part in written] == [array.tolist() for array in parts]
    whole = written.read()
    del written
    expected = np.concatenate([np.empty(0, np.int32), *parts])
    np.testing.assert_array_equal(whole, expected, strict=True)  # after the file is closed


@pytest.mark.parametrize("in_memory", [1, 1 << 28])
def test_strings_are_a_sequence(monkeypatch: pytest.MonkeyPatch, in_memory: int) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", in_memory)
    monkeypatch.setattr(strings_module, "_AT_ONCE", 2)
    values = ["", "a", "größe", "", "?", "x" * 100]
    strings = Strings.of([*values[:4], "\ud800", values[5]])  # half of a character
    assert list(strings) == values
    assert [strings[k] for k in range(-3, 3)] == values[-3:] + values[:3]
    assert strings[1:4] == values[1:4]
    assert list(strings.take(np.array([5, 2, 2]))) == [values[5], "größe", "größe"]
    assert repr(strings) == "Strings(6)"
    older = np.frombuffer("a\ud800".encode("utf-8", "surrogatepass"), dtype=np.uint8)
    assert list(Strings(older, np.array([len(older)]))) == ["a?"]
    with pytest.raises(IndexError):
        strings[6]
    assert list(Strings.of([])) == []


# ---- text in messages ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("characters", "expected"),
    [(100, "deep neural networks"), (14, "deep neural …"), (10, "deep neura …"), (2, "de …")],
)
def test_the_beginning_ends_at_a_space_if_one_is_near(characters: int, expected: str) -> None:
    assert beginning("deep neural networks", characters) == expected


@given(st.text())
def test_no_character_controls_a_terminal(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert (shown == text) == text.isprintable()


@given(st.text(st.characters(exclude_characters="\\'\"", categories=["L", "Cc", "Cf"])))
def test_escapes_are_those_of_python(text: str) -> None:
    assert ast.literal_eval(f"'{printable(text)}'") == text


# ---- programs that may take only so much memory --------------------------------------------------

PROGRAM = """
import sys
if __name__ == "__main__":
    taken = bytearray(int(sys.argv[2]))
    print(len(taken), sys.path[0] if sys.path else "")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="not every system limits memory")
def test_a_program_has_only_so_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)

    def printed(size: int) -> str:
        with start(tmp_path / "program.py", "numpy", str(size), memory=1 << 29) as process:
            return str(process.stdout.read().decode())

    little = printed(1 << 20)
    assert little.startswith(f"{1 << 20} ")
    assert str(tmp_path) not in little  # nothing is imported from the current folder
    assert not printed(1 << 30)


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe cannot be watched there")
def test_a_program_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import time; print(flush=True); time.sleep(60)")
    process = start(tmp_path / "program.py", "numpy", memory=1 << 29)
    assert process.stdout.readline()
    process.stdin.close()  # which is all that is left of a process that was killed
    assert process.wait(timeout=20) == 1
    process.stdout.close()


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
    command = [sys.executable, "-W", "ignore", "-c", code]
    assert subprocess.check_output(command, text=True) == "0 3\n"


def test_odd_values_are_refused() -> None:
    odd: list[tuple[Callable[[], object], str]] = [
        (
            lambda: StructureOptions(max_top_topics=0),
            "max_top_topics=0: use a whole number, 1 or more",
        ),
        (lambda: StructureOptions(max_island_size=61), "from 3 to 60"),
        (lambda: StructureOptions(structure_sample=1), "2 or more, or None for all documents"),
        (lambda: EMOptions(em_steps=-1), "em_steps=-1"),
        (lambda: EMOptions(step_exponent=1.5), "step_exponent=1.5: use a number, from 0 to 1"),
        (lambda: TextOptions(tokenizer=3), "tokenizer=3"),
        (lambda: Corpus.from_texts("one text"), "a single string"),
    ]
    for make, message in odd:
        with pytest.raises((OptionError, DocumentsError), match=message):
            make()

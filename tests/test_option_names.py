"""Messages name options as they are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from hlta.cli.option_names import as_typed, named_for
from tests.command import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class Parameter(NamedTuple):
    name: str
    opts: list[str]
    secondary_opts: Sequence[str] = ()


PARAMETERS = (
    Parameter("paths", ["paths"]),
    Parameter("n_topics", ["--topics"]),
    Parameter("number", ["-n", "--number"]),
    Parameter("unit", ["--unit"]),
    Parameter("segment", ["--segment"]),
    Parameter("seed", ["--seed"]),
    Parameter("refine", ["--refine"], ["--no-refine"]),
    Parameter("overwrite", ["--overwrite"]),
    Parameter("min_df", ["--min-df"]),
    Parameter("seeds", ["--seeds"]),
)


@pytest.fixture
def running() -> Iterator[None]:
    with named_for(PARAMETERS):
        yield


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize(
    ("message", "typed"),
    [
        ("n_topics=0: use 1, or None for all", "--topics 0: use 1, or leave it out for all"),
        ("unit='year': use unit='month'", "--unit year: use --unit month"),
        ('unit="": no', '--unit "": no'),
        ("unit='a b': no", "--unit 'a b': no"),
        ("random_state=-1: use a seed", "--seed -1: use a seed"),
        ("min_df=3 to 4; use refine=True", "--min-df 3 to 4; use --refine"),
        ("with refine=False there is no vote", "with --no-refine there is no vote"),
        ("overwrite=False: no", "overwrite=False: no"),
        ("'/my unit=3.csv' does not exist", "'/my unit=3.csv' does not exist"),
        ("dates such as 'id (unit=2)': unit=x", "dates such as 'id (unit=2)': --unit x"),
        ("n_topics=-1: use 2, or None for all documents", "--topics -1: use 2, or 0 for all documents"),
        ("with tokenizer=None (--segment none)", "with --segment none"),
        ("name it (date=..., --date)", "name it (--date)"),
        ("overwrite it (--overwrite; in Python, overwrite=True)", "overwrite it (--overwrite)"),
        ("snippet=-1: use 0 or more, or None", "snippet=-1: use 0 or more, or None"),
        ("'unit=3.csv' does not exist", "'unit=3.csv' does not exist"),
        ("--number=3: use 1", "--number 3: use 1"),
        ("paths=3", "paths=3"),
        ("seeds='words': use titles", "seeds='words': use titles"),
    ],
)  # fmt: skip
def test_arguments_become_options(message: str, typed: str) -> None:
    assert as_typed(message) == typed


def test_outside_of_a_command_nothing_changes() -> None:
    assert as_typed("n_topics=0, or None") == "n_topics=0, or None"


def test_errors_of_a_command_name_its_options(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("some words\n")
    arguments = ("fit", tmp_path / "a.txt", "-o", tmp_path / "out")
    result = run(*arguments, "--topics", "0")
    assert result.exit_code == 1
    assert "hlta: --topics 0: use a whole number, 1 or more, or leave it out" in result.stderr
    result = run(*arguments, "--segment", "x")
    assert "hlta: --segment x: use one of 'auto', 'chinese'" in result.stderr
    assert "function" not in result.stderr

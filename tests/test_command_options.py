"""Options of commands: which there are, what they become, and their names in messages."""

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from hlta import HLTA, FormatError, OptionError, TextOptions
from hlta.cli import app, verbs
from hlta.cli.common_options import Model, Page, Words, grouped
from hlta.cli.inputs import read_json, read_word_list, refuse_options, text_options
from hlta.cli.option_names import as_typed, name_options
from hlta.cli.results import read_titles
from hlta.estimator.face import OF_THE_RUN


def test_models_default_to_the_parameters_of_the_estimator() -> None:
    parameters = HLTA().get_params()
    options = vars(Model())
    assert options == {name: parameters[name] for name in options}
    assert set(parameters) - set(options) == {"random_state", "n_jobs", "text", *OF_THE_RUN}


@pytest.mark.parametrize("verb", [verb.__name__ for verb in verbs])
def test_help_is_complete_and_shows_neither_types_of_python_nor_lines_of_source(verb: str) -> None:
    shown = CliRunner().invoke(app, [verb, "--help"], env={"COLUMNS": "200"}).stdout
    assert not re.search(r"<[a-z]|\bINTEGER\b|\bFLOAT\b", shown)
    for parameter in get_command(app).commands[verb].params:  # type: ignore[attr-defined]
        assert getattr(parameter, "is_flag", False) or parameter.metavar, parameter.name
        assert parameter.name == "help" or parameter.help, parameter.name
    about = shown.split("Usage:")[1].split("╭")[0].strip().splitlines()[1:]
    lines = [line.strip() for line in about]
    assert all(not above or not below or len(above) > 120 for above, below in pairwise(lines))


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large it is.

    Parameters
    ----------
    width : N, from 1, default narrow, or so
        How wide it is, in the unit
        of the picture.
    """

    width: int = 3
    height: Annotated[int, typer.Option(help="How high.")] = 4


def invoke(command: Any, *arguments: str) -> Any:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, arguments)


@dataclass(frozen=True, kw_only=True)
class OnlyWidth(Size):
    height: None = None  # type: ignore[assignment]


def test_a_command_gets_whole_groups_and_its_own_options() -> None:
    calls = []

    @grouped
    def draw(path: str, *, size: Size, n_times: int | str = 1) -> None:
        """Draw something.

        Parameters
        ----------
        path : FILE
            Where to.
        n_times (-n)
            How often.
        """
        calls.append((path, size, n_times))

    @grouped
    def stretch(*, size: OnlyWidth) -> None:
        calls.append(("", size, 0))

    assert list(inspect.signature(draw).parameters) == ["path", "width", "height", "n_times"]
    shown = invoke(draw, "--help").stdout
    for part in ("FILE", "Where to.", "--width", "[x>=1]", "How wide it is, in the unit of", "-n"):
        assert part in shown
    assert "(narrow, or so)" in shown
    assert "Parameters" not in shown
    for command, arguments, code in (
        (draw, ("a",), 0),
        (draw, ("b", "--height", "7", "--times", "2"), 0),
        (draw, ("b", "-n", "often"), 0),
        (draw, ("b", "--width", "0"), 2),
        (stretch, ("--width", "7"), 0),
        (stretch, ("--height", "7"), 2),  # the subclass withholds it
    ):
        assert invoke(command, *arguments).exit_code == code
    usual = Size(width=3, height=4)
    expected = [("a", usual, 1), ("b", Size(width=3, height=7), 2), ("b", usual, "often")]
    assert calls == [*expected, ("", OnlyWidth(width=7), 0)]


def test_a_docstring_that_is_not_understood_is_refused() -> None:
    def draw(*, width: int = 1) -> None:
        """Draw something.

        Parameters
        ----------
        width : N and so on, default
            How wide.
        """

    with pytest.raises(ValueError, match="width : N and so on, default"):
        grouped(draw)


def test_options_of_words_are_translated(tmp_path: Path) -> None:
    assert text_options(Words()) == {}
    keep, drop = tmp_path / "keep", tmp_path / "drop"
    keep.write_bytes("\ufeffzebra \n\n data\r\n".encode())
    drop.write_text("market\n")
    alike: dict[str, Any] = {"n_words": 9, "ngrams": 2, "min_length": 4, "numbers": True}
    alike |= {"lemmas": "english", "drop_passages": True, "keep_style": True}
    typed = alike | {"stop_words": str(drop), "min_df": 2.0, "max_df": 30.0, "keep_case": True}
    typed |= {"segment": "chinese", "include": keep, "exclude": drop}
    given = text_options(Words(**typed))
    expected = alike | {"stop_words": ["market"], "min_df": 2, "max_df": 30, "lowercase": False}
    expected |= {"tokenizer": "chinese", "include": ("zebra", "data"), "exclude": ("market",)}
    assert TextOptions(**given) == TextOptions(**expected)
    assert (type(given["min_df"]), type(given["max_df"])) == (int, int)


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (Words(min_df=0.5, max_df=1.0), {"min_df": 0.5, "max_df": 1.0}),  # shares
        (Words(min_df=1.0, max_df=0.2), {"min_df": 1, "max_df": 0.2}),
        (Words(stop_words="none"), {"stop_words": None}),
        (Words(stop_words="german"), {"stop_words": "german"}),
    ],
)
def test_numbers_of_documents_and_stop_words(given: Words, options: dict[str, Any]) -> None:
    found = text_options(given)
    assert found == options
    assert [type(value) for value in found.values()] == [type(v) for v in options.values()]


def test_an_option_without_effect_is_named() -> None:
    refuse_options("is never refused by default", Page())
    with pytest.raises(OptionError, match="--page-documents makes no sense"):
        refuse_options("makes no sense", Page(page_documents=7))
    with pytest.raises(OptionError, match="--words makes no sense"):
        refuse_options("makes no sense", Page(), Words(n_words=7))


@pytest.mark.parametrize(
    ("read", "data", "problem"),
    [
        (read_json, b"\xff", "a' is not valid JSON"),
        (read_json, b"9" * 5000, "a' is not valid JSON"),
        (read_json, b"[" * 100_000, "a' is nested too deeply"),
        (read_word_list, b"caf\xe9", "a' is not valid UTF-8"),
        (read_titles, b"caf\xe9", r"--from '.*a' is not a CSV file in UTF-8"),
    ],
)
def test_what_is_not_json_or_not_utf_8_is_refused(
    tmp_path: Path, read: Callable[[Path], object], data: bytes, problem: str
) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises((OptionError, FormatError), match=problem):
        read(tmp_path / "a")


def test_a_row_of_titles_may_be_short(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("title,id\nA\nB,Z1\n")
    assert read_titles(tmp_path / "a") == {"": "A", "Z1": "B"}  # which no topic is called


class Parameter(NamedTuple):
    name: str
    opts: list[str]
    secondary_opts: Sequence[str] = ()


ALIKE = ("unit", "segment", "seed", "overwrite", "seeds", "min_df")
PARAMETERS = (
    *(Parameter(name, [f"--{name.replace('_', '-')}"]) for name in ALIKE),
    Parameter("paths", ["paths"]),
    Parameter("n_topics", ["--topics"]),
    Parameter("number", ["-n", "--number"]),
    Parameter("refine", ["--refine"], ["--no-refine"]),
)


@pytest.mark.parametrize(
    ("message", "typed"),
    [
        ("n_topics=0: use 1, or None for all", "--topics 0: use 1, or leave it out for all"),
        ("unit='year': use unit='month'", "--unit year: use --unit month"),
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
        ("samples=-1: use 0 or more, or None", "samples=-1: use 0 or more, or None"),
        ("--number=3: use 1", "--number 3: use 1"),
        ("paths=3", "paths=3"),
        ("seeds='words': use titles", "seeds='words': use titles"),
    ],
)  # fmt: skip
def test_arguments_become_options(message: str, typed: str) -> None:
    with name_options(PARAMETERS):
        assert as_typed(message) == typed
    assert as_typed(message) == message  # outside of a command

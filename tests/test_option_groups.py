"""Groups of options: what Typer sees of them, and what the command gets."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from hlta.cli.common_options import grouped, options_of


@dataclass(frozen=True, kw_only=True)
class Size:
    width: Annotated[int, typer.Option("--width", help="How wide.")] = 3
    height: Annotated[int, typer.Option(help="How high.")] = 4


@dataclass(frozen=True, kw_only=True)
class OnlyWidth(Size):
    height: int = 5


@dataclass(frozen=True, kw_only=True)
class Colour:
    red: Annotated[bool, typer.Option("--red")] = False


def invoke(command: Any, *arguments: str) -> Any:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, arguments)


def test_a_command_gets_whole_groups_and_its_own_options() -> None:
    calls = []

    @grouped
    def draw(
        path: Annotated[str, typer.Argument()],
        *,
        size: Size,
        times: Annotated[int, typer.Option()] = 1,
        colour: Colour,
    ) -> None:
        calls.append((path, size, times, colour))

    assert invoke(draw, "a").exit_code == 0
    assert invoke(draw, "b", "--height", "7", "--red", "--times", "2").exit_code == 0
    assert calls == [
        ("a", Size(width=3, height=4), 1, Colour(red=False)),
        ("b", Size(width=3, height=7), 2, Colour(red=True)),
    ]


def test_the_signature_lists_the_options_in_order() -> None:
    @grouped
    def draw(size: Size, *, times: int = 1, colour: Colour) -> None:
        """Draw something."""

    assert list(inspect.signature(draw).parameters) == ["width", "height", "times", "red"]
    shown = invoke(draw, "--help").stdout
    for part in ("Draw something.", "--width", "How wide.", "[default: 3]", "--red"):
        assert part in shown


def test_a_subclass_withholds_an_option() -> None:
    calls = []

    @grouped
    def draw(*, size: OnlyWidth) -> None:
        calls.append(size)

    assert [parameter.name for parameter in options_of(OnlyWidth)] == ["width"]
    assert invoke(draw, "--height", "7").exit_code == 2
    assert invoke(draw, "--width", "7").exit_code == 0
    assert calls == [OnlyWidth(width=7)]
    assert calls[0].height == 5


def test_two_options_of_one_name_are_refused() -> None:
    def draw(*, size: Size, width: int = 1) -> None:
        """Draw something."""

    with pytest.raises(ValueError, match="width"):
        grouped(draw)

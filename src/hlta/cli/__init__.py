"""The command `hlta`: topics from files, without writing Python."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import hlta
from hlta._support.threads import check_number_of_threads
from hlta.cli import process
from hlta.cli.converting import convert
from hlta.cli.editing import edit
from hlta.cli.evaluating import evaluate
from hlta.cli.fitting import demo, fit
from hlta.cli.model_commands import assign, report, score, titles, topics
from hlta.cli.option_names import Command, Group
from hlta.cli.output import report_errors
from hlta.cli.printing import show, tell
from hlta.cli.serving import mcp, serve
from hlta.cli.tables import compare, documents, trends
from hlta.cli.updating import update

app = typer.Typer(
    name="hlta",
    cls=Group,
    help="Hierarchical topic detection: learn a tree of topics from documents.",
    epilog="Exit codes: 0 success, 1 invalid input, 2 invalid usage, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
verbs = (
    *(demo, fit, update, topics, titles, edit, assign, documents, trends, score),
    *(evaluate, compare, report, serve, mcp, convert),
)
for verb in verbs:
    app.command(cls=Command)(report_errors()(verb))


def _version(wanted: bool) -> None:
    if wanted:
        show(f"hlta {hlta.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Hierarchical topic detection: learn a tree of topics from documents."""
    for variable in ("NUMBA_NUM_THREADS", "POLARS_MAX_THREADS"):
        check_number_of_threads(variable)


def main() -> None:
    """Run the command."""
    ending = process.begin()
    try:
        with report_errors():
            app()
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
    except ImportError:  # some compiled modules raise this if a signal arrives while they load
        if ending.number is None:
            raise
        tell("hlta: interrupted")
        sys.exit(128 + ending.number)
    finally:
        process.end()

"""`hlta compare`: the topics of two models side by side."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hlta.cli import common_options as options
from hlta.cli.inputs import NEEDS_DOCUMENTS, load_model, read_for_model, refuse_options
from hlta.cli.printing import show, tell
from hlta.cli.workbook import output_table
from hlta.errors import OptionError
from hlta.options import LEAST_SIMILARITY

if TYPE_CHECKING:
    from hlta._support.arrays import Floats
    from hlta.cli.common_options import ReadingText, Run
    from hlta.estimator import HLTA
    from hlta.topics.comparison import Comparison


@options.grouped
def compare(
    first: Path,
    second: Path,
    paths: list[str] | None = None,
    *,
    least: float = LEAST_SIMILARITY,
    number: int = 20,
    output: Path | None = None,
    overwrite: options.Overwrite = False,
    reading: options.ReadingText,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Compare the topics of two models: which correspond, which are in one only, and what changed.

    Parameters
    ----------
    first : FIRST
        A model file, or the folder that `hlta fit` wrote.
    second : SECOND
        Another one, such as that of a later period.
    paths : PATH..., default none: by words alone
        Documents that both models read, in any form that `hlta fit` reads, to compare topics by
        documents, too.
    least
        The similarity, from 0 to 1, that topics need to correspond.
    number : from 1
        Most topics, or pairs, to show in each part.
    output (-o) : default print what differs
        Table to write, .csv or .xlsx.
    """
    if output is not None:
        if as_json:
            raise OptionError("--output writes a table, and --json prints JSON; choose one")
        with output_table(output, first, second, *(paths or []), overwrite=overwrite) as file:
            _compared(first, second, paths, least, reading, run).to_csv(file)
        tell(f"Wrote {output}", quiet=run.quiet)
        return
    found = _compared(first, second, paths, least, reading, run)
    if as_json:
        show(json.dumps(found.to_dicts(), ensure_ascii=False, indent=1))
    else:
        show(found.to_text(most=number, names=(str(first), str(second))))


def _compared(
    first: Path, second: Path, paths: list[str] | None, least: float, reading: ReadingText, run: Run
) -> Comparison:
    models = load_model(first), load_model(second)
    memberships = None
    if not paths:
        refuse_options(reading, NEEDS_DOCUMENTS)
    else:
        memberships = _shares(models, paths, reading, run)
    one, other = (model.topics_ for model in models)
    return one.compare(other, memberships=memberships, least=least)


def _shares(
    models: tuple[HLTA, HLTA], paths: list[str], reading: ReadingText, run: Run
) -> tuple[Floats, Floats]:
    """The shares of topics in both models; each reads the documents in its own way."""
    if paths == ["-"]:
        raise OptionError(
            "standard input can be read only once, and both models need it; use a file"
        )
    quiet = replace(run, quiet=True)  # what was skipped is told once
    one, other = (
        model.transform(read_for_model(model, paths, reading, how))
        for model, how in zip(models, (run, quiet), strict=True)
    )
    return one, other

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

    def compared() -> Comparison:
        one, other = load_model(first), load_model(second)
        memberships = None
        if not paths:
            refuse_options(NEEDS_DOCUMENTS, reading)
        elif paths == ["-"]:
            raise OptionError(
                "standard input can be read only once, and both models need it; use a file"
            )
        else:  # each model reads the documents in its own way, and what was skipped is told once
            quiet = replace(run, quiet=True)
            shares = one.transform(read_for_model(one, paths, reading, run))
            memberships = shares, other.transform(read_for_model(other, paths, reading, quiet))
        return one.topics_.compare(other.topics_, memberships=memberships, least=least)

    if output is not None:
        if as_json:
            raise OptionError("--output writes a table, and --json prints JSON; choose one")
        with output_table(output, first, second, *(paths or []), overwrite=overwrite) as file:
            compared().to_csv(file)
        tell(f"Wrote {output}", quiet=run.quiet)
    elif as_json:
        show(json.dumps(compared().to_dicts(), ensure_ascii=False, indent=1))
    else:
        show(compared().to_text(most=number, names=(str(first), str(second))))

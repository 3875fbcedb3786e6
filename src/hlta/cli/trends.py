"""`hlta trends`: how topics rise and fall over time, and how they differ between groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hlta._support.checks import check_choice
from hlta._support.writing import write_text
from hlta.cli import common_options as options
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.printing import show, tell
from hlta.cli.workbook import output_table
from hlta.errors import OptionError

_BY = ("period", "group", "both")
_DIGITS = dict.fromkeys(("share", "low", "high"), 4)


@options.grouped
def trends(
    model_path: options.ModelPath,
    paths: options.Sources,
    *,
    by: str = "period",
    unit: str | None = None,
    depth: int = 1,
    output: Path | None = None,
    overwrite: options.Overwrite = False,
    reading: options.Reading,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Show how the mean share of each topic changes over time, or differs between groups.

    What surely changed comes first, then a table of as many topics as fit; --output and --json have all.

    Parameters
    ----------
    by : PART
        What divides the documents: period, group, or both.
    unit : default the shortest that gives few periods
        Length of the periods: year, month or day.
    depth : from 1
        Layers of topics; 1 for root topics.
    output (-o) : default print what surely changed, and a table
        Table to write, .csv or .xlsx, with a 95% interval for each share.
    """
    check_choice("--by", by, _BY)
    if unit is not None and by == "group":
        raise OptionError("--unit applies to periods, but --by is group; leave one out")

    def shares() -> list[dict[str, Any]]:
        """One row per part of the documents and topic."""
        from hlta.topics.exports import with_layers

        model = load_model(model_path)
        tree = model.topics_
        topics = [topic for layer, topic in with_layers(tree.roots) if layer < depth]
        corpus = read_for_model(model, paths, reading, run)
        if by == "group":
            return tree.by_group(corpus, topics=topics).to_dicts()
        both = by == "both"
        return tree.over_time(corpus, topics=topics, unit=unit, by_group=both).to_dicts()

    if output is not None:
        if as_json:
            raise OptionError("--output writes a table, and --json prints JSON; choose one")
        with output_table(output, model_path, *paths, overwrite=overwrite) as file:
            from hlta.topics.tables import csv_text

            rows = shares()
            write_text(file, csv_text(rows[0], rows, _DIGITS), "replace")
        tell(f"Wrote {output}", quiet=run.quiet)
    elif as_json:
        show(json.dumps(shares(), ensure_ascii=False, indent=1))
    else:
        from hlta.cli.trend_report import trend_lines

        show("\n".join(trend_lines(shares())))

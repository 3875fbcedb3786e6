"""`hlta trends`: how topics rise and fall over time, and how they differ between groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from hlta._support.checks import check_choice
from hlta._support.writing import write_text
from hlta.cli import common_options as options
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.printing import show, tell
from hlta.cli.workbook import output_table
from hlta.errors import OptionError

if TYPE_CHECKING:
    import polars as pl

    from hlta.cli.common_options import Reading, Run

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
    if output is not None:
        if as_json:
            raise OptionError("--output writes a table, and --json prints JSON; choose one")
        with output_table(output, model_path, *paths, overwrite=overwrite) as file:
            rows = _shares(model_path, paths, by, unit, depth, reading, run)
            write_text(file, _csv(rows), "replace")
        tell(f"Wrote {output}", quiet=run.quiet)
        return
    rows = _shares(model_path, paths, by, unit, depth, reading, run)
    if as_json:
        show(json.dumps(rows.to_dicts(), ensure_ascii=False, indent=1))
    else:
        from hlta.cli.trend_report import trend_lines

        show("\n".join(trend_lines(rows.to_dicts())))


def _shares(
    model_path: Path,
    paths: list[str],
    by: str,
    unit: str | None,
    depth: int,
    reading: Reading,
    run: Run,
) -> pl.DataFrame:
    """One row per part of the documents and topic."""
    from hlta.topics.exports import with_layers

    model = load_model(model_path)
    tree = model.topics_
    topics = [topic for layer, topic in with_layers(tree.roots) if layer < depth]
    corpus = read_for_model(model, paths, reading, run)
    if by == "group":
        return tree.by_group(corpus, topics=topics)
    both = by == "both"
    return tree.over_time(corpus, topics=topics, unit=unit, by_group=both)


def _csv(rows: pl.DataFrame) -> str:
    from hlta.topics.tables import csv_text

    return csv_text(rows.columns, rows.to_dicts(), _DIGITS)

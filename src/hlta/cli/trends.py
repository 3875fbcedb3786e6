"""`hlta trends`: how topics rise and fall over time, and how they differ between groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlta._support.checks import check_choice
from hlta._support.writing.files import write_text
from hlta.cli import common_options as options
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.printing import show, tell
from hlta.cli.results import output_file
from hlta.errors import OptionError

if TYPE_CHECKING:
    import polars as pl

    from hlta.cli.common_options import Reading, Run
    from hlta.topics.topic import Topic

_BY = ("period", "group", "both")
_DIGITS = dict.fromkeys(("share", "low", "high"), 4)


@options.grouped
def trends(
    model_path: options.ModelPath,
    paths: options.Sources,
    *,
    by: Annotated[
        str,
        typer.Option(help="What divides the documents: period, group, or both.", metavar="PART"),
    ] = "period",
    unit: Annotated[
        str | None,
        typer.Option(
            help="Length of the periods: year, month or day.",
            show_default="the shortest that gives few periods",
        ),
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="Layers of topics; 1 for root topics.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="CSV file to write, with a 95% interval for each share.",
            show_default="print a table of shares",
        ),
    ] = None,
    overwrite: options.Overwrite = False,
    reading: options.Reading,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Show the share of documents on each topic, by period or by group."""
    check_choice("--by", by, _BY)
    if unit is not None and by == "group":
        raise OptionError("--unit applies to periods, but --by is group; leave one out")
    if output is not None:
        if as_json:
            raise OptionError("--output writes CSV, and --json prints JSON; choose one")
        with output_file(output, model_path, *paths, overwrite=overwrite) as file:
            rows, _ = _shares(model_path, paths, by, unit, depth, reading, run)
            write_text(file, _csv(rows), "replace")
        if not run.quiet:
            tell(f"Wrote {output}")
        return
    rows, topics = _shares(model_path, paths, by, unit, depth, reading, run)
    if as_json:
        show(json.dumps(rows.to_dicts(), ensure_ascii=False, indent=1))
    else:
        show("\n".join(_table(rows, topics)))


def _shares(
    model_path: Path,
    paths: list[str],
    by: str,
    unit: str | None,
    depth: int,
    reading: Reading,
    run: Run,
) -> tuple[pl.DataFrame, list[Topic]]:
    """One row per part of the documents and topic; and the topics."""
    from hlta.topics.exports import with_layers

    model = load_model(model_path, run.jobs)
    tree = model.topics_
    topics = [topic for layer, topic in with_layers(tree.roots) if layer < depth]
    corpus = read_for_model(model, paths, reading, run)
    if by == "group":
        return tree.by_group(corpus, topics=topics, n_jobs=run.jobs), topics
    both = by == "both"
    rows = tree.over_time(corpus, topics=topics, unit=unit, by_group=both, n_jobs=run.jobs)
    return rows, topics


def _csv(rows: pl.DataFrame) -> str:
    from hlta.topics.tables import csv_text

    return csv_text(rows.columns, rows.to_dicts(), _DIGITS)


def _table(rows: pl.DataFrame, topics: list[Topic]) -> list[str]:
    """The topics by id, and below them a line per part, with a column per topic."""
    ids = [topic.id for topic in topics]
    cells: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for row in rows.to_dicts():
        part = _part(row)
        counts[part] = row["documents"]
        cells.setdefault(part, []).append(f"{row['share']:.2f}")
    wide = max(map(len, cells))
    widths = [max(len(name), 4) for name in ids]

    def line(part: str, count: str, values: list[str]) -> str:
        columns = (f"{value:>{width}}" for value, width in zip(values, widths, strict=True))
        return "  ".join((f"{part:{wide}}", f"{count:>9}", *columns))

    names = max(widths)
    return [
        *(f"{topic.id:{names}}  {topic.title}" for topic in topics),
        "",
        line("", "documents", ids),
        *(line(part, f"{counts[part]:,}", values) for part, values in cells.items()),
    ]


def _part(row: dict[str, Any]) -> str:
    return " ".join(row[name] for name in ("period", "group") if name in row)

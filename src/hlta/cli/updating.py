"""`hlta update`: a model learns from further documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlta._support.files import DOCUMENTS, PAGE, RUN, replacing
from hlta.cli import common_options as options
from hlta.cli import results
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.output import told_warnings
from hlta.errors import FormatError

if TYPE_CHECKING:
    from pathlib import Path


@options.grouped
def update(
    model_path: options.ModelPath,
    path: Annotated[
        str,
        typer.Argument(
            metavar="NEW", help="The further documents, in any form that `hlta fit` reads."
        ),
    ],
    *,
    half_life: Annotated[
        float | None,
        typer.Option(
            min=1.0,
            help="After how many new documents those before count half as much.",
            show_default="never",
        ),
    ] = None,
    number: Annotated[
        int, typer.Option("--number", min=1, help="Most entries to print in each part.")
    ] = 10,
    reading: options.ReadingTextAndId,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Let a model learn from further documents, and tell how these differ from those before.

    The topics, their ids and the words stay; shares and keywords follow the documents. The model is
    written again, and in the folder of a run also topics.json, topics.csv and, with the report,
    run.json.
    """
    model = load_model(model_path, run.jobs)
    corpus = read_for_model(model, path, reading, run, further_words=True)
    record = _run_record(model_path)
    with told_warnings():
        drift = model.partial_fit(corpus, half_life=half_life).drift_
    results.write_titles(model_path, model)
    if record is not None:
        entry = {"source": path, "half_life": half_life, "drift": drift.to_dict()}
        _write_record(model_path, record | {"updates": [*record.get("updates", []), entry]})
    if as_json:
        typer.echo(json.dumps(drift.to_dict(), ensure_ascii=False))
    else:
        typer.echo(drift.to_text(number, ids=corpus.ids))
    stale = [name for name in (DOCUMENTS, PAGE) if (model_path / name).exists()]
    if stale and not run.quiet:
        typer.echo(
            f"{' and '.join(stale)} {'are' if len(stale) > 1 else 'is'} of the model before; "
            "`hlta assign MODEL PATH -o` and `hlta report MODEL PATH --overwrite` write them again, "
            "with the documents that they shall show",
            err=True,
        )


def _run_record(folder: Path) -> dict[str, Any] | None:
    """What run.json holds, if the model is in the folder of a run."""
    file = folder / RUN
    if not file.is_file():
        return None
    try:
        record = json.loads(file.read_text(encoding="utf-8", errors="surrogatepass"))
    except ValueError as error:
        raise FormatError(f"{file} is damaged: it is not JSON ({error}); remove it") from None
    if not isinstance(record, dict) or not isinstance(record.get("updates", []), list):
        raise FormatError(f"{file} is damaged: it is not the record of a run; remove it")
    return record


def _write_record(folder: Path, record: dict[str, Any]) -> None:
    shown = json.dumps(record, indent=1, ensure_ascii=False)
    with replacing(folder / RUN) as file:
        file.write(shown.encode("utf-8", "surrogatepass"))

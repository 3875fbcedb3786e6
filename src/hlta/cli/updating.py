"""`hlta update`: a model learns from further documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlta._support.formats import DOCUMENTS, PAGE, RUN
from hlta.cli import common_options as options
from hlta.cli import results
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.output import told_warnings
from hlta.cli.printing import show, tell
from hlta.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hlta.topics.topic import Topic


@options.grouped
def update(
    model_path: options.ModelPath,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="NEW...", help="The further documents, in any form that `hlta fit` reads."
        ),
    ],
    *,
    half_life: Annotated[
        float | None,
        typer.Option(
            min=1.0,
            help="After how many new documents the earlier ones count half as much.",
            show_default="never",
        ),
    ] = None,
    grow: Annotated[
        bool,
        typer.Option(
            "--grow",
            help="Add the words that the model lacks and that are surely more frequent than before.",
        ),
    ] = False,
    number: Annotated[
        int, typer.Option("--number", min=1, help="Most entries to print in each part.")
    ] = 10,
    reading: options.ReadingTextAndId,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Let a model learn from further documents, and tell how these differ from the earlier ones.

    The topics, their ids and the words stay; shares and keywords follow the documents. With --grow,
    new words join the topics that they tell most of, or become new topics. The model is written
    again, and in the folder of a run also topics.json, topics.csv and, with the report, run.json.
    """
    with results.changing(model_path):
        model = load_model(model_path, run.jobs)
        corpus = read_for_model(model, paths, reading, run, further_words=True)
        record = _run_record(model_path)
        known, topics = set(model.tree_.words), set(model.tree_.latent_names)
        with told_warnings():
            drift = model.partial_fit(corpus, half_life=half_life, grow=grow).drift_
        added = [word for word in model.tree_.words if word not in known]
        new = [topic for topic in model.topics_ if topic.id not in topics]
        found = drift.to_dict()
        if grow:
            found |= {"added_words": added, "new_topics": [topic.id for topic in new]}
        if record is not None:
            source = paths[0] if len(paths) == 1 else paths
            entry = {"source": source, "half_life": half_life, "drift": found}
            record["updates"] = [*record.get("updates", []), entry]
        results.rewrite_model(model_path, model, record)
    if as_json:
        show(json.dumps(found, ensure_ascii=False))
    else:
        show(drift.to_text(number, ids=corpus.ids))
        if grow:
            show("\n".join(_growth(len(added), new, number)))
    stale = [name for name in (DOCUMENTS, PAGE) if (model_path / name).exists()]
    if stale and not run.quiet:
        tell(
            f"{' and '.join(stale)} {'are' if len(stale) > 1 else 'is'} of the earlier model; "
            "`hlta assign MODEL PATH -o FILE --overwrite` and `hlta report MODEL PATH --overwrite` "
            "write them again, with the documents that they shall show"
        )


def _growth(n_added: int, new: list[Topic], most: int) -> Iterator[str]:
    """How many words were added, and the topics that were made of them."""
    yield f"{n_added:,} words were added{'; new topics:' if new else '.'}"
    yield from (f"    {topic.id} {topic.label}" for topic in new[:most])
    if len(new) > most:
        yield f"    and {len(new) - most:,} more"


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

"""`hlta update`: a model learns from further documents."""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING, Any

from hlta._support.formats import DOCUMENTS, PAGE, SHARES
from hlta._support.messages import join_names
from hlta.cli import common_options as options
from hlta.cli import results
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.output import monitoring, report_warnings
from hlta.cli.printing import show, tell
from hlta.cli.run_record import digest_of, entries_of, place_of, run_record, sources_of
from hlta.errors import OptionError
from hlta.options import LISTED

if TYPE_CHECKING:
    from pathlib import Path


@options.grouped
def update(
    model_path: options.ModelPath,
    paths: list[str],
    *,
    half_life: float | None = None,
    number: int = 10,
    reading: options.ReadingTextAndId,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Learn from further documents, and report how they differ from the earlier ones.

    The topics, their ids and the words stay; shares and keywords follow the documents. For new words
    and new topics, fit again. The model is written again, and in the folder of a run also topics.json,
    topics.csv and, with the report, run.json.

    Parameters
    ----------
    paths : NEW
        The further documents, in any form that `hlta fit` reads.
    half_life : from 1.0, default never
        After how many new documents the earlier ones count half as much.
    number : from 1
        Most entries to print in each part.
    """
    with results.changing(model_path) as made:
        model = load_model(model_path)
        record, digest = run_record(model_path), digest_of(paths)
        if digest and any(entry.get("digest") == digest for entry in entries_of(record or {})):
            raise OptionError(
                "the model has already learned from these documents; give others, or fit again"
            )
        corpus = read_for_model(model, paths, reading, run, home=model_path, further_words=True)
        with report_warnings(), monitoring(quiet=run.quiet or as_json) as monitor:
            model.set_params(progress=monitor)
            model.partial_fit(corpus, half_life=half_life)
        found = model.drift_.to_dict()
        if record is not None:
            source = paths[0] if len(paths) == 1 else paths
            entry = {
                "source": source,
                "digest": digest,
                "folder": place_of(os.getcwd(), model_path),
                "half_life": half_life,
                "drift": found,
            }
            record["updates"] = [*record.get("updates", []), entry]
        results.rewrite_model(made, model_path, model, record)
    if as_json:
        show(json.dumps(found, ensure_ascii=False))
    else:
        show(model.drift_.to_text(number))
    if not run.quiet:
        tell_of_stale_files(model_path, record)


# ---- results of a run that an update does not write, and the commands to write them again ------


def tell_of_stale_files(folder: Path, record: dict[str, Any] | None) -> None:
    """Print the commands that rewrite the files of a folder that show documents, if there are any."""
    commands = {
        DOCUMENTS: ["assign", "--main", "-o", str(folder / DOCUMENTS)],
        SHARES: ["assign", "--least", str(LISTED), "-o", str(folder / SHARES)],
        PAGE: ["report"],
    }
    there = [name for name in commands if (folder / name).exists()]
    if not there:
        return
    paths = [] if sources_of(record or {}) else ["PATH"]
    lines = [
        shlex.join(["hlta", verb, str(folder), *paths, *more, "--overwrite"])
        for verb, *more in (commands[name] for name in there)
    ]
    place = ", in place of PATH" if paths else ""
    tell(
        f"{join_names(there)} still {'show' if len(there) > 1 else 'shows'} the earlier model; write "
        f"{'them' if len(there) > 1 else 'it'} again with all documents{place}:\n    "
        + "\n    ".join(lines)
    )

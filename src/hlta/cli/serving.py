"""`hlta serve`: the page over all documents, however many."""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlta._support.formats import KEPT_FOR_SERVING
from hlta._support.writing.folders import temporary_folder
from hlta._support.writing.targets import check_folder, claimed
from hlta.cli import common_options as options
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.output import monitoring
from hlta.cli.printing import show, tell
from hlta.cli.results import page_title

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.serving.keeping import Arrays

PORT = 4582


@options.grouped
def serve(
    model_path: options.ModelPath,
    paths: options.Sources,
    *,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the address; 0 for any that is free.")
    ] = PORT,
    reading: options.Reading,
    page: options.Page,
    run: options.Run,
) -> None:
    """Serve the page over all documents, however many, to browsers on this computer."""
    from hlta.explorer.container import Part, packed, unpacked
    from hlta.explorer.page import page_markup
    from hlta.serving.archive import Archive
    from hlta.serving.server import Server

    model = load_model(model_path, run.jobs)
    corpus = read_for_model(model, paths, reading, run, with_texts=True)
    with ExitStack() as temporary:
        arrays = _kept(model_path, model, corpus, page.page_documents, run, temporary)
        header, of_topics = unpacked(arrays["page.topics"].tobytes().decode("ascii"))
        title = page_title(paths) if page.heading is None else page.heading
        title = title.encode("utf-8", "replace").decode()
        header |= {"title": title, "documents": len(corpus)}
        archive = Archive(corpus, header["topics"], header["words"], arrays)
        data = {
            "topics": packed(*Part(header, of_topics)),
            "documents": arrays["page.documents"].tobytes().decode("ascii"),
            "served": json.dumps({"on": archive.found(()).on.tolist()}),
        }
        with Server(port, page_markup(title, data, served=True), archive) as server:
            show(server.address)
            sys.stdout.flush()
            if not run.quiet:
                tell("Open this address in a browser; Ctrl-C ends the server")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                if not run.quiet:
                    tell("The server has ended")


def _kept(
    model_path: Path,
    model: HLTA,
    corpus: Corpus,
    most: int | None,
    run: options.Run,
    temporary: ExitStack,
) -> Arrays:
    """What was computed from the model and the documents; it is computed if it is not there yet."""
    from hlta.serving.keeping import key_of, make, read, write

    folder = model_path.resolve().with_name(f"{model_path.resolve().name}{KEPT_FOR_SERVING}")
    key = key_of(model.tree_, model.topics_, corpus, most)
    arrays = read(folder, key)
    if arrays is not None:
        return arrays
    if not os.access(folder.parent, os.W_OK):
        tell(f"{str(folder.parent)!r} is read-only, so what is computed is not kept for next time")
        folder = temporary.enter_context(temporary_folder()) / folder.name
    check_folder(folder, overwrite=True)
    with claimed(folder), monitoring(quiet=run.quiet) as monitor:
        write(folder, key, make(model.tree_, model.topics_, corpus, most, monitor, run.jobs))
    arrays = read(folder, key)
    assert arrays is not None
    return arrays

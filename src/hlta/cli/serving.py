"""`hlta serve`: the page over all documents, however many. `hlta mcp`: the same for programs."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hlta._support.formats import KEPT_FOR_SERVING, is_ours
from hlta.cli import common_options as options
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.output import monitoring
from hlta.cli.printing import show, tell
from hlta.cli.results import page_title
from hlta.cli.run_record import documents_of
from hlta.errors import FormatError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.explorer.serve.archive import Archive
    from hlta.explorer.serve.store import Store

PORT = 4582


@options.grouped
def serve(
    model_path: options.ModelPath,
    paths: options.Documents = None,
    *,
    port: int = PORT,
    reading: options.Reading,
    page: options.Page,
    run: options.Run,
) -> None:
    """Serve the page over all documents, however many, to browsers on this computer.

    Parameters
    ----------
    port : from 0 to 65535
        Port of the address; 0 for any free one.
    """
    from hlta.explorer.container import pack
    from hlta.explorer.page import page_markup
    from hlta.explorer.serve.server import Server

    with opened(model_path, paths, reading, run, most=page.page_documents) as found:
        title = found.title if page.heading is None else page.heading
        title = title.encode("utf-8", "replace").decode()
        header, of_topics = found.archive.page
        data = {
            "topics": pack(header | {"title": title, "documents": len(found.corpus)}, of_topics),
            "documents": found.archive.store.blocks["documents"],
            "served": "",
        }
        with Server(port, page_markup(title, data, served=True), found.archive) as server:
            show(server.address)
            sys.stdout.flush()
            tell("Open this address in a browser; Ctrl-C ends the server", quiet=run.quiet)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                tell("The server has ended", quiet=run.quiet)


@options.grouped
def mcp(
    model_path: options.ModelPath,
    paths: options.Documents = None,
    *,
    reading: options.Reading,
    run: options.Run,
) -> None:
    """Answer agents' questions about topics and documents over the Model Context Protocol.

    It reads questions from standard input and writes answers to standard output; it changes nothing.
    An agent's program starts it.
    """
    from hlta.explorer.serve.agents import agent_server, check_installed
    from hlta.explorer.serve.guide import Guide

    check_installed()
    with opened(model_path, paths, reading, run) as found:
        guide = Guide(found.model.tree_, found.model.topics_, found.corpus, found.archive)
        agent_server(guide, found.title).run()


# ---- a model and all documents of a corpus, prepared for questions -----------------------------


class Opened(NamedTuple):
    """A model, documents, and what can be asked of both."""

    model: HLTA
    title: str
    corpus: Corpus
    archive: Archive


@contextmanager
def opened(
    model_path: Path,
    paths: list[str] | None,
    reading: options.Reading,
    run: options.Run,
    *,
    most: int | None = None,
) -> Iterator[Opened]:
    """A model and documents; what is computed from them is kept beside the model.

    The page shows `most` documents, see `--page-documents`.
    """
    from hlta.explorer.serve.archive import Archive
    from hlta.explorer.serve.store import check_sqlite

    check_sqlite()
    model = load_model(model_path)
    paths, reading = documents_of(model_path, paths, reading, run)
    corpus = read_for_model(model, paths, reading, run, with_texts=True)
    with ExitStack() as ending:
        store = ending.enter_context(closing(_kept(model_path, model, corpus, most, run, ending)))
        yield Opened(
            model, page_title(paths), corpus, Archive(corpus, store, model.topics_.shares().sharing)
        )


def _kept(
    model_path: Path,
    model: HLTA,
    corpus: Corpus,
    most: int | None,
    run: options.Run,
    ending: ExitStack,
) -> Store:
    """What was computed from the model and the documents; it is computed if it is not there yet."""
    from hlta.explorer.serve.keeping import key_of, make
    from hlta.explorer.serve.store import Store, write

    path = model_path.resolve().with_name(f"{model_path.resolve().name}{KEPT_FOR_SERVING}")
    key = key_of(model.tree_, model.topics_, corpus, most)
    if os.path.lexists(path):
        if not is_ours(path):
            raise OptionError(
                f"{str(path)!r} is not what hlta serve keeps there, and is neither read nor replaced; "
                "move it, or delete it"
            )
        try:
            return Store(path, key)
        except FormatError as error:
            tell(f"{error}; it is made again", quiet=run.quiet)
    with monitoring(quiet=run.quiet) as monitor:
        made = make(model.tree_, model.topics_, corpus, most, monitor)
        try:
            write(path, key, made, corpus, model.tree_.words, monitor)
        except (OSError, OptionError):  # it is read-only, or another server is writing the same
            tell(f"{str(path)!r} cannot be written, so what is computed is not kept for next time")
            place = tempfile.TemporaryDirectory(prefix="hlta-", ignore_cleanup_errors=True)
            path = Path(ending.enter_context(place)) / path.name
            write(path, key, made, corpus, model.tree_.words, monitor)
    return Store(path, key)

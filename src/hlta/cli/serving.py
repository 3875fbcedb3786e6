"""`hlta serve`: the page over all documents, however many. `hlta mcp`: the same for programs."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hlta._support.formats import KEPT_FOR_SERVING, is_ours
from hlta.cli import common_options as options
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.output import monitoring
from hlta.cli.printing import show, tell
from hlta.cli.results import page_title
from hlta.cli.run_record import documents_of, page_of
from hlta.errors import FormatError, OptionError

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.explorer.serve.archive import Archive
    from hlta.monitor import Monitor
    from hlta.text.index import IndexFile

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
    from hlta.explorer.serve.preparation import Preparation
    from hlta.explorer.serve.server import Server

    page = page if paths else page_of(model_path, page)
    found = read_model_and_documents(model_path, paths, reading, run, most=page.page_documents)
    title = found.title if page.heading is None else page.heading
    title = title.encode("utf-8", "replace").decode()
    with ExitStack() as ending:
        server = ending.enter_context(Server(port))
        show(server.address)
        sys.stdout.flush()
        tell("Open this address in a browser; Ctrl-C ends the server", quiet=run.quiet)
        with monitoring(quiet=run.quiet) as monitor:
            server.preparation = Preparation(monitor, title, found.model.topics_)
            with server.in_background():
                archive = prepare_archive(found, server.preparation, ending)
                header, of_topics = archive.page
                data = {
                    "topics": pack(header | {"title": title, "documents": len(archive)}, of_topics),
                    "documents": archive.store.blocks["documents"],
                    "served": "",
                }
                server.give(page_markup(title, data, served=True), archive)
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
    found = read_model_and_documents(model_path, paths, reading, run)
    with ExitStack() as ending:
        with monitoring(quiet=run.quiet) as monitor:
            archive = prepare_archive(found, monitor, ending)
        guide = Guide(found.model.tree_, found.model.topics_, found.corpus, archive)
        agent_server(guide, found.title).run()


# ---- a model and all documents of a corpus, prepared for questions -----------------------------


class Asked(NamedTuple):
    """A model and documents that are asked about."""

    model: HLTA
    corpus: Corpus
    title: str
    kept: Path  # the file beside the model that holds what is computed from both
    most: int | None  # documents on the page


def read_model_and_documents(
    model_path: Path,
    paths: list[str] | None,
    reading: options.Reading,
    run: options.Run,
    *,
    most: int | None = None,
) -> Asked:
    """Read a model and documents."""
    from hlta.text.index import check_sqlite

    check_sqlite()
    kept = _folder_beside(model_path)
    model = load_model(model_path)
    if os.path.lexists(kept) and not is_ours(kept):
        raise OptionError(
            f"{str(kept)!r} is not what hlta serve keeps there, and is neither read nor replaced; "
            "move it, or delete it"
        )
    paths, reading = documents_of(model_path, paths, reading, run)
    corpus = read_for_model(model, paths, reading, run, home=model_path, with_texts=True)
    return Asked(model, corpus, page_title(paths), kept, most)


def _folder_beside(model_path: Path) -> Path:
    whole = model_path.resolve()
    return whole.with_name(f"{whole.name}{KEPT_FOR_SERVING}")


def open_index(
    model_path: Path, model: HLTA, corpus: Corpus, ending: ExitStack
) -> IndexFile | None:
    """The index of these texts, open until `ending` is closed; None if none is kept beside the model."""
    from hlta.text.index import index_of

    path = _folder_beside(model_path)
    if not is_ours(path):
        return None
    try:
        return ending.enter_context(index_of(corpus, path, model.tree_.words))
    except FormatError as error:
        tell(f"{error}; now, all texts are read")
        return None


def prepare_archive(found: Asked, monitor: Monitor, ending: ExitStack) -> Archive:
    """The archive of a model and documents, open until `ending` is closed; computed if it is not kept."""
    from hlta.explorer.serve.archive import Archive
    from hlta.explorer.serve.keeping import key_of, make
    from hlta.explorer.serve.store import Store, write

    def opened(path: Path) -> Archive:
        store = ending.enter_context(closing(Store(path, key)))
        return Archive(corpus, store, topics.shares().sharing)

    model, corpus, _, path, most = found
    tree, topics = model.tree_, model.topics_
    key = key_of(tree, topics, corpus, most)
    if os.path.lexists(path):
        try:
            return opened(path)
        except FormatError as error:
            monitor.note(str(error))
    made = make(tree, topics, corpus, most, monitor)
    try:
        write(path, key, made, corpus, tree.words, monitor)
    except (OSError, OptionError):  # the folder is read-only, or another server is writing there
        tell(f"{str(path)!r} cannot be written, so what is computed is not kept for next time")
        place = tempfile.TemporaryDirectory(prefix="hlta-", ignore_cleanup_errors=True)
        path = Path(ending.enter_context(place)) / path.name
        write(path, key, made, corpus, tree.words, monitor)
    return opened(path)

"""`hlta serve`: the page over all documents, however many. `hlta mcp`: the same for programs."""

from __future__ import annotations

import sys

from hlta.cli import common_options as options
from hlta.cli.archives import opened
from hlta.cli.printing import show, tell
from hlta.cli.results import page_title

PORT = 4582


@options.grouped
def serve(
    model_path: options.ModelPath,
    paths: options.Sources,
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
        title = page_title(paths) if page.heading is None else page.heading
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
    paths: options.Sources,
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
        agent_server(guide, page_title(paths)).run()

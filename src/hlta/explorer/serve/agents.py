"""A Model Context Protocol server: agents question a `Guide` over standard input and output."""

from __future__ import annotations

import json
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from hlta._support.checks import needing
from hlta._support.version import __version__
from hlta.errors import HltaError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server import MCPServer
    from mcp.server.mcpserver.tools import Tool

    from hlta.explorer.serve.guide import Guide

_INSTRUCTIONS: Final = (
    "A hierarchical topic model of a collection of documents. Begin with `outline`. Topics are named "
    "by their ids, such as Z3-2, documents by their numbers, from 1. A topic's share in a document is "
    "the part of its words that is about the topic; the document is on the topic if this is at least a "
    "fifth. Its main topics are found from the roots down: the one with the largest share, at least "
    "a fifth, then the same among those below it. Counts are of all "
    "documents, not of a sample. A topic that is_vague may be chance, and says little of what documents "
    "are about. Texts may be cut where the documents were read."
)


def check_installed() -> None:
    """Raise `OptionError`, which says what to install, if the package `mcp` is missing."""
    with needing("hlta mcp needs the package of that name", extra="mcp"):
        import mcp.server.mcpserver  # noqa: F401


def agent_server(guide: Guide, title: str) -> MCPServer[Any]:
    """A server whose tools are the public methods of a guide; all of them only read."""
    from mcp.server import MCPServer

    questions = (
        *(guide.outline, guide.topic, guide.search, guide.documents),
        *(guide.document, guide.why, guide.trends, guide.compare),
    )
    return MCPServer(
        "hlta",
        title=title,
        instructions=_INSTRUCTIONS,
        version=__version__,
        tools=[_as_tool(question) for question in questions],
        log_level="WARNING",
    )


def _as_tool(question: Callable[..., dict[str, Any]]) -> Tool:
    """A tool that only reads.

    It refuses unknown arguments, which would otherwise be ignored.
    """
    from mcp.server.mcpserver.tools import Tool
    from mcp.types import ToolAnnotations

    only_reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    tool = Tool.from_function(_explain_errors(question), annotations=only_reads)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool


def _explain_errors(question: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """A question that reports `HltaError` to the agent with its message, and answers in valid UTF-8."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(question)
    def explained(*args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            answer = question(*args, **kwargs)
        except HltaError as usage:
            raise ToolError(_utf8(str(usage))) from usage
        return json.loads(_utf8(json.dumps(answer, ensure_ascii=False)))  # type: ignore[no-any-return]

    return explained


def _utf8(text: str) -> str:
    """A text with a question mark for each lone surrogate, which documents may have."""
    return text.encode("utf-8", "replace").decode()

"""A server of the Model Context Protocol: programs ask a guide, by standard input and output.

The docstrings of `_Tools` are what an agent reads of each tool.
"""

from __future__ import annotations

import json
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from hlta._support.checks import needing
from hlta._support.version import __version__
from hlta.errors import HltaError
from hlta.serving.guide import conditions

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server import MCPServer
    from mcp.server.mcpserver.tools import Tool

    from hlta.serving.guide import Guide

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
    """Say what to install, if it is not there."""
    with needing("hlta mcp needs the package of that name", extra="mcp"):
        import mcp.server.mcpserver  # noqa: F401


def agent_server(guide: Guide, title: str) -> MCPServer[Any]:
    """A server whose tools are the questions that a guide answers; all of them only read."""
    from mcp.server import MCPServer

    tools = _Tools(guide)
    questions = (
        *(tools.outline, tools.topic, tools.search, tools.documents),
        *(tools.document, tools.why, tools.trends, tools.compare),
    )
    return MCPServer(
        "hlta",
        title=title,
        instructions=_INSTRUCTIONS,
        version=__version__,
        tools=[_as_tool(question) for question in questions],
        log_level="WARNING",
    )


class _Tools:
    """The tools of the server."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide

    def outline(self, below: str | None = None, depth: int = 2) -> dict[str, Any]:
        """The tree of topics, general ones first: ids, titles, words, and how many documents are on each.

        `below`: the id of a topic, to see only what is below it. `depth`: how many levels.
        """
        return self._guide.outline(below, depth)

    def topic(self, topic: str) -> dict[str, Any]:
        """A topic by its id: keywords, how stable it is, topics above and below, typical documents.

        Of each keyword: in which share of the documents on the topic, and of the others, the model
        expects it. Of each facet: the part of the topic that it is expected to make up.
        """
        return self._guide.topic(topic)

    def search(self, query: str) -> dict[str, Any]:
        """Topics and documents about some words: the first ten of each, and how many documents there are.

        `query` may hold "phrases", prefixes such as neur*, and words, as they are spelled;
        a document must have all of them.
        """
        return self._guide.search(query)

    def documents(
        self,
        topic: str | None = None,
        text: str | None = None,
        word: str | None = None,
        group: str | None = None,
        since: str | None = None,
        until: str | None = None,
        order: str | None = None,
        offset: int = 0,
        limit: int = 10,
    ) -> dict[str, Any]:
        """Documents that meet all conditions, how many there are, and the topics frequent among them.

        `topic`: an id. `text`: as the query of `search`. `word`: a keyword. `group`: a name.
        `since`, `until`: dates such as 2019, 2019-05 or 2019-05-01, both included. `order`: typical
        (the default), share (of the topic), relevant (by `text`), newest, oldest or
        corpus. `offset` and `limit`, at most 50, choose a part of the list.
        """
        wanted = conditions(
            topic=topic, text=text, word=word, group=group, since=since, until=until
        )
        return self._guide.documents(wanted, order or "typical", topic, offset, limit)

    def document(self, number: int, offset: int = 0) -> dict[str, Any]:
        """A document: its text, the words of it that the model knows, and the topics that it is on.

        `offset`: the character to begin at, for long texts.
        """
        return self._guide.document(number, offset)

    def why(self, topic: str, document: int) -> dict[str, Any]:
        """Why a document, by its number, is on a topic, or is not.

        Of each word: how much of it is about the topic, from 0 to 1. The topic's share is the mean over
        all words of the document that the model knows; in a long document, a word counts once for each
        section that has it.
        """
        return self._guide.why(topic, document)

    def trends(self, topic: str, by: str = "time") -> dict[str, Any]:
        """A topic's mean share per period or per group, with 95% intervals.

        `by`: time or group.
        """
        return self._guide.trends(topic, by)

    def compare(self, first: str, second: str) -> dict[str, Any]:
        """Two topics: how many documents are on both and on one only, and the words that they share."""
        return self._guide.compare(first, second)


def _as_tool(question: Callable[..., dict[str, Any]]) -> Tool:
    """A tool that only reads.

    It refuses arguments that it does not have: what an agent asks by a wrong name would be left out.
    """
    from mcp.server.mcpserver.tools import Tool
    from mcp.types import ToolAnnotations

    only_reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    tool = Tool.from_function(_explained(question), annotations=only_reads)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool


def _explained(question: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """A question whose errors of usage reach the agent as they are, and answers as UTF-8 can be."""
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
    """A text with a question mark for each half of a character, which documents may have."""
    return text.encode("utf-8", "replace").decode()

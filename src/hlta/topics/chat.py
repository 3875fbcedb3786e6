"""`ChatNames`: titles from a language model that the user chooses, by the chat completions protocol."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final

from hlta._support.messages import warn
from hlta._support.web import is_address, is_private, post
from hlta.errors import HltaError, OptionError
from hlta.options import KEYWORDS

if TYPE_CHECKING:
    from hlta.topics.naming import Family
    from hlta.topics.topic import Topic

_INSTRUCTION: Final = (
    "You name the topics of a tree that was learned from documents. You get the topics that share a "
    "parent, each with its id, its keywords and a phrase from the documents. Give each a title of one "
    "to five words, in the language of the keywords: specific, plain, unlike the title of the parent "
    "and those of the other topics. Answer with a JSON object from ids to titles, and nothing else."
)
_MOST_BYTES: Final = 1 << 22  # bytes of an answer, at most
_ATTEMPTS: Final = 2  # at an answer that can be parsed
_LONGEST: Final = 86_400.0  # seconds that an answer may take, at most


class ChatError(HltaError):
    """The endpoint cannot be reached, refuses, or does not answer with titles."""


@dataclass(frozen=True)
class ChatNames:
    """Names topics by asking a language model, for `HLTA.name_topics`.

    The ids, keywords and titles of topics are sent, one family at a time, and no documents. They are
    sent to `url` and nowhere else: redirects are not followed.

    Parameters
    ----------
    url
        The address of the endpoint, including "/chat/completions".
    model
        The name of the language model, as the endpoint knows it.
    key
        Sent as a bearer token; None for none.
    timeout
        Seconds to wait for a whole answer.

    Raises
    ------
    OptionError
        If `url`, `key` or `timeout` is not valid.

    Examples
    --------
    >>> names = ChatNames("http://localhost:11434/v1/chat/completions", "llama3")
    >>> names.model
    'llama3'
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if not is_address(self.url):
            raise OptionError(
                f"url={self.url!r}: use an address that begins with http:// or https://, in ASCII"
            )
        if self.key is not None and not re.fullmatch("[!-~]+", self.key):
            raise OptionError("key: use ASCII without spaces and line breaks, as you were given it")
        if not 0.0 < self.timeout <= _LONGEST:
            raise OptionError(f"timeout={self.timeout}: use seconds, up to {_LONGEST:,.0f}")
        if self.key is not None and not is_private(self.url):
            warn(
                f"the key goes to {self.url} unencrypted, so others on the network can read it; use an "
                "address that begins with https://"
            )

    def __call__(self, family: Family) -> dict[str, str]:
        """The titles of a family of topics, by their ids.

        Parameters
        ----------
        family
            Topics that share a parent.

        Returns
        -------
        dict of str
            Titles that the language model gave to some or all of them.

        Raises
        ------
        ChatError
            If there is no answer, or none that can be parsed.
        """
        question = json.dumps(
            {
                "parent": None if family.parent is None else family.parent.title,
                "topics": [_describe(topic) for topic in family.topics],
            },
            ensure_ascii=False,
        )
        ids = {topic.id for topic in family.topics}
        for _ in range(_ATTEMPTS):
            text = self._answer(question)
            titles = _titles_in(text, ids)
            if titles:
                return titles
        raise ChatError(f"{self.url} does not answer with titles by id: {text[:200]!r}")

    def _answer(self, question: str) -> str:
        body = {
            "model": self.model,
            "temperature": 0,
            "messages": [
                {"role": "system", "content": _INSTRUCTION},
                {"role": "user", "content": question},
            ],
        }
        headers = {"Content-Type": "application/json"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        sent = json.dumps(body).encode()
        try:
            answer = post(self.url, sent, headers, seconds=self.timeout, most_bytes=_MOST_BYTES)
        except TimeoutError as error:
            raise ChatError(f"{self.url} is too slow: {error}") from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise ChatError(f"{self.url} cannot be reached: {reason}; is it running?") from None
        except ValueError as error:
            raise ChatError(f"{self.url} does not answer in the chat protocol: {error}") from None
        if (
            answer.location
            and HTTPStatus.MULTIPLE_CHOICES <= answer.status < HTTPStatus.BAD_REQUEST
        ):
            raise ChatError(
                f"{self.url} redirects to {answer.location:.200}, where nothing is sent; if you trust "
                "that address, give it instead"
            )
        if answer.status != HTTPStatus.OK:
            reason = answer.body.decode("utf-8", "replace")
            raise ChatError(f"{self.url} refuses with {answer.status} {answer.reason}: {reason}")
        try:
            return str(json.loads(answer.body)["choices"][0]["message"]["content"])
        except (ValueError, LookupError, TypeError, RecursionError):
            raise ChatError(
                f"{self.url} does not answer in the chat protocol; does its address end with "
                "/chat/completions?"
            ) from None


def _describe(topic: Topic) -> dict[str, Any]:
    return {"id": topic.id, "keywords": topic.words[:KEYWORDS], "phrase": topic.title}


def _titles_in(text: str, ids: set[str]) -> dict[str, str]:
    """The titles in an answer, which may have prose or a fence around its JSON; empty without any."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[begin : end + 1])
    except (ValueError, RecursionError):
        return {}
    return {k: v for k, v in found.items() if k in ids and isinstance(v, str) and v.strip()}

"""A request to an address that the user gives: without redirects, and limited in time and in size."""

from __future__ import annotations

import re
from contextlib import closing, suppress
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_OF_A_REFUSAL: Final = 200  # bytes


class Answer(NamedTuple):
    """The answer of a host.

    status    int: 200 and the like; a redirect is an answer like any other, and is not followed
    reason    str: what the status means
    location  str: where a redirect leads; "" without one
    body      bytes: all of it, but only the beginning of a refusal or a redirect
    """

    status: int
    reason: str
    location: str
    body: bytes


def post(
    url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, most_bytes: int
) -> Answer:
    """Send a POST request to an address (see `is_address`), to other machines through the usual proxies.

    Raises TimeoutError if the whole answer does not arrive in time, ValueError if it is too long, and
    OSError or HTTPException if there is none.
    """
    request = Request(url, body, dict(headers))
    answers = SimpleQueue[Answer | Exception]()

    def send() -> None:
        try:
            answers.put(_answer(request, seconds, most_bytes))
        except Exception as error:
            answers.put(error)

    # The timeout of a socket does not limit an answer that comes a byte at a time: a thread waits for it,
    # and ends with the process at the latest.
    Thread(target=send, daemon=True).start()
    late = TimeoutError(f"the whole answer was not there within {seconds:g} seconds")
    try:
        found = answers.get(timeout=seconds)
    except Empty:
        raise late from None
    reason = found.reason if isinstance(found, URLError) else found
    if isinstance(reason, TimeoutError):
        raise late
    if isinstance(found, Exception):
        raise found
    if len(found.body) > most_bytes:
        raise ValueError(f"the answer is longer than {most_bytes:,} bytes")
    return found


def _answer(request: Request, seconds: float, most_bytes: int) -> Answer:
    """The answer of a host, read up to one byte more than is allowed."""
    opener = OpenerDirector()
    proxies = ProxyHandler({}) if _is_here(request.full_url) else ProxyHandler()
    handlers = (HTTPHandler(), HTTPSHandler(), HTTPErrorProcessor(), HTTPDefaultErrorHandler())
    for handler in (proxies, *handlers):
        opener.add_handler(handler)
    try:
        response: Any = opener.open(request, timeout=seconds)
    except HTTPError as error:
        response = error
    with closing(response):
        good = response.status < 300
        read = response.read(most_bytes + 1 if good else _MOST_OF_A_REFUSAL)
    location = response.headers.get("Location") or ""
    return Answer(response.status, response.reason, location, read)


def is_address(url: str) -> bool:
    """Whether this is an address of the web, in ASCII, that begins with http:// or https://."""
    try:
        return bool(re.fullmatch(r"https?://[!-~]+", url) and urlsplit(url).hostname)
    except ValueError:
        return False


def is_private(url: str) -> bool:
    """Whether nobody on the way can read what is sent: it is encrypted, or stays on this machine."""
    return url.startswith("https:") or _is_here(url)


def _is_here(url: str) -> bool:
    """Whether the host of an address is this machine."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")

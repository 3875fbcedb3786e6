"""A request to an address that the user gives: to that host alone, and limited in time and in size."""

from __future__ import annotations

import re
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from socket import SHUT_RDWR, socket
from threading import Event, Timer
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    AbstractHTTPHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    OpenerDirector,
    ProxyHandler,
    Request,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_MOST_OF_A_REFUSAL: Final = 200  # bytes
_watch: Final[ContextVar[Callable[[socket], None]]] = ContextVar("watch")


class Answer(NamedTuple):
    """What a host answers.

    status    int: 200 and the like; a redirect is an answer like any other, and is not followed
    reason    str: what the status means
    location  str: where a redirect leads; "" without one
    body      bytes: of a refusal or a redirect, the beginning
    """

    status: int
    reason: str
    location: str
    body: bytes


class _Connection(HTTPConnection):
    """A connection that is watched from the moment when it is made."""

    def connect(self) -> None:
        super().connect()
        _watch.get()(self.sock)


class _SecureConnection(HTTPSConnection, _Connection):
    """The same with TLS, which begins once it is watched."""


class _Connections(AbstractHTTPHandler):
    """Opens addresses of the web, and no others."""

    http_request = https_request = AbstractHTTPHandler.do_request_

    def http_open(self, request: Request) -> HTTPResponse:
        return self.do_open(_Connection, request)

    def https_open(self, request: Request) -> HTTPResponse:
        return self.do_open(_SecureConnection, request)


def post(
    url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, most_bytes: int
) -> Answer:
    """Send a request to an address, see `is_address`; to other machines through the usual proxies.

    Raises TimeoutError if the whole answer is not there in time, ValueError if it is too long, and
    OSError or HTTPException if there is none.
    """
    opener = OpenerDirector()
    proxies = ProxyHandler({}) if _is_here(url) else ProxyHandler()
    for handler in (proxies, _Connections(), HTTPErrorProcessor(), HTTPDefaultErrorHandler()):
        opener.add_handler(handler)
    request = Request(url, body, dict(headers))
    with _limited(seconds):
        try:
            response: Any = opener.open(request, timeout=seconds)
        except HTTPError as error:
            response = error
        with closing(response):
            good = response.status < 300
            read = response.read(most_bytes + 1 if good else _MOST_OF_A_REFUSAL)
        location = response.headers.get("Location") or ""
    if len(read) > most_bytes:
        raise ValueError(f"the answer is longer than {most_bytes:,} bytes")
    return Answer(response.status, response.reason, location, read)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """End the connections that are made meanwhile once the time is over, whatever still comes."""
    watched = list[socket]()
    over = Event()

    def end() -> None:
        over.set()
        for one in watched:
            with suppress(OSError):
                one.shutdown(SHUT_RDWR)

    def watch(made: socket) -> None:
        watched.append(made.dup())  # TLS takes the socket itself over
        if over.is_set():
            end()

    token = _watch.set(watch)
    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    failure: Exception | None = None
    try:
        yield
    except (OSError, HTTPException) as error:
        failure = error
    finally:
        timer.cancel()
        _watch.reset(token)
        for one in watched:
            one.close()
    reason = failure.reason if isinstance(failure, URLError) else failure
    if over.is_set() or isinstance(reason, TimeoutError):
        raise TimeoutError(f"the whole answer was not there within {seconds:g} seconds") from None
    if failure is not None:
        raise failure


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

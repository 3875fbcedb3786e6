"""The server: it serves the page and answers its questions, to this computer only.

It answers GET and HEAD for six paths, which are compared literally and are never file names. All begin
with a token that is part of the printed address, so other users of this computer have no access. Requests
that name another host, or come from a page of another site, are refused.
"""

from __future__ import annotations

import json
import secrets
import sys
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import MSG_PEEK
from threading import BoundedSemaphore, Thread
from time import sleep
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from hlta.errors import HltaError, OptionError
from hlta.explorer.page import policy
from hlta.explorer.serve.copies import apart
from hlta.explorer.serve.preparation import PREPARATION_POLICY
from hlta.explorer.serve.terms import OnTopic, read_clauses, read_term
from hlta.text.index import IS_WANTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hlta.explorer.serve.archive import Archive
    from hlta.explorer.serve.preparation import Preparation

HOST: Final = "127.0.0.1"
_NAMES: Final = {HOST, "localhost"}
_MOST_ROWS: Final = 1000  # in one answer
_MOST_FIELDS: Final = 500  # of a question
_WAITING: Final = 1024  # connections that wait to be accepted
_MOST_AT_ONCE: Final = 500  # clients that are answered at a time
_PAUSE: Final = 0.05  # seconds
_OWN: Final = {None, "none", "same-origin"}  # accepted values of the header Sec-Fetch-Site
_REFRESH: Final = 2  # seconds after which a browser loads the page of the preparation again
_PATIENCE: Final = 20.0  # seconds until a client that neither sends nor receives is dropped
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_UNAVAILABLE: Final = HTTPStatus.SERVICE_UNAVAILABLE
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json"
Question = list[tuple[str, str]]


class Server(ThreadingHTTPServer):
    """Serves a page and answers from an archive; until `give` is called, the state of the preparation.

    Port 0 means any free port.
    """

    daemon_threads = True
    request_queue_size = _WAITING
    allow_reuse_address = sys.platform != "win32"  # where it would let two servers share a port

    preparation: Preparation | None = None
    archive: Archive
    page: bytes

    def __init__(self, port: int) -> None:
        self._free = BoundedSemaphore(_MOST_AT_ONCE)
        self.base = f"/{secrets.token_urlsafe(12)}/"
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise OptionError(
                f"--port {port} cannot be used ({error.strerror}); perhaps another hlta serve runs "
                "there: choose another number, or 0 for any port that is free"
            ) from None

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_address[1]}{self.base}"

    @contextmanager
    def in_background(self) -> Iterator[None]:
        """Serve until the block ends."""
        thread = Thread(target=self.serve_forever, args=(_PAUSE,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.shutdown()
            thread.join()

    def give(self, page: str, archive: Archive) -> None:
        """Serve this page and this archive instead of the preparation."""
        self.page, self.archive, self.preparation = page.encode("utf-8"), archive, None

    def get_request(self) -> tuple[Any, Any]:
        """Accept a connection; pause if that fails, as when there are no file descriptors left."""
        try:
            return super().get_request()
        except OSError:
            sleep(_PAUSE)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a client in a thread of its own, as soon as fewer than `_MOST_AT_ONCE` run."""
        self._free.acquire()
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread was started, which would have released it
            self._free.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a client, in its thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, unless it is one of the connection: clients may go away."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """Answers one client."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE
    server_version = "hlta"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer a question."""
        status, kind, body = self._answer()
        self.send_response(status)
        ours = "default-src 'none'"
        if kind == _HTML:
            ours = policy(served=True) if status == HTTPStatus.OK else PREPARATION_POLICY
        fields = {
            "Content-Security-Policy": f"{ours}; frame-ancestors 'none'",
            "Content-Type": kind,
            "Content-Length": str(len(body)),
        }
        if status == _UNAVAILABLE:
            fields |= {"Refresh": f"{_REFRESH}; url=./", "Retry-After": str(_REFRESH)}
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        """Answer a question with the headers alone."""
        self.do_GET()

    def end_headers(self) -> None:
        """Add the headers that every answer has, errors included."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def _answer(self) -> tuple[HTTPStatus, str, bytes]:
        try:
            host = urlsplit(f"//{self.headers.get('Host', '')}").hostname
            parts = urlsplit(self.path)
            question = parse_qsl(
                parts.query, keep_blank_values=True, max_num_fields=_MOST_FIELDS, separator="&"
            )
        except ValueError as error:
            return _refusal(HTTPStatus.BAD_REQUEST, f"The address cannot be read: {error}")
        base = self.server.base
        begins, asked = parts.path[: len(base)], parts.path[len(base) :]
        if (reason := self._reason_to_refuse(host, begins)) is not None:
            return _refusal(HTTPStatus.FORBIDDEN, reason)
        return self._answer_to(asked, question)

    def _answer_to(self, asked: str, question: Question) -> tuple[HTTPStatus, str, bytes]:
        if (preparation := self.server.preparation) is not None:
            if asked:
                return _refusal(_UNAVAILABLE, "The page is still being prepared")
            return _UNAVAILABLE, _HTML, preparation.page().encode("utf-8", "replace")
        if not asked:
            return HTTPStatus.OK, _HTML, self.server.page
        answer = _ANSWERS.get(asked)
        if answer is None:
            return _refusal(HTTPStatus.NOT_FOUND, "There is nothing at this address")
        before = IS_WANTED.set(self._is_there)
        try:
            found = answer(self.server.archive, question)
        except HltaError as error:
            return _refusal(HTTPStatus.BAD_REQUEST, str(error))
        finally:
            IS_WANTED.reset(before)
        return HTTPStatus.OK, _JSON, json.dumps(found, separators=(",", ":")).encode()

    def _is_there(self) -> bool:
        """Whether the client still waits: the connection of one that has gone is closed."""
        self.connection.settimeout(0)
        try:
            return bool(self.connection.recv(1, MSG_PEEK))
        except BlockingIOError:  # it says nothing, and waits
            return True
        except OSError:
            return False
        finally:
            self.connection.settimeout(self.timeout)

    def _reason_to_refuse(self, host: str | None, begins: str) -> str | None:
        """Why a request to `host`, whose path begins with `begins`, is refused; None if it is not."""
        if host not in _NAMES:
            return f"This server answers only requests to {HOST}"
        site, mode = (self.headers.get(f"Sec-Fetch-{name}") for name in ("Site", "Mode"))
        if site not in _OWN and mode != "navigate":  # a person may follow a link
            return "This server does not answer pages of other sites"
        if not secrets.compare_digest(begins.encode(), self.server.base.encode()):
            return "Use the whole address that hlta serve printed"
        return None

    def log_message(self, *_: Any) -> None:
        """Log no requests: they tell what people search for."""


def count_found(archive: Archive, question: Question) -> dict[str, Any]:
    """How many documents meet the clauses, and of these, are on and mainly on each topic."""
    return archive.found(read_clauses(question, archive.fields)).plain()


def words(archive: Archive, question: Question) -> dict[str, Any]:
    """How many documents meet the clauses, and of these, have each word of the model."""
    clauses = read_clauses(question, archive.fields)
    return {
        "documents": archive.found(clauses).size,
        "words": archive.words(clauses).tolist(),
    }


def count_parts(archive: Archive, question: Question) -> dict[str, Any]:
    """How many documents that meet the clauses each part of the division `by` has, and per topic."""
    clauses = read_clauses(question, archive.fields)
    documents, on = archive.count_parts(clauses, dict(question).get("by", ""))
    return {"documents": documents.tolist(), "on": on.ravel().tolist()}


def rows(archive: Archive, question: Question) -> dict[str, Any]:
    """The documents of a list from place `from` up to `to`, with their shares of the topic `by`.

    With `fold`, copies are folded into the first of them, unless the list is long. With `copies`, the
    number of a document, the list is that of the copies folded into it.
    """
    given = dict(question)
    order = given.get("order", "corpus")
    by = read_term(given["by"]) if "by" in given else None
    if by is not None and not isinstance(by, OnTopic):
        raise OptionError(f"by={given['by'][:80]!r} is not a topic")
    begin, end = (_whole(given, name) for name in ("from", "to"))
    clauses = read_clauses(question, archive.fields)
    if "copies" in given:
        folded = archive.entries(clauses, order, by)
        entries = apart(folded.copies_of(_whole(given, "copies") - 1))
    elif "fold" in given:
        entries = archive.entries(clauses, order, by)
    else:
        entries = apart(archive.listed(clauses, order, by))
    end = min(end, begin + _MOST_ROWS)
    some = entries.rows[begin:end]
    return {
        "block": archive.block(some),
        "shares": archive.shares(by)[some].tolist(),
        "copies": np.diff(entries.starts)[begin:end].tolist(),
        "entries": len(entries.rows),
    }


def document(archive: Archive, question: Question) -> dict[str, Any]:
    """One document, by its number in the corpus from 1."""
    row = _whole(dict(question), "row")
    if not 1 <= row <= len(archive):
        raise OptionError(f"row={row}: the corpus has documents 1 to {len(archive)}")
    return {"block": archive.document(row - 1)}


_ANSWERS: Final[dict[str, Callable[[Archive, Question], dict[str, Any]]]] = {
    "found": count_found,
    "words": words,
    "divided": count_parts,
    "rows": rows,
    "document": document,
}


def _whole(given: dict[str, str], name: str) -> int:
    text = given.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 12):
        raise OptionError(f"{name}={text[:80]!r} is not a whole number from 0 up")
    return int(text)


def _refusal(status: HTTPStatus, reason: str) -> tuple[HTTPStatus, str, bytes]:
    return status, _JSON, json.dumps({"error": reason}).encode()

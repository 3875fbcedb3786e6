"""The server: its answers, what it refuses, and whom; and `hlta serve`, as a process of its own."""

import json
import os
import queue
import re
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from html import escape
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import HLTA, Corpus, OptionError, TextMonitor, TopicTree, read_corpus
from hlta.documents.dates import within
from hlta.documents.periods import period_bounds
from hlta.explorer.container import unpack
from hlta.explorer.page import page_markup
from hlta.explorer.serve import server as module
from hlta.explorer.serve import store
from hlta.explorer.serve.archive import Archive
from hlta.explorer.serve.preparation import Preparation
from hlta.explorer.serve.server import HOST, Server
from hlta.explorer.serve.terms import read_clauses
from hlta.text.index import IndexFile
from hlta.topics import divisions
from tests.command import mistake, ran, run, start
from tests.examples import HIERARCHY
from tests.served import archive_of
from tests.there import there

X = np.random.default_rng(0).random((60, 8)) < 0.4
PAGE = page_markup("é", {"topics": ""}, served=True)
ELSEWHERE = (
    *("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/..%2fetc%2fpasswd"),
    *("/found/../../etc/passwd", "/index.html", "/model.hlta", "/\\..\\x", "/found%00", "/%"),
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1)
    corpus = Corpus(X, HIERARCHY.words, titles=[f"title {k}" for k in range(60)])
    with archive_of(tmp_path_factory.mktemp("served"), HIERARCHY, topics, corpus) as found:
        yield found


@contextmanager
def started(archive: Archive) -> Iterator[Server]:
    with Server(0) as served, served.in_background():
        served.give(PAGE, archive)
        yield served


@pytest.fixture(scope="module")
def server(archive: Archive) -> Iterator[Server]:
    with started(archive) as served:
        yield served


def connect(server: Server) -> socket.socket:
    return socket.create_connection((HOST, server.server_address[1]), timeout=20)


def ask(
    server: Server, path: str, method: str = "GET", *, base: str | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """What the server says at a path, which follows its token."""
    path = (server.base if base is None else base).removesuffix("/") + path
    with closing(HTTPConnection(HOST, server.server_address[1], timeout=20)) as connection:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()


def answer(server: Server, path: str) -> dict[str, Any]:
    status, _, body = ask(server, path)
    assert status == 200, body
    found: dict[str, Any] = json.loads(body)
    return found


def test_the_page_comes_with_headers_that_protect_it(server: Server) -> None:
    status, headers, body = ask(server, "/")
    assert (status, body.decode()) == (200, PAGE)
    policy = headers["Content-Security-Policy"]
    assert "connect-src 'self'; " in policy
    assert "default-src 'none'; " in policy
    assert policy.endswith("; frame-ancestors 'none'")
    assert policy.split("; frame")[0] in PAGE
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers
    assert "connect-src" not in page_markup("Title", {"topics": ""})  # if it is not served
    assert server.address == f"http://127.0.0.1:{server.server_address[1]}{server.base}"


def test_heads_are_given_without_bodies(server: Server) -> None:
    status, headers, body = ask(server, "/found", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) == len(ask(server, "/found")[2])


@pytest.mark.parametrize(("per_period", "unit"), [(100, "year"), (4, "quarter")])
def test_words_and_parts_are_counted(
    per_period: int, unit: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(divisions, "_PER_PERIOD", per_period)
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1)
    dates = [f"20{10 + k % 3}-0{1 + k % 7}" if k else "" for k in range(60)]
    groups = [("a", "b", "a\nb", "")[k % 4] for k in range(60)]
    corpus = Corpus(X, HIERARCHY.words, dates=dates, groups=groups)
    parts = {"date": [[date] for date in dates], "group": [one.split("\n") for one in groups]}
    word = HIERARCHY.words[2]
    with archive_of(tmp_path, HIERARCHY, topics, corpus) as found, started(found) as server:
        on = np.array(
            [[topic in found.topics_of(k) for topic in found.topic_ids] for k in range(60)]
        )
        columns = [HIERARCHY.words.index(name) for name in found.page.header["words"]]
        assert found.page.header["divisions"][0]["unit"] == unit
        for asked, chosen in (("", np.ones(60, dtype=bool)), (f"&with=word:{word}", X[:, 2])):
            counted = answer(server, f"/words?{asked}")
            assert counted["documents"] == chosen.sum()
            assert counted["words"] == X[chosen][:, columns].sum(axis=0).tolist()
            for division in found.page.header["divisions"]:
                given = answer(server, f"/divided?by={division['key']}{asked}")
                in_parts = [
                    chosen
                    & [
                        any(one == name or within(one, *period_bounds(name)) for one in own)
                        for own in parts[division["key"]]
                    ]
                    for name in division["names"]
                ]
                assert given["documents"] == [int(part.sum()) for part in in_parts]
                assert given["on"] == np.ravel([on[part].sum(axis=0) for part in in_parts]).tolist()
        for number, division in enumerate(found.page.header["divisions"]):
            given = answer(server, f"/divided?by={division['key']}")
            assert given["documents"] == division["documents"]
            assert given["on"] == found.page.arrays[f"divisions.{number}.on"].tolist()


def test_rows_come_in_order_and_many_in_parts(server: Server, monkeypatch: Any) -> None:
    rows = answer(server, "/rows?with=text:title&order=corpus&from=10&to=13")
    header, arrays = unpack(rows["block"])
    assert header["rows"] == [11, 12, 13]
    assert arrays["titles"].tobytes() == b"title 10title 11title 12"
    assert rows["shares"] == [1.0] * 3
    assert answer(server, "/rows?from=100&to=200")["shares"] == []
    assert answer(server, "/rows?copies=61&from=0&to=60")["entries"] == 0
    monkeypatch.setattr(module, "_MOST_ROWS", 7)
    assert len(answer(server, "/rows?from=0&to=999999999999")["shares"]) == 7


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/found?with=sql:1", "'sql:1' is not a term"),
        ("/found?or=all", "stands first"),
        ("/found?with=text:" + "+".join(map(str, range(101))), "a search has 100 words at most"),
        ("/found?with=topic:Z@2", "is not a term"),
        ("/found?" + "with=all&" * 300, "at most 200"),
        ("/found?" + "with=all&" * 600, "cannot be read"),
        ("/rows?from=0&to=1&order=random", "order='random'"),
        ("/rows?from=-1&to=2", "from='-1' is not a whole number"),
        ("/rows?from=0&to=2&by=none", "by='none' is not a topic"),
        ("/divided?by=nothing", "by='nothing': use one of"),
        ("/rows?from=0&to=2&by=x", "'x' is not a term"),
        ("/document?row=0", "row=0: the corpus has documents 1 to 60"),
        ("/document?row=%D9%A1", "is not a whole number"),
    ],
)
def test_questions_without_an_answer_are_told_why(server: Server, path: str, reason: str) -> None:
    status, headers, body = ask(server, path)
    assert status == 400
    assert reason in json.loads(body)["error"]
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ELSEWHERE)
def test_no_path_leads_to_a_file(server: Server, path: str) -> None:
    status, _, body = ask(server, path)
    assert status == 404
    assert json.loads(body) == {"error": "There is nothing at this address"}


@given(st.binary(max_size=60))
@settings(max_examples=30, deadline=None)
def test_whatever_is_asked_gets_an_answer(server: Server, path: bytes) -> None:
    with connect(server) as client:
        base = server.base.encode()
        head = b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.sendall(b"GET " + base + b"found?with=" + path + head)
        client.shutdown(socket.SHUT_WR)
        received = client.makefile("rb").read()
    assert b"Traceback" not in received
    assert not received or received.startswith((b"HTTP/1.1 ", b"<!DOCTYPE", b"{"))
    assert b" 500 " not in received[:20]


def test_this_computer_is_answered_under_its_names_and_no_other_host(server: Server) -> None:
    for host in ("localhost", "localhost:1", "127.0.0.1:80", "LOCALHOST"):
        assert ask(server, "/found", Host=host)[0] == 200, host
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", ""):
        for path in ("/", "/found", "/nothing"):
            status, _, body = ask(server, path, Host=host)
            assert (status, b"127.0.0.1" in body) == (403, True), (host, path)


@pytest.mark.parametrize("base", ["/", "/x/", "/AAAAAAAAAAAAAAAA/", ""])
def test_only_those_who_have_the_address_are_answered(server: Server, base: str) -> None:
    for path in ("/", "/found", f"/x{server.base}found"):
        status, _, body = ask(server, path, base=base)
        assert status == 403
        assert "whole address" in json.loads(body)["error"]
        assert server.base.encode() not in body
    assert len(server.base) > 16


def test_pages_of_other_sites_are_refused_and_links_are_not(server: Server) -> None:
    for site, mode, status in (
        *(("cross-site", mode, 403) for mode in ("no-cors", "cors", "websocket")),
        ("same-site", "cors", 403),
        ("cross-site", "navigate", 200),
        ("same-origin", "cors", 200),
        ("none", "navigate", 200),
    ):
        sent = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
        assert ask(server, "/found", **sent)[0] == status, (site, mode)


def test_few_of_many_clients_are_answered_at_once(archive: Archive, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "_MOST_AT_ONCE", 3)
    before = threading.active_count()
    with started(archive) as served, ExitStack() as open_:
        clients = [open_.enter_context(connect(served)) for _ in range(300)]
        for client in reversed(clients):
            assert threading.active_count() <= before + 1 + 3
            client.sendall(f"GET {served.base}found HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        assert all(client.recv(12) == b"HTTP/1.1 200" for client in clients)


def test_ctrl_c_ends_a_server_that_just_began_an_answer(archive: Archive, monkeypatch: Any) -> None:
    def interrupted(self: Server, request: Any, client: Any) -> None:
        self.process_request_thread(request, client)  # which is over before its start is noticed
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadingHTTPServer, "process_request", interrupted)
    with Server(0) as served, closing(connect(served)) as client:
        served.give(PAGE, archive)
        client.sendall(f"GET {served.base}found HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        with pytest.raises(KeyboardInterrupt):
            served.handle_request()


def test_nothing_can_be_changed_and_a_taken_port_is_told(server: Server) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT"):
        assert ask(server, "/", method)[0] == 501, method
    port = server.server_address[1]
    with pytest.raises(OptionError, match=rf"--port {port} cannot be used .* choose another"):
        Server(port)


def test_slow_clients_hold_up_nobody(archive: Archive, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(module._Handler, "timeout", 0.2)
    with started(archive) as served, connect(served) as slow:
        slow.sendall(b"GET /found HTT")
        assert ask(served, "/found")[0] == 200
        assert slow.makefile("rb").read() == b""  # it is hung up on
    assert capsys.readouterr().err == ""


def test_clients_that_go_leave_no_trace(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(5):
        with connect(server) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert ask(server, "/found")[0] == 200
    assert capsys.readouterr().err == ""


ENDLESS = "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT count(*) FROM n"


def test_a_search_ends_when_its_client_has_gone(server: Server, monkeypatch: Any) -> None:
    began, ended = threading.Event(), queue.Queue[type[Exception]]()

    def search(self: IndexFile, _: str) -> None:
        began.set()
        try:
            with self.connect(limited=True) as db:
                db.execute(ENDLESS).fetchone()
        except Exception as error:
            ended.put(type(error))
            raise

    monkeypatch.setattr(IndexFile, "find", search)
    with connect(server) as client:
        head = f"GET {server.base}found?with=text:gone HTTP/1.1"
        client.sendall(f"{head}\r\nHost: localhost\r\n\r\n".encode())
        assert began.wait(10)
        with pytest.raises(queue.Empty):
            ended.get(timeout=0.2)
    assert ended.get(timeout=10) is ConnectionAbortedError


def test_while_answers_are_prepared_the_page_says_how_far_this_is(archive: Archive) -> None:
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1)
    seen: list[str] = []
    heard = StringIO()
    with Server(0) as served, served.in_background():
        served.preparation = preparation = Preparation(TextMonitor(heard), "A <b>", topics)
        with preparation.stage("indexing texts", 2000):
            preparation.advance(1000)
            for path in ("/", "/found"):
                status, headers, body = ask(served, path)
                assert (status, headers["Refresh"]) == (503, "2; url=./")
                seen.append(body.decode())
        preparation.note("made again")
        served.give(PAGE, archive)
        status, headers, body = ask(served, "/")
        assert (status, "Refresh" in headers, body.decode()) == (200, False, PAGE)
    assert re.fullmatch(r"indexing texts \(2,000\) .* s\nmade again\n", heard.getvalue())
    page, found = seen
    assert "<title>A &lt;b&gt;</title>" in page
    assert "Indexing texts: 1,000 of 2,000<progress" in page
    assert "being prepared" in json.loads(found)["error"]
    assert all(escape(root.title) in page for root in topics.roots)


@pytest.fixture
def model(fitted: Path, tmp_path: Path) -> Path:
    """A model in a folder of its own, beside which something can be kept."""
    HLTA.load(fitted).save(tmp_path / "own.hlta")
    return tmp_path / "own.hlta"


def fetched(address: str) -> bytes:
    """What the server says there when it is prepared."""
    for _ in range(600):
        with suppress(HTTPError), urlopen(address, timeout=30) as answer:
            content: bytes = answer.read()
            return content
        sleep(0.1)
    raise TimeoutError


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to one process")
def test_it_serves_until_it_is_interrupted(model: Path, texts_file: Path) -> None:
    options = ("--heading", "A & B", "--page-documents", 25, "--port", 0)
    process = start("serve", model, texts_file, *options)
    try:
        address = there(process.stdout).readline().strip()
        assert address.startswith("http://127.0.0.1:")
        page = fetched(address).decode()
        assert "<title>A &amp; B</title>" in page
        assert 'id="served"' in page
        assert json.loads(fetched(f"{address}found?with=text:neural"))["documents"] == 15
        assert json.loads(fetched(f"{address}rows?from=0&to=3"))["shares"] == [1, 1, 1]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, out) == (0, "")
    assert err.endswith("The server has ended\n")


Serve = Callable[..., tuple[int, str]]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Runs `hlta serve` here until it has prepared its answers.

    It gives the number of documents on its page that have the word `neural`, and what it reported.
    """
    found: list[int] = []
    serve_forever = Server.serve_forever

    def interrupted(self: Server, *arguments: float) -> None:
        if threading.current_thread() is not threading.main_thread():
            serve_forever(self, *arguments)
            return
        found.append(self.archive.found(read_clauses([("with", "text:neural")])).size)
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "serve_forever", interrupted)

    def served(*arguments: object) -> tuple[int, str]:
        done = ran("serve", *arguments, "--port", 0)
        assert done.stdout.startswith("http://127.0.0.1:")
        return found.pop(), done.stderr

    return served


def test_what_was_computed_is_kept(serve: Serve, model: Path, texts_file: Path) -> None:
    kept, corpus = model.with_name("own.hlta.served"), model.with_name("corpus")
    read_corpus(texts_file).save(corpus)
    assert serve(model, corpus)[0] == 15
    first = kept.stat().st_ino
    assert serve(model, corpus)[0] == 15
    assert kept.stat().st_ino == first
    kept.write_bytes(kept.read_bytes()[:-5000])
    found, told = serve(model, corpus)
    assert (found, "own.hlta.served' is damaged (" in told) == (15, True)
    assert kept.stat().st_ino != first
    assert kept.stat().st_size > 5000


def test_a_folder_of_results_has_it_beside(
    serve: Serve, fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    results = shutil.copytree(fitted, tmp_path / "results")
    assert serve(results, texts_file)[0] == 15
    assert (tmp_path / "results.served").is_file()
    assert sorted(os.listdir(results)) == sorted(os.listdir(fitted))


def test_in_a_read_only_folder_nothing_is_kept(
    serve: Serve, model: Path, texts_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = store.write

    def refused(path: Path, *arguments: Any) -> None:
        if path.parent == model.parent:
            raise PermissionError
        write(path, *arguments)

    monkeypatch.setattr(store, "write", refused)
    found, told = serve(model, texts_file)
    assert found == 15
    assert "cannot be written, so what is computed is not kept" in told
    assert sorted(path.name for path in model.parent.iterdir()) == ["own.hlta"]


def test_documents_that_do_not_fit_are_refused_and_files_of_others_kept(
    model: Path, tmp_path: Path, texts_file: Path
) -> None:
    done = run("serve", model, tmp_path / "none.csv")
    assert done.exit_code == 1
    assert "none.csv" in done.stderr
    assert "no record says which documents" in run("serve", model).stderr
    assert run("serve", model, "x", "--port", 70000).exit_code == 2
    file = model.with_name("own.hlta.served")
    file.write_text("mine")
    assert "is not what hlta serve keeps there" in mistake("serve", model, texts_file, "--port", 0)
    assert file.read_text() == "mine"

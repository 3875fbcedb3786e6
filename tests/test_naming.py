"""Titles that the user gives: by hand, by a function, by a language model, by the command."""

import csv
import json
import math
import re
import shutil
import socket
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

import pytest

from hlta import HLTA, OptionError, TopicTree
from hlta.topics import ChatError, ChatNames, Family
from hlta.topics.naming import families
from tests.command import mistake, ran, rows_in, run


@pytest.fixture
def family(model: HLTA) -> Family:
    return next(families(model.topics_.roots))


@pytest.fixture
def fitted(fitted: Path, tmp_path: Path) -> Path:
    """A copy of the results of `hlta fit`, to be changed."""
    return Path(shutil.copytree(fitted, tmp_path / "fitted"))


def titles_of(topics: TopicTree) -> list[str]:
    return [topic.title for topic in topics]


def by_id(family: Family) -> dict[str, str]:
    return {topic.id: f"about {topic.id}" for topic in family.topics}


def test_titles_by_hand_are_shown_and_kept(model: HLTA, tmp_path: Path) -> None:
    root, tree = model.topics_.roots[0], model.tree_
    before = titles_of(model.topics_)
    assert model.set_titles({root.id: "  Quantum \n gases "}) is model
    assert model.tree_ is tree
    assert titles_of(model.topics_) == ["Quantum gases", *before[1:]]
    assert "Quantum gases: " in str(model.topics_)
    model.save(tmp_path / "model.hlta")
    assert titles_of(HLTA.load(tmp_path / "model.hlta").topics_) == titles_of(model.topics_)


def test_titles_that_are_none_or_collide_are_refused(model: HLTA) -> None:
    root = next(root for root in model.topics_.roots if len(root.children) > 1)
    one, other = root.children[:2]
    before = titles_of(model.topics_)
    odd: list[tuple[dict[str, Any], str]] = [
        ({root.id: ""}, "has 0 characters; give 1 to 80"),
        ({root.id: "x" * 81}, "has 81 characters"),
        ({root.id: "a\u202eb"}, "holds a control character"),
        ({root.id: 3}, "is 3, not a string"),
        ({one.id: "Gases", other.id: "GASES"}, "is also that of a topic beside it"),
        ({root.id: "Gases", one.id: "gases"}, "is also that of a topic above it"),
        ({one.id: other.title}, "beside it"),
        ({"Z9-9": "Gases"}, "there is no topic 'Z9-9'"),
    ]
    for titles, message in odd:
        with pytest.raises(OptionError, match=message):
            model.set_titles(titles)
    assert titles_of(model.topics_) == before


# ---- by a function -------------------------------------------------------------------------------


def test_a_function_names_parents_first(model: HLTA) -> None:
    asked: list[Family] = []

    def name(family: Family) -> dict[str, str]:
        asked.append(family)
        return by_id(family)

    model.name_topics(name)
    assert all(topic.title == f"about {topic.id}" for topic in model.topics_)
    assert asked[0].parent is None
    assert len(asked) == len(list(families(model.topics_.roots)))
    for family in asked[1:]:
        assert family.parent is not None
        assert family.parent.title == f"about {family.parent.id}"


def test_titles_that_cannot_be_used_are_told_and_left_out(model: HLTA) -> None:
    before = {topic.id: topic.title for topic in model.topics_}
    first = model.topics_.roots[0]

    def name(family: Family) -> dict[str, str]:
        given = {topic.id: "the same" for topic in family.topics}
        return {**given, family.topics[0].id: "x" * 100} if family.parent is None else {}

    with pytest.warns(UserWarning, match=r"are not used: the title of .* has 100 characters"):
        model.name_topics(name)
    after = {topic.id: topic.title for topic in model.topics_}
    assert after[first.id] == before[first.id]
    assert list(after.values()).count("the same") <= 1


def test_a_function_that_fails_leaves_the_model_as_it_was(model: HLTA) -> None:
    before = titles_of(model.topics_)

    def name(family: Family) -> dict[str, str]:
        if family.parent is not None:
            raise RuntimeError("no more")
        return by_id(family)

    with pytest.raises(RuntimeError, match="no more"):
        model.name_topics(name)
    listed: Any = lambda family: ["a"]  # noqa: ARG005, E731
    with pytest.raises(OptionError, match=r"gave \['a'\] for the root topics"):
        model.name_topics(listed)
    assert titles_of(model.topics_) == before


# ---- by a language model -------------------------------------------------------------------------


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[dict[str, Any]], tuple[int, str]]], str]]:
    """Starts an endpoint whose answers a function gives, and returns its address."""
    with ExitStack() as hosts:

        def started(answer: Callable[[dict[str, Any]], tuple[int, str]]) -> str:
            def reply(request: bytes) -> tuple[bytes]:
                head, _, body = request.decode().partition("\r\n\r\n")
                status, text = answer({"head": head, **json.loads(body)})
                return (f"HTTP/1.0 {status} X\r\n\r\n{text}".encode(),)

            return hosts.enter_context(Raw(reply)).url

        yield started


def said(text: str) -> str:
    return json.dumps({"choices": [{"message": {"content": text}}]})


def about_all(request: dict[str, Any]) -> tuple[int, str]:
    """An answer with a title for every topic that is asked for, and one that nobody asked for."""
    topics = json.loads(request["messages"][1]["content"])["topics"]
    titles = {topic["id"]: f"about {topic['id']}" for topic in topics} | {"Z9-9": "nobody's"}
    return 200, said(f"Here you are:\n```json\n{json.dumps(titles)}\n```")


def test_a_language_model_gets_keywords_and_gives_titles(model: HLTA, serve: Any) -> None:
    requests: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> tuple[int, str]:
        requests.append(request)
        return about_all(request)

    model.name_topics(ChatNames(serve(answer), "tiny", key="secret"))
    assert all(topic.title == f"about {topic.id}" for topic in model.topics_)
    assert requests[0]["model"] == "tiny"
    assert "Authorization: Bearer secret" in requests[0]["head"].splitlines()
    first = json.loads(requests[0]["messages"][1]["content"])
    assert first["parent"] is None
    assert first["topics"][0]["keywords"] == model.topics_.roots[0].words[:10]
    assert "secret" not in repr(ChatNames("https://x", "tiny", key="secret"))


@pytest.mark.parametrize(
    ("status", "text", "message"),
    [
        (500, "out of order", "refuses with 500 .*: out of order"),
        (200, "<html>", "does not answer in the chat protocol"),
        (200, json.dumps({"choices": []}), "does not answer in the chat protocol"),
        (200, said("I cannot do that"), "does not answer with titles by id: 'I cannot do that'"),
        (200, said('{"Z9-9": "x"}'), "does not answer with titles by id"),
        (200, said("[1, 2]"), "does not answer with titles by id"),
        (200, "x" * (1 + (1 << 22)), "the answer is longer than 4,194,304 bytes"),
        (200, '{"choices":' + "[" * 100_000, "does not answer in the chat protocol"),
        (200, said("{" + '"a":[' * 100_000 + "}"), "does not answer with titles by id"),
    ],
)
def test_faults_of_endpoints(model: HLTA, serve: Any, status: int, text: str, message: str) -> None:
    before = titles_of(model.topics_)
    with pytest.raises(ChatError, match=message):
        model.name_topics(ChatNames(serve(lambda _: (status, text)), "tiny"))
    assert titles_of(model.topics_) == before


def test_an_answer_that_cannot_be_read_is_asked_for_again(model: HLTA, serve: Any) -> None:
    first = iter([(200, said("hm"))])
    endpoint = serve(lambda request: next(first, None) or about_all(request))
    model.name_topics(ChatNames(endpoint, "tiny"))
    assert model.topics_.roots[0].title == f"about {model.topics_.roots[0].id}"


def test_an_endpoint_that_is_not_reached_is_named(family: Family) -> None:
    for url, message in (
        ("http://127.0.0.1:9/x", r"http://127.0.0.1:9/x cannot be reached: .*is it running"),
        ("http://localhost:abc/x", "cannot be reached: nonnumeric port"),
    ):
        with pytest.raises(ChatError, match=message):
            ChatNames(url, "tiny")(family)


class Raw:
    """A host that answers each request with bytes, at a pace, and keeps what it was asked."""

    def __init__(self, answer: Callable[[bytes], Sequence[bytes]], pause: float = 0.0) -> None:
        self.asked: list[bytes] = []
        self._answer, self._pause, self._stop = answer, pause, threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/x"
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._socket.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while not self._stop.is_set():
                connection, _ = self._socket.accept()
                with connection, suppress(OSError):
                    self.asked.append(_request(connection))
                    for part in self._answer(self.asked[-1]):
                        connection.sendall(part)
                        self._stop.wait(self._pause)


def _request(connection: socket.socket) -> bytes:
    """A whole request: the head, and as much after it as that says; of TLS, its first record."""
    if connection.recv(1, socket.MSG_PEEK) == b"\x16":
        return connection.recv(1 << 16)
    with connection.makefile("rb") as file:
        head = b"".join(iter(file.readline, b"\r\n"))
        length = re.search(rb"(?i)content-length: (\d+)", head)
        return head + b"\r\n" + file.read(int(length[1]) if length else 0)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 X", "308 X"])
@pytest.mark.parametrize("scheme", ["http", "ftp", "file"])
def test_redirects_are_not_followed(family: Family, status: str, scheme: str) -> None:
    """The key would go along."""
    with Raw(lambda _: [b"HTTP/1.0 200 OK\r\n\r\n" + said("{}").encode()]) as other:
        place = other.url.replace("http", scheme)
        head = f"HTTP/1.0 {status}\r\nLocation: {place}\r\n\r\n"
        with Raw(lambda _: [head.encode()]) as host:
            names = ChatNames(host.url, "tiny", key="secret", timeout=10)
            with pytest.raises(ChatError, match=f"redirects to {place}, where nothing is sent"):
                names(family)
        assert b"secret" in host.asked[0]
        assert other.asked == []


DRIPPING = [b"x"] * 1000


@pytest.mark.parametrize(
    ("scheme", "answer"),
    [
        ("http:", [b"HTTP/1.0 200 OK\r\n", *DRIPPING]),
        ("http:", [b"HTTP/1.0 200 OK\r\n\r\n", *DRIPPING]),
        ("http:", [b"HTTP/1.0 200 OK\r\nContent-Length: 9999\r\n\r\n", *DRIPPING]),
        ("http:", [b"HTTP/1.0 500 No\r\n\r\n", *DRIPPING]),
        ("http:", [b"", *[b""] * 1000]),
        ("https:", [b"\x16\x03\x03\x40\x00", *DRIPPING]),  # encryption, too
    ],
)
def test_the_answer_must_come_in_time(family: Family, scheme: str, answer: list[bytes]) -> None:
    """A byte now and then does not keep a call waiting."""
    with Raw(lambda _: answer, pause=0.05) as host:
        names = ChatNames(host.url.replace("http:", scheme), "tiny", timeout=0.6)
        with pytest.raises(ChatError, match=r"is too slow: .* not there within 0\.6 seconds"):
            names(family)
        assert len(host.asked) == 1


@pytest.mark.parametrize(
    ("is_open", "urls"),
    [
        (True, [f"http://{host}/x" for host in ("example.org", "10.0.0.1", "xlocalhost")]),
        (
            False,
            [f"http://{host}/x" for host in ("localhost:1", "127.0.0.2", "[::1]", "LOCALHOST")],
        ),
        (False, ["http://model.localhost/x", "https://example.org/x"]),
    ],
)
def test_a_key_over_an_open_line_is_told(is_open: bool, urls: list[str]) -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        for url in urls:
            ChatNames(url, "tiny", key="secret")
    told = [str(one.message).partition(" unencrypted")[0] for one in shown]
    assert told == [f"the key goes to {url}" for url in urls if is_open]


ADDRESSES = ("file:///etc/passwd", "localhost:11434", "http://", "", "http://[::1/", "http://é.org")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        *(({"url": url}, "begins with http") for url in ADDRESSES),
        *(({"url": url}, "begins with http") for url in ("http://a b/", "http://a/\r\nX: y")),
        *(({"timeout": t}, r"timeout=.*: use seconds") for t in (0.0, -1.0, math.nan, math.inf)),
        *(({"key": k}, "key: use ASCII without spaces") for k in ("HID\n", "HID DEN", "ключ", "")),
    ],
)
def test_nobody_is_asked_oddly_and_no_key_is_shown(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        ChatNames(**{"url": "https://x", "model": "tiny"} | given)
    assert "HID" not in str(caught.value)
    assert "ключ" not in str(caught.value)


def test_keys_go_to_no_proxy_if_the_host_is_here(
    family: Family, serve: Any, monkeypatch: Any
) -> None:
    with Raw(lambda _: [b"HTTP/1.0 502 No\r\n\r\n"]) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        names = ChatNames(serve(lambda _: (200, said('{"Z9-9": "x"}'))), "tiny", key="secret")
        with pytest.raises(ChatError, match="does not answer with titles"):
            names(family)
        assert proxy.asked == []


def test_the_command_warns_before_the_key_is_sent(fitted: Path) -> None:
    """Even if nobody answers."""
    url = "http://hlta.invalid/v1/chat/completions"
    asked = ("--endpoint", url, "--chat-model", "tiny", "--key", "secret")
    shown = mistake("titles", fitted, *asked)
    warning, error = shown.splitlines()[:2]
    assert warning.startswith(f"hlta: the key goes to {url} unencrypted")
    assert "cannot be reached" in error


# ---- by the command ------------------------------------------------------------------------------


def test_the_command_takes_titles_from_an_edited_table(fitted: Path, tmp_path: Path) -> None:
    rows = rows_in(fitted / "topics.csv")
    rows[0]["title"] = "My, own title"
    table = tmp_path / "edited.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    old = HLTA.load(fitted).topics_[rows[0]["id"]].title
    shown = ran("titles", fitted, "--from", table).stderr
    assert shown.startswith(f"Done: rename {old!r} ({rows[0]['id']}) to 'My, own title'\n")
    topics = HLTA.load(fitted).topics_
    assert topics[rows[0]["id"]].title == "My, own title"
    assert "My, own title" in (fitted / "topics.csv").read_text()
    assert json.loads((fitted / "topics.json").read_text()) == topics.to_dict()
    assert "My, own title" in run("topics", fitted).stdout
    before = {name: (fitted / name).read_bytes() for name in ("topics.csv", "topics.json")}
    done = ran("titles", fitted, "--from", fitted / "topics.csv")
    assert done.stderr == "The topics have these titles already\n"
    assert {name: (fitted / name).read_bytes() for name in before} == before


def test_a_topic_that_was_not_shown_is_shown_once_it_has_a_title(
    model: HLTA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.hlta"
    model.save(path)
    low = next(topic for topic in HLTA.load(path).topics_ if topic.parent is not None)
    monkeypatch.setattr("hlta.topics.annotations.REPEATED", 0.0)
    assert low.id not in {topic.id for topic in HLTA.load(path).topics_}
    (tmp_path / "table.csv").write_text(f"id,title\n{low.id},My name\n")
    shown = ran("titles", path, "--from", tmp_path / "table.csv").stderr
    assert f"Done: rename {low.id!r} ({low.id}) to 'My name'\n" in shown
    assert HLTA.load(path).topics_[low.id].title == "My name"


def test_the_command_asks_a_language_model(fitted: Path, serve: Any) -> None:
    model = fitted / "model.hlta"
    asked = ("--endpoint", serve(about_all), "--chat-model", "tiny")
    ran("titles", model, *asked)
    topics = HLTA.load(model).topics_
    assert titles_of(topics) == [f"about {topic.id}" for topic in topics]


def test_mistakes_of_the_command_are_named(fitted: Path, tmp_path: Path) -> None:
    model = (fitted / "model.hlta").read_bytes()
    assert "give either --from" in mistake("titles", fitted)
    table = tmp_path / "table.csv"
    table.write_text("id,name\nZ1-1,x\n")
    assert "has no column 'title'" in run("titles", fitted, "--from", table).stderr
    table.write_text("id,title\nZ9-99,x\n")
    assert "there is no topic 'Z9-99'" in run("titles", fitted, "--from", table).stderr
    url = "http://127.0.0.1:9/x"
    for lonely in (("--endpoint", url), ("--from", table, "--chat-model", "tiny")):
        assert "belong together" in run("titles", fitted, *lonely).stderr
    assert (fitted / "model.hlta").read_bytes() == model

"""`hlta serve`, as a process of its own."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from hlta import HLTA, read_corpus
from hlta.explorer.serve import store
from tests.command import run, start

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def serving(*arguments: object, **more: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and its address."""
    process = start("serve", *arguments, "--port", 0, **more)
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def model(fitted: Path, tmp_path: Path) -> Path:
    """A model in a folder of its own, beside which something can be kept."""
    HLTA.load(fitted).save(tmp_path / "own.hlta")
    return tmp_path / "own.hlta"


def asked(address: str, path: str) -> Any:
    with urlopen(address + path, timeout=30) as answer:
        return json.load(answer)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to one process")
def test_it_serves_until_it_is_interrupted(model: Path, texts_file: Path) -> None:
    with serving(model, texts_file, "--heading", "A & B", "--page-documents", 25) as (
        process,
        address,
    ):
        assert address.startswith("http://127.0.0.1:")
        with urlopen(address, timeout=30) as answer:
            page = answer.read().decode()
        assert "<title>A &amp; B</title>" in page
        assert 'id="served"' in page
        found = asked(address, "found?with=text:neural")
        assert found["documents"] == 15
        assert asked(address, "rows?from=0&to=3")["shares"] == [1, 1, 1]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert err.endswith("The server has ended\n")


def test_what_is_computed_is_kept_for_the_same_documents(
    model: Path, texts_file: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "own.hlta.served"
    read_corpus(texts_file).save(tmp_path / "corpus")
    with serving(model, tmp_path / "corpus") as (_, address):
        before = asked(address, "found")
    first = kept.stat().st_ino
    with serving(model, tmp_path / "corpus", "-q") as (_, address):
        assert asked(address, "found") == before
    assert kept.stat().st_ino == first
    kept.write_bytes(kept.read_bytes()[:-5000])
    with serving(model, tmp_path / "corpus") as (process, address):
        assert asked(address, "found?with=text:neural")["documents"] == 15
        process.kill()
        assert process.stderr is not None
        assert "own.hlta.served' is damaged (" in process.stderr.read()
    assert kept.stat().st_ino != first
    assert kept.stat().st_size > 5000


def test_a_folder_of_results_keeps_it_beside(texts_file: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    assert run("fit", texts_file, "-o", results, "-q", "--samples", 1).exit_code == 0
    with serving(results, texts_file) as (_, address):
        assert asked(address, "found")["documents"] == 30
    assert (tmp_path / "results.served").is_file()
    assert run("fit", texts_file, "-o", results, "-q", "--overwrite").exit_code == 0


def test_in_a_read_only_folder_nothing_is_kept(
    model: Path, texts_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begun(*_: object) -> None:
        raise KeyboardInterrupt

    write = store.write

    def refused(path: Path, *arguments: Any) -> None:
        if path.parent == model.parent:
            raise PermissionError
        write(path, *arguments)

    monkeypatch.setattr(store, "write", refused)
    monkeypatch.setattr("hlta.explorer.serve.server.Server.serve_forever", begun)
    done = run("serve", model, texts_file, "--port", 0)
    assert (done.exit_code, done.stdout[:17]) == (0, "http://127.0.0.1:"), done.output
    assert "cannot be written, so what is computed is not kept" in done.stderr
    assert sorted(path.name for path in model.parent.iterdir()) == ["own.hlta"]


def test_a_port_that_is_taken_is_told(model: Path, texts_file: Path) -> None:
    with serving(model, texts_file) as (_, address):
        port = urlsplit(address).port
        done = run("serve", model, texts_file, "--port", port)
    assert done.exit_code == 1
    assert f"--port {port} cannot be used" in done.stderr
    assert "choose another number, or 0" in done.stderr


def test_documents_that_do_not_fit_are_refused(model: Path, tmp_path: Path) -> None:
    done = run("serve", model, tmp_path / "none.csv")
    assert done.exit_code == 1
    assert "none.csv" in done.stderr
    assert run("serve", model).exit_code == 2
    assert run("serve", model, "x", "--port", 70000).exit_code == 2


def test_files_of_others_are_not_replaced(model: Path, texts_file: Path) -> None:
    file = model.with_name("own.hlta.served")
    file.write_text("mine")
    done = run("serve", model, texts_file, "--port", 0)
    assert done.exit_code == 1
    assert "is not what hlta serve keeps there" in done.stderr
    assert file.read_text() == "mine"

"""Files replace others whole or not at all: one alone, or several together."""

from __future__ import annotations

import os
import stat
import threading
from typing import TYPE_CHECKING, Any

import pytest

from hlta import OptionError
from hlta._support.writing.files import replacing, replacing_together, write_text

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path


def interrupt(writing: AbstractContextManager[Any]) -> None:
    """What Ctrl-C does within the block."""
    error = KeyboardInterrupt()
    if not writing.__exit__(KeyboardInterrupt, error, None):
        raise error


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_replaced_with_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    path.chmod(0o640)
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert mode(path) == 0o640


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write_text(tmp_path / "x", "new")
    assert mode(tmp_path / "x") == mode(tmp_path / "usual")


def test_the_mask_of_the_process_is_never_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It belongs to all threads: another one's file would get the wrong permissions."""
    monkeypatch.setattr(os, "umask", None)
    write_text(tmp_path / "x", "new")
    write_text(tmp_path / "x", "newer")


def test_a_draft_is_private(tmp_path: Path) -> None:
    with replacing(tmp_path / "x"):
        (draft,) = tmp_path.iterdir()
        assert mode(draft) == 0o700


def test_a_file_stays_as_it_was_on_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    writing = replacing(path)
    writing.__enter__().write(b"half")
    with pytest.raises(KeyboardInterrupt):
        interrupt(writing)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_text_is_returned_and_written_if_there_is_a_path(tmp_path: Path) -> None:
    assert write_text(None, "größe") == "größe"
    assert write_text(tmp_path / "x", "größe\n") == "größe\n"
    assert (tmp_path / "x").read_bytes() == "größe\n".encode()
    write_text(tmp_path / "x", "a\ud800", "replace")
    assert (tmp_path / "x").read_bytes() == b"a?"


def test_several_threads_may_write_one_file(tmp_path: Path) -> None:
    texts = [str(k) * 100_000 for k in range(8)]
    threads = [threading.Thread(target=write_text, args=(tmp_path / "x", one)) for one in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "x").read_text() in texts
    assert os.listdir(tmp_path) == ["x"]


# ---- several together ----------------------------------------------------------------------------


def test_files_are_replaced_together_and_others_stay(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text("old")
    (tmp_path / "a").chmod(0o640)
    with replacing_together(tmp_path / "a") as folder:
        for name in "abd":
            write_text(folder / name, "new")
        assert (tmp_path / "a").read_text() == "old"
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert found == {"a": "new", "b": "new", "c": "old", "d": "new"}
    assert mode(tmp_path / "a") == 0o640


def test_a_link_in_their_place_is_replaced(tmp_path: Path) -> None:
    """The files stay together, wherever it leads."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a").symlink_to(tmp_path / "real" / "a")
    (tmp_path / "link").symlink_to("folder")
    with replacing_together(tmp_path / "link" / "a") as folder:
        for name in "ab":
            write_text(folder / name, "new")
    found = {path.name: path.read_text() for path in (tmp_path / "folder").iterdir()}
    assert found == {"a": "new", "b": "new"}
    assert (tmp_path / "real" / "a").read_text() == "mine"


def test_none_is_replaced_on_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    writing = replacing_together(tmp_path / "a")
    write_text(writing.__enter__() / "a", "new")
    with pytest.raises(KeyboardInterrupt):
        interrupt(writing)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]


@pytest.mark.parametrize("name", ["a", "b"])
def test_what_somebody_else_put_there_meanwhile_is_not_replaced(tmp_path: Path, name: str) -> None:
    writing = replacing_together(tmp_path / "a", overwrite=False)
    folder = writing.__enter__()
    for one in "ab":
        write_text(folder / one, "new")
    (tmp_path / name).write_text("mine")
    with pytest.raises(OptionError, match=f"{name}' exists now; choose another name"):
        writing.__exit__(None, None, None)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine")]

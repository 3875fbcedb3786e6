"""What changes the disk, here and as other systems do it."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

import pytest

from hlta._support.writing import system

if TYPE_CHECKING:
    from pathlib import Path


def two_folders(path: Path) -> tuple[Path, Path]:
    for name in "ab":
        (path / name).mkdir()
        (path / name / name).touch()
    return path / "a", path / "b"


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="there is no such call")
def test_two_folders_are_exchanged(tmp_path: Path) -> None:
    one, other = two_folders(tmp_path)
    assert system.exchange(one, other)
    assert (os.listdir(one), os.listdir(other)) == (["b"], ["a"])


def test_where_no_call_exchanges_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two_folders(tmp_path)
    monkeypatch.setattr(system, "_EXCHANGES", {})
    assert not system.exchange(one, other)
    monkeypatch.setattr(system, "_EXCHANGES", {sys.platform: "no such function"})
    assert not system.exchange(one, other)
    assert (os.listdir(one), os.listdir(other)) == (["a"], ["b"])


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EINVAL, errno.EBUSY])
def test_a_call_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """An old kernel, a file system that cannot, and a mount point."""
    monkeypatch.setattr(system, "_EXCHANGES", {sys.platform: "call"})
    library = type("Library", (), {"call": lambda *_: -1})
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: library())
    monkeypatch.setattr("ctypes.get_errno", lambda: number)
    if number == errno.EBUSY:
        with pytest.raises(OSError, match=os.strerror(number)):
            system.exchange(*two_folders(tmp_path))
    else:
        assert not system.exchange(*two_folders(tmp_path))


def test_a_file_that_another_program_has_open_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where a virus scanner looks at every new file."""
    (tmp_path / "a").write_text("new")
    replace, refusals = os.replace, [PermissionError(), PermissionError()]

    def refusing(path: Path, target: Path) -> None:
        if refusals:
            raise refusals.pop()
        replace(path, target)

    monkeypatch.setattr(os, "replace", refusing)
    monkeypatch.setattr(system, "_PAUSES", (0.0, 0.0))
    system.rename(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_text() == "new"


def test_one_that_stays_open_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(system, "_PAUSES", (0.0,))
    with pytest.raises(PermissionError):
        system.rename(tmp_path / "a", tmp_path / "b")


@pytest.mark.parametrize("number", [errno.EINVAL, errno.EIO])
def test_some_file_systems_cannot_sync_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(_: int) -> None:
        raise OSError(number, "")

    system.sync_folder(tmp_path)
    monkeypatch.setattr(os, "fsync", fail)
    if number == errno.EIO:
        with pytest.raises(OSError, match=str(number)):
            system.sync_folder(tmp_path)
    else:
        system.sync_folder(tmp_path)


def test_links_are_deleted_and_not_what_they_lead_to(tmp_path: Path) -> None:
    mine, other = two_folders(tmp_path)
    (other / "link").symlink_to(mine)
    system.remove_all(other)
    assert os.listdir(tmp_path) == ["a"]
    assert os.listdir(mine) == ["a"]

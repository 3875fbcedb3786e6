"""Files and folders appear whole or not at all, and nobody's own files are replaced."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from hlta import OptionError
from hlta._support.files import check_replaceable, replacing, replacing_folder

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path


def interrupt(writing: AbstractContextManager[Any]) -> None:
    """What Ctrl-C does within the block."""
    error = KeyboardInterrupt()
    if not writing.__exit__(KeyboardInterrupt, error, None):
        raise error


def folder_with(path: Path, names: list[str]) -> Path:
    path.mkdir()
    for name in names:
        (path / name).write_text("old")
    return path


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
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_folder_appears_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "above" / "results"
    with replacing_folder(target, overwrite=False) as made:
        (made / "model.hlta").write_text("new")
        assert not target.exists()
    assert (target / "model.hlta").read_text() == "new"
    assert os.listdir(tmp_path / "above") == ["results"]


def test_a_folder_stays_as_it_was_on_an_error(tmp_path: Path) -> None:
    target = tmp_path / "results"
    target.mkdir()
    (target / "model.hlta").write_text("old")
    writing = replacing_folder(target, overwrite=True)
    (writing.__enter__() / "model.hlta").write_text("half")
    with pytest.raises(KeyboardInterrupt):
        interrupt(writing)
    assert (target / "model.hlta").read_text() == "old"
    assert os.listdir(tmp_path) == ["results"]


@pytest.mark.parametrize(
    "names", [[], ["model.hlta", "index.html"], ["corpus.json", "indptr.npy", "ids.ends.npy"]]
)
def test_folders_that_hlta_wrote_are_replaced(tmp_path: Path, names: list[str]) -> None:
    target = folder_with(tmp_path / "results", names)
    with pytest.raises(OptionError, match="exists; choose another folder, or overwrite it"):
        check_replaceable(target, overwrite=False)
    with pytest.raises(OptionError, match="exists; choose another folder, or overwrite it"):
        replacing_folder(target, overwrite=False).__enter__()
    check_replaceable(target, overwrite=True)
    with replacing_folder(target, overwrite=True):
        pass
    assert os.listdir(target) == []


@pytest.mark.parametrize("names", [["thesis.txt"], ["model.hlta", "mine"], ["my.npy"]])
def test_folders_with_other_files_are_not_replaced(tmp_path: Path, names: list[str]) -> None:
    target = folder_with(tmp_path / "mine", names)
    with pytest.raises(OptionError, match="not overwritten, because it holds other files"):
        replacing_folder(target, overwrite=True).__enter__()
    assert sorted(os.listdir(target)) == sorted(names)


def test_a_file_is_not_replaced_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    with pytest.raises(OptionError, match="not overwritten"):
        replacing_folder(tmp_path / "x", overwrite=True).__enter__()

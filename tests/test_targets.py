"""Where something is to be written: what is refused before any work, and who may write there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hlta import FormatError, OptionError
from hlta._support.writing import targets
from hlta._support.writing.drafts import clear
from hlta._support.writing.files import replacing_together, write_text
from hlta._support.writing.targets import (
    check_file,
    check_folder,
    check_unclaimed,
    claimed,
    parents_of,
    reading_together,
)
from tests.test_files import interrupt

RUN = '{"hlta": "a record of a run"}'


def folder_with(path: Path, **files: str) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / name.replace("_", ".")).write_text(text)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="devices have other names there")
def test_devices_pipes_and_folders_are_refused_as_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for path in (tmp_path / "pipe", tmp_path / "link", "/dev/null"):
        with pytest.raises(OptionError, match="is a device or a pipe, which cannot be replaced"):
            check_file(path)
        with pytest.raises(OptionError, match="is a device or a pipe, which cannot be replaced"):
            write_text(path, "new")
    with pytest.raises(OptionError, match="is a folder; choose the name of a file"):
        check_file(tmp_path)


@pytest.mark.parametrize("files", [{}, {"run_json": RUN}, {".x.hlta-lock": ""}])
def test_folders_that_hlta_wrote_may_be_replaced(tmp_path: Path, files: dict[str, str]) -> None:
    folder = folder_with(tmp_path / "results", **files)
    with pytest.raises(OptionError, match="exists; choose another folder, or overwrite it"):
        check_folder(folder, overwrite=False)
    assert check_folder(folder, overwrite=True) == folder


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"thesis_txt": "years of work"}, "thesis.txt"),
        ({"run_json": RUN, "mine": "mine"}, "mine"),
        ({"index_html": "<!doctype html>my own page"}, "index.html"),
    ],
)
def test_folders_with_other_files_may_not(
    tmp_path: Path, files: dict[str, str], named: str
) -> None:
    folder = folder_with(tmp_path / "mine", **files)
    with pytest.raises(OptionError, match=f"not overwritten, .* such as '{named}'; choose"):
        check_folder(folder, overwrite=True)


def test_a_file_is_not_replaced_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    with pytest.raises(OptionError, match="not overwritten, because it is not a folder"):
        check_folder(tmp_path / "x", overwrite=True)


def test_a_mount_point_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_with(tmp_path / "a b")
    assert check_folder(folder, overwrite=True)
    with monkeypatch.context() as patch:
        patch.setattr(os.path, "ismount", lambda _: True)
        with pytest.raises(OptionError, match="is a mount point, which cannot be replaced"):
            check_folder(folder, overwrite=True)
    line = b"36 35 98:0 /mnt " + os.fsencode(folder).replace(b" ", rb"\040") + b" rw - ext4 x rw\n"
    monkeypatch.setattr(Path, "read_bytes", lambda _: line)  # of a folder bound to another place
    with pytest.raises(OptionError, match="is a mount point, which cannot be replaced"):
        check_folder(folder, overwrite=True)


# ---- who may write -------------------------------------------------------------------------------

HOLD = """
import sys
from hlta._support.writing.targets import claimed
with claimed(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_run_is_refused_until_the_first_one_ends(tmp_path: Path) -> None:
    path = tmp_path / "x"
    refused = pytest.raises(OptionError, match=r"another run is writing '.*x'; wait until it ends")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with refused, claimed(path):
            pass
        with claimed(tmp_path / "y"):
            pass
        process.kill()
        process.wait()
    with claimed(path), refused, claimed(path):
        pass
    assert os.listdir(tmp_path) == []


def test_a_target_on_which_nobody_works_is_not_refused(tmp_path: Path) -> None:
    check_unclaimed(tmp_path / "no folder" / "x")
    (tmp_path / ".x.hlta-lock").touch()  # of a killed run
    check_unclaimed(tmp_path / "x")
    assert os.listdir(tmp_path) == []
    with claimed(tmp_path / "x"), pytest.raises(OptionError, match="another run is writing"):
        check_unclaimed(tmp_path / "x")


def test_folders_above_go_again_on_an_error(tmp_path: Path) -> None:
    with parents_of(tmp_path / "a" / "b" / "x"):
        pass
    assert (tmp_path / "a" / "b").is_dir()
    making = parents_of(tmp_path / "a" / "c" / "d" / "x")
    making.__enter__()
    with pytest.raises(KeyboardInterrupt):
        interrupt(making)
    assert os.listdir(tmp_path / "a") == ["b"]


# ---- reading several -----------------------------------------------------------------------------


def half_replaced(folder: Path) -> Path:
    """What a process leaves that is killed between two files."""
    ready = folder / ".x.mtx.0123abcd.hlta-draft" / "ready"
    ready.mkdir(parents=True)
    (ready / "x.mtx").write_text("new")
    (folder / "x.mtx").write_text("old")
    (folder / "x.words.txt").write_text("new")
    return folder / "x.mtx"


def test_a_mixture_is_refused_until_the_next_run_that_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "_PAUSES", (0.0, 0.0))
    path = half_replaced(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with (
        pytest.raises(
            FormatError, match=r"only half replaced, .*; repeat that command with --over"
        ),
        reading_together(path),
    ):
        pass
    assert sorted(tmp_path.rglob("*")) == before
    with claimed(path):
        pass
    with reading_together(path):
        assert path.read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["x.mtx", "x.words.txt"]


def test_a_reader_waits_for_a_run_that_is_about_to_finish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = half_replaced(tmp_path)
    monkeypatch.setattr(time, "sleep", lambda _: clear(path))
    with reading_together(path):
        assert path.read_text() == "new"


def test_a_file_that_is_replaced_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with reading_together(path):
        pass
    with (
        pytest.raises(FormatError, match="was replaced while it was being read; read it again"),
        reading_together(path),
        replacing_together(path) as folder,
    ):
        write_text(folder / "x", "new")

"""What is written replaces what was there, whole or not at all, and nothing else."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from hlta import FormatError, OptionError
from hlta._support import writing
from hlta._support.writing import (
    check_file,
    check_folder,
    check_unlocked,
    drafting,
    parents_of,
    reading_together,
    replacing,
    replacing_folder,
    replacing_together,
    write_text,
)
from tests.disk import Disk, Kill, Killed, draft_of, files_in, using

RUN = '{"hlta": "a record of a run"}'
BUSY = pytest.raises(OptionError, match=r"another run is writing '.*'; wait until it ends, or use")
INTERRUPTED = pytest.raises(KeyboardInterrupt)
needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def found(folder: Path) -> dict[str, str]:
    return {name: data.decode() for name, data in files_in(folder).items()}


def refused(message: str) -> pytest.RaisesExc[OptionError]:
    return pytest.raises(OptionError, match=message)


# ---- one file ------------------------------------------------------------------------------------


def test_a_file_keeps_its_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "usual").touch()
    monkeypatch.setattr(os, "umask", None)  # which belongs to all threads
    path = tmp_path / "x"
    assert write_text(path, "größe\n") == "größe\n"
    assert (path.read_bytes(), mode(path)) == ("größe\n".encode(), mode(tmp_path / "usual"))
    path.chmod(0o640)
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_text() == "größe\n"
        (draft,) = tmp_path.glob(".*")
        assert mode(draft) == 0o700  # nobody else may read it
    assert (path.read_text(), mode(path)) == ("new", 0o640)


def test_a_text_goes_nowhere_without_a_path_and_may_lose_what_is_no_text(tmp_path: Path) -> None:
    assert write_text(None, "größe") == "größe"
    write_text(tmp_path / "x", "a\ud800", "replace")
    assert (tmp_path / "x").read_bytes() == b"a?"


ODD = ["x" * 255, "ü" * 127, " ", "-o", "a*[b"]
if sys.platform == "linux":  # other systems refuse such names
    ODD += map(os.fsdecode, (b"a\nb", b"\xff\xfe", b"\x1b[31m"))


@pytest.mark.parametrize("name", ODD)
def test_odd_names_can_be_written(tmp_path: Path, name: str) -> None:
    for text in ("new", "newer"):
        write_text(tmp_path / name, text)
        assert found(tmp_path) == {name: text}


@needs_links
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_windows_may_have_a_file_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a virus scanner, for a while."""
    replace, refusals = os.replace, [PermissionError(), PermissionError()]

    def refusing(path: Path, target: Path) -> None:
        if refusals:
            raise refusals.pop()
        replace(path, target)

    (tmp_path / "a").touch()
    monkeypatch.setattr(os, "replace", refusing)
    monkeypatch.setattr(sys, "platform", "win32")
    writing._rename(tmp_path / "a", tmp_path / "b")
    assert os.listdir(tmp_path) == ["b"]


# ---- several together ----------------------------------------------------------------------------


def test_files_are_replaced_together_and_others_stay(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text("old")
    (tmp_path / "a").chmod(0o640)
    with replacing_together(tmp_path / "a") as folder:
        for name in "abd":
            write_text(folder / name, "new")
        assert (tmp_path / "a").read_text() == "old"
    assert found(tmp_path) == {"a": "new", "b": "new", "c": "old", "d": "new"}
    assert mode(tmp_path / "a") == 0o640


@needs_links
def test_a_link_in_their_place_is_replaced(tmp_path: Path) -> None:
    """The files stay together, wherever it leads."""
    for name in ("real", "folder"):
        (tmp_path / name).mkdir()
    (tmp_path / "real" / "a").write_text("mine")
    (tmp_path / "folder" / "a").symlink_to(tmp_path / "real" / "a")
    (tmp_path / "link").symlink_to("folder")
    with replacing_together(tmp_path / "link" / "a") as folder:
        for name in "ab":
            write_text(folder / name, "new")
    assert found(tmp_path / "folder") == {"a": "new", "b": "new"}
    assert found(tmp_path / "real") == {"a": "mine"}


@pytest.mark.parametrize("name", ["a", "b"])
def test_what_somebody_else_put_there_meanwhile_is_not_replaced(tmp_path: Path, name: str) -> None:
    taken = refused(f"{name}' exists now; choose another")
    with taken, replacing_together(tmp_path / "a", overwrite=False) as folder:
        for one in "ab":
            write_text(folder / one, "new")
        (tmp_path / name).write_text("mine")
    assert found(tmp_path) == {name: "mine"}


def write_matrix(folder: Path, text: str) -> None:
    with replacing_together(folder / "x.mtx") as made:
        for name in ("x.mtx", "x.words.txt"):
            write_text(made / name, text)


def half_replaced(folder: Path) -> Path:
    """What a process leaves that is killed between two files."""
    write_matrix(folder, "old")
    with using(Disk()) as disk:
        write_matrix(folder, "old")
    last = len(disk.done) - disk.done[::-1].index("replace")
    with using(Kill(last)), pytest.raises(Killed):
        write_matrix(folder, "new")
    return folder / "x.mtx"


def test_a_mixture_is_refused_until_the_next_run_that_writes(tmp_path: Path) -> None:
    write_matrix(tmp_path, "old")
    with pytest.raises(FormatError, match="read it again"), reading_together(tmp_path / "x.mtx"):
        write_matrix(tmp_path, "new")  # while it is read
    path = half_replaced(tmp_path)
    before = found(tmp_path)
    assert (before["x.mtx"], before["x.words.txt"]) == ("old", "new")
    with pytest.raises(FormatError, match="only half replaced"), reading_together(path):
        pass
    assert found(tmp_path) == before
    check_unlocked(path)
    with reading_together(path):
        assert found(tmp_path) == {"x.mtx": "new", "x.words.txt": "new"}


# ---- folders -------------------------------------------------------------------------------------


@pytest.fixture(params=["exchanging", "without exchanging"])
def target(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of ours, on a system that exchanges two folders by one call, and on one that cannot."""
    if request.param == "without exchanging":
        monkeypatch.setattr(writing, "_exchange", lambda *_: False)
    folder = tmp_path / "results"
    folder.mkdir(mode=0o750)
    (folder / "run.json").write_text(RUN)
    return folder


def replace(folder: Path) -> None:
    with replacing_folder(folder, overwrite=True) as made:
        write_text(made / "run.json", '{"hlta": "new"}')


def test_a_folder_is_replaced_with_its_permissions_and_never_lost(target: Path) -> None:
    """Where two cannot be exchanged, it is in the draft for a moment."""
    with using(Disk()) as disk:
        replace(target)
    assert found(target.parent) == {"results/run.json": '{"hlta": "new"}'}
    assert mode(target) == 0o750
    for number in range(1, len(disk.done) + 1):
        with using(Kill(number)), pytest.raises(Killed):
            replace(target)
        check_unlocked(target)
        assert list(found(target.parent)) == ["results/run.json"]


@pytest.mark.parametrize("overwrite", [True, False])
def test_what_somebody_else_put_there_meanwhile_is_kept(target: Path, overwrite: bool) -> None:
    place = target if overwrite else target.with_name("other")
    message = r"such as 'notes.txt'" if overwrite else "exists"
    with refused(message), replacing_folder(place, overwrite=overwrite) as made:
        write_text(made / "run.json", "{}")
        place.mkdir(exist_ok=True)
        (place / "notes.txt").write_text("mine")
    assert found(place)["notes.txt"] == "mine"
    assert "{}" not in found(target.parent).values()


REPLACE = """
import sys
from hlta._support.writing import replacing_folder, write_text
from hlta.errors import OptionError
replaced = 0
while replaced < 25:
    try:
        with replacing_folder(sys.argv[1], overwrite=True) as made:
            write_text(made / "run.json", '{"hlta": ' + sys.argv[2] + "}")
    except (OptionError, FileNotFoundError):
        continue
    replaced += 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no system call there exchanges two folders")
def test_a_reader_always_finds_a_folder(tmp_path: Path) -> None:
    """Two processes replace it again and again; one waits for the other."""
    path = tmp_path / "results"
    path.mkdir()
    (path / "run.json").write_text('{"hlta": 0}')
    writers = [subprocess.Popen([sys.executable, "-c", REPLACE, path, str(k)]) for k in (1, 2)]
    read = set()
    while any(writer.poll() is None for writer in writers):
        read.add((path / "run.json").read_text())
    read.add((path / "run.json").read_text())
    assert read <= {f'{{"hlta": {k}}}' for k in range(3)}
    assert [writer.returncode for writer in writers] == [0, 0]
    assert os.listdir(tmp_path) == ["results"]


# ---- errors --------------------------------------------------------------------------------------

WAYS: list[Callable[[Path], AbstractContextManager[Any]]] = [
    replacing,
    replacing_together,
    lambda path: replacing_folder(path, overwrite=True),
    lambda path: replacing_folder(path.with_name("a") / "b" / "c", overwrite=True),
    lambda path: parents_of(path.with_name("a") / "b" / "c"),
    drafting,
]


@pytest.mark.parametrize("way", WAYS)
def test_nothing_stays_behind_on_an_error(
    way: Callable[[Path], AbstractContextManager[Any]], tmp_path: Path
) -> None:
    with INTERRUPTED, way(tmp_path / "x") as made:
        if isinstance(made, Path):
            (made / "half").write_text("half")
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == []


def test_a_folder_appears_with_those_above_it(tmp_path: Path) -> None:
    with replacing_folder(tmp_path / "above" / "it" / "x", overwrite=False) as made:
        write_text(made / "a", "new")
        assert not (tmp_path / "above" / "it" / "x").exists()
    assert found(tmp_path) == {"above/it/x/a": "new"}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("mkdir", errno.EACCES),
        ("open", errno.EROFS),
        ("replace", errno.ENOSPC),
        ("fsync", errno.ENOSPC),
        ("fsync", errno.EIO),
    ],
)
def test_errors_name_the_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, number: int
) -> None:
    def fail(path: object, *_: object, **__: object) -> None:
        named = () if isinstance(path, int) else (os.fspath(path),)  # type: ignore[call-overload]
        raise OSError(number, "no", *named)

    with monkeypatch.context() as patch:
        patch.setattr(os, name, fail)
        with pytest.raises(OSError, match="cannot be written: no") as caught:
            write_text(tmp_path / "x", "new")
    assert caught.value.filename == str(tmp_path / "x")
    assert os.listdir(tmp_path) == []


def test_other_errors_are_told_as_they_are(tmp_path: Path) -> None:
    for path, message in (("x" * 256, "File name too long"), ("no/x", "No such file")):
        with pytest.raises(OSError, match=message) as caught:
            write_text(tmp_path / path, "new")
        assert caught.value.filename == str(tmp_path / path)
    for error in (FileNotFoundError(errno.ENOENT, "no", "a.csv"), OSError("no gzipped file")):
        with pytest.raises(OSError, match="no") as caught, replacing(tmp_path / "x"):
            raise error
        assert caught.value is error
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="devices have other names there")
def test_what_is_no_file_or_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for path in (tmp_path / "pipe", tmp_path / "link", "/dev/null"):
        with refused("is a device or a pipe, which cannot be replaced"):
            write_text(path, "new")
    with refused("is a folder; choose the name of a file"):
        check_file(tmp_path)
    (tmp_path / "x").write_text("mine")
    with refused("not overwritten, because it is not a folder"):
        check_folder(tmp_path / "x", overwrite=True)
    monkeypatch.setattr(os.path, "ismount", lambda _: True)
    with refused("is a mount point, which cannot be replaced"):
        check_folder(tmp_path, overwrite=True)


@pytest.mark.parametrize(
    ("files", "other"),
    [
        ({}, None),
        ({"run.json": RUN}, None),
        ({".x.0123abcd.hlta-draft": ""}, None),
        ({"thesis.txt": "years of work"}, "thesis.txt"),
        ({"run.json": RUN, "mine": "mine"}, "mine"),
        ({"index.html": "<!doctype html>my own page"}, "index.html"),
    ],
)
def test_folders_of_others_stay(tmp_path: Path, files: dict[str, str], other: str | None) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with refused("exists; choose another folder, or overwrite it"):
        check_folder(tmp_path, overwrite=False)
    if other is None:
        assert check_folder(tmp_path, overwrite=True) == tmp_path
    else:
        with refused(f"not overwritten, .* such as '{other}'; choose"):
            check_folder(tmp_path, overwrite=True)


# ---- one at a time -------------------------------------------------------------------------------

HOLD = """
import sys
from hlta._support.writing import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_run_is_refused_until_the_first_one_ends(tmp_path: Path) -> None:
    path = tmp_path / "x"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with BUSY:
            write_text(path, "new")
        with BUSY:
            check_unlocked(path)
        write_text(tmp_path / "y", "new")
        process.kill()
        process.wait()
    assert os.listdir(tmp_path) != ["y"]
    check_unlocked(path)
    assert os.listdir(tmp_path) == ["y"]
    with drafting(path), BUSY:
        write_text(path, "new")


def test_a_lock_that_was_deleted_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who had it deletes it, after the next one has opened it."""
    lock = writing._lock

    def deleted(descriptor: int) -> None:
        next(tmp_path.glob(".*/lock")).unlink()
        lock(descriptor)

    monkeypatch.setattr(writing, "_lock", deleted)
    with BUSY:
        write_text(tmp_path / "x", "new")
    assert os.listdir(tmp_path) == []


def test_a_file_system_may_have_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can tell there whether a draft is in use."""

    def unknown(_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(writing, "_lock", unknown)
    write_text(tmp_path / "x", "new")
    assert found(tmp_path) == {"x": "new"}
    draft_of(tmp_path / "x").mkdir()
    with refused(r"another run .*; remove '.*-draft' if there is no"):
        write_text(tmp_path / "x", "newer")


# ---- forged drafts -------------------------------------------------------------------------------


@needs_links
@pytest.mark.parametrize("part", [".", "moving", "old", "new", "lock"])
def test_links_of_a_forged_draft_are_not_followed(tmp_path: Path, part: str) -> None:
    """They could lead to a folder of the user, whose files would be moved, deleted or made."""
    mine, place = tmp_path / "mine", tmp_path / "results"
    for folder in (mine, place):
        folder.mkdir()
    (mine / "model.hlta").write_bytes(b"PK\x03\x04" + b"." * 26 + b"header.json")
    (mine / "thesis.txt").write_text("years of work")
    before = found(mine)
    forged = draft_of(place / "model.hlta") / part
    forged.parent.mkdir(exist_ok=True)
    forged.symlink_to(mine / "made" if part == "lock" else mine)
    try:
        write_text(place / "model.hlta", "new")
    except (OptionError, OSError):
        assert part in (".", "lock")
    assert found(mine) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_no_pipe_is_waited_for(tmp_path: Path) -> None:
    draft = draft_of(tmp_path / "x")
    draft.mkdir()
    os.mkfifo(draft / "lock")
    with pytest.raises(OSError, match="No such device"):
        write_text(tmp_path / "x", "new")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner there")
def test_drafts_of_other_users_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = draft_of(tmp_path / "x.mtx")
    (draft / "moving").mkdir(parents=True)
    (draft / "moving" / "x.mtx").write_text("evil")
    before = found(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: -1)
    with refused("another run is writing"):
        write_text(tmp_path / "x.mtx", "new")
    assert found(tmp_path) == before


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ("model.hlta", ["run.json", ".bashrc"]),
        ("model.hlta", ["notes.txt"]),
        ("model.hlta", ["index.html"]),
        ("x.mtx", ["x.mtx", "y.words.txt"]),
        ("x.csv", ["index.html"]),
    ],
)
def test_files_of_others_are_not_moved(tmp_path: Path, target: str, names: list[str]) -> None:
    """A draft may come with a stranger's folder; here it would replace files of the user."""
    draft = draft_of(tmp_path / target)
    (draft / "moving").mkdir(parents=True)
    for name in names:
        (tmp_path / name).write_text("mine")
        (draft / "moving" / name).write_text(RUN)
    check_unlocked(tmp_path / target)
    assert found(tmp_path) == dict.fromkeys(names, "mine")

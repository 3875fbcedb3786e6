"""Drafts of killed processes are cleared by the next one; those of live ones, and others' files, stay."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta._support.writing import system
from hlta._support.writing.drafts import (
    clear,
    drafting,
    drafts_of,
    is_disposable,
    is_in_draft,
    lock_of,
    naming,
)
from hlta._support.writing.files import replacing, write_text
from hlta._support.writing.locking import Lock, acquire

DRAFT = ".x.0123abcd.hlta-draft"

HOLD = """
import sys
from pathlib import Path
from hlta._support.writing.files import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_live_draft_stays_and_that_of_a_killed_process_goes(tmp_path: Path) -> None:
    target = tmp_path / "x"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, target], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        live = drafts_of(target)
        assert len(live) == 1
        write_text(target, "mine")
        assert drafts_of(target) == live
        process.kill()
        process.wait()
    assert drafts_of(target) == live
    write_text(target, "again")
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("parts", [(), ("lock",), ("new",), ("lock", "new")])
def test_what_a_killed_process_left_is_cleared(tmp_path: Path, parts: tuple[str, ...]) -> None:
    (tmp_path / DRAFT).mkdir()
    for part in parts:
        (tmp_path / DRAFT / part).write_text("half")
    clear(tmp_path / "x")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_no_pipe_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / DRAFT).mkdir()
    os.mkfifo(tmp_path / DRAFT / "lock")
    write_text(tmp_path / "x", "new")
    assert (tmp_path / "x").read_text() == "new"
    os.mkfifo(lock_of(tmp_path / "x"))
    with pytest.raises(OSError, match="No such device"):
        acquire(lock_of(tmp_path / "x"))


def test_others_files_are_not_cleared(tmp_path: Path) -> None:
    names = {
        ".x.bak",
        ".x.swp",
        ".xy.0123abcd.hlta-draft",
        "x.0123abcd.hlta-draft",
        ".x.hlta-draft",
    }
    for name in names:
        (tmp_path / name).mkdir()
    write_text(tmp_path / "x", "new")
    assert set(os.listdir(tmp_path)) == {*names, "x"}


def test_drafts_of_other_users_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder that all may write, somebody could put one that is ready."""
    (tmp_path / DRAFT / "ready").mkdir(parents=True)
    (tmp_path / DRAFT / "ready" / "x").write_text("evil")
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: -1, raising=False)
        clear(tmp_path / "x")
    (tmp_path / DRAFT).rename(tmp_path / "elsewhere")
    (tmp_path / DRAFT).symlink_to("elsewhere")
    clear(tmp_path / "x")
    assert sorted(os.listdir(tmp_path)) == [DRAFT, "elsewhere"]


def test_where_nothing_can_be_locked_the_reason_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlta._support.writing.drafts.acquire", lambda _: None)
    with pytest.raises(OSError, match="cannot be written: no file can be locked there"):
        write_text(tmp_path / "x", "new")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_was_about_to_be_replaced_comes_back(tmp_path: Path, there: bool) -> None:
    """Where two cannot be exchanged, there is a moment between two renames."""
    (tmp_path / DRAFT / "old").mkdir(parents=True)
    (tmp_path / DRAFT / "old" / "run.json").write_text('{"hlta": "old"}')
    (tmp_path / DRAFT / "old" / "notes.txt").write_text("mine")
    if there:
        (tmp_path / "x").mkdir()
    clear(tmp_path / "x")
    assert os.listdir(tmp_path) == ["x"]
    assert sorted(os.listdir(tmp_path / "x")) == ["notes.txt"] + ["run.json"] * (not there)


OURS = {
    "model.hlta": b"PK\x03\x04" + b"." * 26 + b"header.json",
    "topics.json": b'{"format": "hlta-topics"}',
    "index.html": b'<!doctype html><meta name="generator" content="hlta">',
    "run.json": b'{"hlta": "new"}',
    "topics.csv": b"id,level,parent,title,size",
}


def make_ready(target: Path, *names: str) -> Path:
    """What a killed run leaves, or what somebody forged, with files of these names."""
    ready = target.with_name(f".{target.name}.0123abcd.hlta-draft") / "ready"
    ready.mkdir(parents=True)
    for name in names:
        (ready / name).write_bytes(OURS.get(name, b"new"))
    return ready


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ("model.hlta", ["model.hlta", "topics.json", "topics.csv"]),
        *(("model.hlta", ["model.hlta"]), ("index.html", ["index.html"])),
        ("model.hlta", ["model.hlta", "run.json", "index.html"]),
    ],
)
def test_results_that_were_ready_are_placed(tmp_path: Path, target: str, names: list[str]) -> None:
    ready = make_ready(tmp_path / target, *names)
    assert clear(tmp_path / target)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        name: OURS[name] for name in names
    }
    assert not ready.exists()
    assert not clear(tmp_path / target)


@pytest.mark.parametrize(
    ("target", "words"),
    [("x.mtx", "x.words.txt"), ("x.ldac", "x.words.txt"), ("docword.x.txt", "vocab.x.txt")],
)
def test_a_matrix_comes_to_its_words(tmp_path: Path, target: str, words: str) -> None:
    """If both are ready, nothing was moved, and the old ones stay."""
    (tmp_path / target).write_text("old")
    (tmp_path / words).write_text("of the new")
    make_ready(tmp_path / target, target)
    assert clear(tmp_path / target)
    assert (tmp_path / target).read_text() == "new"
    make_ready(tmp_path / target, target, words)
    assert not clear(tmp_path / target)
    assert (tmp_path / words).read_text() == "of the new"
    assert sorted(os.listdir(tmp_path)) == sorted([target, words])


def test_a_file_alone_that_was_ready_goes(tmp_path: Path) -> None:
    """The command has not ended; and anybody could have put it there."""
    make_ready(tmp_path / "x.csv", "x.csv")
    assert not clear(tmp_path / "x.csv")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ("model.hlta", ["model.hlta", ".bashrc"]),
        ("model.hlta", ["notes.txt"]),
        ("x.mtx", ["x.mtx", "y.words.txt"]),
        ("x.mtx", [".words.txt"]),
        ("x.csv", ["x.csv", "index.html"]),
        ("docword.x.txt", ["vocab.y.txt"]),
        ("model.hlta", ["documents.csv"]),
    ],
)
def test_files_that_hlta_does_not_write_there_are_not_moved(
    tmp_path: Path, target: str, names: list[str]
) -> None:
    """A draft may come with a stranger's folder."""
    for name in names:
        (tmp_path / name).write_text("mine")
    ready = make_ready(tmp_path / target, *names)
    assert not clear(tmp_path / target)
    assert all((tmp_path / name).read_text() == "mine" for name in names)
    assert sorted(os.listdir(ready)) == sorted(names)


def test_a_page_that_hlta_did_not_write_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>my own page")
    make_ready(tmp_path / "model.hlta", "index.html")
    clear(tmp_path / "model.hlta")
    assert (tmp_path / "index.html").read_text() == "<!doctype html>my own page"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
@pytest.mark.parametrize("part", ["ready", "swap", "old", "new"])
def test_links_in_a_draft_are_not_followed(tmp_path: Path, part: str) -> None:
    """They could lead to a folder of the user, whose files would be moved or deleted."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "model.hlta").write_bytes(b"PK\x03\x04" + b"." * 26 + b"header.json")
    (mine / "thesis.txt").write_text("years of work")
    place = tmp_path / "results"
    (place / ".model.hlta.0123abcd.hlta-draft").mkdir(parents=True)
    (place / ".model.hlta.0123abcd.hlta-draft" / part).symlink_to(mine)
    for there in (False, True):
        if there:
            (place / "model.hlta").write_text("old")
        clear(place / "model.hlta")
        assert sorted(os.listdir(mine)) == ["model.hlta", "thesis.txt"]
        assert (place / "model.hlta").exists() == there


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_among_files_that_are_ready_is_not_moved(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("evil")
    make_ready(tmp_path / "x", "x")
    (tmp_path / DRAFT / "ready" / "x").unlink()
    (tmp_path / DRAFT / "ready" / "x").symlink_to(tmp_path / "elsewhere")
    clear(tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_where_locks_are_unknown_all_is_written_and_nothing_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    (tmp_path / DRAFT).mkdir()
    (tmp_path / DRAFT / "new").write_text("half")
    monkeypatch.setattr("hlta._support.writing.locking._lock", unknown)
    write_text(tmp_path / "x", "new")
    assert (tmp_path / "x").read_text() == "new"
    assert (tmp_path / DRAFT / "new").exists()


def test_a_draft_that_another_process_takes_for_debris_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment between making a draft and locking it."""
    made = system.make_folder
    taken = list[Path]()
    locks = list[Lock | None]()

    def make(path: Path, mode: int) -> None:
        made(path, mode)
        taken.append(path)
        if len(taken) == 1:
            system.remove_folder(path)
        if len(taken) == 2:
            locks.append(acquire(path / "lock"))

    monkeypatch.setattr(system, "make_folder", make)
    with drafting(tmp_path / "x") as draft:
        assert [draft] == taken[2:]
    (lock,) = locks
    assert lock is not None
    lock.release()


# ---- names ---------------------------------------------------------------------------------------


def test_the_longest_names_can_be_written(tmp_path: Path) -> None:
    for name in ("x" * 255, "ü" * 127):
        write_text(tmp_path / name, "new")
        write_text(tmp_path / name, "newer")
        assert (tmp_path / name).read_text() == "newer"
    assert len(os.listdir(tmp_path)) == 2


def test_a_name_that_is_too_long_is_told_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File name too long") as caught:
        write_text(tmp_path / ("x" * 256), "new")
    assert caught.value.filename == str(tmp_path / ("x" * 256))
    assert os.listdir(tmp_path) == []


ODD = st.text(st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1)


@given(ODD, ODD)
def test_drafts_are_told_apart_by_their_targets(one: str, other: str) -> None:
    first, second = (lock_of(Path("folder") / name) for name in (one, other))
    assert is_disposable(first)
    if one not in (".", "..") and other not in (".", ".."):
        assert (first == second) == (one == other)
        assert len(os.fsencode(first.name)) < 256


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize(
    "name", [b"a\nb", b"\xff\xfe", b"-o", b"--overwrite", b" ", b"a*[b", b"\x1b[31m"]
)
def test_odd_names_can_be_written(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    write_text(path, "new")
    write_text(path, "newer")
    assert path.read_text() == "newer"
    assert len(os.listdir(tmp_path)) == 1


# ---- messages ------------------------------------------------------------------------------------


def test_errors_name_the_target(tmp_path: Path) -> None:
    target = tmp_path / "x"
    draft = str(tmp_path / DRAFT / "new")
    for error in (OSError(errno.EACCES, "no", draft), OSError(errno.ENOSPC, "no")):
        with pytest.raises(OSError, match="cannot be written: no") as caught, naming(target):
            raise error
        assert (caught.value.errno, caught.value.filename) == (error.errno, str(target))


def test_errors_about_other_files_stay_as_they_are(tmp_path: Path) -> None:
    for error in (
        FileNotFoundError(errno.ENOENT, "no", "source.csv"),
        OSError("not a gzipped file"),
    ):
        with pytest.raises(OSError, match="no") as caught, naming(tmp_path / "x"):
            raise error
        assert caught.value is error


def test_a_draft_knows_its_files(tmp_path: Path) -> None:
    with drafting(tmp_path / "x") as draft:
        assert is_in_draft(draft / "new" / "model.hlta")
    assert not is_in_draft(tmp_path / "x")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are others there")
def test_a_folder_that_may_not_be_written_is_named_by_the_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, *_: int) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))

    monkeypatch.setattr(system, "make_folder", refused)
    with (
        pytest.raises(PermissionError, match="cannot be written: Permission denied") as caught,
        replacing(tmp_path / "x"),
    ):
        pass
    assert caught.value.filename == str(tmp_path / "x")

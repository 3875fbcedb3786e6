"""Folders appear whole or not at all, and nobody's own files are lost."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hlta import Corpus, OptionError
from hlta._support.writing import system
from hlta._support.writing.files import write_text
from hlta._support.writing.folders import replacing_folder, scratch_folder
from tests.test_files import interrupt

if TYPE_CHECKING:
    from pathlib import Path

OURS = '{"hlta": "a record of a run"}'


@pytest.fixture(params=["exchanging", "without exchanging"])
def target(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of ours, on a system that exchanges two folders by one call, and on one that cannot."""
    if request.param == "without exchanging":
        monkeypatch.setattr(system, "exchange", lambda *_: False)
    folder = tmp_path / "results"
    folder.mkdir(mode=0o750)
    (folder / "run.json").write_text(OURS)
    return folder


def replace(folder: Path) -> None:
    with replacing_folder(folder, overwrite=True) as made:
        write_text(made / "run.json", '{"hlta": "new"}')


def test_a_folder_appears_when_it_is_complete(tmp_path: Path) -> None:
    above = tmp_path / "above" / "it"
    with replacing_folder(above / "results", overwrite=False) as made:
        write_text(made / "x", "new")
        assert not (above / "results").exists()
    assert (above / "results" / "x").read_text() == "new"
    assert os.listdir(above) == ["results"]


def test_folders_above_go_again_on_an_error(tmp_path: Path) -> None:
    writing = replacing_folder(tmp_path / "above" / "it" / "results", overwrite=False)
    writing.__enter__()
    with pytest.raises(KeyboardInterrupt):
        interrupt(writing)
    assert os.listdir(tmp_path) == []


def test_a_folder_is_replaced_with_its_permissions(target: Path) -> None:
    replace(target)
    assert (target / "run.json").read_text() == '{"hlta": "new"}'
    assert stat.S_IMODE(target.stat().st_mode) == 0o750
    assert os.listdir(target.parent) == ["results"]


def test_a_folder_stays_as_it_was_on_an_error(target: Path) -> None:
    writing = replacing_folder(target, overwrite=True)
    (writing.__enter__() / "run.json").write_text("half")
    with pytest.raises(KeyboardInterrupt):
        interrupt(writing)
    assert (target / "run.json").read_text() == OURS
    assert os.listdir(target.parent) == ["results"]


def test_what_others_put_there_meanwhile_is_kept(target: Path) -> None:
    with replacing_folder(target, overwrite=True) as made:
        write_text(made / "index.html", '<!doctype html><meta name="generator" content="hlta">')
        (target / "index.html").write_text("my own page")
        (target / "notes").mkdir()
        (target / "notes" / "a.txt").write_text("mine")
    assert (target / "index.html.1").read_text() == "my own page"
    assert (target / "notes" / "a.txt").read_text() == "mine"
    assert sorted(os.listdir(target)) == ["index.html", "index.html.1", "notes"]
    assert os.listdir(target.parent) == ["results"]


def test_a_folder_that_another_one_made_meanwhile_is_kept(tmp_path: Path) -> None:
    writing = replacing_folder(tmp_path / "x", overwrite=False)
    writing.__enter__()
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "run.json").write_text(OURS)
    with pytest.raises(OptionError, match="exists"):
        writing.__exit__(None, None, None)
    assert (tmp_path / "x" / "run.json").read_text() == OURS


SAVE = """
import sys
from hlta import Corpus
for _ in range(25):
    texts = ["deep net", "deep sea"] * int(sys.argv[2])
    Corpus.from_texts(texts, min_df=1).save(sys.argv[1], overwrite=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no system call there exchanges two folders")
def test_a_reader_always_finds_a_corpus(tmp_path: Path) -> None:
    """Two processes replace it again and again."""
    path = tmp_path / "corpus"
    Corpus([[1, 1]], ["deep", "net"]).save(path)
    writers = [subprocess.Popen([sys.executable, "-c", SAVE, path, str(k)]) for k in (1, 2)]
    found = set()
    while any(writer.poll() is None for writer in writers):
        header = json.loads((path / "corpus.json").read_text())
        found.add(header["documents"])
    assert found == {1, 2, 4}
    assert [writer.returncode for writer in writers] == [0, 0]
    assert os.listdir(tmp_path) == ["corpus"]


def test_a_scratch_folder_is_beside_a_path_and_gone_in_the_end(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    with scratch_folder(tmp_path / "kept") as folder:
        (folder / "a").write_text("for a while")
        assert folder.parents[1] == tmp_path
        with scratch_folder(tmp_path / "kept") as other:
            assert other != folder
        assert (folder / "a").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    with pytest.raises(KeyError), scratch_folder(tmp_path / "new" / "kept"):
        raise KeyError
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_what_a_killed_process_left_in_a_scratch_folder_is_cleared(tmp_path: Path) -> None:
    left = tmp_path / ".kept.0123abcd.hlta-draft"
    (left / "new").mkdir(parents=True)
    (left / "new" / "00000.indices.npy").write_text("half")
    with scratch_folder(tmp_path / "kept"):
        assert not left.exists()

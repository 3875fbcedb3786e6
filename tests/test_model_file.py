"""Trees on disk: files are replaced as a whole, and damaged or foreign ones are refused."""

from __future__ import annotations

import io
import json
import os
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings

from hlta.errors import FormatError
from hlta.tree import model_file
from hlta.tree.latent_tree import LatentTree
from tests.strategies import random_tree, trees

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.hlta"
    random_tree(0, 40, 12).save(path)
    return path


def rewrite(path: Path, **changes: Any) -> None:
    """Write the same archive with other members; None drops one."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members.update(changes)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)


def header(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        found: dict[str, Any] = json.loads(archive.read("header.json"))
    return found


def npy(array: NDArray[Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


@settings(max_examples=25, deadline=None)
@given(trees())
def test_a_saved_tree_loads_as_the_same_tree(
    tmp_path_factory: pytest.TempPathFactory, tree: LatentTree
) -> None:
    path = tmp_path_factory.mktemp("trees") / "model.hlta"
    tree.save(path)
    assert LatentTree.load(path) == tree


def test_any_text_can_be_a_word(tmp_path: Path) -> None:
    words = ("naïve", "機械学習", 'quo"te', "new\nline", "🙂", "\u202e", "a" * 5000)
    tree = random_tree(0, 7, 3)
    tree = LatentTree(words, tree.parent, tree.level, tree.probability, allow_irregular=True)
    tree.save(tmp_path / "m.hlta")
    assert LatentTree.load(tmp_path / "m.hlta") == tree


def test_the_same_tree_gives_the_same_bytes(tmp_path: Path) -> None:
    tree = random_tree(0, 40, 12)
    tree.save(tmp_path / "a")
    tree.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("kept", [0, 1, 100, 1000, -1, -30])
def test_a_truncated_file_is_refused(saved: Path, kept: int) -> None:
    saved.write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(FormatError, match=r"model.hlta is not a file written by hlta"):
        LatentTree.load(saved)


def test_a_flipped_bit_never_loads_as_another_tree(saved: Path) -> None:
    tree, whole = LatentTree.load(saved), saved.read_bytes()
    rng = np.random.default_rng(0)
    refused = 0
    for place in rng.integers(0, len(whole), 200):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        saved.write_bytes(damaged)
        try:
            same = LatentTree.load(saved) == tree  # it may have held a date, say
        except FormatError:
            refused += 1
        else:
            assert same
    assert refused > 100


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"header.json": None}, "has no header.json"),
        ({"header.json": b"{"}, "header.json is not JSON"),
        ({"header.json": b"[]"}, "does not say so"),
        ({"header.json": b'{"format": "other"}'}, "does not say so"),
        ({"parent.npy": None}, "no array 'parent'"),
        ({"parent.npy": npy(np.zeros(52))}, "array 'parent' is float64, not <i4"),
        ({"parent.npy": b"nonsense"}, "array 'parent' cannot be read"),
        ({"parent.npy": npy(np.array([{}]), allow_pickle=True)}, "array 'parent' cannot be read"),
        ({"level.npy": npy(np.zeros(3, dtype="<i4"))}, "level has 3 entries"),
    ],
)
def test_a_damaged_or_foreign_archive_is_refused(
    saved: Path, changes: dict[str, Any], message: str
) -> None:
    rewrite(saved, **changes)
    with pytest.raises(FormatError, match=message):
        LatentTree.load(saved)


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        ("version", 99, "format version 99, this hlta reads versions 1 to 2"),
        (
            "kind",
            "estimator",
            "is of kind 'estimator', not a latent tree; use hlta.load or HLTA.load",
        ),
        ("kind", "forest", "is of kind 'forest', not a latent tree or a fitted model"),
        ("kind", ["latent-tree"], r"is of kind \['latent-tree'\], not a latent tree"),
        ("words", "abc", "words in its header is not a list of strings"),
        ("latent_names", [1] * 12, "latent_names in its header is not a list of strings"),
        ("words", ["w0"] * 40, "is damaged: words holds 'w0' 40 times"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(
    saved: Path, entry: str, value: Any, message: str
) -> None:
    rewrite(saved, **{"header.json": json.dumps(header(saved) | {entry: value})})
    with pytest.raises(FormatError, match=message):
        LatentTree.load(saved)


def test_a_file_that_does_not_exist_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LatentTree.load(tmp_path / "nothing.hlta")


def test_a_folder_that_does_not_exist_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        random_tree(0, 10, 3).save(tmp_path / "nowhere" / "model.hlta")


@pytest.mark.parametrize("failure", [OSError("disk full"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file(
    saved: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    before = saved.read_bytes()

    def fail(file: Any, *_: Any) -> None:
        file.write(b"half a f")
        raise failure

    monkeypatch.setattr(model_file, "write_archive", fail)
    with pytest.raises(type(failure)):
        random_tree(1, 40, 12).save(saved)
    assert saved.read_bytes() == before
    assert os.listdir(saved.parent) == [saved.name]


def test_links_and_permissions_are_kept(saved: Path) -> None:
    saved.chmod(0o640)
    link = saved.parent / "link"
    link.symlink_to(saved.name)
    tree = random_tree(1, 40, 12)
    tree.save(link)
    assert link.is_symlink()
    assert LatentTree.load(saved) == tree
    assert saved.stat().st_mode & 0o777 == 0o640

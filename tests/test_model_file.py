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
from hypothesis import strategies as st

from hlta._support import array_archives
from hlta.errors import FormatError
from hlta.tree import model_file
from hlta.tree.latent_tree import LatentTree
from tests.strategies import many_states, random_tree, trees, trees_of_many_states
from tests.trees import PROBABILITY, changed, small_tree, three_states

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


@settings(max_examples=25)
@given(st.one_of(trees(), trees_of_many_states(most=6)))
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


@pytest.mark.parametrize("most", [2, 6])
def test_the_same_tree_gives_the_same_bytes(tmp_path: Path, most: int) -> None:
    tree = many_states(random_tree(0, 40, 12), 0, most=most)
    tree.save(tmp_path / "a")
    tree.save(tmp_path / "b")
    LatentTree.load(tmp_path / "a").save(tmp_path / "c")
    whole = (tmp_path / "a").read_bytes()
    assert (tmp_path / "b").read_bytes() == whole
    assert (tmp_path / "c").read_bytes() == whole


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
        ({"header.json": b"[" * 100_000}, "header.json is not JSON"),
        ({"parent.npy": npy(np.zeros(52, dtype="<i4"))[:-1]}, "array 'parent' cannot be read"),
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


def test_a_file_that_would_fill_the_memory_is_not_unpacked(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(array_archives, "_ALWAYS_ALLOWED", 1 << 20)
    LatentTree.load(saved)
    with zipfile.ZipFile(saved, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more.npy", b"\0" * (1 << 22))
    with pytest.raises(FormatError, match=r"model\.hlta .* it would unpack to 4,"):
        LatentTree.load(saved)


def parameters(**changes: Any) -> dict[str, bytes]:
    """Members of an archive of the small tree, whose Z1-1 has three states, with other arrays."""
    arrays = three_states()._replace(**changes)._asdict()
    return {f"{name}.npy": npy(array) for name, array in arrays.items()}


STATES, WORD, LATENT, _ = three_states()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"states": STATES.astype("<i8")}, "array 'states' is int64, not <i4"),
        ({"word": WORD.astype("<f4")}, "array 'word' is float32, not <f8"),
        ({"states": STATES[:2]}, r"states must be one whole number per latent variable, 3 in all"),
        ({"states": np.array(3, dtype="<i4")}, r"states must be .*it has shape \(\)"),
        ({"states": changed(STATES, 1, 1).astype("<i4")}, "variable 'Z1-2' has 1 state; it must"),
        ({"background": np.array([3, 1, 1], dtype="<i4")}, "the background of .* 'Z1-1' is 3 of"),
        ({"word": WORD[:6]}, r"word has shape \(6, 3\); it must be \(7, 3\)"),
        ({"word": WORD.ravel()}, r"word has shape \(21,\); it must be \(7, 3\)"),
        ({"word": WORD[:, :1]}, r"word has shape \(7, 1\); it must be \(7, 3\)"),
        ({"latent": LATENT[:, :2]}, r"latent has shape \(3, 2, 3\); it must be \(3, 3, 3\)"),
        ({"latent": LATENT[0]}, r"latent has shape \(3, 3\); it must be \(3, 3, 3\)"),
        ({"latent": changed(LATENT, (0, 1, 2), 0.5)}, r"P\(Z1-1 \| parent = 1\) sums to 1.1"),
        ({"latent": changed(LATENT, (0, 1, 2), np.nan)}, r"P\(Z1-1 = 2 \| parent = 1\) is nan"),
    ],
)
def test_damaged_parameters_are_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = tmp_path / "model.hlta"
    small_tree(probability=three_states()).save(path)
    rewrite(path, **parameters())
    assert LatentTree.load(path) == small_tree(probability=three_states())
    rewrite(path, **parameters(**changes))
    with pytest.raises(FormatError, match=f"model.hlta is damaged: .*{message}"):
        LatentTree.load(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"probability.npy": npy(PROBABILITY)}, None),
        ({"probability.npy": None}, "has no array 'probability'"),
        (
            {"probability.npy": npy(PROBABILITY[:9])},
            r"array 'probability' has shape \(9, 2\), not \(10, 2\)",
        ),
        ({"probability.npy": npy(PROBABILITY[:, 0])}, r"has shape \(10,\), not \(10, 2\)"),
        ({"parent.npy": npy(np.array(7, dtype="<i4"))}, r"has shape \(10, 2\), not \(2,\)"),
        (
            {"probability.npy": npy(changed(PROBABILITY, (7, 1), 0.0))},
            r"P\(Z1-1 = 1 \| parent = 1\) is 0.0",
        ),
        (
            {"probability.npy": npy(changed(PROBABILITY, (9, 1), 0.4))},
            "root 'Z2-1' has no parent, but its rows differ",
        ),
    ],
)
def test_version_1_holds_a_table_of_two_states(
    tmp_path: Path, changes: dict[str, Any], message: str | None
) -> None:
    path = tmp_path / "model.hlta"
    small_tree().save(path)
    parts: dict[str, Any] = {f"{name}.npy": None for name in ("states", "word", "latent")}
    parts["header.json"] = json.dumps(header(path) | {"version": 1})
    rewrite(path, **(parts | {"probability.npy": npy(PROBABILITY)} | changes))
    if message is None:
        assert LatentTree.load(path) == small_tree()
        return
    with pytest.raises(FormatError, match=f"model.hlta is damaged: .*{message}"):
        LatentTree.load(path)


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        (
            "version",
            4,
            "format version 4, but this hlta reads versions 1 to 3; use the hlta that wrote",
        ),
        ("version", None, "format version None, but this hlta reads versions 1 to 3"),
        ("version", 0, "format version 0, but this hlta reads versions 1 to 3"),
        ("version", 99, "format version 99, but this hlta reads versions 1 to 3"),
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

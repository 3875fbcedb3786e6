"""Trees and arrays on disk: they come back, and what is damaged, foreign or a bomb is refused."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from hlta._support import array_archives
from hlta._support.array_archives import read_npy
from hlta.errors import FormatError
from hlta.tree.latent_tree import LatentTree
from tests.model_files import change_file, change_members
from tests.strategies import any_trees, random_tree
from tests.trees import PROBABILITY, changed, small_tree


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.hlta"
    random_tree(0, 40, 12).save(path)
    return path


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, **options)
    return buffer.getvalue()


@settings(max_examples=25)
@given(any_trees)
def test_saved_trees_come_back(tmp_path_factory: pytest.TempPathFactory, tree: LatentTree) -> None:
    folder = tmp_path_factory.mktemp("trees")
    tree.save(folder / "a")
    back = LatentTree.load(folder / "a")
    assert back == tree
    back.save(folder / "b")
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes()


@pytest.mark.parametrize("kept", [0, 100, -1, -30])
def test_a_truncated_file_is_refused(saved: Path, kept: int) -> None:
    saved.write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(FormatError, match=r"model.hlta is not a file written by hlta"):
        LatentTree.load(saved)


def test_a_flipped_bit_never_loads_as_another_tree(saved: Path) -> None:
    tree, whole = LatentTree.load(saved), saved.read_bytes()
    rng = np.random.default_rng(0)
    refused = 0
    for place in rng.integers(0, len(whole), 100):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        saved.write_bytes(damaged)
        try:
            same = LatentTree.load(saved) == tree  # it may have held a date, say
        except FormatError:
            refused += 1
        else:
            assert same
    assert refused > 50


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"header.json": None}, "has no header.json"),
        ({"header.json": b"{"}, "header.json is not JSON"),
        ({"header.json": b"[" * 100_000}, "header.json is not JSON"),
        ({"parent.npy": npy(np.zeros(52, dtype="<i4"))[:-1]}, "array 'parent' cannot be read"),
        ({"header.json": b'{"format": "other"}'}, "does not say so"),
        ({"parent.npy": None}, "no array 'parent'"),
        ({"parent.npy": npy(np.zeros(52))}, "array 'parent' is float64, not <i4"),
        ({"parent.npy": npy(np.array([{}]), allow_pickle=True)}, "array 'parent' cannot be read"),
        ({"level.npy": npy(np.zeros(3, dtype="<i4"))}, "model.hlta is damaged: level has 3 entr"),
        ({"states.npy": npy(np.ones(12, dtype="<i4"))}, "model.hlta is damaged: .* has 1 state;"),
    ],
)
def test_damaged_archives_are_refused(saved: Path, changes: dict[str, Any], message: str) -> None:
    change_members(saved, changes)
    with pytest.raises(FormatError, match=message):
        LatentTree.load(saved)


def test_what_fills_memory_is_not_unpacked(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_archives, "_ALWAYS_ALLOWED", 1 << 20)
    LatentTree.load(saved)
    with zipfile.ZipFile(saved, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more.npy", b"\0" * (1 << 22))
    with pytest.raises(FormatError, match=r"model\.hlta .* it would unpack to 4,"):
        LatentTree.load(saved)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, None),
        ({"probability": PROBABILITY[:9]}, r"has shape \(9, 2\), not \(10, 2\)"),
        ({"parent": np.array(7, dtype="<i4")}, r"has shape \(10, 2\), not \(2,\)"),
        ({"probability": changed(PROBABILITY, (7, 1), 0.0)}, r"P\(Z1-1 = 1 \| parent = 1\) is 0"),
    ],
)
def test_version_1_holds_a_table(
    tmp_path: Path, changes: dict[str, Any], message: str | None
) -> None:
    path = tmp_path / "model.hlta"
    small_tree().save(path)
    arrays = dict.fromkeys(("states", "word", "latent")) | {"probability": PROBABILITY} | changes
    parts = {f"{name}.npy": None if a is None else npy(a) for name, a in arrays.items()}
    change_members(path, parts)
    change_file(path, {"version": 1})
    if message is None:
        assert LatentTree.load(path) == small_tree()
        return
    with pytest.raises(FormatError, match=f"model.hlta is damaged: .*{message}"):
        LatentTree.load(path)


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        *(("version", odd, f"format version {odd}, but") for odd in (4, None, 0)),
        ("kind", "estimator", "is of kind 'estimator', not a latent tree; use hlta.load or HLTA"),
        ("kind", "forest", "is of kind 'forest', not a latent tree or a fitted model"),
        ("kind", ["latent-tree"], r"is of kind \['latent-tree'\], not a latent tree"),
        ("words", "abc", "words in its header is not a list of strings"),
        ("latent_names", [1] * 12, "latent_names in its header is not a list of strings"),
        ("words", ["w0"] * 40, "is damaged: words holds 'w0' 40 times"),
    ],
)
def test_an_odd_header_is_refused(saved: Path, entry: str, value: Any, message: str) -> None:
    change_file(saved, {entry: value})
    with pytest.raises(FormatError, match=message):
        LatentTree.load(saved)


def test_what_does_not_exist_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LatentTree.load(tmp_path / "nothing.hlta")
    with pytest.raises(FileNotFoundError):
        random_tree(0, 10, 3).save(tmp_path / "nowhere" / "model.hlta")


def archived(content: bytes, *, flip: int | None = None) -> zipfile.ZipFile:
    """An archive with one uncompressed member, one of whose bytes may be another."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("x.npy", content)
    data = bytearray(buffer.getvalue())
    if flip is not None:
        data[data.index(content[:6]) + flip] ^= 1
    return zipfile.ZipFile(io.BytesIO(data))


ARRAYS = st.sampled_from(["<i4", ">f8", "|u1", "<U3", "|b1"]).flatmap(
    lambda dtype: arrays(np.dtype(dtype), array_shapes(min_dims=0, max_dims=3, min_side=0))
)


@given(ARRAYS, st.booleans(), st.sampled_from([(1, 0), (2, 0)]))
def test_any_array_comes_back(array: Any, by_columns: bool, version: tuple[int, int]) -> None:
    stored = np.asfortranarray(array) if by_columns else array
    back = read_npy(archived(npy(stored, version=version)), "x.npy")
    assert back.dtype == array.dtype
    assert back.flags.writeable
    np.testing.assert_array_equal(back, array)


WHOLE = npy(np.arange(4, dtype="<i4"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (WHOLE[:-1], r"15 bytes for the shape \(4,\) of int32"),
        (WHOLE + b"x", r"17 bytes for the shape \(4,\) of int32"),
        (WHOLE.replace(b"(4,), }             ", b"(1099511627776,), } "), "16 bytes for the shape"),
        (WHOLE.replace(b"(4,), }     ", b"(2**40,), } "), "its header cannot be read"),
        (WHOLE.replace(b"(4,)", b"(4,("), "its header cannot be read"),
        (WHOLE.replace(b"\x01\x00", b"\x09\x00", 1), "its header cannot be read"),
        (b"", "its header cannot be read"),
        (npy(np.array([{}])), "Python objects"),
        (npy(np.array([0x110000], "<u4").view("<U1")), "letters that do not exist"),
    ],
)
def test_an_array_that_is_not_what_it_says_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_npy(archived(content), "x.npy")


def test_the_checksum_is_compared() -> None:
    with pytest.raises((ValueError, zipfile.BadZipFile), match="Bad CRC-32"):
        read_npy(archived(WHOLE, flip=len(WHOLE) - 1), "x.npy")

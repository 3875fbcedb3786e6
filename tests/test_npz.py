"""SciPy's .npz files: every format, and every kind of damage."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hlta import DocumentsError
from hlta._support import array_archives
from hlta.documents.matrix import as_documents
from hlta.reading.matrices.matrix_files import read_matrix

if TYPE_CHECKING:
    from pathlib import Path

COUNTS = np.array([[0, 2, 0, 1], [0, 0, 0, 0], [5, 0, 1, 1], [0, 3, 0, 0]])
FORMATS = ("csr", "csc", "bsr", "coo", "dia")


def saved(path: Path, kind: str, **changes: Any) -> Path:
    """A matrix as SciPy saves it, some of whose arrays are others, or None: left out."""
    buffer = io.BytesIO()
    sparse.save_npz(buffer, sparse.csr_array(COUNTS).asformat(kind))
    buffer.seek(0)
    with np.load(buffer) as archive:
        arrays = dict(archive) | changes
    np.savez_compressed(path / "x.npz", **{k: v for k, v in arrays.items() if v is not None})
    (path / "vocab.txt").write_text("a\nb\nc\nd\n")
    return path / "x.npz"


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_read_with_its_counts(tmp_path: Path, kind: str) -> None:
    np.testing.assert_array_equal(read_matrix(saved(tmp_path, kind)).counts.toarray(), COUNTS)


def test_entries_of_one_place_are_added_without_wrapping(tmp_path: Path) -> None:
    data = np.full(6, 100, dtype=np.int8)
    path = saved(tmp_path, "coo", row=np.zeros(6, int), col=np.zeros(6, int), data=data)
    assert read_matrix(path).counts.toarray()[0, 0] == 600


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("csr", {"indices": np.full(6, 2**30)}, "column numbers from 1073741824"),
        ("csc", {"indices": np.full(6, 2**30)}, "column numbers from 1073741824"),
        ("bsr", {"indices": np.full(99, 2**30)}, "column numbers from 1073741824"),
        ("csc", {"indptr": np.array([0, 9, 9, 9, 9])}, "pointers do not ascend"),
        ("coo", {"row": np.full(6, -1)}, "row numbers from -1"),
        ("csr", {"shape": np.array([4, 4, 4])}, r"its shape is \[4, 4, 4\]"),
        ("csr", {"shape": np.array([4.0, 4.0])}, r"its shape is"),
        ("csr", {"shape": np.array([-4, 4])}, r"its shape is"),
        ("coo", {"shape": np.array([2**60, 4])}, "announces 1,152,921,504,606,846,976 documents"),
        ("csr", {"format": np.array(b"lil")}, "its format is 'lil'"),
        ("csr", {"format": None}, "it has no array 'format'"),
        ("csr", {"data": None}, "it has no array 'data'"),
        ("csr", {"indptr": None}, "it has no array 'indptr'"),
        ("coo", {"col": None}, "it has no array 'col'"),
        ("csr", {"data": np.array(["x"] * 6)}, "values of dtype <U1"),
        ("csr", {"data": np.array([{}] * 6)}, "Python objects"),
        ("csr", {"words": np.zeros(4)}, "its words are not a list of strings"),
        ("csr", {"words": np.array([["a", "b"]])}, "its words are not a list of strings"),
    ],
)
def test_damage_is_named(tmp_path: Path, kind: str, changes: Any, message: str) -> None:
    path = saved(tmp_path, kind, **changes)
    with pytest.raises(DocumentsError, match=message):
        read_matrix(path)


def test_an_archive_that_would_fill_the_memory_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(array_archives, "_ALWAYS_ALLOWED", 1 << 20)
    path = saved(tmp_path, "csr", more=np.zeros(1 << 19))
    with pytest.raises(DocumentsError, match=r"x\.npz' is damaged: it would unpack to 4,"):
        read_matrix(path)


@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=60)
@given(data=st.data())
def test_any_damage_is_refused_or_does_no_harm(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    path = saved(tmp_path_factory.mktemp("npz"), kind)
    with zipfile.ZipFile(path) as archive:
        members = {name: bytearray(archive.read(name)) for name in archive.namelist()}
    member = members[data.draw(st.sampled_from(sorted(members)))]
    member[data.draw(st.integers(0, len(member) - 1))] = data.draw(st.integers(0, 255))
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, bytes(content))
    try:
        counts = read_matrix(path).counts
        as_documents(counts)
    except DocumentsError:
        return
    assert counts.shape[1] == 4

"""A corpus on disk: a folder of plain arrays, mapped into memory when it is loaded."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.files import CORPUS, check_version, replacing_folder
from hlta.documents.matrix import Documents
from hlta.documents.phrases import Phrases
from hlta.documents.strings import Strings
from hlta.errors import FormatError
from hlta.options import TextOptions

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

FORMAT: Final = "hlta-corpus"
VERSION: Final = 1
METADATA: Final = ("ids", "titles", "dates", "groups", "texts")
"""What can be known of each document besides its words."""


def write_corpus_folder(
    path: str | PathLike[str],
    documents: Documents,
    words: tuple[str, ...],
    text_options: TextOptions | None,
    metadata: dict[str, Strings],
    phrases: Phrases | None,
    *,
    overwrite: bool,
) -> None:
    """Write a folder, which is replaced as a whole or not at all."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "documents": len(documents),
        "words": list(words),
        "text": None if text_options is None else text_options.plain(),
        "about": list(metadata),
    }
    arrays: dict[str, NDArray[Any]] = {"indptr": documents.indptr, "indices": documents.indices}
    for name, strings in metadata.items():
        arrays |= {name: strings.data, f"{name}.ends": strings.ends}
    if phrases is not None:
        header["phrases"] = list(phrases.names)
        arrays |= {
            "phrases.rows": phrases.rows,
            "phrases.indptr": phrases.documents.indptr,
            "phrases.indices": phrases.documents.indices,
        }
    with replacing_folder(path, overwrite=overwrite) as folder:
        text = json.dumps(header, ensure_ascii=True, indent=1)
        (folder / CORPUS).write_text(text, encoding="utf-8")
        for name, array in arrays.items():
            little_endian = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
            np.save(folder / f"{name}.npy", little_endian, allow_pickle=False)


def holds_corpus(path: str | PathLike[str]) -> bool:
    """Whether a path is a folder that `write_corpus_folder` wrote."""
    return (Path(path) / CORPUS).is_file()


def read_corpus_folder(path: str | PathLike[str]) -> dict[str, Any]:
    """The arguments of `Corpus`, as `write_corpus_folder` wrote them; arrays stay on disk until used.

    Damage raises many types of errors here.
    """
    folder, name = Path(path), os.fspath(path)
    header = json.loads((folder / CORPUS).read_text(encoding="utf-8"))
    if header["format"] != FORMAT:
        raise FormatError(
            f'{name} holds no corpus: the "format" in {CORPUS} is {header["format"]!r:.80}, '
            f"not {FORMAT!r}"
        )
    check_version(name, header["version"], VERSION)
    words = header["words"]
    documents = _documents(folder, "", header["documents"], len(words))
    metadata: dict[str, Strings] = {}
    for column in header["about"]:
        _check(column in METADATA, f"{column!r} is not one of {', '.join(METADATA)}")
        data, ends = _array(folder, column, "|u1"), _array(folder, f"{column}.ends", "<i8")
        _check_ends(ends, len(data), f"{column}.ends")
        metadata[column] = Strings(data, ends)
    text_options = None if header["text"] is None else TextOptions(**header["text"])
    known = {"documents": documents, "words": words, "text_options": text_options, **metadata}
    if "phrases" in header:
        known["phrases"] = _phrases(folder, header["phrases"], header["documents"])
    return known


def _phrases(folder: Path, names: list[str], n_documents: int) -> Phrases:
    rows = _array(folder, "phrases.rows", "<i8")
    ascending = len(rows) == 0 or (
        int(rows[0]) >= 0 and int(rows[-1]) < n_documents and bool((np.diff(rows) > 0).all())
    )
    _check(ascending, "phrases.rows are not numbers of documents in ascending order")
    return Phrases(tuple(names), rows, _documents(folder, "phrases.", len(rows), len(names)))


def _documents(folder: Path, prefix: str, n_documents: int, n_words: int) -> Documents:
    """The matrix of documents by words whose arrays' names begin with `prefix`."""
    indptr, indices = (
        _array(folder, f"{prefix}indptr", "<i8"),
        _array(folder, f"{prefix}indices", "<u4"),
    )
    _check(len(indptr) == n_documents + 1, f"{prefix}indptr does not fit the number of documents")
    _check_ends(indptr[1:], len(indices), f"{prefix}indptr")
    _check(indptr[0] == 0, f"{prefix}indptr does not begin at 0")
    _check(not len(indices) or int(indices.max()) < n_words, f"{prefix}indices exceed the words")
    return Documents(indptr, indices, n_words)


def _array(folder: Path, name: str, dtype: str) -> NDArray[Any]:
    path = folder / f"{name}.npy"
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    _check(
        array.dtype == np.dtype(dtype) and array.ndim == 1,
        f"{path.name} is not a one-dimensional array of {dtype}",
    )
    return array


def _check_ends(ends: NDArray[np.int64], size: int, name: str) -> None:
    ascending = not len(ends) or (int(ends[0]) >= 0 and bool((np.diff(ends) >= 0).all()))
    _check(ascending, f"{name} does not ascend")
    last = int(ends[-1]) if len(ends) else 0
    _check(last == size, f"{name} ends at {last:,} instead of {size:,}")


def _check(condition: bool, problem: str) -> None:
    if not condition:
        raise ValueError(problem)

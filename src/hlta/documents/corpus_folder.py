"""A corpus on disk: a folder of plain arrays, mapped into memory when it is loaded."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.files import CORPUS, replacing_folder
from hlta.documents.corpus import ABOUT, Corpus
from hlta.documents.matrix import Documents
from hlta.documents.strings import Strings
from hlta.errors import FormatError, HltaError
from hlta.options import TextOptions

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

FORMAT: Final = "hlta-corpus"
VERSION: Final = 1


def save_corpus(corpus: Corpus, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write a folder, which is replaced as a whole or not at all."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "documents": len(corpus),
        "words": list(corpus.words),
        "text": None if corpus.text is None else corpus.text.plain(),
        "about": list(corpus.about),
    }
    arrays: dict[str, NDArray[Any]] = {
        "indptr": corpus.documents.indptr,
        "indices": corpus.documents.indices,
    }
    for name, strings in corpus.about.items():
        arrays |= {name: strings.data, f"{name}.ends": strings.ends}
    with replacing_folder(path, overwrite=overwrite) as folder:
        text = json.dumps(header, ensure_ascii=True, indent=1)
        (folder / CORPUS).write_text(text, encoding="utf-8")
        for name, array in arrays.items():
            little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
            np.save(folder / f"{name}.npy", little, allow_pickle=False)


def holds_corpus(path: str | PathLike[str]) -> bool:
    """Whether a folder is one that `save_corpus` wrote."""
    return (Path(path) / CORPUS).is_file()


def load_corpus(path: str | PathLike[str]) -> Corpus:
    """A corpus that `save_corpus` wrote; its arrays stay on disk and are read as they are used."""
    folder = Path(path)
    name = os.fspath(path)
    try:
        header = json.loads((folder / CORPUS).read_text(encoding="utf-8"))
        if header["format"] != FORMAT:
            raise FormatError(f"{name} holds no corpus: {CORPUS} does not say so")
        if header["version"] != VERSION:
            raise FormatError(
                f"{name} has format version {header['version']!r}, this hlta reads version "
                f"{VERSION}; use the hlta that wrote it, or a newer one"
            )
        words = header["words"]
        indptr, indices = _array(folder, "indptr", "<i8"), _array(folder, "indices", "<u4")
        _check(len(indptr) == header["documents"] + 1, "indptr has another length")
        _check_ends(indptr[1:], len(indices), "indptr")
        _check(indptr[0] == 0, "indptr does not begin at 0")
        _check(not len(indices) or int(indices.max()) < len(words), "indices exceed the words")
        about: dict[str, Any] = {}
        for column in header["about"]:
            _check(column in ABOUT, f"{column!r} is nothing a corpus knows")
            data, ends = _array(folder, column, "|u1"), _array(folder, f"{column}.ends", "<i8")
            _check_ends(ends, len(data), f"{column}.ends")
            about[column] = Strings(data, ends)
        text = None if header["text"] is None else TextOptions(**header["text"])
        return Corpus(Documents(indptr, indices, len(words)), words, text=text, **about)
    except FormatError:
        raise
    except (HltaError, KeyError, TypeError, ValueError, OSError) as error:
        raise FormatError(f"{name} holds no corpus, or it is damaged: {error}") from error


def _array(folder: Path, name: str, dtype: str) -> NDArray[Any]:
    path = folder / f"{name}.npy"
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    _check(array.dtype == np.dtype(dtype) and array.ndim == 1, f"{path.name} is not {dtype}")
    return array


def _check_ends(ends: NDArray[np.int64], size: int, name: str) -> None:
    ascending = not len(ends) or (int(ends[0]) >= 0 and bool((np.diff(ends) >= 0).all()))
    _check(ascending, f"{name} does not ascend")
    _check((int(ends[-1]) if len(ends) else 0) == size, f"{name} does not end where it must")


def _check(condition: bool, problem: str) -> None:
    if not condition:
        raise ValueError(problem)

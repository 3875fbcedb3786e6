"""Trees on disk: a zip archive of a JSON header and arrays.

See docs/reference/formats.md.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

import numpy as np

from hlta._support.array_archives import check_unpacked, read_npy
from hlta._support.formats import CORPUS, MODEL, check_fields, check_version
from hlta._support.writing import replacing
from hlta.errors import FormatError
from hlta.tree.parameters import Parameters, binary_parameters
from hlta.tree.validation import TreeFields

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from os import PathLike

    from numpy.typing import NDArray


FORMAT: Final = "hlta"
VERSION: Final = 3
TREE: Final = "latent-tree"
ESTIMATOR: Final = "estimator"
_KINDS: Final = {TREE: ("a latent tree", "LatentTree"), ESTIMATOR: ("a fitted model", "HLTA")}
_HEADER: Final = "header.json"
_ALWAYS_ALLOWED: Final = 1 << 23  # bytes that a header may have, whatever its compressed size
_MOST_TIMES: Final = 30  # a longer header may have this many times its compressed size
FIELDS: Final = frozenset({"format", "version", "kind", "words", "latent_names", "allow_irregular"})
"""The fields of the header of a tree; those of other kinds have more."""
_SHAPE: Final = {"parent": "<i4", "level": "<i4"}
_ANY_STATES: Final = {
    **_SHAPE,
    "states": "<i4",
    "word": "<f8",
    "latent": "<f8",
    "background": "<i4",
}
_ARRAYS: Final = {
    1: {**_SHAPE, "probability": "<f8"},  # latent variables with two states
    2: _ANY_STATES,
    3: _ANY_STATES,  # the header of a fitted model may hold edits
}
"""The arrays of each version, and their types."""
_KEPT: Final = {"kept_indptr": "<i8", "kept_indices": "<u4", "kept_lots": "<f8"}
"""The arrays of the documents that a fitted model keeps, if its header has `kept`."""
_COUNTS: Final = {"counts_indptr": "<i8", "counts_words": "<u4", "counts": "<f4"}
"""The arrays of the word counts of topics, if the header has `counts`."""
_VECTORS: Final = {"vectors": "<f4"}
"""The array of the vectors of topics, if `counts` in the header has `vectors`."""
_STAMP: Final = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that the same tree gives the same bytes


def save_tree(
    tree: TreeFields,
    path: str | PathLike[str],
    *,
    kind: str = TREE,
    more: dict[str, Any] | None = None,
    arrays: Mapping[str, NDArray[Any]] = MappingProxyType({}),
) -> None:
    """Write a tree to `path`, which is replaced as a whole or not at all.

    `kind`, `more` entries of the header and further `arrays` are for files that hold more than a tree.
    """
    header = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "words": list(tree.words),
        "latent_names": list(tree.latent_names),
        "allow_irregular": tree.allow_irregular,
        **(more or {}),
    }
    of_tree = {"parent": tree.parent, "level": tree.level, **tree.probability._asdict()}
    with replacing(path) as file:
        write_archive(file, header, {**of_tree, **arrays})


class SavedTree(NamedTuple):
    """The content of a file that `save_tree` wrote.

    path    str: the file
    kind    str: `TREE` or `ESTIMATOR`
    header  dict: the whole header
    fields  TreeFields: the tree, not checked yet
    arrays  dict: all arrays by name
    """

    path: str
    kind: str
    header: dict[str, Any]
    fields: TreeFields
    arrays: dict[str, NDArray[Any]]

    @property
    def refusal(self) -> str:
        """The beginning of the error message if the fields are not a valid tree."""
        return f"{self.path} is damaged"


def read_tree(path: str | PathLike[str], wanted: str | None = None) -> SavedTree:
    """Read a file that `save_tree` wrote; refuse one that is not of the kind `wanted`, if given."""
    header, arrays = read_archive(path, _arrays_of)
    file, kind = os.fspath(path), header.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise FormatError(f"{file} is of kind {kind!r}, not a latent tree or a fitted model")
    if wanted not in (None, kind):
        raise FormatError(
            f"{file} is of kind {kind!r}, not {_KINDS[wanted][0]}; "
            f"use hlta.load or {_KINDS[kind][1]}.load"
        )
    if kind == TREE:
        check_fields(f"{file}: its header has", header, FIELDS)
    words = _strings(header, "words", file)
    fields = TreeFields(
        words=words,
        latent_names=_strings(header, "latent_names", file),
        allow_irregular=bool(header.get("allow_irregular", False)),
        parent=arrays["parent"],
        level=arrays["level"],
        probability=_parameters(arrays, len(words), file),
    )
    return SavedTree(file, kind, header, fields, arrays)


def _arrays_of(header: dict[str, Any]) -> dict[str, str]:
    counts = header.get("counts")
    known = _COUNTS if counts else {}
    if isinstance(counts, dict) and "vectors" in counts:
        known = known | _VECTORS
    return _ARRAYS[header["version"]] | known | (_KEPT if header.get("kept") else {})


def _parameters(arrays: dict[str, NDArray[Any]], n_words: int, file: str) -> Parameters:
    """The parameters in the arrays of a file of any version."""
    table = arrays.get("probability")
    if table is None:
        return Parameters(*(arrays[name] for name in Parameters._fields))
    wanted = (*arrays["parent"].shape, 2)
    if table.shape != wanted:
        raise FormatError(
            f"{file} is damaged: array 'probability' has shape {table.shape}, not {wanted}"
        )
    return binary_parameters(table, n_words)


def model_in(path: str | PathLike[str]) -> Path:
    """The path of the model in a folder that `hlta fit` wrote; other paths are returned unchanged."""
    folder = Path(path)
    if not folder.is_dir():
        return folder
    if (folder / CORPUS).is_file():
        raise FormatError(
            f"{folder} holds a corpus, not a fitted model; use hlta.load or Corpus.load"
        )
    if not (folder / MODEL).exists():
        raise FormatError(f"{folder} holds no fitted model: it has no {MODEL}")
    return folder / MODEL


def write_archive(
    file: BinaryIO,
    header: dict[str, Any],
    arrays: dict[str, NDArray[Any]],
    *,
    compression: int = zipfile.ZIP_DEFLATED,
) -> None:
    """Write a header and arrays, little-endian, as a zip of JSON and .npy members."""
    with zipfile.ZipFile(file, "w") as archive:
        text = json.dumps(header, ensure_ascii=True, sort_keys=True)
        archive.writestr(_member(_HEADER), text, compression)
        for name, array in arrays.items():
            buffer = io.BytesIO()
            little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
            np.lib.format.write_array(buffer, little, version=(1, 0), allow_pickle=False)
            archive.writestr(_member(f"{name}.npy"), buffer.getvalue(), compression)


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, date_time=_STAMP)
    info.external_attr = 0o644 << 16
    return info


def read_archive(
    path: str | PathLike[str], listed: Callable[[dict[str, Any]], dict[str, str]]
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read and check a header, and the arrays whose names and types `listed` derives from it."""
    name = os.fspath(path)
    data = Path(name).read_bytes()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_unpacked(archive, len(data))
            header = _read_header(archive, name)
            wanted = listed(header).items()
            arrays = {k: _read_array(archive, k, dtype, name) for k, dtype in wanted}
    except FormatError:
        raise
    except Exception as error:
        # The bytes are in memory, so any error of the zip reader means that they are damaged.
        raise FormatError(
            f"{name} is not a file written by hlta, or it is damaged: {error}"
        ) from error
    return header, arrays


def _read_header(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    try:
        about = archive.getinfo(_HEADER)
    except KeyError:
        raise FormatError(f"{name} is not a file written by hlta: it has no {_HEADER}") from None
    if about.file_size > max(_ALWAYS_ALLOWED, _MOST_TIMES * about.compress_size):
        raise FormatError(f"{name} is damaged: its {_HEADER} is far too long")
    try:
        header = json.loads(archive.read(about))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{name} is damaged: its {_HEADER} is not JSON ({error})") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise FormatError(f"{name} is not a file written by hlta: {_HEADER} does not say so")
    check_version(name, header.get("version"), VERSION)
    return header


def _read_array(archive: zipfile.ZipFile, key: str, dtype: str, name: str) -> NDArray[Any]:
    try:
        array = read_npy(archive, f"{key}.npy")
    except KeyError:
        raise FormatError(f"{name} is damaged: it has no array {key!r}") from None
    except ValueError as error:
        raise FormatError(f"{name} is damaged: array {key!r} cannot be read ({error})") from error
    if array.dtype != np.dtype(dtype):
        raise FormatError(f"{name} is damaged: array {key!r} is {array.dtype}, not {dtype}")
    return array


def _strings(header: dict[str, Any], key: str, file: str) -> tuple[str, ...]:
    values = header.get(key)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise FormatError(f"{file} is damaged: {key} in its header is not a list of strings")
    return tuple(values)

"""Trees on disk: a zip of plain arrays with a header that says what it is. See docs/formats.md."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.files import replacing
from hlta.errors import FormatError, TreeError
from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from os import PathLike
    from typing import BinaryIO

    from numpy.typing import NDArray

FORMAT: Final = "hlta"
VERSION: Final = 1
TREE: Final = "latent-tree"
ESTIMATOR: Final = "estimator"
_HEADER: Final = "header.json"
_STAMP: Final = (1980, 1, 1, 0, 0, 0)  # the same tree gives the same bytes at any time


def save_tree(
    tree: LatentTree,
    path: str | PathLike[str],
    *,
    kind: str = TREE,
    more: dict[str, Any] | None = None,
) -> None:
    """Write a tree to `path`, which is replaced as a whole or not at all.

    `kind` and `more`, entries of the header, are for files that hold a tree and something besides.
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
    arrays: dict[str, NDArray[Any]] = {
        "parent": tree.parent,
        "level": tree.level,
        "probability": tree.probability,
    }
    with replacing(path) as file:
        write_archive(file, header, arrays)


def load_tree(path: str | PathLike[str]) -> LatentTree:
    """Read a tree that `save_tree` wrote."""
    header, tree = read_tree(path)
    if header["kind"] != TREE:
        raise FormatError(
            f"{os.fspath(path)} holds a {header['kind']!r}, not a latent tree; use hlta.load"
        )
    return tree


def read_tree(path: str | PathLike[str]) -> tuple[dict[str, Any], LatentTree]:
    """Read a file of any kind that holds a tree: its header, with the kind, and the tree."""
    header, arrays = read_archive(path, {"parent": "<i4", "level": "<i4", "probability": "<f8"})
    if header.get("kind") not in {TREE, ESTIMATOR}:
        raise FormatError(
            f"{os.fspath(path)} holds a {header.get('kind')!r}, not a latent tree or a model"
        )
    try:
        tree = LatentTree(
            words=_strings(header, "words", path),
            latent_names=_strings(header, "latent_names", path),
            allow_irregular=bool(header.get("allow_irregular", False)),
            **arrays,
        )
    except TreeError as error:
        raise FormatError(f"{os.fspath(path)} is damaged: {error}") from error
    return header, tree


def write_archive(file: BinaryIO, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """Write a header and arrays, little-endian, as a zip of JSON and .npy members."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps(header, ensure_ascii=True, sort_keys=True)
        archive.writestr(_member(_HEADER), text)
        for name, array in arrays.items():
            buffer = io.BytesIO()
            little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
            np.lib.format.write_array(buffer, little, version=(1, 0), allow_pickle=False)
            archive.writestr(_member(f"{name}.npy"), buffer.getvalue())


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, date_time=_STAMP)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def read_archive(
    path: str | PathLike[str], expected: dict[str, str]
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read and check a header and the `expected` arrays, given by name and dtype."""
    name = os.fspath(path)
    data = Path(name).read_bytes()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            header = _read_header(archive, name)
            arrays = {k: _read_array(archive, k, dtype, name) for k, dtype in expected.items()}
    except FormatError:
        raise
    except Exception as error:
        # Bytes in memory: whatever a zip reader finds wrong with them is damage.
        raise FormatError(
            f"{name} is not a file written by hlta, or it is damaged: {error}"
        ) from error
    return header, arrays


def _read_header(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    try:
        header = json.loads(archive.read(_HEADER))
    except KeyError:
        raise FormatError(f"{name} is not a file written by hlta: it has no {_HEADER}") from None
    except ValueError as error:
        raise FormatError(f"{name} is damaged: its {_HEADER} is not JSON ({error})") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise FormatError(f"{name} is not a file written by hlta: {_HEADER} does not say so")
    version = header.get("version")
    if version != VERSION:
        raise FormatError(
            f"{name} has format version {version!r}, this hlta reads version {VERSION}; "
            "use the hlta that wrote it, or a newer one"
        )
    return header


def _read_array(archive: zipfile.ZipFile, key: str, dtype: str, name: str) -> NDArray[Any]:
    try:
        member = io.BytesIO(archive.read(f"{key}.npy"))  # whole, so that its checksum is compared
        array: NDArray[Any] = np.lib.format.read_array(member, allow_pickle=False)
    except KeyError:
        raise FormatError(f"{name} is damaged: it has no array {key!r}") from None
    except ValueError as error:
        raise FormatError(f"{name} is damaged: array {key!r} cannot be read ({error})") from error
    if array.dtype != np.dtype(dtype):
        raise FormatError(f"{name} is damaged: array {key!r} is {array.dtype}, not {dtype}")
    return array


def _strings(header: dict[str, Any], key: str, path: str | PathLike[str]) -> tuple[str, ...]:
    values = header.get(key)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise FormatError(
            f"{os.fspath(path)} is damaged: {key} in its header is no list of strings"
        )
    return tuple(values)

"""Files of models that tests change."""

from __future__ import annotations

import io
import json
import zipfile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.zipped import zipped

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def header_of(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        header: dict[str, Any] = json.loads(archive.read("header.json"))
    return header


def array_of(path: Path, name: str) -> NDArray[Any]:
    with zipfile.ZipFile(path) as archive:
        return np.asarray(np.load(io.BytesIO(archive.read(f"{name}.npy"))))


def change_file(
    path: Path,
    header: Mapping[str, Any] = _NOTHING,
    arrays: Mapping[str, NDArray[Any]] = _NOTHING,
    *,
    without: Collection[str] = (),
) -> None:
    """Write a model's file again with other entries of its header, other arrays, or without some."""
    with zipfile.ZipFile(path) as archive:
        members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    whole = {**header_of(path), **header}
    members["header.json"] = json.dumps({k: v for k, v in whole.items() if k not in without})
    for name, array in arrays.items():
        buffer = io.BytesIO()
        np.save(buffer, array)
        members[f"{name}.npy"] = buffer.getvalue()
    gone = {f"{name}.npy" for name in without}
    path.write_bytes(zipped({name: data for name, data in members.items() if name not in gone}))

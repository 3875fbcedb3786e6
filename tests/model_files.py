"""Files of models that tests change."""

import io
import json
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.zipped import zipped

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def members_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def header_of(path: Path) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(members_of(path)["header.json"])
    return header


def array_of(path: Path, name: str) -> NDArray[Any]:
    return np.asarray(np.load(io.BytesIO(members_of(path)[f"{name}.npy"])))


def change_members(path: Path, changes: Mapping[str, bytes | str | None]) -> None:
    """Write the same archive with other members; None drops one."""
    whole = {**members_of(path), **changes}
    path.write_bytes(zipped({name: data for name, data in whole.items() if data is not None}))


def change_file(
    path: Path,
    header: Mapping[str, Any] = _NOTHING,
    arrays: Mapping[str, NDArray[Any]] = _NOTHING,
    *,
    without: Collection[str] = (),
) -> None:
    """Write a model's file again with other entries of its header, other arrays, or without some."""
    entries = {k: v for k, v in {**header_of(path), **header}.items() if k not in without}
    changes: dict[str, bytes | str | None] = dict.fromkeys(f"{name}.npy" for name in without)
    changes["header.json"] = json.dumps(entries)
    for name, array in arrays.items():
        np.save(buffer := io.BytesIO(), array)
        changes[f"{name}.npy"] = buffer.getvalue()
    change_members(path, changes)

"""Checkpoints in folders: when they are written, to which fit they belong, and who may use them."""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZIP_STORED

import numpy as np

from hlta._support.arrays import offsets
from hlta._support.formats import check_fields
from hlta._support.version import __version__
from hlta._support.writing import drafting, is_hidden, parents_of, place, replacing
from hlta.errors import FormatError, OptionError
from hlta.learning.checkpoint import NOTHING_KEPT, Checkpoint
from hlta.tree.latent_tree import LatentTree
from hlta.tree.model_file import VERSION, read_archive, write_archive
from hlta.tree.parameters import Parameters
from hlta.tree.validation import TreeFields

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.learning.seeds import Wishes
    from hlta.monitor import Monitor
    from hlta.options import EMOptions, StructureOptions

STATE: Final = "state.hlta"
KIND: Final = "checkpoint"
PACE: Final = 5.0  # seconds between two writes, at least
RARITY: Final = 50.0  # the time between two writes, at least, divided by the duration of a write
_FIELDS: Final = frozenset({"format", "version", "kind", "fit", "steps", "arrays", "digest"})


class _Written(Checkpoint):
    """A checkpoint that is written from time to time: to a draft, which then replaces the file."""

    def __init__(
        self, path: Path, draft: Path, fit: dict[str, Any], values: dict[str, Any]
    ) -> None:
        self._path, self._draft, self._fit, self._values = path, draft, fit, values
        self._lock = Lock()
        self._due = time.monotonic() + PACE

    def get(self, name: str) -> Any:
        return self._values.get(name)

    def keep(self, name: str, value: Any) -> None:
        with self._lock:
            self._values[name] = value
            if (began := time.monotonic()) >= self._due:
                _write(self._draft, self._fit, self._values)
                place(self._draft, self._path)
                now = time.monotonic()
                self._due = now + max(PACE, RARITY * (now - began))


@contextmanager
def checkpoint_in(
    folder: str | PathLike[str] | None,
    documents: Documents,
    words: Sequence[str],
    options: tuple[StructureOptions, EMOptions],
    wishes: Wishes,
    seed: int | None,
    monitor: Monitor,
) -> Iterator[Checkpoint]:
    """The checkpoint of a fit in a folder, which is locked against other fits.

    A folder with the checkpoint of another fit is refused. Without a folder, nothing is kept.
    """
    if folder is None:
        yield NOTHING_KEPT
        return
    if not isinstance(folder, str | os.PathLike):
        raise OptionError(
            f"checkpoint={folder!r}: use the path of a folder, or None to keep nothing"
        )
    path = Path(folder) / STATE
    with _draft_state(Path(folder)) as draft:
        fit = _description(documents, words, options, wishes, seed)
        values = _read(path, fit)
        if values:
            monitor.note(f"resuming from {str(folder)!r}, where {len(values):,} steps are kept")
        yield _Written(path, draft / STATE, fit, values)


def discard(folder: Path) -> None:
    """Delete a checkpoint, if there is one, unless a fit is using it."""
    if folder.exists():
        with _draft_state(folder):
            (folder / STATE).unlink(missing_ok=True)


@contextmanager
def _draft_state(folder: Path) -> Iterator[Path]:
    """A draft folder for the state, locked against other fits; without a state, `folder` is removed."""
    path = folder / STATE
    try:
        with parents_of(path):
            others = [one for one in folder.iterdir() if one.name != STATE and not is_hidden(one)]
    except OSError as error:
        raise OptionError(
            f"{str(folder)!r} cannot be written: {error.strerror}; choose another folder"
        ) from None
    if others:
        raise OptionError(
            f"checkpoint={str(folder)!r} holds files other than a checkpoint; choose another folder"
        )
    try:
        with drafting(path) as draft:
            yield draft
    finally:
        if not path.exists():
            with suppress(OSError):
                folder.rmdir()


def _description(
    documents: Documents,
    words: Sequence[str],
    options: tuple[StructureOptions, EMOptions],
    wishes: Wishes,
    seed: int | None,
) -> dict[str, Any]:
    """All that a fit depends on, as JSON can hold it."""
    digest = hashlib.blake2b(json.dumps(list(words)).encode())
    digest.update(offsets(documents.lengths).data)
    for _, part in documents.parts():
        digest.update(part.indices.data)
    chosen = {name: _plain(value) for one in options for name, value in asdict(one).items()}
    about = {"hlta": __version__, "documents": digest.hexdigest(), "random_state": seed}
    seeds = [[sorted(words) for words in sets] for sets in wishes]
    return about | chosen | {"seeds": seeds}


def _plain(value: Any) -> Any:
    """An option as JSON can hold it."""
    return value if value is None or isinstance(value, bool | int | float | str) else float(value)


def _write(path: Path, fit: dict[str, Any], values: dict[str, Any]) -> None:
    arrays: dict[str, NDArray[Any]] = {}
    steps = {name: pack(value, arrays) for name, value in values.items()}
    types = {name: array.dtype.newbyteorder("<").str for name, array in arrays.items()}
    about = {"format": "hlta", "version": VERSION, "kind": KIND, "fit": fit}
    header = about | {"steps": steps, "arrays": types}
    with replacing(path) as file:
        header["digest"] = _digest(header, arrays)
        write_archive(file, header, arrays, compression=ZIP_STORED)  # several times faster


def _digest(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> str:
    """A digest of all that a checkpoint holds: the only check that its values belong together."""
    digest = hashlib.blake2b(json.dumps(header, sort_keys=True).encode())
    for name in sorted(header["arrays"]):
        digest.update(np.ascontiguousarray(arrays[name], header["arrays"][name]).data)
    return digest.hexdigest()


def _read(path: Path, fit: dict[str, Any]) -> dict[str, Any]:
    """The values in the checkpoint file of this fit; empty if there is no file."""
    if not path.exists():
        return {}
    remedy = f"delete the folder {str(path.parent)!r} to begin anew, or choose another one"
    try:
        header, arrays = read_archive(path, lambda header: header["arrays"])
        check_fields(f"{path}: its header has", header, _FIELDS)
        if header.pop("digest", None) != _digest(header, arrays):
            raise FormatError(f"{path} is damaged: it does not hold what was written")
        if differences := _differences(header["fit"], fit):
            raise OptionError(
                f"checkpoint={str(path.parent)!r} is that of another fit, with "
                f"{', '.join(differences)}; repeat that fit, or {remedy}"
            )
        return {name: unpack(plain, arrays) for name, plain in header["steps"].items()}
    except OptionError:
        raise
    except OSError as error:
        raise OptionError(f"{str(path)!r} cannot be read: {error.strerror}; {remedy}") from None
    except FormatError as error:
        raise FormatError(f"{error}; {remedy}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is damaged: {error}; {remedy}") from None


def _differences(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """How two fits differ, as phrases for a message."""
    names = [name for name in then | now if then.get(name) != now.get(name)]
    others = {"documents": "other documents or words", "seeds": "other seeds"}
    return [
        others.get(name, f"{name}={then.get(name)!r} instead of {now.get(name)!r}")
        for name in names
    ]


# ---- values as JSON and arrays ------------------------------------------------------------------


def pack(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """A value as JSON can hold it; its arrays are put in `arrays` and replaced by their names.

    A value is a tree, an array, a string, a number, None, or a sequence of such values.
    """
    if isinstance(value, LatentTree):
        return {"tree": pack(value.fields, arrays)}
    if isinstance(value, np.ndarray):
        name = str(len(arrays))
        arrays[name] = value
        return {"array": name}
    if isinstance(value, tuple | list):
        return [pack(part, arrays) for part in value]
    return value


def unpack(plain: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """The value that was packed, in which every sequence is a tuple.

    Raises KeyError, TypeError or ValueError if `plain` is not what `pack` gives.
    """
    if isinstance(plain, list):
        return tuple(unpack(part, arrays) for part in plain)
    if not isinstance(plain, dict):
        return plain
    ((kind, content),) = plain.items()
    if kind == "array":
        return arrays[content]
    if kind == "tree":
        fields = TreeFields(*unpack(content, arrays))
        probability = Parameters(*fields.probability)
        return LatentTree(**fields._replace(probability=probability)._asdict())
    raise ValueError(f"{kind!r} is neither an array nor a tree")

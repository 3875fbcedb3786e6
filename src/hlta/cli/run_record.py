"""run.json: what a model was learned from, and so the documents that commands read by default."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from dataclasses import fields, replace
from glob import glob
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any, Final, TypeGuard, TypeVar

from hlta._support.formats import CORPUS, MODEL, RUN, check_fields
from hlta._support.messages import join_names
from hlta.cli.common_options import Page, Reading, Run, options_of
from hlta.cli.printing import tell
from hlta.errors import FormatError, OptionError

AnyReading = TypeVar("AnyReading", bound=Reading)
AnyOptions = TypeVar("AnyOptions", bound=Reading | Page)

_FIELDS: Final = {
    *("hlta", "source", "digest", "folder", "documents", "repeats", "passages", "passages_first"),
    *("words_of_style", "words_of_style_first", "words", "topics", "log_likelihood", "seconds"),
    *("em", "seeds", "read", "page", "text", "options", "mails"),
    *("skipped", "skipped_reasons", "skipped_first"),
    "updates",
}
"""The fields of run.json."""
_COUNTS: Final = ("documents", "repeats", "mails", "words_of_style")  # those that are read
_TABLE: Final = re.compile(r"\.(csv|tsv|jsonl|ndjson|parquet|arrow|feather|xlsx)(\.\w+)?$", re.I)
_SHOWN: Final = 3  # paths
_OF_PAGE: Final = {"heading": str, "page_documents": int}
BESIDE: Final = ("vocabulary", "metadata", "vectors")
"""Options that name files beside the documents."""


def has_documents(model_path: Path, paths: list[str] | None) -> bool:
    """Whether documents are given, or the record tells which the model was learned from."""
    return bool(paths or sources_of(record_beside(model_path) or {}))


def documents_of(
    model_path: Path,
    paths: list[str] | None,
    reading: AnyReading,
    run: Run,
    remedy: str = "give PATH",
    *,
    rewriting: str = "",
) -> tuple[list[str], AnyReading]:
    """The paths that are given; or those that the model was learned from, with its options of reading.

    If these have changed since, a message says so; it is an error if that would rewrite files, which
    `rewriting` names.
    """
    if paths:
        return paths, reading
    record = record_beside(model_path) or {}
    sources = sources_of(record)
    if not sources:
        if paths_in(record):
            raise OptionError(
                f"the documents of {str(model_path)!r} and those of its updates cannot be read together; "
                f"{remedy}"
            )
        raise OptionError(
            f"no record says which documents {str(model_path)!r} was learned from; {remedy}"
        )
    for path in sources:
        if path == "-" or not (os.path.exists(path) or glob(path)):
            place = "standard input" if path == "-" else f"{path!r}, which is not there"
            raise OptionError(f"the model was learned from {place}; {remedy}")
    tell(f"Documents that the model was learned from: {_short(sources)}", quiet=run.quiet)
    if changed := [
        path for entry in entries_of(record) if _has_changed(entry) for path in paths_of(entry)
    ]:
        where = _short(changed)
        if rewriting:
            raise OptionError(
                f"the documents in {where} have changed since the model was learned from them, and "
                f"{rewriting} would show them as they are now; {remedy}"
            )
        tell(
            f"hlta: the documents in {where} have changed since the model was learned from them; what "
            "follows is about them as they are now"
        )
    return sources, _as_recorded(reading, record.get("read") or {})


def page_of(model_path: Path, page: Page) -> Page:
    """The options of the page of a fit, except for those that are given."""
    return _as_recorded(page, (record_beside(model_path) or {}).get("page") or {})


def _as_recorded(options: AnyOptions, recorded: dict[str, Any]) -> AnyOptions:
    """Options as they were recorded, except for those that are given."""
    taken = {option.name for option in options_of(type(options))}
    flags = {
        "keep_mail": recorded.get("mail") == "keep",
        "skip_broken": recorded.get("broken") == "skip",
    }
    known: dict[str, Any] = {
        name: Path(value) if name in BESIDE else value
        for name, value in (recorded | flags).items()
        if value and name in taken
    }
    given = {one.name for one in fields(options) if getattr(options, one.name) != one.default}
    return replace(options, **{name: known[name] for name in known.keys() - given})


def sources_of(record: dict[str, Any]) -> list[str]:
    """The paths of the documents of a run and of its updates; empty if they cannot be read together.

    Tables and folders can be. But each line of a text file is a document only if the file is read alone,
    and a saved corpus must be read alone.
    """
    paths = paths_in(record)
    together = all(
        _TABLE.search(path) or (os.path.isdir(path) and not (Path(path) / CORPUS).is_file())
        for path in paths
    )
    return paths if together or not record.get("updates") else []


def paths_in(record: dict[str, Any]) -> list[str]:
    """The paths of the documents of a run and of its updates, each once."""
    return list(dict.fromkeys(path for entry in entries_of(record) for path in paths_of(entry)))


def entries_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The record of a run, and those of its updates."""
    return [record, *record.get("updates", [])]


def paths_of(entry: dict[str, Any]) -> list[str]:
    """The paths of the documents of a run, or of an update."""
    source = entry.get("source") or []
    return source if isinstance(source, list) else [source]


def digest_of(paths: list[str]) -> str | None:
    """A digest of what the files at these paths hold; None if it cannot be read twice, as from a pipe."""
    from hlta.reading.paths import expand_paths, files_of

    digest = blake2b(digest_size=16)
    for file in files_of(expand_paths(paths), lambda *_: None):
        if not os.path.isfile(file.path):
            return None
        with suppress(OSError), open(file.path, "rb") as stream:
            digest.update(file_digest(stream, "blake2b").digest())
    return digest.hexdigest()


def _has_changed(entry: dict[str, Any]) -> bool:
    return entry.get("digest") not in (None, digest_of(paths_of(entry)))


def _short(paths: list[str]) -> str:
    """The paths, or the first and the number of the others."""
    return join_names(paths if len(paths) <= _SHOWN else [paths[0], f"{len(paths) - 1:,} more"])


def run_record(folder: Path) -> dict[str, Any] | None:
    """The content of run.json in a folder; None if there is none."""
    file = folder / RUN
    if not file.is_file():
        return None
    try:
        record = json.loads(file.read_text(encoding="utf-8", errors="surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{file} is damaged: it is not JSON ({error}); remove it") from None
    if not _is_record(record):
        raise FormatError(f"{file} is damaged: it does not hold the record of a run; remove it")
    check_fields(f"{file} has", record, _FIELDS)
    return record


def record_beside(model_path: Path) -> dict[str, Any] | None:
    """The record of the run that wrote a model, given its file or folder; paths are as seen from here."""
    folder = model_path.parent if model_path.name == MODEL else model_path
    record = run_record(folder)
    if record is None:
        return None
    updates = [_from_here(entry, folder) for entry in record.get("updates", [])]
    return _from_here(record, folder) | {"updates": updates}


def place_of(path: str | Path, seen_from: str | Path) -> str:
    """A path relative to a folder; absolute if that is on another drive."""
    try:
        return os.path.relpath(path, os.path.realpath(seen_from)).replace(os.sep, "/")
    except ValueError:
        return os.path.abspath(path)


def _from_here(entry: dict[str, Any], results: Path) -> dict[str, Any]:
    """The record of a run or an update, with paths that exist made relative to the current folder."""
    if "folder" not in entry:
        return entry
    place = os.path.join(os.path.realpath(results), entry["folder"])

    def seen(path: Any) -> Any:
        if isinstance(path, list):
            return [seen(one) for one in path]
        if not path or os.path.isabs(path):
            return path
        there = os.path.normpath(os.path.join(place, path))
        if not (os.path.exists(there) or glob(there)):
            return path
        return place_of(Path(there), os.getcwd())

    read = entry.get("read") or {}
    beside = {name: seen(read[name]) for name in BESIDE if read.get(name)}
    return entry | {"source": seen(entry.get("source")), "read": read | beside}


def _is_record(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether JSON is the record of a run: the fields that are read have the expected types."""
    if not (isinstance(value, dict) and all(isinstance(value.get(k, 0), int) for k in _COUNTS)):
        return False
    if not all(isinstance(value.get(name) or {}, dict) for name in ("read", "page", "options")):
        return False
    page = value.get("page") or {}
    if not all(isinstance(page.get(name), kind | None) for name, kind in _OF_PAGE.items()):
        return False
    if not all(_is_reading(name, was) for name, was in (value.get("read") or {}).items()):
        return False
    updates = value.get("updates", [])
    return isinstance(updates, list) and all(
        isinstance(entry, dict)
        and _is_source(entry.get("source"))
        and isinstance(entry.get("folder", ""), str)
        and isinstance(entry.get("digest"), str | None)
        for entry in (value, *updates)
    )


def _is_source(value: Any) -> bool:
    paths = value if isinstance(value, list) else [value]
    return value is None or all(isinstance(path, str) for path in paths)


def _is_reading(name: str, value: Any) -> bool:
    """Whether a value has the type of this option of reading; True if there is no such option."""
    if value is None or name not in {one.name for one in fields(Reading)}:
        return True
    if name == "keep":
        return isinstance(value, list) and _is_source(value)
    return isinstance(value, int if name == "skip_rows" else str)

"""Results of a run that an update leaves as they were, and the commands to write them again."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any, Final

from hlta._support.counted import joined
from hlta._support.formats import DOCUMENTS, PAGE, SHARES
from hlta.cli.printing import tell
from hlta.options import LISTED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_OF_A_PAGE: Final = ("date", "group")  # columns that `hlta assign` has no use for
_COLUMNS: Final = ("text", "title", "id", *_OF_A_PAGE)
_TABLE: Final = re.compile(r"\.(csv|tsv|jsonl|ndjson|parquet|arrow|feather|xlsx)(\.\w+)?$", re.I)
_FLAGS: Final = {("mail", "keep"): "--keep-mail", ("broken", "skip"): "--skip-broken"}


def tell_of_stale_files(folder: Path, record: dict[str, Any] | None) -> None:
    """Tell the commands that write what shows documents again, if the folder has it.

    An update does not see the earlier documents, but the record of the run says where they were.
    """
    of_documents = list(_reading(record, _OF_A_PAGE))
    commands = {
        DOCUMENTS: ["assign", *of_documents, "--main", "-o", str(folder / DOCUMENTS)],
        SHARES: ["assign", *of_documents, "--least", str(LISTED), "-o", str(folder / SHARES)],
        PAGE: ["report", *_reading(record, ())],
    }
    there = [name for name in commands if (folder / name).exists()]
    if not there:
        return
    lines = [
        shlex.join(["hlta", verb, str(folder), *_sources(record), *more, "--overwrite"])
        for verb, *more in (commands[name] for name in there)
    ]
    tell(
        f"{joined(there)} still {'show' if len(there) > 1 else 'shows'} the earlier model; write "
        f"{'them' if len(there) > 1 else 'it'} again with all documents:\n    "
        + "\n    ".join(lines)
    )


def documents_again(record: dict[str, Any] | None) -> str:
    """The options with which `hlta edit` reads the documents of a run again, as one types them."""
    path, *others = _sources(record)
    return shlex.join(["--documents", "PATH" if others else path, *_reading(record, ())])


def _sources(record: dict[str, Any] | None) -> list[str]:
    """Where the documents of a run and of its updates were, if they can be read together.

    Tables can; but a text file, of which each line is a document, is one document among others.
    """
    entries = [] if record is None else [record, *record.get("updates", [])]
    named = [entry.get("source") or [] for entry in entries]
    every = (source if isinstance(source, list) else [source] for source in named)
    paths = list(dict.fromkeys(path for paths in every for path in paths))
    # The record may be somebody else's: a name that would be an option is no source.
    tables = all(
        _TABLE.search(path) and path.isprintable() and not path.startswith("-") for path in paths
    )
    return paths if paths and tables else ["PATH"]


def _reading(record: dict[str, Any] | None, but: tuple[str, ...]) -> Iterator[str]:
    """How the documents of the run were read, as options."""
    read = (record or {}).get("read") or {}
    for name in (*_COLUMNS, "delimiter", "encoding", "vectors"):
        if read.get(name) and name not in but:
            yield f"--{name}"
            yield str(read[name])
    yield from (flag for (name, value), flag in _FLAGS.items() if read.get(name) == value)

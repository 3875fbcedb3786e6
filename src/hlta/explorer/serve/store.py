"""The SQLite file that is kept beside a model, so that documents are found quickly.

It holds blocks of the page, named arrays, and a full-text index of the documents' titles, ids and whole
texts. It belongs to one model and one corpus, and is never changed once it is complete.
"""

from __future__ import annotations

import sqlite3
from base64 import b64decode
from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.writing import replacing_together
from hlta.errors import FormatError
from hlta.text.index import KEY_OF_TEXTS, IndexFile, key_of_texts, seal, write_index
from hlta.text.search import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.monitor import Monitor

    Columns = tuple[str, str, str]  # a document's title, id and text

_APPLICATION: Final = int.from_bytes(b"hlta", "big")  # in the header of the file
_AT_ONCE: Final = 1_000  # documents between two reports of progress
_KEY: Final = "key"


class Kept(NamedTuple):
    """What is computed once: blocks of the page, in base64, and arrays."""

    blocks: dict[str, str]
    arrays: dict[str, NDArray[Any]]


def write(
    path: Path, key: str, kept: Kept, corpus: Corpus, words: Sequence[str], monitor: Monitor
) -> None:
    """Write the file, which appears under its name when it is complete; `words` are the model's."""
    keys = {_KEY: key, KEY_OF_TEXTS: key_of_texts(corpus, words)}
    texts = ((name, "", text) for name, text in keys.items())
    blocks = ((name, "base64", text) for name, text in kept.blocks.items())
    arrays = ((name, array.dtype.str, array.tobytes()) for name, array in kept.arrays.items())
    try:
        with (
            replacing_together(path) as folder,
            closing(sqlite3.connect(folder / path.name, isolation_level=None)) as db,
        ):
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute("PRAGMA journal_mode = OFF")  # an incomplete file is deleted
            db.execute("CREATE TABLE kept (name TEXT PRIMARY KEY, dtype TEXT, data)")
            db.execute("BEGIN")
            db.executemany("INSERT INTO kept VALUES (?, ?, ?)", chain(texts, blocks, arrays))
            with monitor.stage("indexing texts", len(corpus)):
                write_index(db, _report_progress(tokens_of(corpus, words), monitor))
            db.execute("COMMIT")  # this writes the part of the index that is in memory
            seal(db)
    except sqlite3.OperationalError as error:  # such as a full disk
        raise OSError(f"{str(path)!r} cannot be written: {error}") from None


def _report_progress(documents: Iterable[Columns], monitor: Monitor) -> Iterator[Columns]:
    for number, document in enumerate(documents, start=1):
        yield document
        if not number % _AT_ONCE:
            monitor.advance(_AT_ONCE)


class Store:
    """The contents of the file, for any number of threads.

    Parameters
    ----------
    path
        The file.
    key
        The key that it must have been written with.

    Raises
    ------
    FormatError
        If the file has another key, or is damaged.
    """

    def __init__(self, path: Path, key: str) -> None:
        self.index = IndexFile(path, _KEY, key)
        try:
            self._read()
        except FormatError:
            self.close()
            raise

    def _read(self) -> None:
        self.index.check()
        with self.index.connect() as db:
            blocks = db.execute("SELECT name, data FROM kept WHERE dtype = 'base64'")
            self.blocks: dict[str, str] = dict(blocks)
            for block in self.blocks.values():  # they become part of the page unchanged
                b64decode(block, validate=True)
            arrays = db.execute(
                "SELECT name, dtype, data FROM kept WHERE dtype NOT IN ('', 'base64')"
            )
            self.arrays = {name: np.frombuffer(data, dtype) for name, dtype, data in arrays}

    def close(self) -> None:
        """Close the file."""
        self.index.close()

"""What is kept beside a model, so that documents are found quickly: one SQLite file.

It holds named arrays, and a full-text index (FTS5) of the documents' titles, ids and whole texts. It
goes with one model and one corpus, and nothing changes it once it has its name.
"""

from __future__ import annotations

import sqlite3
from base64 import b64decode
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial, reduce
from hashlib import blake2b
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.writing import replacing_together
from hlta.errors import FormatError, OptionError
from hlta.text.patterns import expression, patterns, tokens
from hlta.text.search import IN_TITLE, searched

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from hlta._support.arrays import Bools, Floats32, Ints
    from hlta.documents.corpus import Corpus
    from hlta.monitor import Monitor
    from hlta.text.patterns import Pattern

_APPLICATION: Final = int.from_bytes(b"hlta", "big")  # in the header of the file
# Texts are split before they come here: to the tokenizer `ascii`, any other letter is part of a word.
_INDEX: Final = "fts5(title, id, text, content='', columnsize=0, tokenize='ascii')"
_KEPT: Final = (
    "SELECT name, dtype, data FROM kept WHERE name != 'digest' ORDER BY name",
    "SELECT id, block FROM texts_data ORDER BY id",
    "SELECT segid, term, pgno FROM texts_idx ORDER BY segid, term",
)
_PLACES: Final = "fts5vocab(texts, instance)"  # every place where a token stands
_LONGEST: Final = 10.0  # seconds of a statement
_BETWEEN_LOOKS: Final = 1_000  # instructions of SQLite between two looks at the clock
_AT_ONCE: Final = 1_000  # documents between two reports of progress
_LAST: Final = "\U0010ffff"  # sorts after every character of a token


def check_sqlite() -> None:
    """Refuse a Python whose SQLite has no full-text search."""
    with closing(sqlite3.connect(":memory:")) as db:
        try:
            db.execute(f"CREATE VIRTUAL TABLE texts USING {_INDEX}")
        except sqlite3.OperationalError as error:
            raise OptionError(
                f"the SQLite {sqlite3.sqlite_version} of this Python cannot search texts ({error}); "
                "use a Python whose module sqlite3 has FTS5, as those of python.org and conda have"
            ) from None


def write(
    path: Path, key: str, kept: Kept, corpus: Corpus, words: Sequence[str], monitor: Monitor
) -> None:
    """Write the file, which appears under its name when it is complete; `words` are the model's."""
    blocks = ((name, "", text) for name, text in {"key": key, **kept.blocks}.items())
    arrays = ((name, array.dtype.str, array.tobytes()) for name, array in kept.arrays.items())
    try:
        with (
            replacing_together(path) as folder,
            closing(sqlite3.connect(folder / path.name, isolation_level=None)) as db,
        ):
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute("PRAGMA journal_mode = OFF")  # it is complete or deleted
            db.execute("CREATE TABLE kept (name TEXT PRIMARY KEY, dtype TEXT, data)")
            db.execute(f"CREATE VIRTUAL TABLE texts USING {_INDEX}")
            db.execute(f"CREATE VIRTUAL TABLE places USING {_PLACES}")
            keep = "INSERT INTO kept VALUES (?, ?, ?)"
            db.execute("BEGIN")
            db.executemany(keep, chain(blocks, arrays))
            with monitor.stage("indexing texts", len(corpus)):
                every = _rows(corpus, words, monitor)
                db.executemany(
                    "INSERT INTO texts (rowid, title, id, text) VALUES (?, ?, ?, ?)", every
                )
                db.execute("INSERT INTO texts (texts) VALUES ('optimize')")
            db.execute("COMMIT")
            db.execute(keep, ("digest", "", _digest(db)))
    except sqlite3.OperationalError as error:  # such as a full disk
        raise OSError(f"{str(path)!r} cannot be written: {error}") from None


def _rows(
    corpus: Corpus, words: Sequence[str], monitor: Monitor
) -> Iterator[tuple[int, str, str, str]]:
    """The rows of the index, see `searched`."""
    for row, columns in enumerate(searched(corpus, words)):
        yield row, *columns
        if not (row + 1) % _AT_ONCE:
            monitor.advance(_AT_ONCE)


class Kept(NamedTuple):
    """What is computed once: blocks of the page, in base64, and arrays."""

    blocks: dict[str, str]
    arrays: dict[str, NDArray[Any]]


def _digest(db: sqlite3.Connection) -> str:
    """A digest of all that is kept: SQLite does not notice bytes that change within a value."""
    digest = blake2b()
    for question in _KEPT:
        for row in db.execute(question):
            for value in row:
                digest.update(value if isinstance(value, bytes) else f"{value} ".encode())
    return digest.hexdigest()


class Store:
    """What was written, read by any number of threads: no two use a connection at once.

    Parameters
    ----------
    path
        The file.
    key
        What it must have been written with.

    Raises
    ------
    FormatError
        If it was not, or the file is damaged.
    """

    def __init__(self, path: Path, key: str) -> None:
        self._path, self._key = path, key
        self._idle: list[sqlite3.Connection] = []
        try:
            self._read()
        except FormatError:
            self.close()
            raise

    def _read(self) -> None:
        with self._connected() as db:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(found)
            texts = db.execute("SELECT name, data FROM kept WHERE dtype = '' AND name != 'key'")
            self.blocks: dict[str, str] = dict(texts)
            written = self.blocks.pop("digest", None)
            for block in self.blocks.values():  # they stand in the page as they are
                b64decode(block, validate=True)
            arrays = db.execute("SELECT name, dtype, data FROM kept WHERE dtype != ''")
            self.arrays = {name: np.frombuffer(data, dtype) for name, dtype, data in arrays}
            if written != _digest(db):
                raise sqlite3.DatabaseError("it does not hold what was written")

    def close(self) -> None:
        """Close the file."""
        while self._idle:
            self._idle.pop().close()

    def find(self, query: str) -> Ints:
        """The documents with all words and phrases of a query, ascending."""
        return self._matching(expression(query))

    def score(self, query: str, found: Bools) -> Floats32:
        """How well documents match a query, if they are found by it; 0 for all others.

        The page scores what it holds in the same way, see `explorer/src/selection/texts.ts`.
        """
        scores = np.zeros(len(found))
        for pattern in patterns(query):
            scores[self._matching(f"{{title id}} : {pattern.expression}")] += IN_TITLE
            with suppress(sqlite3.DataError):  # too many for one string: they tell little
                scores += np.log1p(self._occurrences(pattern, len(found)))
        return np.where(found, scores, 0.0).astype(np.float32)

    def _occurrences(self, pattern: Pattern, count: int) -> Ints:
        """How often each document has a pattern in its text."""
        *firsts, last = tokens(pattern.text).split(" ")
        place = "(doc << 32) + offset - ?" if firsts else "doc + ?"  # fewer digits take less time
        bounds = [(token, token) for token in firsts] + [(last, last + _LAST * pattern.prefix)]
        begins = [
            self._numbers(
                f"SELECT group_concat({place}) FROM places "
                "WHERE term BETWEEN ? AND ? AND col = 'text'",
                *(k, first, end),
            )
            for k, (first, end) in enumerate(bounds)
        ]
        common = reduce(partial(np.intersect1d, assume_unique=True), begins)
        return np.bincount(common >> 32 if firsts else common, minlength=count)

    def _matching(self, match: str) -> Ints:
        return self._numbers("SELECT group_concat(rowid) FROM texts WHERE texts MATCH ?", match)

    def _numbers(self, question: str, *given: str | int) -> Ints:
        """The numbers that a statement gives in one string, which is the quickest way to have them."""
        with self._connected() as db:
            found = db.execute(question, given).fetchone()[0]
        return np.fromstring(found or "", dtype=np.int64, sep=",")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """A connection that no other thread uses meanwhile."""
        try:
            db = self._idle.pop()
        except IndexError:
            db = self._opened()
        end = monotonic() + _LONGEST
        db.set_progress_handler(lambda: monotonic() > end, _BETWEEN_LOOKS)
        try:
            yield db
        except sqlite3.DataError:  # an answer is too long
            raise
        except sqlite3.OperationalError as error:
            if str(error) != "interrupted":
                raise FormatError(f"{str(self._path)!r} is damaged ({error})") from None
            raise OptionError(
                f"the search takes more than {_LONGEST:g} seconds; use fewer words, or rarer ones"
            ) from None
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise FormatError(f"{str(self._path)!r} is damaged ({error})") from None
        finally:
            self._idle.append(db)

    def _opened(self) -> sqlite3.Connection:
        """Another connection, to a file that is still the same."""
        address = f"{self._path.absolute().as_uri()}?mode=ro&immutable=1"
        with ExitStack() as failing:
            try:
                db = sqlite3.connect(address, uri=True, check_same_thread=False)
                failing.callback(db.close)
                db.execute("PRAGMA trusted_schema = OFF")
                key = db.execute("SELECT data FROM kept WHERE name = 'key'").fetchone()
            except (sqlite3.Error, ValueError) as error:  # whose message may be no text
                raise FormatError(f"{str(self._path)!r} is damaged ({error})") from None
            if key != (self._key,):
                raise FormatError(
                    f"{str(self._path)!r} is of another model, other documents or another version"
                )
            failing.pop_all()
        return db

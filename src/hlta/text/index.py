"""A full-text index of a corpus in an SQLite file, so that searches do not read the texts.

`hlta serve` writes it, with other data. The file never changes once it has its final name.
"""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing, contextmanager, suppress
from contextvars import ContextVar
from functools import partial, reduce
from hashlib import blake2b
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.version import __version__
from hlta.errors import FormatError, OptionError
from hlta.text.patterns import IN_TITLE, patterns, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike

    from hlta._support.arrays import Bools, Floats32, Ints
    from hlta.documents.corpus import Corpus
    from hlta.text.patterns import Pattern

# Texts are split into tokens before: the tokenizer `ascii` takes all characters beyond ASCII for letters.
_OPTIONS: Final = "content='', columnsize=0, tokenize='ascii'"
_TABLES: Final = {  # titles are apart, so that `places` has those of tokens in texts alone
    "heads": f"fts5(title, id, {_OPTIONS})",
    "texts": f"fts5(text, {_OPTIONS})",
    "places": "fts5vocab(texts, instance)",
}
_CONTENT: Final = (  # reads the content of the whole file
    "SELECT name, dtype, data FROM kept WHERE name != 'digest' ORDER BY name",
    *(f"SELECT id, block FROM {name}_data ORDER BY id" for name in ("heads", "texts")),
    *(f"SELECT segid, term, pgno FROM {name}_idx ORDER BY 1, 2" for name in ("heads", "texts")),
)
KEY_OF_TEXTS: Final = "texts"
"""The name of the row of `kept` that identifies the texts of an index."""
_LONGEST: Final = 10.0  # seconds for all words of a search
_BETWEEN_LOOKS: Final = 10_000  # instructions of SQLite between two checks of clock and client
IS_WANTED: Final[ContextVar[Callable[[], bool]]] = ContextVar("is_wanted", default=lambda: True)
"""Whether a client still waits for the result of a search; if not, the search is interrupted."""
_LAST: Final = "\U0010ffff"  # sorts after every character of a token


def check_sqlite() -> None:
    """Refuse a Python whose SQLite has no full-text search."""
    with closing(sqlite3.connect(":memory:")) as db:
        try:
            _create_tables(db)
        except sqlite3.OperationalError as error:
            raise OptionError(
                f"the SQLite {sqlite3.sqlite_version} of this Python cannot search texts ({error}); "
                "use a Python whose module sqlite3 has FTS5, as those of python.org and conda have"
            ) from None


def _create_tables(db: sqlite3.Connection) -> None:
    for name, kind in _TABLES.items():
        db.execute(f"CREATE VIRTUAL TABLE {name} USING {kind}")


def write_index(db: sqlite3.Connection, documents: Iterable[tuple[str, str, str]]) -> None:
    """Index the tokens of each document's title, id and text, see `hlta.text.search.tokens_of`."""
    _create_tables(db)
    for row, (title, id_, text) in enumerate(documents):
        if title or id_:
            db.execute("INSERT INTO heads (rowid, title, id) VALUES (?, ?, ?)", (row, title, id_))
        db.execute("INSERT INTO texts (rowid, text) VALUES (?, ?)", (row, text))
    for name in ("heads", "texts"):
        db.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")


def seal(db: sqlite3.Connection) -> None:
    """Add a digest of the file's content: SQLite does not detect bytes that change within a value."""
    db.execute("INSERT INTO kept VALUES ('digest', '', ?)", (_digest(db),))


def _digest(db: sqlite3.Connection) -> str:
    digest = blake2b()
    for question in _CONTENT:
        for row in db.execute(question):
            for value in row:
                digest.update(value if isinstance(value, bytes) else f"{value} ".encode())
    return digest.hexdigest()


def key_of_texts(corpus: Corpus, words: Sequence[str]) -> str:
    """A digest that identifies the index of a corpus; without texts, it covers `words` instead."""
    digest = blake2b(__version__.encode() + corpus.digest_of_texts)
    if corpus.texts is None:
        digest.update("\n".join(words).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


@contextmanager
def index_of(
    corpus: Corpus, path: str | PathLike[str], words: Sequence[str]
) -> Iterator[IndexFile]:
    """The index of a corpus in a file, which is checked, and closed after the block."""
    index = IndexFile(Path(path), KEY_OF_TEXTS, key_of_texts(corpus, words))
    with closing(index):
        index.check()
        yield index


class IndexFile:
    """A file with an index, for any number of threads; no two use a connection at the same time.

    Parameters
    ----------
    path
        The file. Its table `kept` has a name, a type and data in each row.
    name, key
        The name of the row of `kept` that must hold this key as its data.

    Raises
    ------
    FormatError
        If it holds another key, or the file is damaged.
    """

    def __init__(self, path: Path, name: str, key: str) -> None:
        self._path, self._name, self._key = path, name, key
        self._idle = [self._open()]

    def close(self) -> None:
        """Close the file."""
        while self._idle:
            self._idle.pop().close()

    def check(self) -> None:
        """Refuse a file whose digest does not match its content."""
        with self.connect() as db:
            written = db.execute("SELECT data FROM kept WHERE name = 'digest'").fetchone()
            if written != (_digest(db),):
                raise sqlite3.DatabaseError("it does not hold what was written")

    def find(self, query: str) -> Ints:
        """The documents with all words and phrases of a query, ascending."""
        with self.connect(limited=True) as db:
            found = [_having(db, pattern) for pattern in patterns(query)]
        return np.flatnonzero(_count_lists(found) == len(found))

    def score(self, query: str, found: Bools) -> Floats32:
        """How well documents match a query, if they are among those `found`; 0 for all others.

        The page scores what it holds in the same way, see `explorer/src/selection/texts.ts`.
        """
        scores = np.zeros(len(found))
        with self.connect(limited=True) as db:
            for pattern in patterns(query):
                scores[_matching(db, "heads", pattern)] += IN_TITLE
                with suppress(sqlite3.DataError):  # too many for one string: they mean little
                    scores += np.log1p(_occurrences(db, pattern, len(found)))
        return np.where(found, scores, 0.0).astype(np.float32)

    @contextmanager
    def connect(self, *, limited: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection for this thread alone; if it is `limited`, for `_LONGEST` seconds at most."""
        try:
            db = self._idle.pop()
        except IndexError:
            db = self._open()
        end, is_wanted = monotonic() + (_LONGEST if limited else inf), IS_WANTED.get()
        db.set_progress_handler(lambda: monotonic() > end or not is_wanted(), _BETWEEN_LOOKS)
        try:
            yield db
        except sqlite3.DataError:  # an answer is too long
            raise
        except sqlite3.OperationalError as error:
            if str(error) != "interrupted":
                raise self._damage(error) from None
            if not is_wanted():
                raise ConnectionAbortedError from None
            raise OptionError(
                f"the search takes more than {_LONGEST:g} seconds; use fewer words, or rarer ones"
            ) from None
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise self._damage(error) from None
        finally:
            self._idle.append(db)

    def _damage(self, error: Exception) -> FormatError:
        return FormatError(f"{str(self._path)!r} is damaged ({error}); hlta serve makes it again")

    def _open(self) -> sqlite3.Connection:
        """A new connection to the file, which must hold the right key."""
        address = f"{self._path.absolute().as_uri()}?mode=ro&immutable=1"
        with ExitStack() as failing:
            try:
                db = sqlite3.connect(address, uri=True, check_same_thread=False)
                failing.callback(db.close)
                db.execute("PRAGMA trusted_schema = OFF")
                own = db.execute("SELECT data FROM kept WHERE name = ?", (self._name,)).fetchone()
            except (sqlite3.Error, ValueError) as error:  # such as a message that is not UTF-8
                raise self._damage(error) from None
            if own != (self._key,):
                raise FormatError(
                    f"{str(self._path)!r} is of another model, other documents or another version; "
                    "hlta serve makes it again"
                )
            failing.pop_all()
        return db


# ---- results of single statements --------------------------------------------------------------


def _having(db: sqlite3.Connection, pattern: Pattern) -> Ints:
    return np.union1d(*(_matching(db, table, pattern) for table in ("heads", "texts")))


def _occurrences(db: sqlite3.Connection, pattern: Pattern, count: int) -> Ints:
    """How often each document contains a pattern in its text."""
    *firsts, last = tokens(pattern.text).split(" ")
    place = "(doc << 32) + offset - ?" if firsts else "doc + ?"  # fewer digits take less time
    bounds = [(token, token) for token in firsts] + [(last, last + _LAST * pattern.prefix)]
    question = f"SELECT group_concat({place}) FROM places WHERE term BETWEEN ? AND ?"
    begins = [_numbers(db, question, k, first, end) for k, (first, end) in enumerate(bounds)]
    common = reduce(partial(np.intersect1d, assume_unique=True), begins)
    return np.bincount(common >> 32 if firsts else common, minlength=count)


def _matching(db: sqlite3.Connection, table: str, pattern: Pattern) -> Ints:
    question = f"SELECT group_concat(rowid) FROM {table} WHERE {table} MATCH ?"
    return _numbers(db, question, pattern.expression)


def _numbers(db: sqlite3.Connection, question: str, *given: str | int) -> Ints:
    """The numbers that a statement returns, in one string because that is the fastest way."""
    found = db.execute(question, given).fetchone()[0]
    return np.fromstring(found or "", dtype=np.int64, sep=",")


def _count_lists(lists: list[Ints]) -> Ints:
    """The number of lists that contain each number."""
    return np.bincount(np.concatenate([*lists, np.zeros(0, dtype=np.int64)]))

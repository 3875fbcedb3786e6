"""Files in portions, which the workers of a cluster read, and which are then joined in order.

A portion is a few files, or a block of a large one; how it is cut depends on the files alone. The
result of a portion depends on its files and the options alone, so any worker can read it, and again.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from hlta._support.messages import printable
from hlta._support.passes import run_pass
from hlta._support.threads import on_threads
from hlta.errors import ClusterError, DocumentsError, HltaError
from hlta.reading.compression import check_regular
from hlta.reading.cutting import Block, blocks_of, documents_of_block
from hlta.reading.paths import File, files_among, is_alone
from hlta.reading.recording import MetadataWriter, as_kept
from hlta.reading.records import ReadOptions, Record, Source
from hlta.reading.skipped import Skipped
from hlta.reading.sources import documents_of, finish_records, nothing_read
from hlta.text.scanner import StreamWriter, WordStream, as_whole, scan_part
from hlta.text.segmentation import Findings, Segmenter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hlta.monitor import Monitor
    from hlta.options import TextOptions

LEAST: Final = 1 << 22
"""The least number of bytes in a portion, but for the last."""
_MOST_PORTIONS: Final = 256
_OF_A_FILE: Final = 1 << 14  # bytes that could be read in the time that it takes to open a file
# The packages on which the documents of a file depend, besides those of every pass.
_PACKAGES: Final = (
    *("polars", "charset-normalizer", "selectolax", "pypdfium2", "zstandard", "simplemma"),
    *("rjieba", "fugashi", "unidic-lite", "kiwipiepy", "pythainlp"),
)
Event: TypeAlias = tuple[str, tuple[Any, ...]]
"""The name of a method of `_Reading`, and its arguments."""


class Piece(NamedTuple):
    """A file, or a block of one; the `stamp` is that of the file when portions were made."""

    file: File
    stamp: tuple[int, int]
    block: Block | None = None

    @property
    def weight(self) -> int:
        """How much there is to read, in bytes, with the time to open a file as bytes."""
        if self.block is None:
            return self.stamp[0] + _OF_A_FILE
        return self.block.end - self.block.begin

    def check(self) -> None:
        """Raise OSError unless this machine has the file, too, and with the same stamp."""
        with open(self.file.path, "rb"):
            pass
        if _stamp(self.file.path) != self.stamp:
            raise OSError(f"{self.file.path!r} is another file there, or has changed meanwhile")


@dataclass(frozen=True)
class Portion:
    """Pieces of files with consecutive documents, and what is to be reported between them."""

    pieces: tuple[Piece | Event, ...]

    @property
    def is_stored(self) -> bool:
        """Whether another process can read it."""
        return True


class Part(NamedTuple):
    """What was read of a portion.

    stream    the words of its texts, or the error that ended reading
    recorded  its documents as a corpus keeps them
    findings  the languages of its texts
    events    what was skipped, and which columns were taken
    """

    stream: WordStream | HltaError
    recorded: list[Record]
    findings: Findings
    events: list[Event]


@cache
def packages() -> dict[str, str]:
    """The versions of the packages that read files."""
    found = {}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


@dataclass(frozen=True)
class Reader:
    """Reads a portion, on any worker.

    short  the language of short texts, see `Segmenter`
    """

    names: Sequence[str]
    options: ReadOptions
    text: TextOptions
    keep_texts: bool
    short: str | None = None
    packages: dict[str, str] = field(default_factory=packages)

    def __call__(self, portion: Portion) -> Part:
        _check_packages(self.packages)
        events: list[Event] = []
        recorded: list[Record] = []
        segmenter = Segmenter(self.text, self.short)

        def texts() -> Iterator[str]:
            for record in self.documents(portion, events):
                recorded.append(as_kept(record, keep_texts=self.keep_texts))
                yield record.text

        stream: WordStream | HltaError
        try:
            with on_threads(1):
                stream = scan_part(texts(), self.text, segmenter).in_memory()
        except HltaError as error:
            stream = error
        return Part(stream, recorded, segmenter.findings, events)

    def documents(self, portion: Portion, events: list[Event]) -> Iterator[Record]:
        """The documents of a portion; what is to be reported of them is added to `events` meanwhile."""

        def telling(method: str) -> Callable[..., None]:
            return lambda *event: events.append((method, event))

        alone = is_alone(self.names)
        name = printable(self.names[0])
        source = Source(name, self.options, skip=telling("skip"), tell=telling("tell"))
        source = source if alone else source.among_others()

        def records() -> Iterator[Record]:
            for piece in portion.pieces:
                if not isinstance(piece, Piece):
                    events.append(piece)
                    continue
                piece.check()
                file, _, block = piece
                if block is None:
                    yield from documents_of(file, source, telling("leave"), elsewhere=True)
                    continue
                within = source if alone else source.within(file.shown)
                for record in documents_of_block(file.path, block, within):
                    yield record._replace(group=record.group or file.group)

        return finish_records(records(), source)


class _Reading:
    """The pass that reads portions, and what was read so far; only its reader is sent to workers.

    Merging reports what was skipped, and the columns of tables.
    """

    def __init__(self, reader: Reader, source: Source, monitor: Monitor) -> None:
        self.reader = reader
        self.skip, self.tell, self.leave = source.skip, source.tell, Skipped(source.skip)
        self.segmenter = Segmenter(reader.text, reader.short)
        self.stream = StreamWriter()
        self.metadata = MetadataWriter(reader.options.to_keep, keep_texts=reader.keep_texts)
        self._monitor = monitor

    def __getstate__(self) -> dict[str, Any]:
        return {"reader": self.reader}

    def zeros(self) -> Any:
        return self

    def accumulate(self, portion: Portion) -> Any:
        return self.reader(portion)

    def merge(self, total: Any, part: Any) -> Any:
        """Add what was read of the next portion, and report its events."""
        for method, event in part.events:
            getattr(self, method)(*event)
        if isinstance(part.stream, HltaError):
            raise part.stream
        self.stream.append(part.stream)
        for record in part.recorded:
            self.metadata.append(record)
        self.segmenter.add(part.findings)
        self._monitor.advance(part.stream.n_documents)
        return total


def portions_of(names: Sequence[str], options: ReadOptions) -> list[Portion]:
    """The portions of these paths; fewer than two if they have to be read in one go."""
    if names[0] == "-":
        return []
    pieces: list[Piece | Event] = []
    if is_alone(names):
        pieces.extend(_pieces(File(names[0], names[0], ""), options, alone=True))
    else:
        for file in files_among(names, lambda *event: pieces.append(("leave", event))):
            pieces.extend(_pieces(file, options, alone=False))
    return _group_pieces(pieces)


def read_portions(
    portions: Sequence[Portion], reader: Reader, source: Source, monitor: Monitor
) -> tuple[WordStream, dict[str, Any]]:
    """The words of the texts of all portions, and the metadata of the documents.

    Reports go to the source and the monitor, in the order of the portions.
    """
    reader = replace(reader, short=_language_of_short(portions, reader))
    read: _Reading = run_pass(_Reading(reader, source, monitor), portions, apart=True)
    stream = read.stream.read()
    if not stream.n_documents:
        raise nothing_read(reader.names, read.leave)
    return as_whole(stream, read.segmenter), read.metadata.read()


def _check_packages(expected: dict[str, str]) -> None:
    """Refuse to read with other versions of packages than the client has."""
    own = packages()
    for name in _PACKAGES:
        if own.get(name) != expected.get(name):
            there, here = (
                f"{name} {found[name]}" if name in found else f"no {name}"
                for found in (own, expected)
            )
            raise ClusterError(
                f"it has {there}, but your process has {here}; install the same packages on all workers"
            )


def _language_of_short(portions: Iterable[Portion], reader: Reader) -> str:
    """The language of short texts, by the first of all texts; errors in documents are reported later."""
    segmenter = Segmenter(reader.text)
    texts = (record.text for portion in portions for record in reader.documents(portion, []))
    try:
        with suppress(HltaError):
            segmenter.looking_ahead(texts)
    except OSError as error:
        raise DocumentsError(f"{error}; read again") from None
    return segmenter.short


def _pieces(file: File, options: ReadOptions, *, alone: bool) -> Sequence[Piece | Event]:
    """A file, or its blocks if it is large; if it cannot be opened, what is to be reported of it.

    There are none for a file that is `alone` and has no blocks: it is read in one go.
    """
    source = Source("", options) if alone else Source("", options).among_others()
    left: list[Event] = []
    try:
        check_regular(file.path)
        stamp = _stamp(file.path)
        with open(file.path, "rb"):
            pass
    except (OSError, DocumentsError):
        if alone:
            return []
        records = documents_of(file, source, lambda *event: left.append(("leave", event)))
        # If the file can be opened after all, start again.
        return left if next(records, None) is None else _pieces(file, options, alone=alone)
    file = file._replace(path=os.path.abspath(file.path))
    blocks = blocks_of(file.path, source, alone=alone)
    if not blocks:
        return [] if alone else [Piece(file, stamp)]
    return [Piece(file, stamp, block) for block in blocks]


def _group_pieces(pieces: Sequence[Piece | Event]) -> list[Portion]:
    """Portions of consecutive pieces, each of about the same weight."""
    every = [(piece, piece.weight if isinstance(piece, Piece) else 0) for piece in pieces]
    size = max(LEAST, sum(weight for _, weight in every) // _MOST_PORTIONS)
    portions: list[Portion] = []
    held: list[Piece | Event] = []
    held_weight = 0
    for piece, weight in every:
        held.append(piece)
        held_weight += weight
        if held_weight >= size:
            portions.append(Portion(tuple(held)))
            held, held_weight = [], 0
    return [*portions, Portion(tuple(held))] if held else portions


def _stamp(path: str) -> tuple[int, int]:
    """The size of a file, and the time when it was last written."""
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns

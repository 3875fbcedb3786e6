"""The names of the files that `hlta` writes, how each is recognised, and versions of formats."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from hlta.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

MODEL: Final = "model.hlta"
TOPICS: Final = "topics.json"
TOPIC_TABLE: Final = "topics.csv"
DOCUMENTS: Final = "documents.csv"
SHARES: Final = "shares.csv"
PAGE: Final = "index.html"
RUN: Final = "run.json"
CORPUS: Final = "corpus.json"
KEPT_FOR_SERVING: Final = ".served"
"""The ending of the name of the file that `hlta serve` keeps beside a model."""
METADATA: Final = ("ids", "titles", "dates", "groups", "texts")
"""What a corpus may have for each document, besides its words."""

# How each file begins: enough to tell it from a file of the same name that somebody else wrote.
_BEGINNINGS: Final = {
    MODEL: rb"PK\x03\x04.{26}header\.json",
    TOPICS: rb'\{\s*"format": "hlta-topics"',
    TOPIC_TABLE: rb"\W*id\W+level\W+parent\W+title\W",
    # In earlier versions, it had a row per document and topic.
    DOCUMENTS: rb"document,topic(_\d+,title_|,title,share(,|\r?\n)|,level,probability\r?\n)",
    SHARES: rb"document,topic,title,level,share\r?\n",
    PAGE: rb'<!doctype html>.*<meta name="generator" content="hlta">',
    RUN: rb'\{\s*"hlta": ',
    CORPUS: rb'\{\s*"format": "hlta-corpus"',
}
RESULTS: Final = frozenset(_BEGINNINGS) - {CORPUS}
"""The files that `hlta fit` writes into a folder, and that other commands write again."""
_MATRIX: Final = re.compile(r"\.(lda\.txt|ldac|lda-c|dat|npz|mtx|txt)$", re.IGNORECASE)
_ARRAYS: Final = re.compile(
    rf"((\d{{5,}}\.)?(indptr|indices)|coverage|originals|vectors|"
    rf"({'|'.join(METADATA)}|fields\.\d+)(\.ends)?|"
    r"phrases\.(rows|indptr|indices)|sections\.(starts|indptr|indices))\.npy"
)
_KEPT: Final = rb"SQLite format 3\0.{52}hlta"  # with our application id
_ENOUGH: Final = 4096  # bytes


def is_ours(file: Path) -> bool:
    """Whether `hlta` wrote a file, by its name and first bytes, or a folder with only a saved corpus."""
    if file.is_symlink():
        return False
    if file.is_dir():
        return (file / CORPUS).is_file() and all(map(is_ours, file.iterdir()))
    if not file.is_file():
        return False
    beginning = rb"\x93NUMPY" if _ARRAYS.fullmatch(file.name) else _BEGINNINGS.get(file.name)
    if file.name.endswith(KEPT_FOR_SERVING):
        beginning = _KEPT
    if beginning is None:
        return False
    with file.open("rb") as opened:
        return re.match(beginning, opened.read(_ENOUGH), re.DOTALL) is not None


def name_of_words(matrix: str) -> str:
    """The name of the file with the words of a matrix, which is beside it.

    Examples
    --------
    >>> name_of_words("docword.kos.txt"), name_of_words("kos.mtx")
    ('vocab.kos.txt', 'kos.words.txt')
    """
    if is_uci(matrix):
        return f"vocab{matrix[len('docword') :]}"
    return f"{_MATRIX.sub('', matrix)}.words.txt"


def is_uci(name: str) -> bool:
    """Whether a file is a matrix in the format of the UCI repository, by its name."""
    return name.lower().startswith("docword") and name.lower().endswith(".txt")


def may_be_moved(files: Collection[Path], target: Path) -> bool:
    """Whether files that a killed run had yet to move to their places may be moved there by another run.

    Results may replace results. A matrix may follow its words, which are moved before it. Nothing else
    is moved: in a folder that came from somebody else, such files may be forged.
    """
    if target.name not in RESULTS:
        return [file.name for file in files] == [target.name]
    places = [target.with_name(file.name) for file in files]
    return bool(files) and all(
        file.name in RESULTS and is_ours(file) and (is_ours(place) or not os.path.lexists(place))
        for file, place in zip(files, places, strict=True)
    )


def check_fields(holder: str, found: Iterable[str], known: Collection[str]) -> None:
    """Refuse unknown fields, so that a file sets nothing that only its user may decide.

    `holder` begins the message, as "model.hlta: its header has".
    """
    for field in found:
        if field not in known:
            raise FormatError(
                f"{holder} the field {field!r:.80}, which this hlta never writes there; the file was "
                "tampered with, or a newer hlta wrote it"
            )


def check_version(name: str, version: object, known: int) -> None:
    """Refuse a format version that this hlta does not read: it reads 1 to `known`."""
    if version not in range(1, known + 1):
        reads = "version 1" if known == 1 else f"versions 1 to {known}"
        raise FormatError(
            f"{name} has format version {version!r}, but this hlta reads {reads}; "
            "use the hlta that wrote it, or a newer one"
        )

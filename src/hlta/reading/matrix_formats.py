"""The formats of document-word matrices, which a file's name tells, and where the words are.

UCI bag of words (docword and vocab), LDA-C, the authors' tuples (.sparse.txt), SciPy's .npz and
MatrixMarket.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from hlta.reading.encodings import without_compression

if TYPE_CHECKING:
    from pathlib import Path

    from scipy.sparse import csr_array

_ENDINGS: Final = {
    ".sparse.txt": "tuples",
    ".lda.txt": "lda-c",
    ".ldac": "lda-c",
    ".lda-c": "lda-c",
    ".npz": "npz",
    ".mtx": "mtx",
}

BESIDE: Final = frozenset({"uci", "lda-c", "mtx"})
"""Formats whose words are in a file of their own."""


class Matrix(NamedTuple):
    """A document-word matrix with its counts.

    counts  documents by words
    words   the names of the columns
    ids     the names of the rows, if the format has them
    """

    counts: csr_array
    words: tuple[str, ...]
    ids: tuple[str, ...] | None = None


def format_of(path: Path) -> str | None:
    """The format that a file's name tells, or None: it is not a matrix.

    Examples
    --------
    >>> from pathlib import Path
    >>> format_of(Path("docword.kos.txt.gz")), format_of(Path("kos.npz")), format_of(Path("kos.txt"))
    ('uci', 'npz', None)
    """
    name = without_compression(path.name.lower())
    if name.startswith("docword") and name.endswith(".txt"):
        return "uci"
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)


def vocabulary_beside(path: Path) -> list[Path]:
    """Where the words of a matrix may be, the usual place first."""
    name = without_compression(path.name)
    if format_of(path) == "uci":
        names = ["vocab" + name[len("docword") :]]
    else:
        stem = re.sub(r"(?i)\.(lda\.txt|ldac|lda-c|npz|mtx|txt)$", "", name)
        names = [f"{stem}.words.txt", f"{stem}.vocab"]
    return [path.with_name(beside) for beside in [*names, "vocab.txt"]]

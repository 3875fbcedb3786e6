"""The document-word matrix in the form that the kernels take: which words each document contains."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.arrays import gather_lists, offsets, ranges, read_only
from hlta._support.checks import check_numbers
from hlta._support.messages import plural
from hlta.documents.shards import Presences, Shard, StoredShard, check_presences
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray
    from scipy.sparse import csr_array

    from hlta._kernels.postings import Rows

PRESENCES_AT_ONCE: Final = 1 << 22
"""About how many presences are in memory at a time; a single document may have more."""
_MOST_DOCUMENTS: Final = 2**32 - 1
_MOST_WORDS: Final = 2**31 - 1
"""The most documents and words that the kernels can number."""


class Piece(NamedTuple):
    """Consecutive documents of a shard, from `begin` to before `end`."""

    shard: Shard
    begin: int
    end: int

    @property
    def n_documents(self) -> int:
        """How many documents there are."""
        return self.end - self.begin

    @property
    def n_presences(self) -> int:
        """How many presences they have."""
        if self.n_documents == self.shard.n_documents:
            return self.shard.n_presences
        indptr = self.shard.presences().indptr
        return int(indptr[self.end] - indptr[self.begin])

    def presences(self) -> Presences:
        """Their words, which are not copied."""
        indptr, indices = self.shard.presences()
        if self.n_documents == self.shard.n_documents:
            return Presences(indptr, indices)
        indptr = indptr[self.begin : self.end + 1]
        return Presences(indptr - indptr[0], indices[indptr[0] : indptr[-1]])


class Sections(NamedTuple):
    """The sections of all documents, from which a model learns; a short document is one section.

    documents  Documents: the sections of all documents, one after the other
    starts     int64 (documents + 1,): where the sections of each document begin, and the end
    """

    documents: Documents
    starts: NDArray[np.int64]

    def of_rows(self, begin: int, end: int) -> Sections:
        """The sections of consecutive documents."""
        starts = self.starts[begin : end + 1]
        return Sections(self.documents[int(starts[0]) : int(starts[-1])], starts - starts[0])

    def of_chosen(self, rows: NDArray[np.integer[Any]]) -> Sections:
        """The sections of the documents with these numbers, in this order."""
        starts, chosen = gather_lists(self.starts[rows], np.diff(self.starts)[rows])
        return Sections(self.documents.take(chosen), starts)


class Documents:
    """A binary document-word matrix in compressed rows, without values: every entry is a presence.

    It is made of shards, in memory or on disk. Slices do not copy words, and `parts` and `chunks`
    iterate over a few documents at a time.

    Parameters
    ----------
    indptr : int64 (documents + 1,)
        Row d owns `indices[indptr[d]:indptr[d + 1]]`.
    indices : uint32 (presences,)
        Word numbers below `n_words`, ascending in each row.
    n_words : int
        The number of columns.

    Attributes
    ----------
    sections : Sections or None
        The sections of the documents, if some are long.
    vectors : int16 (documents, dimensions) or None
        A vector of each document, if they were given; see `hlta.documents.vectors`.

    Raises
    ------
    DocumentsError
        If the arrays are not such a matrix. They are not checked again: kernels trust them.
    """

    def __init__(
        self, indptr: NDArray[np.int64], indices: NDArray[np.uint32], n_words: int
    ) -> None:
        presences = Presences(indptr, indices)
        check_presences(presences, n_words)
        check_size((len(indptr) - 1, n_words))
        self._pieces: tuple[Piece, ...] = (Piece(presences, 0, presences.n_documents),)
        self._n_words = n_words
        self.sections: Sections | None = None
        self.vectors: NDArray[np.int16] | None = None

    @classmethod
    def of_shards(cls, shards: Iterable[Shard], n_words: int) -> Documents:
        """Make documents of consecutive shards, which were checked already.

        Parameters
        ----------
        shards
            The shards.
        n_words
            The number of columns.
        """
        return cls._of_pieces([Piece(shard, 0, shard.n_documents) for shard in shards], n_words)

    @classmethod
    def of_checked(
        cls, indptr: NDArray[np.int64], indices: NDArray[np.uint32], n_words: int
    ) -> Documents:
        """Make documents of arrays that were checked already.

        Parameters
        ----------
        indptr, indices, n_words
            As in `Documents`.
        """
        return cls.of_shards([Presences(indptr, indices)], n_words)

    @classmethod
    def _of_pieces(
        cls,
        pieces: Sequence[Piece],
        n_words: int,
        sections: Sections | None = None,
        vectors: NDArray[np.int16] | None = None,
    ) -> Documents:
        documents = cls.__new__(cls)
        documents._pieces, documents._n_words = tuple(pieces), n_words
        documents.sections, documents.vectors = sections, vectors
        return documents

    def with_vectors(self, vectors: NDArray[np.int16] | None) -> Documents:
        """The same documents with these vectors; each section gets the vector of its document.

        Parameters
        ----------
        vectors
            As `hlta.documents.vectors.read_vectors` returns them; None for no vectors.

        Returns
        -------
        Documents
        """
        sections = self.sections
        if sections is not None:
            own = None
            if vectors is not None:
                own = np.repeat(vectors, np.diff(sections.starts), axis=0)
            sections = sections._replace(documents=sections.documents.with_vectors(own))
        return Documents._of_pieces(self._pieces, self._n_words, sections, vectors)

    def with_sections(self, sections: Sections | None) -> Documents:
        """The same documents, divided into these sections.

        Parameters
        ----------
        sections
            Sections of as many documents, over the same words; None for no sections.

        Returns
        -------
        Documents

        Raises
        ------
        DocumentsError
            If the sections do not fit the documents.
        """
        if sections is not None:
            lengths = np.diff(sections.starts)
            fits = len(lengths) == len(self) and (lengths > 0).all() and sections.starts[0] == 0
            shape = int(sections.starts[-1]), self.n_words
            if not fits or sections.documents.shape != shape:
                raise DocumentsError("the sections do not fit the documents")
        found = Documents._of_pieces(self._pieces, self._n_words, sections)
        return found.with_vectors(self.vectors)

    @property
    def units(self) -> Documents:
        """What a model learns from: the sections if there are any, or else the documents."""
        return self if self.sections is None else self.sections.documents

    def sums_over_sections(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum over the `units` of each document.

        Parameters
        ----------
        values
            float64 (units,) or (units, columns).

        Returns
        -------
        float64 (documents,) or (documents, columns)
        """
        if self.sections is None or not len(self):
            return values
        sums: NDArray[np.float64] = np.add.reduceat(values, self.sections.starts[:-1], axis=0)
        return sums

    def mean_over_sections(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean over the `units` of each document, weighted by their numbers of words.

        Parameters
        ----------
        values
            float64 (units, columns).

        Returns
        -------
        float64 (documents, columns)
        """
        if self.sections is None:
            return values
        weight = self.units.lengths[:, None].astype(np.float64)
        total = np.maximum(self.sums_over_sections(weight), 1.0)
        return np.asarray(self.sums_over_sections(values * weight) / total)

    def __len__(self) -> int:
        return int(self._starts[-1])

    def __repr__(self) -> str:
        return f"Documents({plural(len(self), 'document')}, {plural(self.n_words, 'word')})"

    @property
    def n_words(self) -> int:
        """The number of columns."""
        return self._n_words

    @property
    def shape(self) -> tuple[int, int]:
        """Documents and words."""
        return len(self), self.n_words

    @cached_property
    def n_presences(self) -> int:
        """The number of entries."""
        return sum(piece.n_presences for piece in self._pieces)

    @property
    def is_stored(self) -> bool:
        """Whether all documents lie in the files of a saved corpus, for other processes to read."""
        return all(isinstance(piece.shard, StoredShard) for piece in self._pieces)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """The number of the first document of each piece; and last, how many documents there are."""
        return offsets([piece.n_documents for piece in self._pieces])

    @property
    def indptr(self) -> NDArray[np.int64]:
        """int64 (documents + 1,): row d owns `indices[indptr[d]:indptr[d + 1]]`."""
        return self.presences().indptr

    @property
    def indices(self) -> NDArray[np.uint32]:
        """uint32 (presences,): word numbers, ascending in each row."""
        return self.presences().indices

    def presences(self) -> Presences:
        """`indptr` and `indices`; if there are several shards, these are copies in memory."""
        if len(self._pieces) == 1:
            return self._pieces[0].presences()
        parts = [piece.presences() for piece in self._pieces]
        lengths = [np.empty(0, dtype=np.int64), *(np.diff(part.indptr) for part in parts)]
        indices = [np.empty(0, dtype=np.uint32), *(part.indices for part in parts)]
        return Presences(offsets(np.concatenate(lengths)), np.concatenate(indices))

    @property
    def rows(self) -> Rows:
        """The matrix as the compiled kernels take it."""
        from hlta._kernels.postings import Rows

        indptr, indices = self.presences()
        return Rows(read_only(indptr), read_only(indices))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many words each document has: int64 (documents,)."""
        of_pieces = [np.diff(piece.presences().indptr) for piece in self._pieces]
        return np.concatenate([np.empty(0, dtype=np.int64), *of_pieces])

    @cached_property
    def document_frequency(self) -> NDArray[np.int64]:
        """In how many documents each word is: int64 (n_words,)."""
        total = np.zeros(self.n_words, dtype=np.int64)
        for _, part in self.parts():
            total += np.bincount(part.indices, minlength=self.n_words)
        return total

    def __getitem__(self, rows: slice) -> Documents:
        """Consecutive documents, as `documents[100:200]`; their words are not copied."""
        begin, end, step = rows.indices(len(self))
        if step != 1:
            raise ValueError(f"documents[::{step}]: slices have steps of 1; use take for others")
        at = max(0, int(np.searchsorted(self._starts, begin, side="right")) - 1)
        beyond = int(np.searchsorted(self._starts, end))
        pieces = [
            piece._replace(
                begin=piece.begin + max(begin - start, 0),
                end=piece.begin + min(end - start, piece.n_documents),
            )
            for start, piece in zip(
                self._starts[at:beyond].tolist(), self._pieces[at:beyond], strict=False
            )
        ]
        sections = None if self.sections is None else self.sections.of_rows(begin, max(begin, end))
        filled = [piece for piece in pieces if piece.n_documents > 0]
        vectors = None if self.vectors is None else self.vectors[begin : max(begin, end)]
        return Documents._of_pieces(filled, self.n_words, sections, vectors)

    def chunks(self, size: int) -> Iterator[tuple[int, Documents]]:
        """Consecutive documents, some at a time.

        Parameters
        ----------
        size
            How many documents at a time; the last part may have fewer.

        Yields
        ------
        int, Documents
            The number of the first document of a part, and the part.
        """
        for begin, end in ranges(len(self), max(1, size)):
            yield begin, self[begin:end]

    def parts(self) -> Iterator[tuple[int, Documents]]:
        """As `chunks`, but in parts of about `PRESENCES_AT_ONCE` presences at most."""
        begin = 0
        for part in self.cut(-(-self.n_presences // PRESENCES_AT_ONCE)):
            yield begin, part
            begin += len(part)

    def to_csr(self, dtype: DTypeLike = np.int8) -> csr_array:
        """The matrix as a SciPy array, with a one for each presence.

        Parameters
        ----------
        dtype
            Type of the ones.

        Returns
        -------
        scipy.sparse.csr_array (documents, n_words)
        """
        from scipy.sparse import csr_array

        indptr, indices = self.presences()
        ones = np.ones(len(indices), dtype=dtype)
        return csr_array((ones, indices.astype(np.int64), indptr), shape=self.shape)

    def take(self, rows: NDArray[np.integer[Any]]) -> Documents:
        """The documents with these numbers, in this order.

        Parameters
        ----------
        rows
            Numbers of documents, from 0, which may repeat.

        Returns
        -------
        Documents

        Raises
        ------
        OptionError
            If there is no document with one of these numbers.
        """
        rows = check_numbers("rows", rows, len(self), "documents")
        sections = None if self.sections is None else self.sections.of_chosen(rows)
        vectors = None if self.vectors is None else self.vectors[rows]
        if len(self._pieces) == 1:
            taken = [_copy_rows(self._pieces[0], rows)]
            return Documents._of_pieces(taken, self.n_words, sections, vectors)
        order = np.argsort(rows, kind="stable")
        bounds = np.searchsorted(rows, self._starts, sorter=order)
        found = Documents._of_pieces(
            [
                _copy_rows(piece, rows[order[begin:end]] - start)
                for piece, start, (begin, end) in zip(
                    self._pieces, self._starts, pairwise(bounds), strict=False
                )
                if begin < end
            ],
            self.n_words,
        )
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        ordered = Documents.of_checked(*found.presences(), self.n_words).take(back)
        return Documents._of_pieces(ordered._pieces, self.n_words, sections, vectors)

    def cut(self, count: int) -> list[Documents]:
        """Cut into parts of about equal work: presences and documents together.

        Parameters
        ----------
        count
            Number of parts; there are fewer if some would be empty.

        Returns
        -------
        list of Documents
        """
        work = offsets([piece.n_presences + piece.n_documents for piece in self._pieces])
        bounds = {0, len(self)}
        for part in range(1, count):
            target = part * int(work[-1]) // count
            at = max(0, int(np.searchsorted(work, target)) - 1)
            indptr, reached = self._pieces[at].presences().indptr, int(work[at])
            row = bisect_left(
                range(len(indptr)), target, key=lambda d: reached + int(indptr[d]) + d
            )
            bounds.add(int(self._starts[at]) + row)
        return [self[begin:end] for begin, end in pairwise(sorted(bounds))]

    def shards(self, grain: int, most: int = 32) -> list[Documents]:
        """Cut into the shards of a pass, which have about equal work, as in `cut`.

        They depend on the documents and the arguments alone, neither on the number of threads nor on
        the shards on disk: sums over them, merged in this order, are the same to the last bit. Their
        number is a power of two, so that two, four or eight threads share them evenly.

        Parameters
        ----------
        grain
            Presences and documents per shard, together, at least.
        most
            Number of shards at most; or the work divided by `PRESENCES_AT_ONCE`, if that is more.

        Returns
        -------
        list of Documents
        """
        work = self.n_presences + len(self)
        most = max(most, work // PRESENCES_AT_ONCE)
        wanted = min(most, max(1, work // grain))
        return self.cut(1 << (wanted.bit_length() - 1))


def _copy_rows(piece: Piece, rows: NDArray[np.integer[Any]]) -> Piece:
    """A copy of chosen documents of a piece."""
    indptr, indices = piece.presences()
    taken, entries = gather_lists(indptr[rows], np.diff(indptr)[rows])
    return Piece(Presences(taken, indices[entries]), 0, len(rows))


def check_size(shape: tuple[int, int]) -> None:
    """Refuse more documents or words than the kernels can number."""
    for count, most, things in (
        (shape[0], _MOST_DOCUMENTS, "documents"),
        (shape[1], _MOST_WORDS, "words"),
    ):
        if not 0 <= count <= most:
            raise DocumentsError(f"there are {count:,} {things}; there can be {most:,} at most")

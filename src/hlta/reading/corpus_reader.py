"""`read_corpus`, which makes a `Corpus` of files of any kind; and the same for data frames."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from hlta._support.messages import printable
from hlta._support.passes import passes_leave_this_process
from hlta.cluster import passes_on
from hlta.documents.corpus import Corpus, make_text_options
from hlta.documents.corpus_folder import holds_corpus
from hlta.documents.frames import is_frame, plain
from hlta.errors import DocumentsError, OptionError
from hlta.monitor import Monitor, as_monitor
from hlta.options import TextKeywords, TextOptions
from hlta.reading.matrices.beside_matrices import (
    WORD_OPTIONS,
    refuse_text_options,
    with_metadata,
    without_words,
)
from hlta.reading.matrices.matrix_files import format_of, read_matrix
from hlta.reading.paths import Paths, expand_paths
from hlta.reading.portions import Reader, portions_of, read_portions
from hlta.reading.recording import MetadataWriter, with_group_name
from hlta.reading.records import Columns, ReadKeywords, ReadOptions, Record, Source
from hlta.reading.sources import read_documents, read_paths, source_of
from hlta.text.scanner import WordStream, scan
from hlta.text.vocabulary import choose_vocabulary, with_further_words, with_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scipy.sparse import csr_array


class CorpusKeywords(ReadKeywords, TextKeywords, total=False):
    """The options of `read_corpus`: how files become documents, and how their texts become words."""


def read_corpus(
    path: Paths,
    *,
    vocabulary: str | os.PathLike[str] | None = None,
    metadata: str | os.PathLike[str] | None = None,
    keep_texts: bool = True,
    on_skip: Callable[[str, str], None] | None = None,
    progress: Any = False,
    n_jobs: int | None = None,
    client: Any = None,
    **options: Unpack[CorpusKeywords],
) -> Corpus:
    """Read documents and choose the words to keep.

    Parameters
    ----------
    path
        A table (CSV, TSV, Excel, JSON, JSON lines, Parquet, Arrow), with one document per row; a
        mailbox; a text file, with one document per line; a file with one document, such as PDF, HTML,
        Word or mail; a folder of any of these; a list of paths, or a pattern such as "*.csv", which
        are read as if they were in one folder; "-", standard input; a matrix (docword*.txt, .ldac,
        .sparse.txt, .npz, .mtx); or a corpus that was saved.
    vocabulary
        A file with the words of a matrix, one per line. If None, it is looked for beside the matrix.
    metadata
        A CSV or TSV file with the ids, titles, dates, groups or texts of the documents of a matrix, in
        columns like those of other tables. Its rows are in the order of the matrix, or found by id if
        both have ids.
    keep_texts
        Whether the corpus keeps the texts, so that they can be searched, and read in the page.
    on_skip
        Called with the place and the reason for everything that is skipped.
    progress
        True to report on stderr, or an `hlta.Monitor`.
    n_jobs
        Threads; None for all processors. The corpus does not depend on it.
    client
        Where files are read, see "On a cluster" in the documentation: a client of Dask, the address
        of a scheduler, or "local" for processes on this machine; None for the client that is active,
        if there is one. The corpus does not depend on it.
    **options
        The fields of `ReadOptions`, among them `text`, `title`, `id`, `date`, `group`, `keep` (names
        of further columns to compare documents by, or "all" for every one with few values) and
        `encoding`, and those of `hlta.TextOptions`, among them `n_words`, `stop_words` and `ngrams`.
        A matrix and a saved corpus hold words already: of `TextOptions`, they take only `stop_words`,
        `min_df`, `max_df` and `exclude`, a matrix also `keep_style`; `ReadOptions` are about `metadata`.
        As in texts, words of a matrix that are too frequent or too rare are left out, and stop words
        and, if it holds counts, filler words; the words of a saved corpus were chosen before.

    Returns
    -------
    Corpus

    Raises
    ------
    DocumentsError
        If the documents cannot be read; the message names the file and the line.
    OptionError
        If an option is unknown, has a value outside its range, or does not apply to `path`.
    FormatError
        If a saved corpus is damaged.

    Examples
    --------
    >>> from importlib.resources import files
    >>> demo = files("hlta.data") / "arxiv.tsv.xz"
    >>> corpus = read_corpus(demo, text="abstract", group="category", n_words=1000)
    >>> corpus
    Corpus(2,034 documents, 1,000 words)
    >>> corpus.groups[0]
    'math.DG'
    """
    names = vars(ReadOptions())
    read_keywords: dict[str, Any] = {k: v for k, v in options.items() if k in names}
    text_keywords: dict[str, Any] = {k: v for k, v in options.items() if k not in names}
    read = ReadOptions(**read_keywords)
    matrix = matrix_among(path)
    if matrix is not None:
        refuse_text_options(sorted(set(text_keywords) - set(WORD_OPTIONS)), str(matrix))
        corpus, counts = _read_matrix(matrix, vocabulary, metadata, read, keep_texts=keep_texts)
        if counts is None and "keep_style" in text_keywords:
            raise OptionError(
                f"keep_style applies to matrices of counts, but {matrix} is a saved corpus, whose words "
                "were chosen when it was read; leave it out"
            )
        return without_words(corpus, text_keywords, counts, as_monitor(progress))
    _refuse_beside(path, vocabulary=vocabulary, metadata=metadata)
    text_options = make_text_options(text_keywords, other_options=names)
    monitor = as_monitor(progress)
    paths, on_columns = expand_paths(path), _TakenColumns(monitor)
    with passes_on(client, n_jobs), monitor.stage("reading"):
        # A tokenizer that is a function may not exist in other processes.
        may_leave = passes_leave_this_process() and not callable(text_options.tokenizer)
        source = source_of(paths, read, on_skip, on_columns)
        portions = portions_of(paths, read) if may_leave else []
        if len(portions) > 1:
            reader = Reader(paths, read, text_options, keep_texts)
            stream, known = read_portions(portions, reader, source, monitor)
            return on_columns.naming(_corpus(stream, text_options, known, monitor))
        records = read_paths(paths, source)
        writer = MetadataWriter(read.to_keep, keep_texts=keep_texts)
        return on_columns.naming(corpus_of_records(records, text_options, writer, monitor))


def corpus_of_records(
    records: Iterable[Record],
    text_options: TextOptions,
    writer: MetadataWriter,
    monitor: Monitor,
) -> Corpus:
    """The corpus of documents as they were read, with words chosen from their texts."""
    stream = scan(writer.recording(records, monitor), text_options)
    return _corpus(stream, text_options, writer.read(), monitor)


def _corpus(
    stream: WordStream, text_options: TextOptions, known: dict[str, Any], monitor: Monitor
) -> Corpus:
    """The corpus of texts that were read, with the metadata `known` of them."""
    read = choose_vocabulary(stream, text_options, known.get("titles", ()))
    if read.text_options.languages:
        names = (name.title() for name in read.text_options.languages)
        monitor.note(f"languages: {', '.join(names)}")
    return Corpus(**read._asdict(), **known)


def read_with_words(
    path: Paths,
    words: Sequence[str],
    text_options: TextOptions | None,
    *,
    vocabulary: str | os.PathLike[str] | None = None,
    metadata: str | os.PathLike[str] | None = None,
    keep_texts: bool = True,
    further_words: bool = False,
    on_skip: Callable[[str, str], None] | None = None,
    **options: Unpack[ReadKeywords],
) -> Corpus:
    """Read documents with the words of a model; `text_options` says how its own texts were read.

    With `further_words`, the other words of texts that could have been chosen follow. A matrix keeps
    its own words.
    """
    read = ReadOptions(**options)
    matrix = matrix_among(path)
    if matrix is not None:
        return _read_matrix(matrix, vocabulary, metadata, read, keep_texts=keep_texts)[0]
    _refuse_beside(path, vocabulary=vocabulary, metadata=metadata)
    if text_options is None:
        raise DocumentsError(
            "the model was learned from a matrix and cannot read texts such as "
            f"{expand_paths(path)[0]!r}; give a matrix"
        )
    writer, taken = MetadataWriter(read.to_keep, keep_texts=keep_texts), _TakenColumns(Monitor())
    records = read_documents(path, read, on_skip=on_skip, on_columns=taken)
    texts = writer.recording(records, Monitor())
    names, known = tuple(words), dict[str, Any]()
    if further_words:
        further = with_further_words(texts, names, text_options)
        documents, names, known["coverage"], known["originals"] = further
    else:
        documents, known["coverage"] = with_vocabulary(texts, names, text_options)
    corpus = Corpus(documents, names, text_options=text_options, **known, **writer.read())
    return taken.naming(corpus)


def matrix_among(path: Paths) -> Path | None:
    """The matrix or saved corpus, if there is one among the paths; it must be the only path."""
    paths = [Path(name) for name in expand_paths(path)]
    matrix = next((one for one in paths if format_of(one) or holds_corpus(one)), None)
    if matrix is not None and len(paths) > 1:
        raise OptionError(
            f"{str(matrix)!r} holds words already, so it must be the only path; leave out the "
            "other paths"
        )
    return matrix


def _refuse_beside(path: Paths, **beside: str | os.PathLike[str] | None) -> None:
    """Refuse files that only a matrix can have."""
    for name, file in beside.items():
        if file is not None:
            raise OptionError(
                f"{name}={os.fspath(file)!r} belongs to a matrix, but {expand_paths(path)[0]!r} is not a "
                "matrix file; leave it out"
            )


def _read_matrix(
    path: Path,
    vocabulary: str | os.PathLike[str] | None,
    metadata: str | os.PathLike[str] | None,
    read: ReadOptions,
    keep_texts: bool,
) -> tuple[Corpus, csr_array | None]:
    """The corpus of a matrix, and its counts; or a saved corpus, and None. `metadata` is added."""
    counts = None
    if path.is_dir():
        _refuse_beside(str(path), vocabulary=vocabulary)
        corpus = Corpus.load(path)
    else:
        matrix = read_matrix(path, None if vocabulary is None else Path(vocabulary))
        corpus, counts = Corpus(matrix.counts, matrix.words, ids=matrix.ids), matrix.counts
    if metadata is not None:
        return with_metadata(corpus, metadata, read, keep_texts=keep_texts), counts
    defaults = vars(ReadOptions())
    refuse_text_options((k for k, value in vars(read).items() if value != defaults[k]), str(path))
    return corpus, counts


class _TakenColumns:
    """Reports which columns were taken, once for all tables with the same ones."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        self._noted: set[str] = set()
        self._groups: set[str] = set()

    def __call__(self, name: str, columns: Columns) -> None:
        taken = printable(str(columns))
        if (group := columns.parts["group"]) is not None:
            self._groups.add(group)
        if taken not in self._noted:
            self._noted.add(taken)
            self._monitor.note(f"Reading {Path(name).name}: {taken}")

    def naming(self, corpus: Corpus) -> Corpus:
        """The corpus whose groups have the name of their column, if it is the same in all tables."""
        return with_group_name(corpus, *self._groups) if len(self._groups) == 1 else corpus


# ---- data frames ----------------------------------------------------------------------------


def corpus_of_frame(
    frame: Any, columns: Mapping[str, Any], text_options: TextOptions, *, keep_texts: bool
) -> Corpus:
    """The corpus of a data frame; `columns` are the fields of `ReadOptions` that name columns."""
    if not is_frame(frame):
        raise DocumentsError(
            f"frame is of type {type(frame).__name__}; give a data frame of pandas or Polars"
        )
    options = ReadOptions(**columns)
    names = [str(name) for name in frame.columns]
    found = Source("the data frame", options).columns(names)
    writer = MetadataWriter(options.to_keep, keep_texts=keep_texts)
    corpus = corpus_of_records(frame_records(frame, found), text_options, writer, Monitor())
    return with_group_name(corpus, found.parts["group"])


def frame_records(frame: Any, columns: Columns) -> Iterator[Record]:
    """A document per row, numbered from 0; missing texts are refused, other missing values are empty."""
    names = {str(name): name for name in frame.columns}
    values = [_column(frame, names[name]) for name in columns.used]
    text = columns.used.index(columns.text)
    for number, row in enumerate(zip(*values, strict=True)):
        if not isinstance(row[text], str):
            raise DocumentsError(
                f"row {number:,} of column {columns.text!r}, counted from 0, holds "
                f"{printable(repr(row[text]))[:40]}, "
                'which is not text; leave such rows out, or fill them with ""'
            )
        entry = dict(zip(columns.used, map(plain, row), strict=True))
        yield columns.record(entry, number)


def _column(frame: Any, name: Any) -> Any:
    column = frame[name]
    if is_frame(column):
        raise DocumentsError(f"the data frame has several columns {name!r}; rename all but one")
    return column

"""`read_corpus`: from files of any kind to a `Corpus`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hlta._support.checks import check_whole
from hlta.documents.corpus import SNIPPET, Corpus, make_text_options
from hlta.documents.corpus_folder import METADATA, holds_corpus
from hlta.documents.strings import StringsWriter, beginning
from hlta.errors import DocumentsError, OptionError
from hlta.monitor import Monitor, as_monitor
from hlta.options import TextKeywords
from hlta.reading.matrix_files import format_of, read_matrix
from hlta.reading.records import ReadKeywords, ReadOptions, Record
from hlta.reading.sources import read_documents
from hlta.text.vocabulary import build_vocabulary, with_further_words, with_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Unpack

    from hlta.options import TextOptions

_REPORT_EVERY: Final = 100  # documents


class CorpusKeywords(ReadKeywords, TextKeywords, total=False):
    """The options of `read_corpus`: how files become documents, and how their texts become words."""


def read_corpus(
    path: str | os.PathLike[str],
    *,
    vocabulary: str | os.PathLike[str] | None = None,
    snippet: int | None = SNIPPET,
    on_skip: Callable[[str, str], None] | None = None,
    progress: Any = False,
    n_jobs: int | None = None,
    **options: Unpack[CorpusKeywords],
) -> Corpus:
    """Read documents and choose the words to keep.

    Parameters
    ----------
    path
        A folder of text, HTML and PDF files; a CSV, TSV, JSON, JSON lines,
        Parquet or Arrow file; a file with one document per line; "-", standard input; a matrix
        (docword*.txt, .ldac, .sparse.txt, .npz, .mtx); or a corpus that was saved.
    vocabulary
        The words of a matrix, a file with one per line. If None, the file is looked for beside the
        matrix.
    snippet
        How many characters of each text to keep for display; None for all.
    on_skip
        Called with the place and the reason for everything that is skipped.
    progress
        True to report on stderr, or an `hlta.Monitor`.
    n_jobs
        Threads; None for all processors. The corpus does not depend on it.
    **options
        The fields of `ReadOptions`, among them `text`, `title`, `id`, `date`, `group` and
        `encoding`, and those of `hlta.TextOptions`, among them `n_words`, `stop_words` and
        `ngrams`. A matrix and a saved corpus hold words already and take none of them.

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
    if is_matrix(path):
        return _read_matrix(Path(path), vocabulary, read, sorted(text_keywords))
    _refuse_vocabulary(vocabulary, path)
    text_options = make_text_options(text_keywords, other_options=names)
    monitor = as_monitor(progress)
    with monitor.stage("reading"):
        records = read_documents(path, read, on_skip=on_skip)
        return corpus_of_records(
            records, text_options, snippet=snippet, monitor=monitor, n_jobs=n_jobs
        )


def corpus_of_records(
    records: Iterable[Record],
    text_options: TextOptions,
    *,
    snippet: int | None = SNIPPET,
    monitor: Monitor | None = None,
    n_jobs: int | None = None,
) -> Corpus:
    """The corpus of documents as they were read; words are chosen."""
    writer = _MetadataWriter(snippet)
    texts = writer.recording(records, monitor or Monitor())
    documents, words, phrases = build_vocabulary(texts, text_options, n_jobs=n_jobs)
    known = writer.read()
    return Corpus(documents, words, text_options=text_options, phrases=phrases, **known)


def read_with_words(
    path: str | os.PathLike[str],
    words: Sequence[str],
    text_options: TextOptions | None,
    *,
    vocabulary: str | os.PathLike[str] | None = None,
    snippet: int | None = SNIPPET,
    further_words: bool = False,
    on_skip: Callable[[str, str], None] | None = None,
    n_jobs: int | None = None,
    **options: Unpack[ReadKeywords],
) -> Corpus:
    """Read documents with the words of a model; `text_options` is how its own texts were read.

    With `further_words`, the other words of texts that might have been chosen come after those.
    """
    read = ReadOptions(**options)
    if is_matrix(path):
        return _read_matrix(Path(path), vocabulary, read)
    _refuse_vocabulary(vocabulary, path)
    if text_options is None:
        raise DocumentsError(
            f"the model was learned from a matrix and cannot read texts such as {os.fspath(path)!r}; "
            "give a matrix"
        )
    writer = _MetadataWriter(snippet)
    texts = writer.recording(read_documents(path, read, on_skip=on_skip), Monitor())
    names = tuple(words)
    if further_words:
        documents, names = with_further_words(texts, names, text_options, n_jobs=n_jobs)
    else:
        documents = with_vocabulary(texts, names, text_options, n_jobs=n_jobs)
    return Corpus(documents, names, text_options=text_options, **writer.read())


def is_matrix(path: str | os.PathLike[str]) -> bool:
    """Whether the documents are words already: a matrix, or a corpus that was saved."""
    return format_of(Path(path)) is not None or holds_corpus(path)


def _refuse_vocabulary(
    vocabulary: str | os.PathLike[str] | None, path: str | os.PathLike[str]
) -> None:
    if vocabulary is not None:
        raise OptionError(
            f"vocabulary={os.fspath(vocabulary)!r} names the words of a matrix, but "
            f"{os.fspath(path)!r} is not a matrix file; leave it out"
        )


def _read_matrix(
    path: Path,
    vocabulary: str | os.PathLike[str] | None,
    read: ReadOptions,
    for_texts: Iterable[str] = (),
) -> Corpus:
    defaults = vars(ReadOptions())
    for_texts = [
        *for_texts,
        *(name for name, value in vars(read).items() if value != defaults[name]),
    ]
    if for_texts:
        raise OptionError(
            f"{for_texts[0]} is an option for texts, but {str(path)!r} holds words already; leave it "
            "out"
        )
    if not path.exists():
        raise DocumentsError(f"{str(path)!r} does not exist; give a file or a folder")
    if path.is_dir():
        _refuse_vocabulary(vocabulary, path)
        return Corpus.load(path)
    matrix = read_matrix(path, None if vocabulary is None else Path(vocabulary))
    return Corpus(matrix.counts, matrix.words, ids=matrix.ids)


class _MetadataWriter:
    """Records what is known of documents while their texts pass by."""

    def __init__(self, snippet: int | None) -> None:
        check_whole("snippet", snippet, least=0, none="the whole text")
        self._snippet = snippet
        self._writers = {name: StringsWriter() for name in METADATA}

    def recording(self, records: Iterable[Record], monitor: Monitor) -> Iterator[str]:
        """Yield the texts one by one; record what else is known of each document."""
        for number, record in enumerate(records, start=1):
            if number % _REPORT_EVERY == 0:
                monitor.advance(_REPORT_EVERY)
            shown = record.text.removeprefix(record.title).lstrip() if record.title else record.text
            if self._snippet is not None:
                shown = beginning(shown, self._snippet) if self._snippet else ""
            values = (record.id, record.title, record.date, record.group, shown)
            for writer, value in zip(self._writers.values(), values, strict=True):
                writer.append(value)
            yield record.text

    def read(self) -> dict[str, Any]:
        """`Strings` by name, without those that are empty for every document."""
        strings = {name: writer.read() for name, writer in self._writers.items()}
        return {name: values for name, values in strings.items() if len(values.data)}

"""`read_corpus`: from whatever holds documents to a `Corpus`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hlta._support.checks import check_whole
from hlta.documents.corpus import ABOUT, Corpus, text_options
from hlta.documents.corpus_folder import holds_corpus, load_corpus
from hlta.documents.strings import Strings, StringsWriter, beginning
from hlta.errors import DocumentsError, OptionError
from hlta.monitor import Monitor, as_monitor
from hlta.reading.matrix_files import Matrix, format_of, read_matrix
from hlta.reading.records import ReadOptions, Record
from hlta.reading.sources import read_documents
from hlta.text.vocabulary import build_vocabulary, with_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hlta.options import TextOptions

_TOLD: Final = 100  # documents from one report to the next
SNIPPET: Final = 1000  # characters of a text that are kept to show


def read_corpus(
    path: str | os.PathLike[str],
    *,
    vocabulary: str | os.PathLike[str] | None = None,
    snippet: int | None = SNIPPET,
    on_skip: Callable[[str, str], None] | None = None,
    progress: Any = False,
    n_jobs: int | None = None,
    **options: Any,
) -> Corpus:
    """Read documents and choose the words to keep.

    Parameters
    ----------
    path
        What `hlta fit` takes: a folder of text, HTML and PDF files; a CSV, TSV, JSON, JSON lines,
        Parquet or Arrow file; a file with a document a line; "-", standard input; a matrix
        (docword*.txt, .ldac, .sparse.txt, .npz, .mtx); or a corpus that was saved.
    vocabulary
        The words of a matrix, a file with one a line; looked for beside it if not given.
    snippet
        How many characters of each text to keep, to show it by; None for all of it.
    on_skip
        Told of everything that is not read, and why.
    progress
        True to report on stderr, or an `hlta.Monitor`.
    n_jobs
        Threads; None for all processors.
    options
        Those of reading, among them `text`, `title`, `id`, `date`, `group`, `encoding`, and those of
        `hlta.TextOptions`, among them `n_words`, `stop_words` and `ngrams`.
    """
    names = ReadOptions.names()
    read = ReadOptions(**{k: v for k, v in options.items() if k in names})
    rest = {k: v for k, v in options.items() if k not in names}
    if is_matrix(path):
        if rest:
            raise OptionError(f"{min(rest)} is about text, and {os.fspath(path)!r} has words alone")
        return _from_matrix(Path(path), vocabulary, read)
    _no_vocabulary(vocabulary)
    chosen = text_options(rest)
    monitor = as_monitor(progress)
    with _About(snippet) as about, monitor.stage("reading"):
        texts = about.noting(read_documents(path, read, on_skip=on_skip), monitor)
        documents, words = build_vocabulary(texts, chosen, n_jobs=n_jobs)
        return Corpus(documents, words, text=chosen, **about.read())


def read_with_words(
    path: str | os.PathLike[str],
    words: Sequence[str],
    text: TextOptions | None,
    *,
    read: ReadOptions | None = None,
    vocabulary: str | os.PathLike[str] | None = None,
    snippet: int | None = SNIPPET,
    on_skip: Callable[[str, str], None] | None = None,
    n_jobs: int | None = None,
) -> Corpus:
    """The same, with the words that a model knows; `text` is how its own texts were read."""
    if is_matrix(path):
        return _from_matrix(Path(path), vocabulary, read or ReadOptions())
    _no_vocabulary(vocabulary)
    if text is None:
        raise DocumentsError(
            f"the model was learned from a matrix and cannot read texts such as {os.fspath(path)!r}; "
            "give a matrix"
        )
    with _About(snippet) as about:
        texts = about.noting(read_documents(path, read, on_skip=on_skip), Monitor())
        documents = with_vocabulary(texts, tuple(words), text, n_jobs=n_jobs)
        return Corpus(documents, words, text=text, **about.read())


def is_matrix(path: str | os.PathLike[str]) -> bool:
    """Whether documents are already words: a matrix, or a corpus that was saved."""
    return format_of(Path(path)) is not None or holds_corpus(path)


def _no_vocabulary(vocabulary: str | os.PathLike[str] | None) -> None:
    if vocabulary is not None:
        raise OptionError("vocabulary is about matrices, which name no words; leave it out")


def _from_matrix(
    path: Path, vocabulary: str | os.PathLike[str] | None, read: ReadOptions
) -> Corpus:
    given = next((k for k, v in vars(read).items() if v != getattr(ReadOptions(), k)), None)
    if given is not None:
        raise OptionError(f"{given} is about text, and {str(path)!r} has words alone; leave it out")
    if not path.exists():
        raise DocumentsError(f"{str(path)!r} does not exist; give a file or a folder")
    if path.is_dir():
        _no_vocabulary(vocabulary)
        return load_corpus(path)
    matrix: Matrix = read_matrix(path, None if vocabulary is None else Path(vocabulary))
    return Corpus(matrix.counts, matrix.words, ids=matrix.ids)


class _About:
    """Notes what is known of documents while their texts go by."""

    def __init__(self, snippet: int | None) -> None:
        if snippet is not None:
            check_whole("snippet", snippet, least=0, none="the whole text")
        self._snippet = snippet
        self._writers = {name: StringsWriter() for name in ABOUT}
        self._any = dict.fromkeys(ABOUT, False)

    def __enter__(self) -> _About:
        return self

    def __exit__(self, *what: object) -> None:
        for writer in self._writers.values():
            writer.__exit__(*what)

    def noting(self, records: Iterable[Record], monitor: Monitor) -> Iterator[str]:
        """The texts, one after the other."""
        for number, record in enumerate(records, start=1):
            if number % _TOLD == 0:
                monitor.advance(_TOLD)
            shown = record.text.removeprefix(record.title).lstrip() if record.title else record.text
            if self._snippet is not None:
                shown = beginning(shown, self._snippet) if self._snippet else ""
            about = (record.id, record.title, record.date, record.group, shown)
            for name, value in zip(ABOUT, about, strict=True):
                self._writers[name].append(value)
                self._any[name] |= bool(value)
            yield record.text

    def read(self) -> dict[str, Strings]:
        """What there is of each kind; nothing of a kind that no document has."""
        return {name: writer.read() for name, writer in self._writers.items() if self._any[name]}

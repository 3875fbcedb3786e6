"""`Corpus`: documents, the names of their words, and their metadata."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from hlta._support.arrays import digest_of
from hlta._support.checks import check_names, check_numbers, check_real, check_whole
from hlta._support.formats import METADATA
from hlta._support.letters import with_letters
from hlta._support.messages import plural
from hlta._support.threads import on_threads
from hlta.documents.corpus_folder import read_corpus_folder, write_corpus_folder
from hlta.documents.dates import day_first
from hlta.documents.fields import GROUP, Field, fields_of, find_field
from hlta.documents.frames import ONE_COLUMN, is_frame
from hlta.documents.given import as_coverage, as_fields, as_strings, check_list
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.documents.originals import check_originals, originals_among
from hlta.documents.sections import divide_long
from hlta.documents.strings import Strings, StringsWriter, as_text, is_words
from hlta.documents.vectors import read_vectors
from hlta.documents.writer import ABSENT, renumber_words
from hlta.errors import DocumentsError, FormatError, OptionError
from hlta.options import WHITESPACE, TextKeywords, TextOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from hlta.documents.phrases import Phrases


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Documents, the names of their words, and their metadata.

    Parameters
    ----------
    documents
        A matrix of documents by words, sparse or dense, 0/1 or counts. A word is present where the
        entry is above 0. Documents of 450 words or more, by the counts, are divided into sections to
        learn from.
    words
        The distinct names of its columns.
    text_options
        How texts were turned into these words, or None; new texts are read the same way.
    ids, titles, dates, groups, texts
        One string per document, or None. `dates` may also be years, or dates of Python, NumPy, pandas
        or Polars, some of them missing; a document of several groups has a list of them. `texts` are
        searched, and shown in the page.
    group_name
        What to call the groups, such as "country".
    fields
        Further fields to compare documents by, such as kinds or languages, by name: for each document
        a string or, if it has several values, a list of strings. None if there are none.
    phrases
        Frequent phrases of the texts, for titles of topics, or None.
    coverage
        For each document, the share of the occurrences of its words that are of words in `words`, stop
        words and filler words aside; None if there were no texts.
    originals
        For each document, the number of the first one with the same text, the only one of them that is
        learned from; None if all documents are.

    Raises
    ------
    DocumentsError
        If the matrix, the words or the strings do not fit each other.

    Examples
    --------
    >>> corpus = Corpus([[1, 0, 2], [0, 1, 1]], ["neural", "social", "network"], ids=["a", "b"])
    >>> corpus
    Corpus(2 documents, 3 words)
    >>> corpus.ids[1]
    'b'
    """

    documents: Documents
    words: tuple[str, ...]
    text_options: TextOptions | None
    ids: Strings | None
    titles: Strings | None
    dates: Strings | None
    groups: Strings | None
    texts: Strings | None
    group_name: str
    fields: dict[str, Strings]
    phrases: Phrases | None
    coverage: NDArray[np.float64] | None
    originals: NDArray[np.int64] | None

    def __init__(
        self,
        documents: Any,
        words: Sequence[str],
        *,
        text_options: TextOptions | None = None,
        ids: Iterable[str] | None = None,
        titles: Iterable[str] | None = None,
        dates: Iterable[Any] | None = None,
        groups: Iterable[str | Sequence[str]] | None = None,
        texts: Iterable[str] | None = None,
        group_name: str = GROUP,
        fields: Mapping[str, Iterable[str | Sequence[str]]] | None = None,
        phrases: Phrases | None = None,
        coverage: Any = None,
        originals: Any = None,
    ) -> None:
        checked = as_documents(documents)
        names = check_words(words, checked.n_words)
        if not isinstance(documents, Documents):
            checked = divide_long(checked, documents, names)
        object.__setattr__(self, "documents", checked)
        object.__setattr__(self, "words", names)
        object.__setattr__(self, "text_options", text_options)
        for name, values in zip(METADATA, (ids, titles, dates, groups, texts), strict=True):
            object.__setattr__(self, name, as_strings(name, values, len(checked)))
        (group_name,) = check_names("group_name", [group_name], error=DocumentsError)
        object.__setattr__(self, "group_name", group_name)
        object.__setattr__(self, "fields", as_fields(fields, len(checked)))
        object.__setattr__(self, "phrases", phrases)
        object.__setattr__(self, "coverage", as_coverage(coverage, len(checked)))
        object.__setattr__(self, "originals", check_originals(originals, len(checked)))

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str | Sequence[str]],
        *,
        ids: Iterable[str] | None = None,
        titles: Iterable[str] | None = None,
        dates: Iterable[Any] | None = None,
        groups: Iterable[str | Sequence[str]] | None = None,
        fields: Mapping[str, Iterable[str | Sequence[str]]] | None = None,
        keep_texts: bool = True,
        n_jobs: int | None = None,
        **options: Unpack[TextKeywords],
    ) -> Corpus:
        """Read texts and choose the words to keep.

        Words are runs of letters, in any alphabet, in lower case. Those with the highest average
        TF-IDF are kept, as in the paper, but without stop words and filler words; they are sorted by
        TF-IDF, the highest first.

        Parameters
        ----------
        texts
            One string per document, or its words as a list.
        ids, titles, dates, groups
            One string per document, or None; dates as in `Corpus`.
        fields
            See `Corpus`.
        keep_texts
            Whether the corpus keeps the texts, to be searched and read in the page.
        n_jobs
            Threads; None for all processors. The corpus does not depend on it.
        **options
            The fields of `hlta.TextOptions`, among them `n_words`, `min_df`, `max_df`, `stop_words`
            and `ngrams`.

        Raises
        ------
        OptionError, DocumentsError
            If an option is unknown or out of range, a text is not a string, or fewer than two words
            are left.

        Examples
        --------
        >>> texts = ["neural networks learn", "social networks of friends", "friends learn"]
        >>> Corpus.from_texts(texts, min_df=2).words
        ('friends', 'learn', 'networks')
        """
        from hlta.text.vocabulary import build_vocabulary

        if isinstance(texts, str):
            raise DocumentsError("texts is a single string; give a list with one text per document")
        if is_frame(texts):
            raise DocumentsError(f"texts is a data frame; {ONE_COLUMN}")
        chosen = make_text_options(options)
        documents, first = iter(texts), []
        for document in documents:
            first.append(document)
            if not is_words(document) or document:  # an empty list shows nothing of the others
                break
        if chosen.tokenizer == "auto" and first and is_words(first[-1]):
            chosen = replace(chosen, tokenizer=WHITESPACE)
        writer = StringsWriter()

        def recorded() -> Iterator[Any]:
            for text in map(as_text, chain(first, documents)):
                if keep_texts and isinstance(text, str):
                    writer.append(with_letters(text))
                yield text

        with on_threads(n_jobs):
            read = build_vocabulary(recorded(), chosen)
        return cls(
            **read._asdict(),
            ids=ids,
            titles=titles,
            dates=dates,
            groups=groups,
            fields=fields,
            texts=writer.read() if keep_texts else None,
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        text: str | None = None,
        title: str | None = None,
        id: str | None = None,  # noqa: A002 (as in read_corpus)
        date: str | None = None,
        group: str | None = None,
        keep: str | Sequence[str] | None = None,
        keep_texts: bool = True,
        n_jobs: int | None = None,
        **options: Unpack[TextKeywords],
    ) -> Corpus:
        """Read the texts of a data frame, with dates, groups, titles and ids from other columns.

        Parameters
        ----------
        frame
            A data frame of pandas or Polars, one document per row.
        text, title, id, date, group
            Names of columns; None for those with usual names, as in `read_corpus`. The title is part
            of the text. Dates may be years, dates, times or strings; only a text may not be missing.
            Without a column of ids, the ids are the numbers of the rows, from 0.
        keep
            Names of further columns to compare documents by, or "all", as in `read_corpus`; they become
            the corpus's fields.
        keep_texts, n_jobs, **options
            See `from_texts`.

        Raises
        ------
        DocumentsError
            If there is no such column, or a text is missing; the message names the row.
        OptionError
            If an option is unknown or out of range.

        Examples
        --------
        >>> import polars as pl
        >>> texts = ["neural networks learn", "social networks of friends", "friends learn"]
        >>> frame = pl.DataFrame({"body": texts, "year": [2019, 2020, None], "desk": ["a", "b", "b"]})
        >>> corpus = Corpus.from_frame(frame, text="body", group="desk", min_df=2)
        >>> corpus.words, list(corpus.dates), list(corpus.groups)
        (('friends', 'learn', 'networks'), ['2019', '2020', ''], ['a', 'b', 'b'])
        """
        from hlta.reading.corpus_reader import corpus_of_frame

        columns: dict[str, Any] = {"text": text, "title": title, "id": id, "date": date}
        columns |= {"group": group, "keep": keep}
        chosen = make_text_options(options, other_options=[*columns, "keep_texts", "n_jobs"])
        with on_threads(n_jobs):
            return corpus_of_frame(frame, columns, chosen, keep_texts=keep_texts)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Corpus:
        """Map a saved corpus into memory; its arrays stay on disk until they are used.

        Parameters
        ----------
        path
            The folder that `save` wrote.

        Raises
        ------
        FormatError
            If the folder holds no corpus, a damaged one, or one of an unknown version.
        """
        known = read_corpus_folder(path)
        try:
            return cls(**known)
        except DocumentsError as error:
            raise FormatError(f"{os.fspath(path)} is damaged: {error}") from error

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        repeats = f", {self.n_repeats:,} of them repeats" if self.n_repeats else ""
        return (
            f"Corpus({plural(len(self), 'document')}{repeats}, {plural(len(self.words), 'word')})"
        )

    @property
    def n_repeats(self) -> int:
        """The number of documents that repeat the text of an earlier one, and are not learned from."""
        return 0 if self.originals is None else int(np.count_nonzero(~self._is_original))

    @property
    def _is_original(self) -> NDArray[np.bool_]:
        return np.asarray(self.originals == np.arange(len(self)))

    @property
    def metadata(self) -> dict[str, Strings]:
        """The metadata of the documents, by name: those of `METADATA` that are not None."""
        return {name: getattr(self, name) for name in METADATA if getattr(self, name) is not None}

    @cached_property
    def digest_of_texts(self) -> bytes:
        """A digest of titles, ids and texts; without texts, the words of documents replace them."""
        known = {name: self.metadata.get(name) for name in ("titles", "ids", "texts")}
        arrays: dict[str, NDArray[Any]] = {}
        if self.texts is None:
            known["words"] = Strings.of(self.words)
            arrays = {"indptr": self.documents.indptr, "indices": self.documents.indices}
        for name, values in known.items():
            if values is not None:
                arrays |= {name: values.data, f"{name}.ends": values.ends}
        return digest_of(arrays)

    @cached_property
    def all_fields(self) -> tuple[Field, ...]:
        """All fields to compare documents by: their groups, if they have some, and then `fields`."""
        return fields_of(self.groups, self.group_name, self.fields)

    def field(self, name: str) -> Field:
        """The field of a name, or of the key that it has in the page's address; "group" is the groups.

        Parameters
        ----------
        name
            Its name, such as "country".

        Returns
        -------
        Field
            Its key, its name, and `values`: a string for each document, with one value per line.

        Raises
        ------
        DocumentsError
            If there is no such field.

        Examples
        --------
        >>> corpus = Corpus([[1, 0], [0, 1]], ["a", "b"], fields={"kind": ["letter", ["talk", "film"]]})
        >>> corpus.field("kind").values[1].split()
        ['talk', 'film']
        """
        if (found := find_field(self.all_fields, name)) is not None:
            return found
        known = ", ".join(f"{field.name!r:.60}" for field in self.all_fields)
        raise DocumentsError(
            f"the documents have no field {name!r:.60}{f', only {known}' if known else ''}; keep its "
            f"column when they are read (keep={name!r:.60}, --keep)"
        )

    def distinct(self) -> Corpus:
        """Leave out the documents that repeat earlier ones; without any, this is the corpus itself.

        Examples
        --------
        >>> corpus = Corpus([[1, 0], [0, 1], [1, 0]], ["a", "b"], originals=[0, 1, 0])
        >>> corpus
        Corpus(3 documents, 1 of them repeats, 2 words)
        >>> corpus.distinct()
        Corpus(2 documents, 2 words)
        """
        return self.take(self._is_original) if self.n_repeats else self

    @property
    def units(self) -> Corpus:
        """What a model learns from: the sections of long documents, each as a document of its own.

        It has words and vectors, but no metadata. Without sections, this is the corpus itself.
        """
        units = self.documents.units
        if units is self.documents:
            return self
        return Corpus(units, self.words, text_options=self.text_options)

    def aligned(self, words: Sequence[str]) -> Documents:
        """Give the documents the columns `words`, in that order; leave out all other words.

        Parameters
        ----------
        words
            Names of the new columns.

        Returns
        -------
        Documents
            The columns of unknown words are empty.

        Examples
        --------
        >>> corpus = Corpus([[1, 0, 2], [0, 1, 1]], ["neural", "social", "network"])
        >>> corpus.aligned(["network", "deep", "social"]).to_csr().toarray()
        array([[1, 0, 0],
               [1, 0, 1]], dtype=int8)
        """
        names = tuple(words)
        if names == self.words:
            return self.documents
        column = {word: number for number, word in enumerate(names)}
        number = np.array([column.get(word, ABSENT) for word in self.words], dtype=np.uint32)
        return renumber_words(self.documents, number, len(names))

    def with_vectors(self, vectors: Any) -> Corpus:
        """The same documents with vectors, such as an encoder of sentences makes of their texts.

        A model learns from them which documents are alike, and so which topics they are about; the
        topics themselves are learned from words.

        Parameters
        ----------
        vectors
            An array of numbers, one row per document, of which only the directions matter; None for no
            vectors.

        Raises
        ------
        DocumentsError
            If there are more or fewer rows than documents, or one holds zeros only or a number that
            is not finite.

        Examples
        --------
        >>> corpus = Corpus([[1, 0], [0, 1]], ["a", "b"]).with_vectors([[3.0, 4.0], [0.0, 1.0]])
        >>> corpus.documents.vectors
        array([[1229, 1638],
               [   0, 2048]], dtype=int16)
        """
        found = None if vectors is None else read_vectors(vectors, len(self))
        return replace(self, documents=self.documents.with_vectors(found))

    @cached_property
    def day_first(self) -> bool | None:
        """Whether dates such as 03/04/2024 have the day first; None if the dates do not decide that."""
        return None if self.dates is None else day_first(self.dates)

    def take(self, rows: Any) -> Corpus:
        """Select documents in the given order, with their metadata and the same words.

        Parameters
        ----------
        rows
            Numbers of documents, which may repeat; or one truth value per document.

        Raises
        ------
        OptionError
            If there is no document with one of these numbers, or there are more or fewer truth values
            than documents.

        Examples
        --------
        >>> corpus = Corpus([[1, 0], [0, 1], [1, 1]], ["a", "b"], ids=["x", "y", "z"])
        >>> list(corpus.take([2, 0]).ids)
        ['z', 'x']
        """
        chosen = np.asarray(rows)
        if chosen.dtype == bool:
            if chosen.shape != (len(self),):
                raise OptionError(
                    f"rows has {chosen.size:,} truth values for {len(self):,} documents; "
                    "give one per document"
                )
            chosen = np.flatnonzero(chosen)
        chosen = check_numbers("rows", chosen, len(self), "documents")
        taken: dict[str, Any] = {k: values.take(chosen) for k, values in self.metadata.items()}
        taken["fields"] = {name: values.take(chosen) for name, values in self.fields.items()}
        if self.phrases is not None:
            taken["phrases"] = self.phrases.take(chosen)
        if self.coverage is not None:
            taken["coverage"] = self.coverage[chosen]
        if self.originals is not None:
            taken["originals"] = originals_among(self.originals, chosen)
        return replace(self, documents=self.documents.take(chosen), **taken)

    def by_language(self) -> dict[str, Corpus]:
        """Divide the documents by language, and choose words for each, to learn a tree from each.

        The languages are those in `text_options`. A document has the language of most of its stop words;
        its title counts as a part of its text.

        Returns
        -------
        dict of str to Corpus
            By the language. One whose documents have too few words is left out, with a warning.

        Raises
        ------
        DocumentsError
            If the corpus has no texts, or no language was found.

        Examples
        --------
        >>> texts = ["we are the best", "you are the best of us", "wir sind die besten", "sie sind es"]
        >>> corpus = Corpus.from_texts(texts, min_df=1, stop_words=None, languages=["english", "german"])
        >>> {language: len(part) for language, part in corpus.by_language().items()}
        {'english': 2, 'german': 2}
        """
        from hlta.text.by_language import by_language

        return dict(by_language(self))

    def search(self, query: str, *, index: str | PathLike[str] | None = None) -> NDArray[np.int64]:
        """The documents whose texts, titles or ids match a query, in upper or lower case.

        Parameters
        ----------
        query
            Words, "phrases in quotes" and prefixes such as neur*; a document must have all of them.
            `OR` between two takes either, `-` or `NOT` before one leaves its documents out, and
            parentheses group: `(cats OR dogs) -food`. `NOT` comes before `AND`, `AND` before `OR`.
            `country:Chile` matches a value of a field, `date:2019-Q2` or `date:2019..` a time.
        index
            The file that `hlta serve` keeps beside a model or a folder of results, such as
            "topics.served". It holds an index of the texts, with which a million documents are searched
            in seconds; without it, every text is read.

        Returns
        -------
        int64 (found,)
            Their numbers, the best first: those that have the words in the title, or often.

        Raises
        ------
        OptionError
            If the query has more than 100 words side by side, or combines too many parts.
        FormatError
            If the index is damaged, or of other documents.

        Examples
        --------
        >>> texts = ["Neural networks learn", "Social networks of friends", "Friends learn"]
        >>> Corpus.from_texts(texts, min_df=1).search("learn neur*")
        array([0])
        """
        from hlta.text.search import search

        return search(self, query, index)

    def similar(self, row: int, n: int = 10) -> NDArray[np.int64]:
        """The documents whose words are most like those of one, with rarer words weighted more.

        Parameters
        ----------
        row
            The number of the document.
        n
            How many documents, at most. Documents that share no words with this one, except words that
            all documents have, are left out.

        Returns
        -------
        int64 (found,)
            Their numbers, the most similar first, by the cosine.

        Raises
        ------
        OptionError
            If there is no document of this number.

        Examples
        --------
        >>> Corpus([[1, 1, 0], [0, 1, 1], [1, 0, 0]], ["a", "b", "c"]).similar(0)
        array([2, 1])
        """
        (row,) = check_numbers("row", np.asarray([row]), len(self), "documents").tolist()
        check_whole("n", n, least=1)
        frequency = np.maximum(self.documents.document_frequency, 1)
        weights = np.log(len(self) / frequency) ** 2
        words = self.documents.to_csr(np.float64)
        own = np.zeros(len(self.words))
        own[words[[row]].indices] = weights[words[[row]].indices]
        lengths = np.sqrt(words @ weights)
        cosines = np.divide(words @ own, lengths, out=np.zeros(len(self)), where=lengths > 0)
        cosines[row] = 0.0
        found = np.flatnonzero(cosines)
        return found[np.argsort(-cosines[found], kind="stable")][:n]

    def split(self, test: float = 0.2, *, random_state: int = 0) -> tuple[Corpus, Corpus]:
        """Split at random into a part to learn from and a held-out part.

        Parameters
        ----------
        test
            The share of held-out documents.
        random_state
            The seed of the draw.

        Returns
        -------
        train, test : Corpus
            Both parts keep the order of the documents and all words of the corpus.

        Raises
        ------
        OptionError
            If `test` is not from 0 to 1, or leaves one part without documents.

        Examples
        --------
        >>> Corpus([[1, 0], [0, 1], [1, 1]], ["a", "b"]).split(1 / 3)
        (Corpus(2 documents, 2 words), Corpus(1 document, 2 words))
        """
        check_real("test", test, least=0.0, most=1.0)
        n_test = round(test * len(self))
        if not 0 < n_test < len(self):
            raise OptionError(
                f"test={test!r} of {len(self):,} documents leaves one part without documents"
            )
        check_whole("random_state", random_state, least=0)
        drawn = np.random.default_rng(random_state).permutation(len(self))
        return self.take(np.sort(drawn[n_test:])), self.take(np.sort(drawn[:n_test]))

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write a folder that `Corpus.load` and `hlta.load` map into memory.

        Parameters
        ----------
        path
            The folder. It appears only when it is complete.
        overwrite
            Whether to replace a folder that hlta wrote earlier, or an empty one.

        Raises
        ------
        OptionError
            If `path` exists and `overwrite` is False, or it holds files other than hlta's; or if the
            texts were read with a tokenizer of your own, which no file can hold.
        """
        write_corpus_folder(path, vars(self), overwrite=overwrite)


def check_words(words: Iterable[Any], n_columns: int) -> tuple[str, ...]:
    """The names of the columns of a matrix, which must be distinct, and one per column."""
    check_list("words", words, "column")
    names = tuple(words)
    if len(names) != n_columns:
        raise DocumentsError(
            f"words has {len(names):,} entries for {n_columns:,} columns; give one per column"
        )
    return check_names("words", names, error=DocumentsError)


def check_corpus(corpus: Any) -> None:
    """Refuse what is not a corpus, such as a list of texts."""
    if not isinstance(corpus, Corpus):
        raise OptionError(
            f"corpus is of type {type(corpus).__name__}; use a Corpus, such as "
            "Corpus.from_texts(texts) or read_corpus(path)"
        )


def make_text_options(
    keywords: Mapping[str, Any], other_options: Iterable[str] = ()
) -> TextOptions:
    """Make `TextOptions` of keywords; the error for an unknown one lists all that the caller takes."""
    known = TextKeywords.__annotations__
    unknown = set(keywords) - set(known)
    if unknown:
        names = ", ".join([*other_options, *known])
        raise OptionError(f"{min(unknown)!r} is not an option for texts; use one of {names}")
    return TextOptions(**keywords)

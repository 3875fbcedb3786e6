"""Reading documents in any of the forms that an estimator takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from hlta._support.messages import warn
from hlta.documents.corpus import Corpus
from hlta.documents.frames import ONE_COLUMN, is_frame
from hlta.documents.given_matrices import as_documents, refuse_nested
from hlta.documents.matrix import Documents
from hlta.documents.sections import divide_long
from hlta.documents.strings import is_words
from hlta.documents.vectors import check_dimensions, read_vectors
from hlta.errors import DocumentsError, OptionError
from hlta.options import TextOptions
from hlta.text.vocabulary import with_further_words, with_vocabulary
from hlta.topics.aligned_documents import AlignedDocuments

if TYPE_CHECKING:
    from hlta.model.value import Model

_HOLDS_TEXT: Final = f"X is a table that holds text; {ONE_COLUMN}"


def reading_options(model: Model) -> TextOptions:
    """How a model reads texts; raises `DocumentsError` if it was learned from a matrix."""
    if model.text is None:
        raise DocumentsError(
            "X holds text, but the model was learned from a matrix; give a matrix with one "
            "column per word, in the order of tree_.words"
        )
    return model.text


def read_texts(model: Model, texts: Any) -> AlignedDocuments:
    """New texts, read with the vocabulary of a model and in the same way as its own texts."""
    options = reading_options(model)
    return AlignedDocuments(*with_vocabulary(texts, model.tree.words, options))


def read_documents(model: Model, X: Any, vectors: Any = None) -> AlignedDocuments:
    """New documents in any form, with vectors if they have any and the model uses them."""
    documents, coverage = _read_words(model, X)
    if vectors is not None:
        documents = documents.with_vectors(read_vectors(vectors, len(documents)))
    return AlignedDocuments(
        _check_vectors(model, documents, is_asked=vectors is not None), coverage
    )


def _check_vectors(model: Model, documents: Documents, *, is_asked: bool = False) -> Documents:
    """The documents, whose vectors are dropped if the model was learned without.

    If vectors were asked for (`is_asked`), that raises `DocumentsError` instead. So do vectors of other
    dimensions than those of the model.
    """
    if documents.vectors is None:
        return documents
    counts = model.annotations.counts
    if counts is not None and counts.vectors is not None:
        check_dimensions(documents.vectors.shape[1], counts.vectors.own.shape[1])
        return documents
    if is_asked:
        raise DocumentsError(
            "vectors is given, but the model goes by words alone; leave it out, or learn the model "
            "from documents with vectors"
        )
    return documents.with_vectors(None)


def _read_words(model: Model, X: Any) -> AlignedDocuments:
    words = model.tree.words
    if isinstance(X, Corpus):
        return AlignedDocuments.of(X, words)
    if not isinstance(X, Documents) and is_text(X):
        return read_texts(model, X)
    if isinstance(X, Documents):
        documents = as_documents(X, len(words))
    else:
        matrix = _Columns.of(model, X).check(X)
        documents = divide_long(as_documents(matrix), matrix, words)
    return AlignedDocuments(documents, (documents.lengths > 0).astype(np.float64))


def read_further(model: Model, X: Any, words: Sequence[str] | None, vectors: Any = None) -> Corpus:
    """New documents to learn from, with their further words; refused if no word is in the model."""
    is_matrix = not isinstance(X, Corpus) and not is_text(X)
    if words is not None:
        if not is_matrix:
            raise DocumentsError("words is given, but X names its words itself; leave it out")
        corpus = Corpus(X, plain_words(words))
    elif isinstance(X, Corpus):
        corpus = X
    elif is_matrix:
        corpus = Corpus(read_documents(model, X).documents, model.tree.words)
    else:
        options = reading_options(model)
        read = with_further_words(X, model.tree.words, options)
        corpus = Corpus(**read._asdict(), text_options=options)
    if vectors is not None:
        corpus = corpus.with_vectors(vectors)
    documents = _check_vectors(model, corpus.documents, is_asked=vectors is not None)
    corpus = replace(corpus, documents=documents)
    known = model.tree.words
    if not corpus.aligned(known).n_presences:
        raise DocumentsError(
            f"none of the {len(corpus):,} new documents has a word of the model; give documents "
            "of the same kind as those it was learned from"
        )
    if missing := len(set(known).difference(corpus.words)):
        warn(
            f"{missing:,} of the {len(known):,} words of the model are not among the words of X, "
            "and count as absent from all of its documents; if you have the texts, give those"
        )
    return corpus


def read_given(
    X: Any, words: Sequence[str] | None, text: TextOptions | None, *, include: Sequence[str] = ()
) -> tuple[Corpus, bool]:
    """Documents to learn from, in any form, and whether a data frame named their columns.

    Texts keep the words to `include`.
    """
    is_corpus = isinstance(X, Corpus)
    texts = not is_corpus and is_text(X)
    if words is not None and (is_corpus or texts):
        what = "a Corpus names its words itself" if is_corpus else "texts bring theirs"
        raise DocumentsError(f"words is given, but {what}; leave it out")
    if text is not None and not texts:
        what = "Corpus" if is_corpus else "matrix"
        raise OptionError(
            f"text says how texts become words, but X is a {what}, which holds words already; "
            "leave text out, or give the texts themselves"
        )
    if texts:
        options = (TextOptions() if text is None else text).keywords
        options = options | {"include": (*options["include"], *include)}
        X = Corpus.from_texts(X, **options)
    documents, columns = X.documents if isinstance(X, Corpus) else X, _Columns()
    if isinstance(documents, Documents):
        for count, what in zip(documents.shape, ("documents", "words"), strict=True):
            if count < 2:
                raise DocumentsError(f"at least 2 {what} are required, not {count}; give more")
    else:
        documents = columns.check(X, is_first=True)
    if isinstance(X, Corpus):
        return X, False
    names = getattr(columns, "feature_names_in_", None)
    if words is None:
        words = names if names is not None else [f"x{k}" for k in range(documents.shape[1])]
    return Corpus(documents, plain_words(words)), names is not None


class _Columns(BaseEstimator):  # type: ignore[misc]
    """An estimator that lets scikit-learn check the number and the names of the columns of X."""

    @classmethod
    def of(cls, model: Model, X: Any) -> _Columns:
        """The columns that X must have for a model: its words, without those that edits removed.

        Names count if the model was learned from a data frame, or X has some of its words as names.
        """
        columns = cls()
        columns.n_features_in_ = model.tree.n_words
        names = {*map(str, X.columns)} if is_frame(X) else set[str]()
        if model.is_named or not names.isdisjoint(model.tree.words):
            columns.feature_names_in_ = np.array(model.tree.words, dtype=object)
        return columns

    def check(self, X: Any, *, is_first: bool = False) -> Any:
        """X as a matrix of numbers, after its columns were checked or, `is_first`, recorded."""
        refuse_nested("X", X)
        if is_frame(X) and _holds_text(X):
            raise DocumentsError(_HOLDS_TEXT)
        least = 2 if is_first else 1
        try:
            checked = validate_data(
                self,
                X,
                reset=is_first,
                accept_sparse="csr",
                ensure_non_negative=True,
                ensure_min_samples=least,
                ensure_min_features=least,
            )
        except ValueError as error:
            raise DocumentsError(_HOLDS_TEXT if _holds_text(X) else str(error)) from None
        if is_first and _has_fractions(checked):
            warn(
                "X holds numbers that are not whole, such as those of TF-IDF; only whether a number is "
                "above 0 counts, so give counts, or 0 and 1"
            )
        return checked


_Columns.__name__ = "HLTA"  # in scikit-learn's messages


def _has_fractions(matrix: Any) -> bool:
    """Whether a matrix, dense or sparse, has an entry that is not a whole number."""
    values = matrix.data if issparse(matrix) else matrix
    return values.dtype.kind == "f" and bool((values != np.floor(values)).any())


def is_text(X: Any) -> bool:
    """Whether X is a column of texts, a list or an iterator of them, rather than a matrix.

    A list of texts may hold lists of words.
    """
    if isinstance(X, str):
        raise DocumentsError("X is a single string; give a list of texts, one per document")
    if isinstance(X, (list, tuple)) and not X:
        raise DocumentsError("X is empty; give texts or a matrix, with at least one document")
    if isinstance(X, Iterator):
        return True
    # A list; a column of a data frame, of pandas or Polars; or an array of strings. The first texts
    # may be missing, which reading them reports. In a list, texts may be lists of words.
    flat = isinstance(X, (list, tuple)) or len(getattr(X, "shape", ())) == 1
    if flat and any(isinstance(one, (str, bytes)) for one in X):
        return True
    return flat and all(map(is_words, X)) and any(map(len, X))


def plain_words(words: Iterable[Any]) -> list[Any]:
    """Convert NumPy strings to `str`; other types pass through, and `Corpus` refuses them."""
    return [str(word) if isinstance(word, str) else word for word in words]


def _holds_text(X: Any) -> bool:
    """Whether what should be a matrix of numbers holds text."""
    values = X.to_numpy() if is_frame(X) else np.asarray(X, dtype=object)
    return values.dtype == object and any(isinstance(one, (str, bytes)) for one in values.flat)

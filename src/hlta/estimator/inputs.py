"""Documents in any form that an estimator may be given."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted, validate_data

from hlta.documents.corpus import Corpus
from hlta.documents.frames import ONE_COLUMN, is_frame
from hlta.documents.matrix import Documents, as_documents
from hlta.documents.sections import dealt
from hlta.errors import DocumentsError, OptionError
from hlta.estimator.text_parameters import checked_text_options
from hlta.text.vocabulary import with_vocabulary
from hlta.topics.memberships import coverage_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.options import TextOptions
    from hlta.tree.latent_tree import LatentTree


_HOLDS_TEXT: Final = f"X is a table that holds text; {ONE_COLUMN}"


class DocumentInputs:
    """The part of `HLTA` that turns what it is given into documents."""

    text: TextOptions | None
    tree_: LatentTree
    text_options_: TextOptions | None
    n_jobs: int | None
    client: Any
    n_features_in_: int

    def documents_from_texts(self, texts: Any) -> Documents:
        """Turn new texts into words in the way that the model's own texts were.

        Parameters
        ----------
        texts
            An iterable of strings, one per document.

        Returns
        -------
        Documents
            The matrix of documents by words, columns in the order of `tree_.words`.

        Raises
        ------
        DocumentsError
            If the model was learned from a matrix, which does not say what a word is.
        """
        return self._texts_read(texts)[0]

    def _texts_read(self, texts: Any) -> tuple[Documents, NDArray[np.float64]]:
        check_is_fitted(self)
        options = self._reading_options()
        return with_vocabulary(texts, self.tree_.words, options, n_jobs=self.n_jobs)

    def _reading_options(self) -> TextOptions:
        """How texts are read."""
        if self.text_options_ is None:
            raise DocumentsError(
                "X holds text, but the model was learned from a matrix; give a matrix with one "
                "column per word, in the order of tree_.words"
            )
        return self.text_options_

    def _corpus(
        self, X: Any, words: Sequence[str] | None, *, include: Sequence[str] = ()
    ) -> Corpus:
        """The corpus to learn from, whatever it was given as; texts keep the words to `include`."""
        named = isinstance(X, Corpus)
        texts = not named and is_text(X)
        if words is not None and (named or texts):
            what = "a Corpus names its words itself" if named else "texts bring theirs"
            raise DocumentsError(f"words is given, but {what}; leave it out")
        if self.text is not None and not texts:
            what = "Corpus" if named else "matrix"
            raise OptionError(
                f"text says how texts become words, but X is a {what}, which holds words already; "
                "leave text out, or give the texts themselves"
            )
        if texts:
            options = checked_text_options(self.text).keywords
            options = options | {"include": (*options["include"], *include)}
            X = Corpus.from_texts(X, n_jobs=self.n_jobs, **options)
        documents = X.documents if isinstance(X, Corpus) else X
        if isinstance(documents, Documents):
            for count, what in zip(documents.shape, ("documents", "words"), strict=True):
                if count < 2:
                    raise DocumentsError(f"at least 2 {what} are required, and X has {count}")
            self.n_features_in_ = documents.n_words
            self.__dict__.pop("feature_names_in_", None)
        else:
            documents = self._checked(X, reset=True)
        if isinstance(X, Corpus):
            return X
        if words is None:
            numbered = [f"x{k}" for k in range(documents.shape[1])]
            words = getattr(self, "feature_names_in_", numbered)
        return Corpus(documents, plain_words(words))

    def _documents(self, X: Any) -> Documents:
        """New documents, with the words of the model as columns."""
        return self._read(X)[0]

    def _read(self, X: Any) -> tuple[Documents, NDArray[np.float64]]:
        """New documents, with the words of the model as columns, and their coverage."""
        check_is_fitted(self)
        if isinstance(X, Corpus):
            documents = X.aligned(self.tree_.words)
            return documents, coverage_of(X, documents)
        if not isinstance(X, Documents) and is_text(X):
            return self._texts_read(X)
        if isinstance(X, Documents):
            documents = as_documents(X, self.tree_.n_words)
        else:
            matrix = self._checked(X, reset=False)
            documents = dealt(as_documents(matrix), matrix, self.tree_.words)
        return documents, (documents.lengths > 0).astype(np.float64)

    def _checked(self, X: Any, *, reset: bool) -> Any:
        """A matrix or a data frame, checked as scikit-learn does, as a matrix."""
        if is_frame(X) and _holds_text(X):
            raise DocumentsError(_HOLDS_TEXT)
        least = 2 if reset else 1
        try:
            checked = validate_data(
                self,
                X,
                reset=reset,
                accept_sparse="csr",
                ensure_non_negative=True,
                ensure_min_samples=least,
                ensure_min_features=least,
            )
        except ValueError as error:
            raise DocumentsError(_HOLDS_TEXT if _holds_text(X) else str(error)) from None
        if reset and _has_fractions(checked):
            warnings.warn(
                "X holds numbers that are not whole, such as those of TF-IDF; only whether a number is "
                "above 0 counts, so give counts, or 0 and 1",
                stacklevel=4,
            )
        return checked


def _has_fractions(matrix: Any) -> bool:
    """Whether a matrix, dense or sparse, has an entry that is not a whole number."""
    values = matrix.data if issparse(matrix) else matrix
    return values.dtype.kind == "f" and bool((values != np.floor(values)).any())


def is_text(X: Any) -> bool:
    """Whether X is a column of texts, a list or an iterator of them, rather than a matrix."""
    if isinstance(X, str):
        raise DocumentsError("X is a single string; give a list of texts, one per document")
    if isinstance(X, (list, tuple)) and not X:
        raise DocumentsError("X is empty; give texts or a matrix, with at least one document")
    if isinstance(X, Iterator):
        return True
    # A list; a column of a data frame, of pandas or Polars; or an array of strings. The first texts
    # may be missing, which is told when they are read.
    flat = isinstance(X, (list, tuple)) or len(getattr(X, "shape", ())) == 1
    return flat and any(isinstance(one, (str, bytes)) for one in X)


def plain_words(words: Iterable[Any]) -> list[Any]:
    """The words with NumPy's strings as Python's; anything else is left for `Corpus` to refuse."""
    return [str(word) if isinstance(word, str) else word for word in words]


def _holds_text(X: Any) -> bool:
    """Whether there is text in what should be a matrix of numbers."""
    values = X.to_numpy() if is_frame(X) else np.asarray(X, dtype=object)
    return values.dtype == object and any(isinstance(one, (str, bytes)) for one in values.flat)

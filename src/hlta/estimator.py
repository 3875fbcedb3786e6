"""`HLTA`: hierarchical topic detection as a scikit-learn estimator."""

from __future__ import annotations

import os
from collections.abc import Iterator
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, check_random_state, validate_data

from hlta._support.threads import resolve_jobs
from hlta.algorithm.hlta import hlta
from hlta.documents.corpus import Corpus, check_words
from hlta.documents.matrix import Documents, as_documents
from hlta.errors import DocumentsError, FormatError, OptionError
from hlta.monitor import as_monitor
from hlta.options import EMOptions, StructureOptions, TextOptions
from hlta.text.vocabulary import with_vocabulary
from hlta.topics.memberships import memberships, topic_nodes
from hlta.topics.narrow import NARROW_WORDS, narrow_topics
from hlta.topics.topic_tree import TopicTree
from hlta.tree.latent_tree import tree_from_file
from hlta.tree.model_file import ESTIMATOR, model_in, read_tree, save_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.topics.narrow import NarrowTopics
    from hlta.tree.latent_tree import LatentTree

_AT_ONCE = 1 << 22  # posteriors computed at a time: memory beyond the result stays small


class HLTA(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Hierarchical latent tree analysis.

    Learns a tree of binary latent variables over words, each of which softly splits the documents
    in two and is read as a topic. Depth, width and number of topics are learned.

    Parameters
    ----------
    max_top_topics
        Levels are added until so few latent variables are on top (the paper's tau).
    max_island_size
        The largest group of words, or topics, directly below one topic (mu).
    ud_threshold
        How much better two latent variables must explain a group than one, in BIC, before it is
        split (delta).
    association
        Which pairs of words, and of topics, count as related: "positive", those that occur together
        more often than by chance; "any", also those that avoid each other, as in the paper; or
        "auto", which is "positive" for text and "any" for data whose columns avoid each other much.
    em
        How parameters are learned: "batch", "stepwise", or "auto" by the size of the data.
    em_steps
        Steps of batch EM (kappa).
    batch_size, step_exponent, em_updates
        Stepwise EM: documents a minibatch, the exponent of the stepsize (alpha), number of updates.
    structure_sample
        Documents drawn to learn the structure from (N'); None for all.
    refine
        Whether words and topics then move to the parent they share most information with, while that
        pays: a better model than the paper's, for two or three times the time.
    random_state
        Seed of the draw and of the minibatches. The same seed gives the same model, bit for bit,
        for any `n_jobs`.
    n_jobs
        Threads; None for all processors.
    progress
        True to report on stderr, or an `hlta.Monitor`.
    lowest_level
        Level of the most specific topics. Level 1 groups a few words each and is left out unless
        this is 1.
    n_keywords
        Keywords a topic; None for every word of its subtree.

    Attributes
    ----------
    tree_
        The `LatentTree`. State 1 of a latent variable is its topic, state 0 the background.
    topics_
        The `TopicTree`.
    em_
        How parameters were learned, "batch" or "stepwise".
    log_likelihoods_
        Mean log P(d) before each step of EM: of all documents, or of the minibatch.
    text_options_
        How texts are turned into words; None if the model was learned from a matrix.
    n_features_in_
        Number of words.
    """

    def __init__(
        self,
        *,
        max_top_topics: int = 20,
        max_island_size: int = 15,
        ud_threshold: float = 3.0,
        association: str = "auto",
        em: str = "auto",
        em_steps: int = 50,
        batch_size: int = 1000,
        step_exponent: float = 0.75,
        em_updates: int = 100,
        structure_sample: int | None = 10_000,
        refine: bool = True,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        progress: Any = False,
        lowest_level: int = 2,
        n_keywords: int | None = 10,
    ) -> None:
        self.max_top_topics = max_top_topics
        self.max_island_size = max_island_size
        self.ud_threshold = ud_threshold
        self.association = association
        self.em = em
        self.em_steps = em_steps
        self.batch_size = batch_size
        self.step_exponent = step_exponent
        self.em_updates = em_updates
        self.structure_sample = structure_sample
        self.refine = refine
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.lowest_level = lowest_level
        self.n_keywords = n_keywords

    # ---- learning ----------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, *, words: Sequence[str] | None = None) -> HLTA:  # noqa: ARG002
        """Learn topics from documents.

        Parameters
        ----------
        X
            A matrix of documents by words, sparse or dense, 0/1 or counts; a `Corpus`; or texts, a
            list, an iterator or a column of a data frame, of which a corpus is made with the
            defaults of `Corpus.from_texts`.
        y
            Ignored.
        words
            Names of the columns; by default those of a data frame, else x0, x1, ...
        """
        structure = StructureOptions(**_chosen(self, StructureOptions))
        parameters = EMOptions(**_chosen(self, EMOptions))
        seed, monitor = _seed(self.random_state), as_monitor(self.progress)
        resolve_jobs(self.n_jobs)
        if is_text(X):
            if words is not None:
                raise DocumentsError("words is given, but texts bring their own; leave it out")
            X = Corpus.from_texts(X)
        documents = self._documents(X, reset=True)
        if words is None:
            words = X.words if isinstance(X, Corpus) else self._default_words()
        elif isinstance(X, Corpus):
            raise DocumentsError(
                "words is given, but a Corpus names its words itself; leave it out"
            )
        names = tuple(str(word) if isinstance(word, str) else word for word in words)
        check_words(names, documents.n_words)
        learned = hlta(
            documents, names, structure, parameters, seed=seed, n_jobs=self.n_jobs, monitor=monitor
        )
        self.em_ = learned.em
        self.log_likelihoods_ = np.array(learned.log_likelihoods)
        self.text_options_ = X.text if isinstance(X, Corpus) else None
        self._take(learned.tree)
        return self

    def _default_words(self) -> Sequence[str]:
        return getattr(self, "feature_names_in_", [f"x{i}" for i in range(self.n_features_in_)])

    def _take(self, tree: LatentTree) -> None:
        self.tree_ = tree
        self.topics_ = TopicTree.from_tree(
            tree, lowest_level=self.lowest_level, n_keywords=self.n_keywords
        )
        self._columns = topic_nodes(tree, self.topics_) - tree.n_words
        self._n_features_out = len(self._columns)

    def _documents(self, X: Any, *, reset: bool) -> Documents:
        if isinstance(X, Corpus):
            if not reset:
                return X.aligned(self.tree_.words)
            _check_enough(len(X), X.documents.n_words)
            self.n_features_in_ = X.documents.n_words
            self.__dict__.pop("feature_names_in_", None)
            return X.documents
        if isinstance(X, Documents):
            X = _as_matrix(X)
        if is_text(X):
            return self.read(X)
        try:
            checked = validate_data(
                self,
                X,
                reset=reset,
                accept_sparse="csr",
                ensure_non_negative=True,
                ensure_min_samples=2 if reset else 1,
                ensure_min_features=2 if reset else 1,
            )
        except ValueError as error:
            raise DocumentsError(str(error)) from None
        return as_documents(checked)

    def read(self, texts: Any) -> Documents:
        """New texts, turned into words as those were that the model was learned from."""
        check_is_fitted(self)
        if self.text_options_ is None:
            raise DocumentsError(
                "X holds text, but the model was learned from a matrix; give a matrix with a column "
                "a word, in the order of tree_.words"
            )
        return with_vocabulary(texts, self.tree_.words, self.text_options_, n_jobs=self.n_jobs)

    # ---- documents ---------------------------------------------------------------------------

    def transform(self, X: Any) -> NDArray[np.float64]:
        """P(topic | document), documents by topics, in the order of `topics_`.

        For unseen documents too. A document can have any number of topics, at every level.
        """
        check_is_fitted(self)
        documents = self._documents(X, reset=False)
        out = np.empty((len(documents), len(self._columns)))
        size = max(1, _AT_ONCE // self.tree_.n_latents)
        for begin in range(0, len(documents), size):
            rows = slice(begin, min(begin + size, len(documents)))
            part = documents.take(np.arange(rows.start, rows.stop))
            found = self.tree_.posteriors(part, n_jobs=self.n_jobs).dense()
            out[rows] = found[:, self._columns]
        return out

    def assign(self, X: Any, *, least: float = 0.5) -> csr_array:
        """P(topic | document) where it exceeds `least`, as a sparse matrix.

        Like `transform`, but memory grows with the memberships that are kept.
        """
        check_is_fitted(self)
        documents = self._documents(X, reset=False)
        return memberships(self.tree_, self.topics_, documents, least, n_jobs=self.n_jobs)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:  # noqa: ARG002
        """Ids of the topics, in the order of the columns of `transform`."""
        check_is_fitted(self)
        return np.array([topic.id for topic in self.topics_], dtype=object)

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Log P(d) of each document, natural logarithm."""
        check_is_fitted(self)
        return self.tree_.log_likelihood(self._documents(X, reset=False), n_jobs=self.n_jobs)

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002
        """Mean log P(d) of the documents."""
        return float(self.score_samples(X).mean())

    def narrow_topics(
        self, X: Any, *, n_words: int = NARROW_WORDS, steps: int = 10
    ) -> NarrowTopics:
        """Sizes and members of the topics when only documents with their own words count.

        See `hlta.topics.narrow.narrow_topics`.
        """
        check_is_fitted(self)
        documents = self._documents(X, reset=False)
        return narrow_topics(self.tree_, self.topics_, documents, n_words=n_words, steps=steps)

    # ---- files -------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fitted model to a file, which is replaced as a whole or not at all.

        `hlta.load` reads it. Of `random_state` only a number is kept, of `progress` nothing.
        """
        check_is_fitted(self)
        options = {k: _plain(v) for k, v in self.get_params().items() if k != "progress"}
        more = {
            "options": options,
            "em": self.em_,
            "log_likelihoods": self.log_likelihoods_.tolist(),
            "named": hasattr(self, "feature_names_in_"),
            "text": None if self.text_options_ is None else self.text_options_.plain(),
        }
        save_tree(self.tree_, path, kind=ESTIMATOR, more=more)

    @classmethod
    def _restored(cls, header: dict[str, Any], tree: LatentTree, path: str | PathLike[str]) -> HLTA:
        try:
            model = cls(**header["options"])
            model.em_ = str(header["em"])
            model.log_likelihoods_ = np.array(header["log_likelihoods"], dtype=np.float64)
            model.n_features_in_ = tree.n_words
            if header["named"]:
                model.feature_names_in_ = np.array(tree.words, dtype=object)
            text = header.get("text")
            model.text_options_ = None if text is None else TextOptions(**text)
            model._take(tree)
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{os.fspath(path)} is damaged: {error}") from error
        return model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags

    @classmethod
    def load(cls, path: str | PathLike[str]) -> HLTA:
        """Read a model that `save` wrote.

        Parameters
        ----------
        path
            The file, or a folder that `hlta fit` wrote.

        Returns
        -------
        HLTA

        Raises
        ------
        FormatError
            If the file is damaged, foreign, of an unknown version, or holds something else.
        """
        saved = read_tree(model_in(path), ESTIMATOR)
        return cls._restored(saved.header, tree_from_file(saved.fields, saved.refusal), saved.path)


def _chosen(model: HLTA, options: Any) -> dict[str, Any]:
    return {name: getattr(model, name) for name in options.__dataclass_fields__}


def _seed(random_state: Any) -> int | None:
    if random_state is None:
        return None
    if not isinstance(random_state, bool) and isinstance(random_state, Integral):
        if random_state < 0:
            raise OptionError(f"random_state={random_state}: use a seed of 0 or more")
        return int(random_state)
    try:
        return int(check_random_state(random_state).randint(2**31 - 1))
    except ValueError as error:
        raise OptionError(str(error)) from None


def _plain(value: Any) -> Any:
    """A parameter as JSON can hold it."""
    if isinstance(value, np.generic):
        return value.item()
    return value if value is None or isinstance(value, (bool, int, float, str)) else None


def _check_enough(documents: int, words: int) -> None:
    if documents < 2:
        raise DocumentsError("there is 1 document; topics need at least 2 to differ between")
    if words < 2:
        raise DocumentsError("there is 1 word; topics need at least 2 that can occur together")


def is_text(X: Any) -> bool:
    """Whether X is a column of texts rather than a matrix."""
    if isinstance(X, str):
        raise DocumentsError("X is a single string; give a list of texts, one a document")
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and isinstance(X[0], str)
    if isinstance(X, Iterator):
        return True
    # A column of a data frame, of pandas or Polars, or an array of strings.
    shape: tuple[int, ...] = getattr(X, "shape", ())
    return len(shape) == 1 and shape[0] > 0 and isinstance(next(iter(X)), str)


def _as_matrix(documents: Documents) -> Any:
    from scipy.sparse import csr_array

    data = np.ones(len(documents.indices), dtype=np.int8)
    indices = documents.indices.astype(np.int64)
    return csr_array((data, indices, documents.indptr), shape=documents.shape)

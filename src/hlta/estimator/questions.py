"""What a fitted model says of documents: their topics, and the documents of a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hlta._support.checks import check_whole
from hlta.documents.corpus import Corpus
from hlta.estimator.inputs import DocumentInputs
from hlta.options import ON_TOPIC
from hlta.topics.main_topics import main_topics
from hlta.topics.memberships import NARROW_WORDS, memberships, narrow_topics, topic_nodes
from hlta.topics.representatives import likeliest, typical
from hlta.topics.tables import membership_frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.matrix import Documents
    from hlta.topics.memberships import NarrowTopics
    from hlta.topics.representatives import TopDocuments
    from hlta.topics.topic import Topic
    from hlta.topics.topic_tree import TopicTree

_AT_ONCE: Final = 1 << 23  # probabilities of states at a time: memory beyond the result stays small


class DocumentQuestions(DocumentInputs):
    """The part of `HLTA` that answers questions about documents and their topics."""

    topics_: TopicTree
    _columns: NDArray[np.intp]

    def predict(self, X: Any, *, topics: Iterable[Topic] | None = None) -> NDArray[np.intp]:
        """The main topic of each document: the one for which its words speak most.

        A word speaks for a topic if it is likelier among the words of documents on the topic than
        among all words, by the log of how much likelier; words below other topics count, too. Unlike
        the memberships of `transform`, of which many can be near 1, this tells topics apart.

        Parameters
        ----------
        X
            See `fit`.
        topics
            Topics of the model to choose from, such as `topics_.cut(30)` or `topics_.level(2)`; None
            for the root topics, `topics_.roots`.

        Returns
        -------
        int (documents,)
            Positions in that list; -1 where the words speak for none of the topics.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model.predict(["dark galaxies", "neural networks", "zebras"])
        array([ 0,  1, -1])
        """
        check_is_fitted(self)
        chosen = self.topics_.roots if topics is None else topics
        return main_topics(self.tree_, chosen, self._documents(X))

    def assign(self, X: Any, *, least: float = ON_TOPIC) -> csr_array:
        """P(topic | document) where it exceeds `least`, as a sparse matrix.

        Parameters
        ----------
        X
            See `fit`.
        least
            The threshold, from 0 to 1.

        Returns
        -------
        csr_array of float64 (documents, topics)
            Topics are in the order of `topics_`; memory grows with the entries alone.
        """
        documents = self._documents(X)
        return memberships(self.tree_, self.topics_, documents, least, n_jobs=self.n_jobs)

    def membership_table(
        self, X: Any, *, topics: Iterable[Topic] | None = None, least: float = ON_TOPIC
    ) -> pl.DataFrame:
        """The topics that each document is on, as a data frame with a row per document and topic.

        Parameters
        ----------
        X
            See `fit`.
        topics
            Topics of the model, such as `topics_.roots`; None for those of `topics_`.
        least
            The threshold that P(topic | document) exceeds, from 0 to 1.

        Returns
        -------
        polars.DataFrame
            `document` (its id in a `Corpus` with ids, otherwise its row, from 0), `topic` (the id),
            `title`, `level` and `probability`.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model.membership_table(["dark galaxies", "zebras"])["document", "title"].rows()
        [(0, 'dark matter in galaxies')]
        """
        documents = self._documents(X)
        chosen = list(self.topics_ if topics is None else topics)
        on = memberships(self.tree_, chosen, documents, least, n_jobs=self.n_jobs)
        ids = X.ids if isinstance(X, Corpus) else None
        return membership_frame(chosen, range(len(documents)) if ids is None else ids, on)

    def documents(self, topic: Topic | str, X: Any, n: int = 10) -> TopDocuments:
        """The documents that are most probably on a topic.

        Parameters
        ----------
        topic
            A topic of the model, or its id.
        X
            See `fit`.
        n
            The most documents.

        Returns
        -------
        TopDocuments
            `rows`, their numbers, the most probable first, and `probabilities`.
        """
        return likeliest(self._on(topic, X)[1], check_whole("n", n, least=1))

    def representative_documents(self, topic: Topic | str, X: Any, n: int = 10) -> TopDocuments:
        """Documents that are typical of a topic, without near-duplicates.

        Of the documents on it, these are the most like their average: unlike the most probable ones,
        which are often just long, they are what one would read to see what the topic is about.

        Parameters
        ----------
        topic, X, n
            See `documents`.

        Returns
        -------
        TopDocuments
            `rows`, their numbers, the most typical first, and `probabilities`.
        """
        n = check_whole("n", n, least=1)
        return typical(*self._on(topic, X), n, least=ON_TOPIC)

    def narrow_topics(
        self, X: Any, *, n_words: int = NARROW_WORDS, steps: int = 10
    ) -> NarrowTopics:
        """Sizes and memberships of the topics when each is redefined by its own keywords alone.

        Parameters
        ----------
        X
            See `fit`.
        n_words, steps
            See `hlta.topics.narrow_topics`.

        Returns
        -------
        NarrowTopics
        """
        documents = self._documents(X)
        return narrow_topics(self.tree_, self.topics_, documents, n_words=n_words, steps=steps)

    def _on(self, topic: Topic | str, X: Any) -> tuple[Documents, NDArray[np.float64]]:
        """Documents, and P(topic | document) of each."""
        check_is_fitted(self)
        if isinstance(topic, str):
            topic = self.topics_[topic]
        documents = self._documents(X)
        return documents, self._probabilities(documents, self._columns_of([topic]))[:, 0]

    def _probabilities(
        self, documents: Documents, columns: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """P(topic | document) of the latent variables with these numbers."""
        out = np.empty((len(documents), len(columns)))
        for begin, part in documents.chunks(_AT_ONCE // self.tree_.state_marginals.size):
            posteriors = self.tree_.posteriors(part, n_jobs=self.n_jobs).dense()
            out[begin : begin + len(part)] = posteriors[:, columns]
        return out

    def _columns_of(self, topics: Iterable[Topic] | None) -> NDArray[np.intp]:
        check_is_fitted(self)
        if topics is None:
            return self._columns
        return topic_nodes(self.tree_, topics) - self.tree_.n_words

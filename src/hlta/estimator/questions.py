"""What a fitted model says of documents: their topics, and the documents of a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hlta._support.checks import check_whole
from hlta.cluster import passes_on
from hlta.documents.corpus import Corpus
from hlta.errors import DocumentsError, OptionError
from hlta.estimator.inputs import DocumentInputs
from hlta.estimator.output import as_output
from hlta.options import ON_TOPIC
from hlta.topics.main_topics import main_topics
from hlta.topics.memberships import (
    NARROW_WORDS,
    are_known,
    memberships,
    narrow_topics,
    topic_nodes,
    without_rows,
)
from hlta.topics.reasons import reasons
from hlta.topics.representatives import likeliest, typical
from hlta.topics.tables import membership_frame
from hlta.topics.topic import Topic

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.matrix import Documents
    from hlta.edits.edited import Edited
    from hlta.topics.memberships import NarrowTopics
    from hlta.topics.reasons import Reasons
    from hlta.topics.representatives import TopDocuments
    from hlta.topics.topic_tree import TopicTree


class DocumentQuestions(DocumentInputs):
    """The part of `HLTA` that answers questions about documents and their topics."""

    topics_: TopicTree
    coverage_: float | None
    _columns: NDArray[np.intp]
    _edited: Edited

    def predict(self, X: Any, *, topics: Iterable[Topic] | None = None) -> NDArray[np.intp]:
        """The main topic of each document: the one for which its words speak most.

        A word speaks for a topic if it is likelier among the words of documents on the topic than
        among all words, by the log of how much likelier; words below other topics count, too. How
        often words occur on a topic was counted when the model was learned. Unlike the memberships of
        `transform`, of which many can be near 1, this tells topics apart.

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
            Positions in that list; -1 where the words speak for none of the topics, and where the model
            `knows` too few of them.

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
        documents, coverage = self._read(X)
        main = main_topics(self.tree_, chosen, documents, self._edited.known.corrections)
        return np.where(self._knows(documents, coverage), main, -1)

    def transform(self, X: Any, *, topics: Iterable[Topic] | None = None) -> NDArray[np.float64]:
        """P(topic | document), for new documents too.

        Parameters
        ----------
        X
            See `fit`.
        topics
            Topics of the model, such as `topics_.cut(30)`; None for those of `topics_`.

        Returns
        -------
        float64 (documents, topics)
            Topics are in the order given; a document can be on any number of them. After `set_output`,
            a data frame with their ids as the names of its columns.
        """
        columns = self._columns_of(topics)
        values = self._probabilities(self._documents(X), columns)
        names = [self.tree_.latent_names[k] for k in columns]
        output: NDArray[np.float64] = as_output(self, X, values, names)
        return output

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:  # noqa: ARG002
        """Ids of the topics, in the order of the columns of `transform`.

        Parameters
        ----------
        input_features
            Ignored.

        Returns
        -------
        object (topics,)
        """
        check_is_fitted(self)
        return np.array([topic.id for topic in self.topics_], dtype=object)

    def assign(self, X: Any, *, least: float = ON_TOPIC) -> csr_array:
        """P(topic | document) where it exceeds `least`, as a sparse matrix.

        Documents of whose words the model `knows` too few are on no topic; `transform` includes them,
        too.

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
        return self._memberships(X, self.topics_, least)[1]

    def membership_table(
        self, X: Any, *, topics: Iterable[Topic] | None = None, least: float = ON_TOPIC
    ) -> pl.DataFrame:
        """The topics that each document is on, as a data frame with a row per document and topic.

        Documents of whose words the model `knows` too few are on no topic.

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
        chosen = list(self.topics_ if topics is None else topics)
        documents, on = self._memberships(X, chosen, least)
        ids = X.ids if isinstance(X, Corpus) else None
        return membership_frame(chosen, range(len(documents)) if ids is None else ids, on)

    def documents(self, topic: Topic | str, X: Any, n: int = 10) -> TopDocuments:
        """The documents that are most probably on a topic, of those that the model `knows` enough of.

        Parameters
        ----------
        topic
            A topic of the model, or its id.
        X
            See `fit`.
        n
            How many documents, at most.

        Returns
        -------
        TopDocuments
            `rows`, their numbers, the most probable first, and `probabilities`.
        """
        known, _, probability = self._on(topic, X)
        return likeliest(probability, check_whole("n", n, least=1)).among(known)

    def representative_documents(self, topic: Topic | str, X: Any, n: int = 10) -> TopDocuments:
        """Documents that are typical of a topic, without near-duplicates.

        Of the documents on it that the model `knows` enough of, these have the most of what sets them
        apart from all documents, in proportion to their length. The most probable documents are often
        just long; these are what one would read to see what the topic is about.

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
        known, documents, probability = self._on(topic, X)
        return typical(documents, probability, n, least=ON_TOPIC).among(known)

    def why(self, topic: Topic | str, X: Any) -> Reasons:
        """Why a document is on a topic, or is not: what each word says, by exact inference.

        Parameters
        ----------
        topic
            A topic of the model, or its id.
        X
            One document: see `fit`.

        Returns
        -------
        Reasons
            `probability`, and of each word of the document and each keyword that it lacks, by which
            factor it changes the odds of the topic: alone, and in the context of all other words.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> topic = model.topics_.search("galaxies")[0]
        >>> print(model.why(topic, ["dark galaxies"]))
        P = 0.9915
        odds * 35.7  dark
        odds * 35.7  galaxies
        odds / 10.7  no matter
        """
        check_is_fitted(self)
        documents = self._documents(X)
        if len(documents) != 1:
            raise DocumentsError(
                f"why takes one document, not {len(documents)}: choose it, as in corpus.take([0])"
            )
        return reasons(self.tree_, self._topic(topic), documents)

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

    def coverage(self, X: Any) -> NDArray[np.float64]:
        """The share of the words of each document that the model knows.

        Of texts, it is that of all occurrences of words, without stop words and words that are too
        short; of a `Corpus`, also of the words that it holds. In a matrix, which has the words of the
        model alone, documents with a word have 1.

        Parameters
        ----------
        X
            See `fit`.

        Returns
        -------
        float64 (documents,)
            From 0 to 1, and 0 for documents without words.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model.coverage(["deep dark seas and oceans", "deep networks", "mer profonde"])
        array([0.5, 1. , 0. ])
        """
        return self._read(X)[1]

    def knows(self, X: Any) -> NDArray[np.bool_]:
        """Whether the model knows enough words of each document to say what it is about.

        It does not if it knows none, or if the `coverage` is less than a fifth of `coverage_`, the
        usual one of the documents it was learned from: such a document is in another language, or about
        something else. All words of the model, or nearly all, are absent from it, and its memberships in
        `transform` reflect no more than that.

        Parameters
        ----------
        X
            See `fit`.

        Returns
        -------
        bool (documents,)

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model.knows(["deep networks", "mer profonde"])
        array([ True, False])
        """
        return self._knows(*self._read(X))

    def _knows(self, documents: Documents, coverage: NDArray[np.float64]) -> NDArray[np.bool_]:
        return are_known(documents, coverage, self.coverage_)

    def _memberships(
        self, X: Any, topics: Iterable[Topic], least: float
    ) -> tuple[Documents, csr_array]:
        """Documents, and their memberships above a threshold where the model knows their words."""
        documents, coverage = self._read(X)
        with passes_on(self.client, self.n_jobs):
            on = memberships(self.tree_, topics, documents, least, n_jobs=self.n_jobs)
        return documents, without_rows(on, ~self._knows(documents, coverage))

    def _on(
        self, topic: Topic | str, X: Any
    ) -> tuple[NDArray[np.intp], Documents, NDArray[np.float64]]:
        """The rows that the model knows enough of, their documents, and P(topic | document) of each."""
        check_is_fitted(self)
        documents, coverage = self._read(X)
        known = np.flatnonzero(self._knows(documents, coverage))
        documents = documents.take(known)
        return (
            known,
            documents,
            self._probabilities(documents, self._columns_of([self._topic(topic)]))[:, 0],
        )

    def _topic(self, topic: Topic | str) -> Topic:
        """A topic, or that with an id."""
        if isinstance(topic, Topic):
            return topic
        if not isinstance(topic, str) or topic not in self.topics_:
            ids = "" if not self.topics_.roots else f", such as {self.topics_.roots[0].id!r}"
            raise OptionError(f"topic={topic!r:.60}: use a topic of the model, or its id{ids}")
        return self.topics_[topic]

    def _probabilities(
        self, documents: Documents, columns: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """P(topic | document) of the latent variables with these numbers."""
        out = np.empty((len(documents), len(columns)))
        for first, part, on in self.tree_.portions(documents, n_jobs=self.n_jobs):
            out[first : first + len(part)] = on[:, columns]
        return out

    def _columns_of(self, topics: Iterable[Topic] | None) -> NDArray[np.intp]:
        check_is_fitted(self)
        if topics is None:
            return self._columns
        return topic_nodes(self.tree_, topics) - self.tree_.n_words

"""What a fitted model says about documents: their topics, and the documents of a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, overload

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hlta._support.checks import check_choice, check_real, check_whole
from hlta._support.threads import on_threads
from hlta.documents.corpus import Corpus
from hlta.errors import DocumentsError, OptionError
from hlta.estimator.face import Face
from hlta.estimator.output import as_output
from hlta.model.inputs import read_documents, read_texts
from hlta.options import IN_PART
from hlta.topics.narrow import NARROW_STEPS, NARROW_WORDS, NarrowTopics, narrow_topics
from hlta.topics.nodes import topic_nodes
from hlta.topics.reasons import Parts, Reasons, reasons
from hlta.topics.representatives import TopDocuments, largest, typical
from hlta.topics.shares import evidence_for, sparse_shares
from hlta.topics.tables import main_rows, share_rows
from hlta.topics.topic import Topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from hlta._support.arrays import Bools, Floats, Indices
    from hlta.documents.matrix import Documents
    from hlta.topics.aligned_documents import AlignedDocuments

KINDS: Final = ("share", "probability", "evidence")
"""The kinds of values that `HLTA.transform` can return for a document and a topic."""


class DocumentQuestions(Face):
    """The part of `HLTA` that answers questions about documents and their topics."""

    def documents_from_texts(self, texts: Any) -> Documents:
        """Turn new texts into words in the same way as the texts that the model was learned from.

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
        check_is_fitted(self)
        with on_threads(self.n_jobs):
            return read_texts(self._fitted, texts).documents

    def predict(
        self, X: Any, *, topics: Iterable[Topic] | None = None, vectors: Any = None
    ) -> NDArray[np.intp]:
        """The main topic of each document: the one with the largest share of its words.

        Parameters
        ----------
        X
            See `fit`.
        topics
            Topics of the model to choose from, of which none is below another, such as
            `topics_.cut(30)` or `topics_.level(2)`; None for the root topics, `topics_.roots`.
        vectors
            A row per document, if the model was learned with vectors: see `fit`. Without them, only
            the words of documents count.

        Returns
        -------
        int (documents,)
            Positions in that list; -1 where none has a fifth of the words, or the model `knows` too few
            of them. In a list that covers the whole tree, such as a level, the main topic is found on
            the way down: it is below the root topic with the largest share, and so on.

        Raises
        ------
        OptionError
            If one of the topics is below another.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model.predict(["dark galaxies", "neural networks", "zebras"])
        array([ 1,  2, -1])
        """
        check_is_fitted(self)
        chosen = self.topics_.roots if topics is None else list(topics)
        if (pair := self.topics_.overlap(chosen)) is not None:
            raise OptionError(
                f"topics: {pair[1].id} is below {pair[0].id}, so documents are about both; give topics "
                "such as those of topics_.cut(30) or topics_.level(2)"
            )
        read = self._read(X, vectors)
        shares, found = self.topics_.shares(chosen), [np.empty(0, dtype=np.intp)]
        with self._running():
            for _, part in shares.chunks(read.documents):
                found.append(shares.with_main(part)[1])
        return np.where(self._knows(read), np.concatenate(found), -1)

    def fit_predict(self, X: Any, y: Any = None, *, vectors: Any = None) -> NDArray[np.intp]:
        """Learn topics, and give the main root topic of each document.

        Parameters
        ----------
        X, y, vectors
            See `fit`.

        Returns
        -------
        int (documents,)
            See `predict`.
        """
        fitted = self.fit(X, y, vectors=vectors)  # type: ignore[attr-defined]
        return fitted.predict(X, vectors=vectors)  # type: ignore[no-any-return]

    def fit_transform(
        self, X: Any, y: Any = None, *, vectors: Any = None, **given: Any
    ) -> NDArray[np.float64]:
        """Learn topics, and give the share of each document's words that is about each topic.

        Parameters
        ----------
        X, y, vectors, **given
            See `fit`.

        Returns
        -------
        float64 (documents, topics)
            See `transform`.
        """
        fitted = self.fit(X, y, vectors=vectors, **given)  # type: ignore[attr-defined]
        return fitted.transform(X, vectors=vectors)  # type: ignore[no-any-return]

    def transform(
        self,
        X: Any,
        *,
        topics: Iterable[Topic] | None = None,
        kind: str = "share",
        vectors: Any = None,
    ) -> NDArray[np.float64]:
        """The share of each document's words that is about each topic, for new documents too.

        Parameters
        ----------
        X
            See `fit`.
        topics
            Topics of the model; None for those of `topics_`. Those of a level have shares that add up
            to 1, and the share of a topic is the sum of those directly below it. Topics that do not
            cover the tree, such as those of `topics_.cut(30)`, share all words among themselves.
        kind
            "share"; or "probability", the exact P(topic | document) of the model, in which a document
            can be on many topics with certainty; or "evidence", the sum over its words of the log of
            how much more frequent each is in the topic than in all documents, in nats, which suits
            classifiers best. The last two ignore vectors.
        vectors
            See `predict`.

        Returns
        -------
        float64 (documents, topics)
            Topics are in the order given. After `set_output`, a data frame with their ids as the names
            of its columns. The shares in a document of whose words the model `knows` too few are 0.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model.transform(["dark galaxies", "neural pears"]).round(2)
        array([[0.02, 0.85, 0.14],
               [0.51, 0.09, 0.4 ]])
        """
        check_is_fitted(self)
        check_choice("kind", kind, KINDS)
        chosen = list(self.topics_ if topics is None else topics)
        columns = topic_nodes(self.tree_, chosen) - self.tree_.n_words
        read = self._read(X, vectors)
        documents = read.documents
        if kind == "share":
            values = np.zeros((len(documents), len(chosen)))
            with self._running():
                for begin, part in self._shares_in(read, chosen):
                    values[begin : begin + len(part)] = part
        elif kind == "probability":
            values = documents.mean_over_sections(self._probabilities(documents.units, columns))
        else:
            evidence = evidence_for(self.tree_, self.topics_.counts, columns)
            values = np.asarray(documents.units.to_csr(np.float64) @ evidence.words)
            values = documents.sums_over_sections(values)
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

    def share_table(
        self, X: Any, *, topics: Iterable[Topic] | None = None, least: float = IN_PART
    ) -> pl.DataFrame:
        """The topics that each document is on, as a data frame with a row per document and topic.

        Parameters
        ----------
        X
            See `fit`.
        topics
            See `transform`.
        least
            The smallest share, from 0 to 1.

        Returns
        -------
        polars.DataFrame
            `document` (its id in a `Corpus` with ids, otherwise its row, from 0), `topic` (the id),
            `title`, `level` and `share`.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model.share_table(["dark galaxies", "zebras"])["document", "title"].rows()
        [(0, 'dark matter in galaxies')]
        """
        chosen = list(self.topics_ if topics is None else topics)
        check_real("least", least, least=0.0, most=1.0)
        read = self._read(X)
        with self._running():
            parts = (part for _, part in self._shares_in(read, chosen))
            shares = sparse_shares(parts, len(chosen), least)
        return share_rows(chosen, _names_of(X, shares.shape[0]), shares)

    def main_table(self, X: Any) -> pl.DataFrame:
        """The main topic of each document at each level, as a data frame with a row per document.

        Parameters
        ----------
        X
            See `fit`.

        Returns
        -------
        polars.DataFrame
            `document`, see `share_table`; and for each level of `topics_`, from the roots downwards,
            the main topic's id, title and share, such as `topic_3`, `title_3` and `share_3`; null
            where the document has none.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model.main_table(["dark galaxies", "zebras"])["title_1"].to_list()
        ['dark matter in galaxies', None]
        """
        read = self._read(X)
        documents, names = read.documents, _names_of(X, len(read.documents))
        with self._running():
            return main_rows(self.topics_.partitions, documents, self._knows(read), names)

    def documents(self, topic: Topic | str, X: Any, n: int = 10) -> TopDocuments:
        """The documents in which a topic has the largest shares.

        Parameters
        ----------
        topic
            A topic of the model, its id or its title.
        X
            See `fit`.
        n
            How many documents, at most.

        Returns
        -------
        TopDocuments
            `rows`, their numbers, the largest share first, and `shares`.
        """
        known, _, shares = self._in_documents(topic, X)
        return largest(shares, check_whole("n", n, least=1)).among(known)

    def representative_documents(self, topic: Topic | str, X: Any, n: int = 10) -> TopDocuments:
        """Documents that are typical of a topic, without near-duplicates.

        Of the documents on it, these have the most of the words that distinguish such documents from
        all others, in proportion to their length. Reading them shows what the topic is about.

        Parameters
        ----------
        topic, X, n
            See `documents`.

        Returns
        -------
        TopDocuments
            `rows`, their numbers, the most typical first, and `shares`.
        """
        n = check_whole("n", n, least=1)
        known, documents, shares = self._in_documents(topic, X)
        return typical(documents, shares, n, least=IN_PART).among(known)

    @overload
    def why(self, topic: Topic | str, X: Any, *, kind: Literal["share"] = "share") -> Parts: ...

    @overload
    def why(self, topic: Topic | str, X: Any, *, kind: Literal["probability"]) -> Reasons: ...

    def why(self, topic: Topic | str, X: Any, *, kind: str = "share") -> Parts | Reasons:
        """Why a document is on a topic: which of its words are about it, and how much of each is.

        Parameters
        ----------
        topic
            A topic of the model, its id or its title.
        X
            One document: see `fit`.
        kind
            "share"; or "probability", for how each word changes P(topic | document), by exact
            inference.

        Returns
        -------
        Parts
            `share`, and for each word of the document which part of it is about the topic, the largest
            first. The share is the mean over all words, and the vector if there is one; in a long
            document, a word counts once for each section that has it.
        Reasons
            With kind="probability": `probability`, and for each word of the document and each keyword
            that it lacks, the log of the factor by which it changes the odds of the topic: alone, and
            in the context of all other words.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> topic = model.topics_.search("galaxies")[0]
        >>> print(model.why(topic, ["dark pears"]))
        40% of 2 words
        0.78 dark
        0.01 pears
        >>> print(model.why(topic, ["dark galaxies"], kind="probability"))
        P = 0.9915
        odds * 35.7  dark
        odds * 35.7  galaxies
        odds / 10.7  no matter
        """
        check_choice("kind", kind, ("share", "probability"))
        document = self._read(X).documents
        if len(document) != 1:
            raise DocumentsError(
                f"why takes one document, not {len(document)}: choose it, as in corpus.take([0])"
            )
        chosen = self._topic(topic)
        if kind == "probability":
            return reasons(self.tree_, chosen, document)
        return self.topics_.shares([chosen]).why(document, 0)

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Log P(document) of each document, in nats; of one in sections, the sum over these.

        Parameters
        ----------
        X
            See `fit`.

        Returns
        -------
        float64 (documents,)
        """
        documents = self._read(X).documents
        with self._running():
            found = self.tree_.log_likelihood(documents.units)
        return documents.sums_over_sections(found)

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002
        """Mean log P(document), in nats.

        Parameters
        ----------
        X, y
            See `fit`.

        Returns
        -------
        float
        """
        return float(self.score_samples(X).mean())

    def narrow_topics(
        self, X: Any, *, n_words: int = NARROW_WORDS, steps: int = NARROW_STEPS
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
        documents = self._read(X).documents
        with on_threads(self.n_jobs):
            return narrow_topics(self.tree_, self.topics_, documents, n_words=n_words, steps=steps)

    def coverage(self, X: Any) -> NDArray[np.float64]:
        """The share of the words of each document that the model knows.

        For texts, it is the share of all occurrences of words, except stop words, filler words and
        words that are too short; for a `Corpus`, that of its words, times its own coverage if it has one.
        For a matrix, which has only the words of the model, it is 1 if the document has a word.

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
        return self._read(X).coverage

    def knows(self, X: Any) -> NDArray[np.bool_]:
        """Whether the model knows enough words of each document to say what it is about.

        False if it knows none of its words, or if the document's `coverage` is less than a fifth of
        `coverage_`, the median of the documents that the model was learned from. Such a document is in
        another language or on another subject, and has no topic. A model that was learned with vectors
        knows every document that has one.

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
        return self._knows(self._read(X))

    def _read(self, X: Any, vectors: Any = None) -> AlignedDocuments:
        """New documents, with the words of the model as columns."""
        check_is_fitted(self)
        with on_threads(self.n_jobs):
            return read_documents(self._fitted, X, vectors)

    def _knows(self, read: AlignedDocuments) -> Bools:
        return read.are_known(self.coverage_, by_vectors=self.topics_.goes_by_vectors)

    def _shares_in(
        self, read: AlignedDocuments, topics: Sequence[Topic]
    ) -> Iterator[tuple[int, Floats]]:
        """Shares in a few documents at a time, which are 0 in unknown documents."""
        return self.topics_.shares(topics).of_known(read.documents, self._knows(read))

    def _in_documents(self, topic: Topic | str, X: Any) -> tuple[Indices, Documents, Floats]:
        """The row numbers of the known documents, these documents, and the topic's share in each."""
        check_is_fitted(self)
        chosen = self._topic(topic)
        read = self._read(X)
        known, found = np.flatnonzero(self._knows(read)), [np.empty(0)]
        with self._running():
            for _, part in self._shares_in(read, [chosen]):
                found.append(part[:, 0])
        return known, read.documents.take(known), np.concatenate(found)[known]

    def _topic(self, topic: Topic | str) -> Topic:
        """A topic given as a `Topic`, by its id or by its title."""
        if isinstance(topic, Topic):
            return topic
        try:
            return self.topics_[topic]
        except TypeError as error:
            raise OptionError(
                f"topic: {error}; use a topic of the model, its id or its title"
            ) from None

    def _probabilities(self, documents: Documents, columns: Indices) -> Floats:
        """P(topic | document) of the latent variables with these numbers."""
        out = np.empty((len(documents), len(columns)))
        with on_threads(self.n_jobs):
            for first, part, on in self.tree_.dense_posteriors(documents):
                out[first : first + len(part)] = on[:, columns]
        return out


def _names_of(X: Any, count: int) -> Sequence[Any]:
    """The ids of documents, or their numbers."""
    ids = X.ids if isinstance(X, Corpus) else None
    return range(count) if ids is None else ids

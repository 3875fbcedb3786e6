"""`partial_fit`: a fitted model that learns from further documents."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from hlta._support.checks import check_real
from hlta.algorithm.updating import ASKED, update, words_on_topics
from hlta.documents.corpus import Corpus
from hlta.drift.changes import Before
from hlta.drift.report import find_drift
from hlta.edits.edited import Edited
from hlta.edits.log import EditLog, fingerprint
from hlta.errors import DocumentsError, OptionError
from hlta.estimator.editing import EditableModel
from hlta.estimator.inputs import is_text, plain_words
from hlta.text.vocabulary import with_further_words
from hlta.topics.memberships import documents_on

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from hlta.algorithm.updating import Statistics
    from hlta.documents.matrix import Documents
    from hlta.drift.report import Drift


class UpdatableModel(EditableModel):
    """The part of `HLTA` that learns from further documents."""

    drift_: Drift
    _statistics: Statistics | None

    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        *,
        words: Sequence[str] | None = None,
        half_life: float | None = None,
    ) -> Self:
        """Learn from further documents; the topics, their ids and the words stay.

        A model that is not fitted yet is fitted. Otherwise the parameters move to where they would be,
        nearly, had all documents been seen at once, in a time that does not grow with those before;
        `drift_` tells how the new documents differ from them. Edits made so far become part of the
        model and cannot be undone any more. `Topic.documents` counts each document as it was when it
        was new.

        Parameters
        ----------
        X
            New documents, see `fit`. Texts are read as those before.
        y
            Ignored.
        words
            Names of the columns of a matrix; None for those of the model.
        half_life
            After how many new documents those before count half as much; None for never.

        Returns
        -------
        HLTA
            The model itself.

        Raises
        ------
        DocumentsError
            If X cannot be used, or none of the documents has a word of the model.
        OptionError
            If `half_life` is not a number above 0, or the model is from a file that does not tell how
            many documents it was learned from.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model = model.partial_fit(texts[:1] * 60 + texts[1:] * 15)
        >>> print(model.topics_)
        [0.53] deep neural networks
        [0.23] dark matter in galaxies
        [0.23] apples and pears
        >>> [change.title for change in model.drift_.topics]
        ['deep neural networks']
        """
        if not hasattr(self, "tree_"):
            return self.fit(X, y, words=words)  # type: ignore[attr-defined, no-any-return]
        if half_life is not None:
            check_real("half_life", half_life, least=1.0, hint="in documents")
        statistics, corpus = self._statistics_now(), self._further(X, words)
        documents = self._known_part(corpus)
        fading = 1.0 if half_life is None else 0.5 ** (len(documents) / half_life)
        jobs, known = self.n_jobs, self._edited.known
        drift = self._drift(statistics, corpus)
        tree, statistics = update(self.tree_, statistics, documents, fading=fading, n_jobs=jobs)
        on = documents_on(tree, documents, n_jobs=jobs)
        counted = None if known.documents is None else known.documents + on
        log = EditLog(fingerprint(tree), (), self._log.history)
        self._set_learned(Edited(tree, known._replace(documents=counted)), log)
        self._statistics, self.drift_ = statistics, drift
        return self

    def _statistics_now(self) -> Statistics:
        """What is known of the documents so far, for the model with its edits."""
        if self._statistics is None:
            raise OptionError(
                "the model does not tell how many documents it was learned from, because an earlier "
                "version of hlta wrote its file; learn it again with fit (hlta fit)"
            )
        return self._statistics.after_edits(self._learned.tree, self.tree_)

    def _further(self, X: Any, words: Sequence[str] | None) -> Corpus:
        """New documents, with all that is known of their words."""
        is_matrix = not isinstance(X, Corpus) and not is_text(X)
        if words is not None:
            if not is_matrix:
                raise DocumentsError("words is given, but X names its words itself; leave it out")
            return Corpus(X, plain_words(words))
        if isinstance(X, Corpus):
            return X
        if is_matrix:
            return Corpus(self._documents(X), self.tree_.words)
        return Corpus(
            *with_further_words(X, self.tree_.words, self._reading_options(), n_jobs=self.n_jobs)
        )

    def _known_part(self, corpus: Corpus) -> Documents:
        """The documents with the words of the model as columns."""
        words = self.tree_.words
        documents, missing = corpus.aligned(words), len(set(words).difference(corpus.words))
        if not len(documents.indices):
            raise DocumentsError(
                f"none of the {len(corpus):,} new documents has a word of the model; give documents "
                "of the same kind as those it was learned from"
            )
        if missing:
            warnings.warn(
                f"{missing:,} of the {len(words):,} words of the model are not among the words of X, "
                "and count as absent from all of its documents; texts are read with all words",
                stacklevel=3,
            )
        return documents

    def _drift(self, statistics: Statistics, corpus: Corpus) -> Drift:
        """How the documents differ from those before."""
        tree = self.tree_
        seen, words = statistics.seen, words_on_topics(tree, statistics)
        count = statistics.effective
        asked = min(count, float(ASKED))
        before = Before(tree, count, asked, seen.shares, seen.spreads, words, seen.most)
        return find_drift(before, self.topics_, corpus, n_jobs=self.n_jobs)

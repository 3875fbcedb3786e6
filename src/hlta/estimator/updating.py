"""`partial_fit`: a fitted model that learns from further documents."""

from __future__ import annotations

import warnings
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta._support.checks import check_flag, check_real, check_whole
from hlta.documents.corpus import Corpus
from hlta.documents.kept_sample import KeptSample
from hlta.drift.changes import Before
from hlta.drift.report import find_drift
from hlta.edits.edited import Edited
from hlta.edits.entries import Remove
from hlta.edits.log import EditLog
from hlta.errors import DocumentsError, OptionError
from hlta.estimator.atomic import all_or_nothing
from hlta.estimator.editing import EditableModel
from hlta.estimator.inputs import is_text, plain_words
from hlta.estimator.relearning import carried
from hlta.learning.statistics import cautious, words_on_topics
from hlta.text.selection import share_of_others
from hlta.text.vocabulary import most_frequent, with_further_words
from hlta.topics.memberships import coverage_of
from hlta.topics.sizes import Sizes
from hlta.tree.fingerprint import fingerprint
from hlta.updates.growing import Grown, grown
from hlta.updates.updating import update

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.drift.report import Drift
    from hlta.estimator.seed_reports import SeedReport
    from hlta.learning.statistics import Statistics
    from hlta.topics.known import Known
    from hlta.tree.latent_tree import LatentTree


class UpdatableModel(EditableModel):
    """The part of `HLTA` that learns from further documents."""

    drift_: Drift
    coverage_: float | None
    em_: str
    log_likelihoods_: NDArray[np.float64]
    seeds_: list[SeedReport]
    keep_documents: int
    _statistics: Statistics | None
    _kept: KeptSample | None = None

    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        *,
        words: Sequence[str] | None = None,
        half_life: float | None = None,
        grow: bool | Sequence[str] = False,
        relearn: bool = False,
    ) -> Self:
        """Learn from further documents; the topics, their ids and the words stay.

        A model that is not fitted yet is fitted. Otherwise the parameters move to nearly where they
        would be had all documents been seen at once, in a time that does not grow with the number of
        earlier ones; `drift_` tells how the new documents differ from those. Edits made so far become
        part of the model and can no longer be undone. `Topic.documents` counts each document by its
        shares when it was new, repeats included; in learning and in `drift_`, a text of X counts once.

        Parameters
        ----------
        X
            New documents, see `fit`. Texts are read as the earlier ones were.
        y
            Ignored.
        words
            Names of the columns of a matrix; None for those of the model.
        half_life
            After how many new documents the earlier ones count half as much; None for never.
        grow
            Words that the model lacks and is to get; True for those that are surely more frequent
            than before. Words that go together become a new topic, below the one that it tells most
            about; others join the topic that they tell most about. The earlier documents are taken
            to have none of these words.
        relearn
            Whether to learn everything again, including the structure, from the documents that the
            model keeps (`keep_documents`), new ones among them. Topics that come back keep their ids,
            and edits are made again where they apply; a warning names the others.

        Returns
        -------
        HLTA
            The model itself.

        Raises
        ------
        DocumentsError
            If X cannot be used, or none of the documents has a word of the model.
        OptionError
            If `half_life` is not a number above 0, the model is from a file that does not say how
            many documents it was learned from, or it is to `relearn` and keeps no documents.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model = model.partial_fit(texts[:1] * 60 + texts[1:] * 15)
        >>> print(model.topics_)
        [0.50] deep neural networks
        [0.26] dark matter in galaxies
        [0.24] apples and pears
        >>> [change.title for change in model.drift_.topics]
        ['deep neural networks']
        """
        if not hasattr(self, "tree_"):
            return self.fit(X, y, words=words)  # type: ignore[attr-defined, no-any-return]
        if half_life is not None:
            check_real("half_life", half_life, least=1.0, hint="in documents")
        statistics, given = self._statistics_now(), self._further(X, words)
        self._check_known_part(given)
        check_flag("relearn", relearn)
        if relearn:
            self._check_keeps_documents()
        distinct, jobs = given.distinct(), self.n_jobs
        fading = 1.0 if half_life is None else 0.5 ** (len(distinct) / half_life)
        before, corpus = self._before(statistics), distinct.units
        documents = given.aligned(self.tree_.words)
        sizes = self._sizes(self._edited, documents, coverage_of(given, documents))
        drift = find_drift(before, self.topics_, corpus, sizes, len(distinct), n_jobs=jobs)
        drift = drift.renumbered(_rows(given, distinct.documents))
        new = drift.new_words if grow is True else self._wanted(grow, corpus)
        kept = self._kept_with(corpus, new, fading, len(given))
        if relearn and kept is not None:
            weight = statistics.faded(fading).with_more(len(corpus))
            with all_or_nothing(self):
                self._relearn(kept, weight)
                self._kept, self.drift_ = kept, drift
            return self
        tree, start = self._grown(new, corpus)
        documents = corpus.aligned(tree.words)
        updated = update(tree, statistics, documents, fading=fading, start=start, n_jobs=jobs)
        known = self._known_of(updated.tree, given, distinct, fading * statistics.weight)
        log = EditLog(fingerprint(updated.tree), (), self._log.history)
        self._set_learned(Edited(updated.tree, known), log)
        self._statistics, self._kept, self.drift_ = updated.statistics, kept, drift
        return self

    def _check_keeps_documents(self) -> None:
        """Refuse to learn again if there are no documents to learn from."""
        check_whole("keep_documents", self.keep_documents, least=0)
        if self._kept is None or self.keep_documents < 2:
            raise OptionError(
                "relearn: the model keeps no documents, or just one, from which to learn its structure "
                "again; fit it with keep_documents=10_000 (--keep-documents 10000), or leave relearn out"
            )

    def _first_kept(self, corpus: Corpus, offered: int) -> KeptSample | None:
        """The documents that a model keeps when it is fitted."""
        if not self.keep_documents:
            return None
        return KeptSample.of(corpus, most=self.keep_documents, offered=offered)

    def _kept_with(
        self, corpus: Corpus, new: tuple[str, ...], fading: float, offered: int
    ) -> KeptSample | None:
        """Those that it keeps after an update, which has `new` words."""
        check_whole("keep_documents", self.keep_documents, least=0)
        if self._kept is None or not self.keep_documents:
            return None
        known = self._kept.corpus.words
        words = (*known, *(word for word in new if word not in set(known)))
        return self._kept.with_more(
            corpus, words, most=self.keep_documents, fading=fading, offered=offered
        )

    def _relearn(self, kept: KeptSample, weight: Statistics) -> None:
        """Learn everything again from the documents that are kept, and make the edits again."""
        own = self.get_params(deep=False)  # type: ignore[attr-defined]
        again: Any = type(self)(**own | {"text": None, "checkpoint": None, "keep_documents": 0})
        again.fit(kept.corpus)
        before, edits = copy(self), self.edit.ids_used
        model, names = carried(self._edited, again._edited, edits, kept)
        self.em_, self.log_likelihoods_ = again.em_, again.log_likelihoods_
        self.seeds_ = [seed.renamed(names) for seed in again.seeds_]
        self._statistics = again._statistics.of_sample(weight)
        self._set_learned(model)
        refused = self.edit.replay(before.edit, kept.corpus, match=True) if len(before.edit) else []
        if refused:
            warnings.warn(
                f"{len(refused):,} edits do not apply to what was learned again and are left out: "
                f"{'; '.join(refused[:3])}",
                stacklevel=3,
            )

    def _statistics_now(self) -> Statistics:
        """What is known of the documents so far, for the model with its edits."""
        if self._statistics is None:
            raise OptionError(
                "the model does not say how many documents it was learned from, because an earlier "
                "version of hlta wrote its file; learn it again with fit (hlta fit)"
            )
        return self._statistics

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
        read = with_further_words(X, self.tree_.words, self._reading_options(), n_jobs=self.n_jobs)
        return Corpus(**read._asdict())

    def _check_known_part(self, corpus: Corpus) -> None:
        """Refuse documents without any word of the model; tell if words of it are not in them."""
        words = self.tree_.words
        missing = len(set(words).difference(corpus.words))
        if not corpus.aligned(words).n_presences:
            raise DocumentsError(
                f"none of the {len(corpus):,} new documents has a word of the model; give documents "
                "of the same kind as those it was learned from"
            )
        if missing:
            warnings.warn(
                f"{missing:,} of the {len(words):,} words of the model are not among the words of X, "
                "and count as absent from all of its documents; if you have the texts, give those",
                stacklevel=3,
            )

    def _before(self, statistics: Statistics) -> Before:
        """What is known of the earlier documents, to compare others with."""
        tree, count, sizes = self.tree_, statistics.effective, self._edited.known.sizes
        words = words_on_topics(tree, statistics)
        text, learned = self.text_options_, round(statistics.weight)
        rarest = float(tree.marginals[: tree.n_words].min())
        allowed = 1.0 if text is None else most_frequent(learned, text)
        others = None if text is None else share_of_others(text, rarest)
        return Before(
            tree,
            cautious(tree, statistics),
            documents=count,
            sizes=sizes or Sizes.unknown(tree.n_latents),
            words=words,
            most=statistics.most,
            allowed=allowed,
            left_out=self._left_out(),
            others=others,
        )

    def _left_out(self) -> dict[str, float]:
        """Words that the model lacks, and the share of the earlier documents that each was in at most.

        Those that a person removed shall not come back by themselves.
        """
        text, edits = self.text_options_, (record.entry for record in self._log.history)
        removed = {entry.word: 1.0 for entry in edits if isinstance(entry, Remove)}
        return {**dict(() if text is None else text.left_out or ()), **removed}

    def _wanted(self, words: bool | Sequence[str], corpus: Corpus) -> tuple[str, ...]:
        """Words that a person wants the model to get."""
        if not words:
            return ()
        if isinstance(words, str | bool) or not all(isinstance(word, str) for word in words):
            raise OptionError(f"grow={words!r:.60}: use True, False or a list of words")
        stray = set(words).difference(corpus.words)
        if stray:
            raise OptionError(
                f"grow: {min(stray)!r:.60} is not a word of the new documents; drift_.unknown_words "
                "lists the words that the model lacks"
            )
        return tuple(sorted(set(words).difference(self.tree_.words)))

    def _grown(self, words: tuple[str, ...], corpus: Corpus) -> Grown:
        """The tree with further words, which may be none."""
        tree = self.tree_
        if not words:
            return Grown(tree, tree.parameters)
        return grown(
            tree,
            words,
            corpus.aligned(tree.words),
            corpus.aligned(words),
            level=self.lowest_level,
            used=self.edit.ids_used,
            n_jobs=self.n_jobs,
        )

    def _known_of(self, tree: LatentTree, corpus: Corpus, distinct: Corpus, weight: float) -> Known:
        """What is known of the topics of an updated tree, after new documents came.

        The earlier ones now weigh so much.
        """
        documents = corpus.aligned(tree.words)
        known, before = self._edited.reshaped(tree, (), ()).known, self._edited.known.sizes
        if known.counts is not None:
            units = distinct.aligned(tree.words).units
            counts = known.counts.with_more(tree, units, weight, n_jobs=self.n_jobs)
            known = known._replace(counts=counts)
        if before is not None:
            new = self._sizes(Edited(tree, known), documents, coverage_of(corpus, documents))
            count = len(distinct.documents.units)
            known = known._replace(
                sizes=before.padded(tree.n_latents).with_more(weight, new, count)
            )
        return known


def _rows(given: Corpus, distinct: Documents) -> NDArray[np.int64]:
    """The number of the document that each unit of the distinct ones is of."""
    rows = np.arange(len(given)) if given.originals is None else np.unique(given.originals)
    return rows if distinct.sections is None else np.repeat(rows, np.diff(distinct.sections.starts))

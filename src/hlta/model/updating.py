"""Further documents: a model that has learned from them, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta._support.checks import check_real
from hlta.drift.changes import Before
from hlta.drift.report import Drift, find_drift
from hlta.edits.annotated_tree import AnnotatedTree
from hlta.edits.entries import Remove
from hlta.edits.log import EditLog
from hlta.errors import OptionError
from hlta.learning.statistics import Statistics, cautious, words_on_topics
from hlta.text.selection import share_of_others
from hlta.text.vocabulary import most_frequent
from hlta.topics.memberships import coverage_of
from hlta.topics.sizes import Sizes
from hlta.topics.vector_learning import add_vectors
from hlta.tree.fingerprint import fingerprint
from hlta.updates.growing import Grown, add_words
from hlta.updates.updating import update

if TYPE_CHECKING:
    from hlta._support.arrays import Ints
    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.model.value import Model
    from hlta.model.view import View
    from hlta.topics.annotations import Annotations
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree


class NewDocuments(NamedTuple):
    """New documents, beside those that a model was learned from.

    given, distinct  Corpus: the documents; in the latter, each text stands once
    statistics       Statistics: of the earlier documents
    fading           float: by how much their weight fades
    drift            Drift: how the new ones differ
    words            tuple of str: those that the model gets
    """

    given: Corpus
    distinct: Corpus
    statistics: Statistics
    fading: float
    drift: Drift
    words: tuple[str, ...]


def compare_new_documents(
    model: Model,
    given: Corpus,
    topics: TopicTree,
    view: View,
    *,
    half_life: float | None,
    grow: bool | Sequence[str],
) -> NewDocuments:
    """Compare new documents with the earlier ones, before the model learns from them."""
    if half_life is not None:
        check_real("half_life", half_life, least=1.0, hint="in documents")
    if model.statistics is None:
        raise OptionError(
            "the model does not say how many documents it was learned from, because an earlier "
            "version of hlta wrote its file; learn it again with fit (hlta fit)"
        )
    distinct = given.distinct()
    fading = 1.0 if half_life is None else 0.5 ** (len(distinct) / half_life)
    documents, units = given.aligned(model.tree.words), distinct.units
    coverage = coverage_of(given, documents)
    sizes = view.sizes_of(model.edited, documents, coverage, model.coverage)
    before = _before(model, model.statistics)
    drift = find_drift(before, topics, units, sizes, len(distinct))
    drift = drift.renumbered(_rows(given, distinct.documents))
    words = _wanted(model, drift, grow, units)
    return NewDocuments(given, distinct, model.statistics, fading, drift, words)


def learn_further(model: Model, new: NewDocuments, view: View) -> Model:
    """The model after it has learned from new documents; its edits can no longer be undone."""
    units, statistics, fading = new.distinct.units, new.statistics, new.fading
    tree, start = _with_words(model, new.words, units, view.lowest_level)
    documents = units.aligned(tree.words)
    after = update(tree, statistics, documents, fading=fading, start=start)
    known = _annotations_of(model, after.tree, new, view)
    log = EditLog(fingerprint(after.tree), (), model.log.history)
    model = model.with_learned(AnnotatedTree(after.tree, known), log)
    return replace(model, statistics=after.statistics, drift=new.drift)


def _before(model: Model, statistics: Statistics) -> Before:
    """What is known of the earlier documents, to compare others with."""
    tree, text = model.tree, model.text
    rarest = float(tree.marginals[: tree.n_words].min())
    return Before(
        tree,
        cautious(tree, statistics),
        documents=statistics.effective,
        sizes=model.annotations.sizes or Sizes.unknown(tree.n_latents),
        words=words_on_topics(tree, statistics),
        most=statistics.most,
        allowed=1.0 if text is None else most_frequent(round(statistics.weight), text),
        left_out=_left_out(model),
        others=None if text is None else share_of_others(text, rarest),
    )


def _left_out(model: Model) -> dict[str, float]:
    """Words that the model lacks, and the share of the earlier documents that each was in at most.

    Those that a person removed shall not come back by themselves.
    """
    edits = (record.entry for record in model.log.history)
    removed = {entry.word: 1.0 for entry in edits if isinstance(entry, Remove)}
    return {**dict(() if model.text is None else model.text.left_out or ()), **removed}


def _wanted(
    model: Model, drift: Drift, words: bool | Sequence[str], corpus: Corpus
) -> tuple[str, ...]:
    """Words that the model is to get."""
    if isinstance(words, bool):
        return drift.new_words if words else ()
    wanted = list(words) if isinstance(words, Iterable) else [words]
    if isinstance(words, str) or not all(isinstance(word, str) for word in wanted):
        raise OptionError(f"grow={words!r:.60}: use True, False or a list of words")
    stray = set(wanted).difference(corpus.words)
    if stray:
        raise OptionError(
            f"grow: {min(stray)!r:.60} is not a word of the new documents; drift_.unknown_words "
            "lists the words that the model lacks"
        )
    return tuple(sorted(set(wanted).difference(model.tree.words)))


def _with_words(model: Model, words: tuple[str, ...], corpus: Corpus, level: int) -> Grown:
    """The tree with further words, which may be none."""
    tree = model.tree
    if not words:
        return Grown(tree, tree.parameters)
    documents, further = corpus.aligned(tree.words), corpus.aligned(words)
    used = model.ids_used
    return add_words(tree, words, documents, further, level=level, used=used)


def _annotations_of(model: Model, tree: LatentTree, new: NewDocuments, view: View) -> Annotations:
    """What is known of the topics of the updated tree."""
    documents = new.given.aligned(tree.words)
    known, before = model.edited.reshaped(tree, (), ()).annotations, model.annotations.sizes
    weight = new.fading * new.statistics.weight  # of the earlier documents
    if known.counts is not None:
        units = new.distinct.aligned(tree.words).units
        counts = known.counts.with_more(tree, units, weight)
        if counts.vectors is not None and units.vectors is not None:
            factor = weight / max(1.0, float(known.counts.documents.sum()))
            counts = counts._replace(vectors=add_vectors(tree, counts, units, factor))
        known = known._replace(counts=counts)
    if before is not None:
        coverage, now = coverage_of(new.given, documents), AnnotatedTree(tree, known)
        of_new = view.sizes_of(now, documents, coverage, model.coverage)
        count = len(new.distinct.documents.units)
        sizes = before.with_more(weight, of_new, count)
        known = known._replace(sizes=sizes)
    return known


def _rows(given: Corpus, distinct: Documents) -> Ints:
    """The row in X of each unit of the distinct documents."""
    rows = np.arange(len(given)) if given.originals is None else np.unique(given.originals)
    return rows if distinct.sections is None else np.repeat(rows, np.diff(distinct.sections.starts))

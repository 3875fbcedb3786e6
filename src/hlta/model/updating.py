"""Updating a model: it learns from further documents."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hlta._support.checks import check_real
from hlta.drift import Before, find_drift
from hlta.edits.annotated_tree import AnnotatedTree
from hlta.edits.entries import Remove
from hlta.edits.log import EditLog
from hlta.errors import OptionError
from hlta.text.selection import share_of_others
from hlta.text.vocabulary import least_frequent, most_frequent
from hlta.topics.aligned_documents import AlignedDocuments
from hlta.topics.annotations import Sizes
from hlta.topics.vector_learning import add_vectors
from hlta.tree.fingerprint import fingerprint
from hlta.updates import update

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.learning.statistics import Statistics
    from hlta.model.value import Model, View
    from hlta.topics.annotations import Annotations
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

_LEFT_OUT: Final = 2.0  # times as frequent as the model's rarest word: words left out, at most


def learn_further(
    model: Model, given: Corpus, topics: TopicTree, view: View, *, half_life: float | None
) -> Model:
    """The model after it has learned from new documents; its edits can no longer be undone.

    The drift of the new documents is found under the model before the update.
    """
    if half_life is not None:
        check_real("half_life", half_life, least=1.0, hint="in documents")
    statistics = model.statistics
    if statistics is None:
        raise OptionError(
            "the model does not say how many documents it was learned from, because an earlier "
            "version of hlta wrote its file; learn it again with fit (hlta fit)"
        )
    distinct = given.distinct()  # each text counts once
    read = AlignedDocuments.of(given, model.tree.words)
    sizes = view.sizes_of(model.edited, read, model.coverage)
    before = _before(model, statistics)
    text = distinct.text_options
    least = 1 if text is None else least_frequent(len(distinct.documents.units), text)
    drift = find_drift(before, topics, distinct, sizes, least=least, n_repeats=given.n_repeats)
    fading = 1.0 if half_life is None else 0.5 ** (len(distinct) / half_life)
    faded = statistics.fade(fading)
    after = update(model.tree, faded, distinct.units.aligned(model.tree.words))
    weight = faded.weight
    known = _annotations_of(model, after.tree, read, distinct, weight, fading, view)
    log = EditLog(fingerprint(after.tree), (), model.log.history)
    model = model.with_learned(AnnotatedTree(after.tree, known), log)
    return replace(model, statistics=after.statistics, drift=drift)


def _before(model: Model, statistics: Statistics) -> Before:
    """What is known of the earlier documents, with which `find_drift` compares new ones."""
    tree, text = model.tree, model.text
    others, n_read, allowed = None, None, 1.0
    if text is not None:
        others, n_read = share_of_others(text), text.n_read
        allowed = most_frequent(n_read or max(1, round(statistics.weight)), text)
    return Before(
        tree,
        documents=statistics.effective,
        sizes=model.annotations.sizes or Sizes.unknown(tree.n_latents),
        allowed=allowed,
        left_out=_find_left_out(model),
        others=_assume_share_of_others(model) if others is None else others,
        n_read=n_read or statistics.effective,
    )


def _assume_share_of_others(model: Model) -> float:
    """An upper bound of the share of documents with a word left out, if reading did not record it.

    The tree is that without the edits since the last update, because a split changes how frequent words
    are in it.
    """
    tree = model.learned.tree
    return min(_LEFT_OUT * float(tree.marginals[: tree.n_words].min()), 1.0)


def _find_left_out(model: Model) -> dict[str, float]:
    """Words that the model lacks, each with an upper bound of its share of the earlier documents.

    The bound is 1 for filler words and those that a person removed: they are never reported as more
    frequent.
    """
    edits = (record.entry for record in model.log.history)
    never = [entry.word for entry in edits if isinstance(entry, Remove)]
    if model.text is None:
        return dict.fromkeys(never, 1.0)
    never += model.text.style or ()
    return {**dict(model.text.left_out or ()), **dict.fromkeys(never, 1.0)}


def _annotations_of(
    model: Model,
    tree: LatentTree,
    read: AlignedDocuments,
    distinct: Corpus,
    weight: float,
    fading: float,
    view: View,
) -> Annotations:
    """The annotations of the updated tree.

    `weight` is that of the sections of the earlier documents, after `fading`, a factor.
    """
    known, before = model.annotations, model.annotations.sizes
    units = distinct.aligned(tree.words).units
    if known.counts is not None:
        counts = known.counts.with_more(tree, units, weight)
        if counts.vectors is not None and units.vectors is not None:
            factor = weight / max(1.0, float(known.counts.documents.sum()))
            counts = counts._replace(vectors=add_vectors(tree, counts, units, factor))
        known = known._replace(counts=counts)
    if before is not None:
        of_new = view.sizes_of(AnnotatedTree(tree, known), read, model.coverage)
        earlier = weight if math.isnan(before.weight) else fading * before.weight
        known = known._replace(sizes=before.with_more(of_new, earlier))
    return known

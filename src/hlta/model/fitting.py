"""Fitting a model to documents: its tree, and the annotations of its topics, such as titles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.documents.sampling import few_of
from hlta.edits.annotated_tree import AnnotatedTree
from hlta.edits.log import EditLog
from hlta.errors import DocumentsError
from hlta.learning.recipe import Learned, learn_model
from hlta.model.value import Model, View
from hlta.seeds.reports import SeedReport, report_seeds
from hlta.topics.aligned_documents import AlignedDocuments
from hlta.topics.annotations import Annotations
from hlta.topics.contrast import word_contrast
from hlta.topics.titles import find_titles
from hlta.topics.topic_tree import TopicTree
from hlta.topics.vector_learning import learn_vectors
from hlta.topics.word_counts import count_words
from hlta.tree.fingerprint import fingerprint

if TYPE_CHECKING:
    from os import PathLike

    from hlta.documents.corpus import Corpus
    from hlta.monitor import Monitor
    from hlta.options import EMOptions, StructureOptions
    from hlta.seeds.given import Given

_LOOKED_AT: Final = 20_000  # documents, for the contrast of words and the word counts of topics


def fit_model(
    corpus: Corpus,
    seeds: Given,
    structure: StructureOptions,
    em: EMOptions,
    view: View,
    *,
    is_named: bool,
    seed: int | None,
    checkpoint: str | PathLike[str] | None,
    monitor: Monitor,
) -> Model:
    """Learn a model of documents, see `HLTA.fit`."""
    seeds, distinct = seeds.within(corpus), corpus.distinct()
    if len(distinct) < 2:
        raise DocumentsError(
            "all documents are identical, and duplicates count once; give different documents, or let "
            "duplicates count (count_repeats=True, --count-repeats)"
        )
    units = distinct.units
    learned = learn_model(
        units.documents,
        units.words,
        structure,
        em,
        random_state=seed,
        checkpoint=checkpoint,
        monitor=monitor,
        wishes=seeds.wishes,
    )
    tree, usual = learned.tree, None
    if corpus.coverage is not None:
        usual = float(np.median(corpus.coverage))
    reports = report_seeds(tree, corpus.documents, seeds.seeds, learned.together)
    with monitor.stage("naming topics"):
        # Without votes, as in the paper, the stability is not known, so no topic is called vague.
        find_vague = structure.refine
        known = _annotate(learned, corpus, distinct, reports, view, usual, find_vague)
    annotated = AnnotatedTree(tree, known)
    return Model(
        learned=annotated,
        edited=annotated,
        log=EditLog(fingerprint(tree)),
        text=corpus.text_options,
        coverage=usual,
        is_named=is_named,
        statistics=learned.statistics,
        em=learned.em,
        log_likelihoods=np.array(learned.log_likelihoods),
        seeds=tuple(reports),
    )


def _annotate(
    learned: Learned,
    corpus: Corpus,
    distinct: Corpus,
    reports: list[SeedReport],
    view: View,
    usual_coverage: float | None,
    find_vague: bool,
) -> Annotations:
    """The annotations of the topics, which were learned from the `distinct` documents."""
    tree = learned.tree
    titled = {seed.topic: seed.title for seed in reports if seed.topic and seed.title}
    some = few_of(distinct.documents.units, distinct.words, _LOOKED_AT)
    contrast, counts = word_contrast(some, distinct.words), count_words(tree, some)
    if some.vectors is not None:
        counts = counts._replace(vectors=learn_vectors(tree, counts, some))
    known = Annotations(
        stability=learned.stability,
        titled=frozenset(titled),
        word_stability=learned.word_stability,
        contrast=contrast if find_vague else None,
        counts=counts,
    )
    aligned = AlignedDocuments.of(corpus, tree.words)
    sizes = view.sizes_of(AnnotatedTree(tree, known), aligned, usual_coverage)
    known = known._replace(sizes=sizes)
    whole = TopicTree.from_tree(tree, lowest_level=1, annotations=known)
    titles = find_titles(
        tree, whole.roots, distinct, counts=counts, contrast=contrast, given=titled
    )
    return known._replace(titles=titles)

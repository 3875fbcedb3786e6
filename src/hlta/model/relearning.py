"""A model that is learned again: topics that come back keep their ids, titles and edits."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hlta._support.messages import counted
from hlta.edits.annotated_tree import AnnotatedTree
from hlta.errors import OptionError
from hlta.model.editing import replay
from hlta.topics.annotations import Annotations
from hlta.topics.titles import find_titles
from hlta.topics.topic_tree import NOTHING, TopicTree
from hlta.tree.latent_tree import LatentTree
from hlta.tree.reshaping import unused_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from hlta.documents.corpus import Corpus
    from hlta.documents.kept_sample import KeptSample
    from hlta.model.updating import NewDocuments
    from hlta.model.value import Model

_SAME_TITLE: Final = 0.5
"""A topic that is at least so similar to its counterpart keeps the title, too."""


def learn_again(model: Model, new: NewDocuments, learn: Callable[[Corpus], Model]) -> Model:
    """The model that `learn` makes of the documents that are kept, new ones among them."""
    kept = new.kept
    if kept is None or len(kept.corpus) < 2:
        raise OptionError(
            "relearn needs stored documents, and the model has none, or just one; fit it with "
            "keep_documents=10_000 (--keep-documents 10000), or leave relearn out"
        )
    counts = model.annotations.counts
    if counts is not None and counts.vectors is not None:
        warnings.warn(
            "the model goes by words alone from now on, because the stored documents have no vectors; "
            "fit it again to go by vectors",
            stacklevel=3,
        )
    weight = new.statistics.faded(new.fading).with_more(len(new.distinct.units))
    again = learn(kept.corpus)
    learned, names = carry_over(model.edited, again.edited, model.ids_used, kept)
    statistics = None if again.statistics is None else again.statistics.of_sample(weight)
    after = replace(
        model.with_learned(learned),
        em=again.em,
        log_likelihoods=again.log_likelihoods,
        seeds=tuple(seed.renamed(names) for seed in again.seeds),
        statistics=statistics,
        kept=kept,
        drift=new.drift,
    )
    if not model.log.history:
        return after
    after, refused = replay(after, model.log, kept.corpus, match=True)
    if refused:
        warnings.warn(
            f"{counted(len(refused), 'edit')} could not be repeated in what was learned again: "
            f"{'; '.join(refused[:3])}",
            stacklevel=3,
        )
    return after


def carry_over(
    before: AnnotatedTree, again: AnnotatedTree, used: Collection[str], kept: KeptSample
) -> tuple[AnnotatedTree, dict[str, str]]:
    """Give the topics of a model that was learned again ids and titles of the one before.

    Other topics get ids that are not `used`. How many documents are on each is estimated from those
    that are kept. With the model comes the id of each topic, by the one with which it was learned.
    """
    tree = again.tree
    pairs = _whole(before.tree).compare(_whole(tree)).pairs
    names = {pair.second.id: pair.first.id for pair in pairs}
    taken = {*used, *before.tree.names, *tree.words}
    for name, level in zip(tree.latent_names, tree.level[tree.n_words :].tolist(), strict=True):
        if name not in names:
            names[name] = unused_name(level, taken)
            taken.add(names[name])
    ids = tuple(names[name] for name in tree.latent_names)
    tree = LatentTree(**(tree.fields._asdict() | {"latent_names": ids}))
    alike = {pair.first.id for pair in pairs if pair.similarity >= _SAME_TITLE}
    known = _known(before.annotations, again.annotations, names, alike)
    judged = Annotations(stability=known.stability, contrast=known.contrast, counts=known.counts)
    titles = find_titles(
        tree, _whole(tree, judged).roots, contrast=known.contrast, given=known.titles
    )
    if known.sizes is not None:
        sizes = known.sizes.scaled(kept.offered / len(kept.corpus))
        known = known._replace(sizes=sizes)
    return AnnotatedTree(tree, known._replace(titles=titles)), names


def _known(
    before: Annotations, again: Annotations, names: Mapping[str, str], alike: set[str]
) -> Annotations:
    """What is known of the topics after learning, with the titles that stay; those of edits do not."""
    titled = {names[name] for name in again.titled}
    stay = {k: title for k, title in before.titles.items() if k in alike - titled - before.titled}
    seeds = {names[name]: again.titles[name] for name in again.titled}
    return again._replace(titles=stay | seeds, titled=frozenset(titled))


def _whole(tree: LatentTree, known: Annotations = NOTHING) -> TopicTree:
    return TopicTree.from_tree(tree, lowest_level=1, annotations=known)

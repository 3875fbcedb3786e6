"""A model that was learned again: its topics keep ids and titles where they come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hlta.edits.edited import Edited
from hlta.topics.known import Known
from hlta.topics.titles import find_titles
from hlta.topics.topic_tree import NOTHING, TopicTree
from hlta.tree.latent_tree import LatentTree
from hlta.tree.reshaping import unused_name

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hlta.documents.kept_sample import KeptSample

_SAME_TITLE: Final = 0.5
"""A topic that is at least so similar to its counterpart keeps the title, too."""


class Carried(NamedTuple):
    """A model that was learned again.

    model  Edited: with the ids of the topics before, where they have a counterpart
    names  dict of str: the ids of its topics, by those with which it was learned
    """

    model: Edited
    names: dict[str, str]


def carried(before: Edited, again: Edited, used: Collection[str], kept: KeptSample) -> Carried:
    """Give the topics of a model that was learned again ids and titles of the one before.

    Other topics get ids that are not `used`. How many documents are on each is estimated from those
    that are kept.
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
    known = _known(before.known, again.known, names, alike)
    given = dict(known.titles)
    judged = Known(stability=known.stability, contrast=known.contrast, counts=known.counts)
    titles = find_titles(tree, _whole(tree, judged).roots, contrast=known.contrast, given=given)
    if known.sizes is not None:
        sizes = known.sizes.scaled(kept.offered / len(kept.corpus))
        known = known._replace(sizes=sizes)
    return Carried(Edited(tree, known._replace(titles=titles)), names)


def _known(before: Known, again: Known, names: Mapping[str, str], alike: set[str]) -> Known:
    """What is known of the topics after learning, with the titles that stay; those of edits do not."""
    titled = {names[name] for name in again.titled}
    stay = {k: title for k, title in before.titles.items() if k in alike - titled - before.titled}
    seeds = {names[name]: again.titles[name] for name in again.titled}
    return again._replace(titles=stay | seeds, titled=frozenset(titled))


def _whole(tree: LatentTree, known: Known = NOTHING) -> TopicTree:
    return TopicTree.from_tree(tree, lowest_level=1, known=known)

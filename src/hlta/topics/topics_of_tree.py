"""Topics read off a model: one per latent variable, in the order of what they tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.topics.facets import facets
from hlta.topics.titles import find_titles
from hlta.topics.topic import STYLE, Keyword, Topic
from hlta.topics.vague import mark_vague
from hlta.tree.marginals import word_marginals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.topics.known import Known
    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.marginals import WordMarginals

_TELLING_WORDS: Final = 10  # the keywords that decide on the order of topics


def topics_of_tree(
    tree: LatentTree, known: Known, *, lowest_level: int, n_keywords: int | None
) -> list[Topic]:
    """The root topics of a model, with those below them, down to a level; not the hidden ones."""
    table = word_marginals(tree)
    latents = np.flatnonzero(tree.level >= lowest_level)
    entries = {v: table.of_topic(v - tree.n_words) for v in latents.tolist()}
    contrasts = {v: _contrast(table, words, known) for v, words in entries.items()}
    names = {v: tree.latent_names[v - tree.n_words] for v in entries}
    topics: dict[int, Topic] = {}
    roots: list[Topic] = []

    def rank(v: int) -> tuple[float, ...]:
        """By level, the pinned ones first, those of style last, the most telling of the others first."""
        contrast, told = contrasts[v], float(table.information[entries[v][:_TELLING_WORDS]].sum())
        of_style = contrast is not None and contrast < STYLE
        return -tree.level[v], names[v] not in known.pinned, of_style, -told, v

    for v in sorted(entries, key=rank):  # parents before their children
        up, latent = int(tree.parent[v]), v - tree.n_words
        is_root = up < 0 or tree.level[up] == tree.level[v]
        if names[v] in known.hidden or not (is_root or up in topics):
            continue
        parent = None if is_root else topics[up]
        topics[v] = Topic(
            id=names[v],
            level=int(tree.level[v]),
            size=float(tree.marginals[v]),
            keywords=_keywords(tree, table, entries[v][:n_keywords], known),
            parent=parent,
            documents=None if known.documents is None else int(known.documents[latent]),
            stability=known.stability_of(latent),
            contrast=contrasts[v],
            pinned=names[v] in known.pinned,
            note=known.notes.get(names[v], ""),
            facets=facets(tree, table, latent, n_keywords or tree.n_words),
        )
        (roots if parent is None else parent.children).append(topics[v])
    mark_vague(roots)
    titles = find_titles(tree, roots, contrast=known.contrast, given=known.titles)
    for topic in topics.values():
        topic.title = titles[topic.id]
    return roots


def _keywords(
    tree: LatentTree, table: WordMarginals, entries: NDArray[np.intp], known: Known
) -> list[Keyword]:
    """The words of these entries, which are those of one latent variable."""
    latent = int(np.searchsorted(table.start, entries[0], side="right")) - 1
    level = int(tree.level[tree.n_words + latent])
    settled = known.stability_of(latent) is not None
    columns = (column[entries].tolist() for column in (table.word, table.given, table.information))
    return [
        Keyword(
            tree.words[word],
            p_topic,
            p_background,
            information,
            known.word_stability_of(word, level) if settled else None,
        )
        for word, (p_background, p_topic), information in zip(*columns, strict=True)
    ]


def _contrast(table: WordMarginals, entries: NDArray[np.intp], known: Known) -> float | None:
    """The mean contrast of the first keywords by what they tell; that of the median word is 1."""
    contrast, first = known.contrast, entries[:_TELLING_WORDS]
    word, told = table.word[first], table.information[first]
    if contrast is None or not (usual := float(np.median(contrast))) or not told.sum() > 0.0:
        return None
    return float(contrast[word] @ told / told.sum() / usual)

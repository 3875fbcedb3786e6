"""The page's topics, the whole model, and shares over time and by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta.explorer.container import Part
from hlta.topics.divisions import by_group, by_period
from hlta.topics.memberships import topic_nodes
from hlta.topics.narrow import narrow_topics
from hlta.topics.related import (
    linked_topics,
    related_topics,
    together_in_documents,
    together_in_model,
)
from hlta.topics.shares import shares
from hlta.topics.topic import LABEL_WORDS
from hlta.tree.parameters import latent_parents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.explorer.page_documents import PageDocuments
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

_RELATED: Final = 6
_FOR_RELATED: Final = 50_000  # documents that suffice to see which topics are related
_CHANCE: Final = 10.83  # chi-square with one degree of freedom exceeds it once in a thousand times
_PRECISION: Final = 6


def about_topics(
    tree: LatentTree, topics: TopicTree, selected: PageDocuments | None, n_jobs: int | None
) -> Part:
    """The topics, the whole model, and, with documents that have dates or groups, shares of those."""
    every = list(topics)
    place = {topic.id: number for number, topic in enumerate(every)}
    parent = [-1 if topic.parent is None else place[topic.parent.id] for topic in every]
    nodes = topic_nodes(tree, every)
    if selected is None:
        narrow = None
        both, chance = together_in_model(tree, nodes), 0.0
    else:
        narrow = narrow_topics(tree, every, selected.documents).sizes
        some = selected.memberships[:: max(1, -(-len(selected.documents) // _FOR_RELATED))]
        both, chance = together_in_documents(some), _CHANCE / (2 * some.shape[0])
    related = related_topics(both, parent, _RELATED, least=chance)
    number = {word: k for k, word in enumerate(tree.words)}
    entries = [
        {
            "id": topic.id,
            "level": topic.level,
            "parent": up,
            "node": int(node),
            "size": _short(topic.size),
            "narrow": None if narrow is None else _short(narrow[k]),
            "label": topic.label_words(LABEL_WORDS),
            "words": [
                [number[w.word], *map(_short, (w.p_topic, w.p_background, w.mutual_information))]
                for w in topic.keywords
            ],
            "related": [[other, _short(shared)] for other, shared in related[k]],
        }
        for k, (topic, up, node) in enumerate(zip(every, parent, nodes, strict=True))
    ]
    header: dict[str, Any] = {
        "words": list(tree.words),
        "topics": entries,
        "links": [[up, k, _short(shared)] for up, k, shared in linked_topics(tree, nodes)],
    }
    arrays: dict[str, NDArray[Any]] = {"parent": tree.parent, **model_arrays(tree)}
    if selected is not None:
        corpus, documents = selected.corpus, selected.documents
        known = {"periods": by_period(corpus.dates), "groups": by_group(corpus.groups)}
        divisions = {name: division for name, division in known.items() if division is not None}
        values = shares(tree, nodes, documents, list(divisions.values()), n_jobs=n_jobs)
        for (name, division), part in zip(divisions.items(), values, strict=True):
            counts = division.counts.tolist()
            header[name] = {"unit": division.unit, "names": division.names, "documents": counts}
            arrays[f"{name}.shares"] = part.astype(np.float32).ravel()
    return Part(header, arrays)


def model_arrays(tree: LatentTree) -> dict[str, NDArray[Any]]:
    """The model's parameters as odds, without padding.

    Odds against state 0 leave out one probability of each row, and keep both those near 0 and those
    near 1; dividing by their sum gives the probabilities back.

    Returns
    -------
    dict
        `states`, how many each latent variable has; `word`, P(present | parent = j) / P(absent |
        parent = j), word by word; and `latent`, P(k | parent = j) / P(0 | parent = j) for k from 1,
        the rows of one latent variable after those of another. The root has one row.
    """
    states, word, latent = tree.parameters
    has_state, n = tree.parameters.has_state, tree.n_words
    above = latent_parents(tree.parent, n)
    present = word[has_state[above[:n]]]
    exists = has_state[above[n:], :, None] & has_state[:, None, 1:]
    exists[tree.root - n, 1:] = False
    background = np.broadcast_to(latent[:, :, :1], exists.shape)[exists]
    return {
        "states": states.astype(np.uint8),
        "word": present / (1.0 - present),
        "latent": latent[:, :, 1:][exists] / background,
    }


def _short(value: float) -> float:
    return float(f"{value:.{_PRECISION}g}")

"""The topics of a model: one per latent variable, the largest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.options import KEYWORDS
from hlta.topics.annotations import Sizes
from hlta.topics.titles import find_titles
from hlta.topics.topic import LABEL_WORDS, Facet, Keyword, Topic, inflections_last
from hlta.topics.word_counts import words_of_topics
from hlta.tree.marginals import WordMarginals, mutual_information
from hlta.tree.reshaping import topic_above, topics_above

if TYPE_CHECKING:
    from hlta._support.arrays import Floats, Indices, Ints
    from hlta.topics.annotations import Annotations
    from hlta.tree.latent_tree import LatentTree

_LEAST_STABILITY: Final = 0.15  # of a topic that is not vague, whatever its contrast
_LEAST_CONTRAST: Final = 1.0  # likewise, whatever its stability: that of the median word
MOST_FACETS: Final = 4  # facets of a topic, at most: the largest ones
_SETTING_APART: Final = 3  # words that a facet has, at least
_NOT_RAISED: Final = 2  # of the topic's first words, at least, that are not likelier in a facet
_LEAST_SHARE: Final = 0.05  # share of the topic that a facet has, at least
_LEAST_LIFT: Final = 2.0  # P(word | facet) over that in the rest of the topic, at least
_LEAST_PROBABILITY: Final = 0.1  # P(word | facet), at least: of rarer words, few documents have any


def topics_of_tree(
    tree: LatentTree,
    annotations: Annotations,
    *,
    lowest_level: int,
    n_keywords: int | None,
    fold: bool,
) -> list[Topic]:
    """The root topics of a model, with those below them down to a level, without hidden topics.

    With `fold`, topics with nearly all documents of the topic above, or with hardly any, are left out:
    their children are attached to the topic above.
    """
    table = words_of_topics(tree, annotations.counts)
    latents = np.flatnonzero(tree.level >= lowest_level)
    entries = {v: table.of_topic(v - tree.n_words) for v in latents.tolist()}
    names = {v: tree.latent_names[v - tree.n_words] for v in entries}
    sizes = _sizes(tree, annotations.sizes)
    folded = annotations.find_folded(tree) if fold else frozenset[str]()
    topics: dict[int, Topic] = {}
    roots: list[Topic] = []

    def rank(v: int) -> tuple[float, ...]:
        """From the highest level down, pinned topics first, then those with the most documents."""
        latent, is_pinned = v - tree.n_words, names[v] in annotations.pinned
        return -tree.level[v], not is_pinned, -sizes.documents[latent], -sizes.shares[latent], v

    for v in sorted(entries, key=rank):  # parents before their children
        up, latent = topic_above(tree, v), v - tree.n_words
        if names[v] in annotations.hidden or not (up < 0 or up in topics):
            continue
        parent = None if up < 0 else topics[up]
        if names[v] in folded and parent is not None:
            topics[v] = parent  # to which its children are attached
            continue
        topics[v] = Topic(
            id=names[v],
            level=int(tree.level[v]),
            size=float(sizes.shares[latent]),
            keywords=_keywords(tree, table, latent, entries[v][:n_keywords], annotations),
            parent=parent,
            documents=_known_number(sizes.documents[latent]),
            main_documents=_known_number(sizes.mainly[latent]),
            stability=annotations.stability_of(latent),
            contrast=_contrast(table, entries[v], annotations),
            pinned=names[v] in annotations.pinned,
            note=annotations.notes.get(names[v], ""),
            facets=facets(tree, table, latent, n_keywords or tree.n_words),
        )
        (roots if parent is None else parent.children).append(topics[v])
    mark_vague(roots)
    titles = find_titles(tree, roots, contrast=annotations.contrast, given=annotations.titles)
    for topic in topics.values():
        topic.title = titles[topic.id]
    return roots


def _sizes(tree: LatentTree, counted: Sizes | None) -> Sizes:
    """The sizes of topics, with estimates of those that were not counted in documents.

    A topic without a known share gets a part of that of the topic above, in proportion to P(topic)
    among its siblings; if no share is known at all, P(topic) itself.
    """
    above, size = topics_above(tree), tree.marginals[tree.n_words :]
    sizes = counted or Sizes.unknown(tree.n_latents)
    if np.isnan(sizes.shares).all():
        return sizes._replace(shares=size)
    part = size / np.bincount(above + 1, size)[above + 1]
    shares = sizes.shares.copy()
    for v in np.argsort(-tree.level[tree.n_words :], kind="stable").tolist():
        if np.isnan(shares[v]):
            shares[v] = part[v] * (shares[above[v]] if above[v] >= 0 else 1.0)
    return sizes._replace(shares=shares)


def _known_number(number: np.int64) -> int | None:
    return int(number) if number >= 0 else None


def _keywords(
    tree: LatentTree, table: WordMarginals, latent: int, entries: Indices, annotations: Annotations
) -> list[Keyword]:
    """The keywords of these entries of the table, which belong to one latent variable."""
    level = int(tree.level[tree.n_words + latent])
    is_stable = annotations.stability_of(latent) is not None
    columns = (column[entries].tolist() for column in (table.word, table.given, table.information))
    return [
        Keyword(
            tree.words[word],
            p_topic,
            p_background,
            information,
            annotations.word_stability_of(word, level) if is_stable else None,
        )
        for word, (p_background, p_topic), information in zip(*columns, strict=True)
    ]


def _contrast(table: WordMarginals, entries: Indices, annotations: Annotations) -> float | None:
    """The mean contrast of the first keywords, weighted by information, over that of the median word."""
    contrast, first = annotations.contrast, entries[:KEYWORDS]
    word, information = table.word[first], table.information[first]
    if contrast is None or not (usual := float(np.median(contrast))) or not information.sum() > 0.0:
        return None
    return float(contrast[word] @ information / information.sum() / usual)


def mark_vague(roots: list[Topic]) -> None:
    """Mark the topics that are vague, and put them behind their siblings.

    A topic is vague if its stability and its contrast are low, and so are those of all topics below
    it. If that holds for all root topics, none is vague: something has to be shown.
    """
    _mark(roots)
    if all(root.is_vague for root in roots):
        for root in roots:
            for topic in root:
                topic.is_vague = False


def _mark(topics: list[Topic]) -> None:
    for topic in topics:
        _mark(topic.children)
        topic.is_vague = _tells_little(topic) and all(child.is_vague for child in topic.children)
    topics.sort(key=lambda topic: topic.is_vague)


def _tells_little(topic: Topic) -> bool:
    if topic.pinned or topic.stability is None or topic.contrast is None:
        return False
    return topic.stability < _LEAST_STABILITY and topic.contrast < _LEAST_CONTRAST


# ---- facets: states of a topic that differ in kind ---------------------------------------------


def facets(tree: LatentTree, table: WordMarginals, latent: int, n_words: int) -> list[Facet]:
    """The facets of latent variable `latent`, numbered from 0; the largest facet first.

    Most states are degrees of a topic: they raise the same words more or less. A facet has words of
    its own, much likelier in it than in the rest of the topic, and some of the topic's first words
    are not likelier in it. Of facets with mostly the same first words, only the largest is kept.
    """
    found: list[Facet] = []
    if tree.parameters.states[latent] - tree.parameters.background[latent] == 1:
        return found
    is_on, prior = tree.parameters.is_on[latent], tree.state_marginals[latent]
    on = prior[is_on].sum()
    entries = table.of_topic(latent)
    word, given = table.word[entries], table.states[entries]
    for state in np.argsort(-prior, kind="stable").tolist():
        share = prior[state] / on
        if not is_on[state] or not _LEAST_SHARE <= share < 1.0 or len(found) == MOST_FACETS:
            continue
        rest = is_on & (np.arange(len(prior)) != state)
        inside, outside = given[:, state], given[:, rest] @ (prior[rest] / prior[rest].sum())
        keywords = _set_apart(tree, word, inside, outside, share)
        is_degree = np.count_nonzero(inside[:LABEL_WORDS] <= outside[:LABEL_WORDS]) < _NOT_RAISED
        if is_degree or len(keywords) < _SETTING_APART:
            continue
        if not any(_alike(keywords, facet.keywords) for facet in found):
            found.append(Facet(float(share), keywords))
    return [Facet(facet.size, facet.keywords[:n_words]) for facet in found]


def _alike(some: list[Keyword], others: list[Keyword]) -> bool:
    """Whether most of the first words are the same."""
    first = [{keyword.word for keyword in words[:_SETTING_APART]} for words in (some, others)]
    return 2 * len(first[0] & first[1]) > _SETTING_APART


def _set_apart(
    tree: LatentTree, word: Ints, inside: Floats, outside: Floats, share: float
) -> list[Keyword]:
    """Words much likelier in a state than in the rest of the topic, the most informative first."""
    known = np.tile([1.0 - share, share], (len(word), 1))
    information = mutual_information(np.column_stack((outside, inside)), known)
    kept = (inside >= _LEAST_PROBABILITY) & (inside >= _LEAST_LIFT * outside)
    order = np.lexsort((word, -information))
    found = {
        tree.words[word[k]]: (float(inside[k]), float(outside[k]), float(information[k]))
        for k in order.tolist()
        if kept[k]
    }
    return [Keyword(shown, *found[shown]) for shown in inflections_last(found)]

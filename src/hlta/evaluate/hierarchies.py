"""Whether the topics of a hierarchy are coherent with those below them, and yet differ from them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta._support.checks import check_whole
from hlta.evaluate.coherence import count_pairs, npmi
from hlta.evaluate.distinctness import overlaps
from hlta.evaluate.word_lists import first_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.evaluate.coherence import PairCounts
    from hlta.evaluate.word_lists import Placed


class HierarchyMeasures(NamedTuple):
    """How well the topics of a hierarchy fit those above, below and beside them.

    Attributes
    ----------
    parent_child_coherence : float
        Whether the words of a topic and those of the topics below it occur together, from -1 to 1
        (PCC in the article by Wu et al.).
    parent_child_diversity : float
        Whether a topic and those below it have different words, from 0 to 1 (PCD).
    sibling_diversity : float
        Whether the topics below one topic have different words, from 0 to 1 (SD).
    parent_non_child_diversity : float
        Whether a topic and those of the next layer that are not below it have different words, from 0
        to 1 (PnCD).
    """

    parent_child_coherence: float
    parent_child_diversity: float
    sibling_diversity: float
    parent_non_child_diversity: float


def hierarchy_measures(
    topics: Iterable[Placed], documents: Any, words: Sequence[str], *, n_words: int = 10
) -> HierarchyMeasures:
    """Measure a hierarchy as Wu et al. (2024) do for TraCo; the larger each figure, the better.

    Every figure is the mean over the layers of the mean within a layer. A layer consists of all topics
    with the same number of topics above them.

    The coherence of a parent and a child is the mean of NPMI(v, w) over the words v that only the parent
    has and the words w that only the child has, together with a score of -1 for every ordered pair of
    shared words; each pair of words counts the same in the mean within a layer.
    The diversity of some topics is the number of words in just one of them, divided by the total of their
    numbers of words. It is computed for every parent and child; for the children of each parent, and the
    root topics; and for every parent and each topic of the next layer that is not its child.

    The figures follow the program that the authors published, with four choices of our own. NPMI is
    that of `topic_npmi`: words that never occur together have -1, which the program raises by
    smoothing, to -0.6 for words in a hundredth of the documents. Words that are in no document do not
    count in coherence. A topic without siblings has no diversity of siblings, where the program gives
    1. A topic without words is left out, with the topics directly below it.

    Parameters
    ----------
    topics
        A `TopicTree`, or other topics with their parents, such as those of `read_word_lists`. A topic
        whose parent is not among them is a root topic.
    documents
        A matrix with a column per word. The authors' program uses all documents, those learned from
        and those held out.
    words
        Names of the columns.
    n_words
        The number of first words of each topic that count, at least 1; if a topic has fewer words, all
        of them count.

    Returns
    -------
    HierarchyMeasures
        A figure is NaN if there is nothing to compute it from; so are all but the diversity of siblings
        if there is only one layer.

    Raises
    ------
    OptionError
        If `n_words` is out of range.
    DocumentsError
        If the documents are not a matrix with a column per word.

    References
    ----------
    X. Wu et al., On the Affinity, Rationality, and Diversity of Hierarchical Topic Modeling, AAAI 2024,
    https://arxiv.org/abs/2401.14113

    Examples
    --------
    >>> from hlta.evaluate import WordList, hierarchy_measures
    >>> X = [[1, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]]
    >>> root = WordList(["net", "deep"])
    >>> below = [WordList(["net", "layer"], parent=root), WordList(["gene"], parent=root)]
    >>> found = hierarchy_measures([root, *below], X, ["net", "deep", "gene", "layer"])
    >>> found.parent_child_diversity, found.sibling_diversity
    (0.75, 1.0)
    """
    check_whole("n_words", n_words, least=1)
    every = list(topics)
    firsts = [first_words(topic, n_words) for topic in every]
    pairs = count_pairs(firsts, documents, words)
    layers = [_of_layer(families, firsts, pairs) for families in _families(every, firsts)]
    return HierarchyMeasures(*map(_mean, np.array(layers).reshape(-1, 4).T))


def _families(
    topics: Sequence[Placed], firsts: Sequence[Sequence[str]]
) -> list[dict[int, list[int]]]:
    """The topics of each layer, grouped by their parents, all as positions; -1 for no parent.

    A topic is left out if it has no words, or if its parent has none.
    """
    place = {id(topic): k for k, topic in enumerate(topics)}
    parent = [place.get(id(topic.parent), -1) for topic in topics]
    layers: list[dict[int, list[int]]] = []
    for k, up in enumerate(parent):
        depth, above = 0, up
        while above >= 0:
            depth, above = depth + 1, parent[above]
        layers += [{} for _ in range(len(layers), depth + 1)]
        if firsts[k] and (up < 0 or firsts[up]):
            layers[depth].setdefault(up, []).append(k)
    return layers


def _of_layer(
    families: dict[int, list[int]], firsts: Sequence[Sequence[str]], pairs: PairCounts
) -> HierarchyMeasures:
    """The figures of a layer: of its topics among each other, and of these with their parents."""
    nan = float("nan")
    of_siblings = _mean(
        [_diversity([firsts[k] for k in family]) for family in families.values() if len(family) > 1]
    )
    below = [(up, k) for up, family in families.items() for k in family if up >= 0]
    if not below:
        return HierarchyMeasures(nan, nan, of_siblings, nan)
    upper, (parents, lower) = np.array(list(families)), np.array(below).T
    overlap = overlaps([set(firsts[k]) for k in upper], [set(firsts[k]) for k in lower])
    diversity = (1.0 - overlap) / (1.0 + overlap)  # the words that just one of the two topics has
    is_child = upper[:, None] == parents
    scores = np.concatenate([_coherence(pairs, *pair) for pair in below])
    return HierarchyMeasures(
        _mean(scores), _mean(diversity[is_child]), of_siblings, _mean(diversity[~is_child])
    )


def _coherence(pairs: PairCounts, parent: int, child: int) -> NDArray[np.float64]:
    """The scores of the pairs of words of a parent and a child; see `hierarchy_measures`."""
    alone = pairs.together.diagonal()
    a, b = (places[alone[places] > 0.0] for places in (pairs.places[parent], pairs.places[child]))
    shared, a, b = np.intersect1d(a, b), np.setdiff1d(a, b), np.setdiff1d(b, a)
    both = pairs.together[a][:, b].toarray()
    scores = npmi(both, alone[a][:, None], alone[b], pairs.documents)
    return np.append(scores, np.full(len(shared) ** 2, -1.0))


def _diversity(lists: Sequence[Sequence[str]]) -> float:
    """The number of words in just one of the lists, divided by the total length of the lists."""
    counts = Counter(word for words in lists for word in words)
    return sum(count == 1 for count in counts.values()) / counts.total()


def _mean(values: Sequence[float] | NDArray[np.float64]) -> float:
    """The mean of the values that are not NaN; NaN if there are none."""
    known = np.asarray(values)[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")

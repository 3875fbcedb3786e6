"""Pair the topics of two models that correspond, and find what changed in each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import csr_array, issparse

from hlta._support.arrays import SURE_DIGITS, TINY
from hlta._support.checks import check_real
from hlta.errors import DocumentsError, OptionError
from hlta.options import KEYWORDS
from hlta.topics.comparison import ROUNDING, Comparison, Pair, Unpaired
from hlta.topics.nodes import topic_nodes
from hlta.topics.topic import ancestors
from hlta.topics.word_counts import WordCounts, words_of_topics

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from hlta._support.arrays import Bools, Floats
    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree

_NEAR: Final = 0.01  # the least similarity of a nearest topic


def match_topics(
    first: tuple[LatentTree, WordCounts | None, list[Topic]],
    second: tuple[LatentTree, WordCounts | None, list[Topic]],
    memberships: tuple[Any, Any] | None,
    least: float,
) -> Comparison:
    """Compare topics of two models, see `TopicTree.compare`."""
    check_real("least", least, least=0.0, most=1.0)
    (one, _, topics), (other, _, others) = first, second
    if not topics or not others:
        raise OptionError("one of the two has no topics; there is nothing to compare")
    if memberships is None and set(one.words).isdisjoint(other.words):
        raise OptionError(
            "the two models have no word in common; compare them by documents that both can read"
        )
    of_words, of_others = word_shares(*first), word_shares(*second)
    by_words = overlaps(*_in_common_columns((of_words, one.words), (of_others, other.words)))
    similarity, by_documents = by_words, None
    if memberships is not None:
        by_documents = shared_variances(*_check_memberships(memberships, len(topics), len(others)))
        similarity = np.sqrt(by_words * by_documents) if by_words.any() else by_documents
    matched = best_pairs(similarity, (_sizes(topics), _sizes(others)), least)
    matched.sort(key=lambda pair: (similarity[pair].round(SURE_DIGITS), pair))
    counterpart = {topics[i].id: others[j].id for i, j in matched}
    only_first, joined = _find_unpaired(topics, others, similarity, {i for i, _ in matched}, least)
    only_second, split = _find_unpaired(
        others, topics, similarity.T, {j for _, j in matched}, least
    )
    words, other_words = _keywords(of_words, one.words), _keywords(of_others, other.words)
    return Comparison(
        pairs=[
            Pair(
                topics[i],
                others[j],
                similarity=float(similarity[i, j]),
                by_words=float(by_words[i, j]),
                by_documents=None if by_documents is None else float(by_documents[i, j]),
                gained=_without(other_words[j], words[i]),
                lost=_without(words[i], other_words[j]),
                moved=_has_moved(topics[i], others[j], counterpart),
            )
            for i, j in matched
        ],
        only_first=only_first,
        only_second=only_second,
        joined=joined,
        split=split,
        words_only_first=frozenset(one.words) - frozenset(other.words),
        words_only_second=frozenset(other.words) - frozenset(one.words),
    )


def _in_common_columns(*tables: tuple[csr_array, Sequence[str]]) -> Iterator[csr_array]:
    """The columns of the words that all tables have, in one order."""
    numbers = [{word: k for k, word in enumerate(words)} for _, words in tables]
    common = sorted(set(numbers[0]).intersection(*numbers[1:]))
    for (table, _), number in zip(tables, numbers, strict=True):
        yield table[:, [number[word] for word in common]]


def _check_memberships(memberships: tuple[Any, Any], *n_topics: int) -> tuple[Floats, Floats]:
    """Memberships of topics of both models, checked, as dense matrices of the same documents."""
    one, other = (
        np.asarray(p.toarray() if issparse(p) else p, dtype=np.float64) for p in memberships
    )
    for p, n, which in zip((one, other), n_topics, ("first", "second"), strict=True):
        if p.ndim != 2 or p.shape[1] != n or not ((p >= 0.0) & (p <= 1.0)).all():
            raise DocumentsError(
                f"the {which} memberships are not shares of {n:,} topics in documents; give what "
                "HLTA.transform returns"
            )
    if len(one) != len(other):
        raise DocumentsError(
            f"the memberships are of {len(one):,} and {len(other):,} documents; give those of the same "
            "documents"
        )
    for p, which in ((one, "first"), (other, "second")):
        if not len(p) or not varying(p).any():
            raise DocumentsError(
                f"all documents are the same to the {which} model; give two or more, with words that "
                "it knows, or compare topics by their words alone"
            )
    return one, other


def _sizes(topics: list[Topic]) -> Floats:
    return np.array([topic.size for topic in topics])


def _keywords(table: csr_array, words: Sequence[str]) -> list[list[str]]:
    """The words with the largest shares in each topic, the largest first."""
    found = []
    for begin, end in zip(table.indptr[:-1], table.indptr[1:], strict=True):
        shares = zip(table.data[begin:end], table.indices[begin:end], strict=True)
        ranked = sorted((-share, words[column]) for share, column in shares if share > 0.0)
        found.append([word for _, word in ranked[:KEYWORDS]])
    return found


def _without(words: list[str], others: list[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in others)


def _has_moved(topic: Topic, other: Topic, counterpart: Mapping[str, str]) -> bool:
    """Whether the nearest paired topics above the two are not each other's counterparts."""
    above = _nearest_above(topic, counterpart.keys())
    expected = None if above is None else counterpart[above]
    return expected != _nearest_above(other, counterpart.values())


def _nearest_above(topic: Topic, paired: Container[str]) -> str | None:
    """The id of the nearest topic above that is in a pair."""
    return next((above.id for above in ancestors(topic) if above.id in paired), None)


def _find_unpaired(
    topics: list[Topic], others: list[Topic], similarity: Floats, paired: set[int], least: float
) -> tuple[list[Unpaired], list[Unpaired]]:
    """The topics whose numbers are not among the paired, each with the nearest of the others.

    A list of those that are like none comes first, then one of those whose nearest topic has a pair.
    """
    alone: list[Unpaired] = []
    sharing: list[Unpaired] = []
    for number in sorted(set(range(len(topics))) - paired):
        nearest = int(similarity[number].argmax())
        most = float(similarity[number, nearest])
        one = Unpaired(topics[number], others[nearest] if most >= _NEAR else None, most)
        (sharing if one.nearest is not None and most >= least else alone).append(one)
    return alone, sharing


# ---- how similar topics are, and which correspond -------------------------------------------


def word_shares(tree: LatentTree, counts: WordCounts | None, topics: Iterable[Topic]) -> csr_array:
    """The share of each word in the information about a topic: float64 (topics, words), rows sum to 1.

    The information is the mutual information of the two if the word is likelier in the topic than
    elsewhere, and otherwise 0.
    """
    table = words_of_topics(tree, counts)
    information = np.where(table.given[:, 1] > table.given[:, 0], table.information, 0.0)
    total = np.add.reduceat(information, table.start[:-1])
    information /= np.maximum(np.repeat(total, np.diff(table.start)), TINY)
    every = csr_array((information, table.word, table.start), shape=(tree.n_latents, tree.n_words))
    return every[topic_nodes(tree, topics) - tree.n_words]


def overlaps(one: csr_array, other: csr_array) -> Floats:
    """The sum over the columns of the smaller entry, for every row of one and every row of the other."""
    by_column = other.T.toarray()
    found = np.empty((one.shape[0], other.shape[0]))
    for row in range(len(found)):
        entries = slice(one.indptr[row], one.indptr[row + 1])
        shared = np.minimum(by_column[one.indices[entries]], one.data[entries, None])
        found[row] = shared.sum(axis=0)
    return np.minimum(found, 1.0)


def shared_variances(one: Floats, other: Floats) -> Floats:
    """The squared correlation of every column of one with every column of the other.

    It is 0 where the correlation is negative, and for columns that do not vary.
    """
    return np.clip(_standardise(one).T @ _standardise(other), 0.0, 1.0) ** 2


def varying(values: Floats) -> Bools:
    """Whether the entries of each column differ."""
    return np.asarray(values.std(axis=0) > ROUNDING)


def _standardise(values: Floats) -> Floats:
    """The columns with mean 0 and length 1; those that do not vary become 0."""
    centred = np.where(varying(values), values - values.mean(axis=0), 0.0)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=0), ROUNDING))


def best_pairs(
    similarity: Floats, sizes: tuple[Floats, Floats], least: float
) -> list[tuple[int, int]]:
    """Pairs of a row and a column, each in one pair at most, with the largest sum of similarities.

    Only similarities of `least` or more count. Of choices with the same sum, the one in which the
    sizes differ least is taken.
    """
    from scipy.optimize import linear_sum_assignment

    allowed = similarity >= least
    unequal = np.abs(np.subtract.outer(*sizes))
    worth = np.where(allowed, similarity + ROUNDING * (1.0 - unequal), 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if allowed[i, j]]

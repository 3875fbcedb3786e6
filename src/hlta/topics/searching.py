"""Search for the topics that a query is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import TINY
from hlta.text.patterns import check_query
from hlta.text.stop_words import stop_words_of
from hlta.topics.nodes import topic_nodes
from hlta.topics.topic import Topic, as_percent, same_word
from hlta.topics.word_counts import WordCounts, words_of_topics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hlta._support.arrays import Floats
    from hlta.options import TextOptions
    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.marginals import WordMarginals

_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")
_LEAST: Final = 0.01  # of the information of a topic's best word, at least, for a word to be found


def search_topics(
    tree: LatentTree, counts: WordCounts | None, topics: Iterable[Topic], query: str
) -> list[Topic]:
    """The topics with the words of the query in their title or below them, the best first.

    Topics with all of the words are found or, if there are none, those with the most. A word counts by
    its mutual information with the topic, relative to the most informative word, and 1 if it is in the
    title. Inflections count, too. Of equal topics, the more specific comes first.
    """
    check_query(query)
    chosen, wanted = list(topics), words_in(query)
    if not wanted or not chosen:
        return []
    table = words_of_topics(tree, counts)
    score = np.stack([_counts(tree, table, chosen, word) for word in wanted])
    matched = (score >= _LEAST).sum(axis=0)
    found = np.flatnonzero((matched > 0) & (matched == matched.max())).tolist()
    mean = score.mean(axis=0)
    found.sort(key=lambda k: (-mean[k], chosen[k].level, -chosen[k].size))
    return [chosen[k] for k in found]


def unknown_words(
    words: Sequence[str], topics: Iterable[Topic], query: str, options: TextOptions | None
) -> dict[str, str]:
    """The words of a query that neither a title nor the words of a model have, each with the reason.

    `options` are those of its texts; None if it was learned from a matrix.
    """
    known = {
        part for name in (*words, *(topic.title for topic in topics)) for part in words_in(name)
    }
    lacking = [word for word in words_in(query) if not any(same_word(part, word) for part in known)]
    if options is None:
        return dict.fromkeys(lacking, "not a word of the matrix")
    stop, style = stop_words_of(options), set(options.style or ())
    shares = dict(options.left_out or ())

    def reason(word: str) -> str:
        if word in stop:
            return "a stop word"
        if word in style:
            return "left out as a filler word"
        if word in shares:
            return f"left out, as it is in {as_percent(shares[word])} of the documents"
        if len(word) < options.shortest[0]:
            return f"shorter than {options.shortest[0]} letters"
        if not options.numbers and any(map(str.isdigit, word)):
            return "left out for its digits"
        return "not among the words of the model, because it is too rare or in no document"

    return {word: reason(word) for word in dict.fromkeys(lacking)}


def _counts(tree: LatentTree, table: WordMarginals, topics: list[Topic], wanted: str) -> Floats:
    """How much a word of the query counts for each topic, from 0 to 1."""
    matches = [any(same_word(part, wanted) for part in words_in(word)) for word in tree.words]
    information = np.where(np.array(matches)[table.word], table.information, 0.0)
    most = np.maximum.reduceat(table.information, table.start[:-1])
    share = np.maximum.reduceat(information, table.start[:-1]) / np.maximum(most, TINY)
    in_title = [any(same_word(word, wanted) for word in words_in(topic.title)) for topic in topics]
    return np.maximum(share[topic_nodes(tree, topics) - tree.n_words], in_title)


def words_in(text: str) -> list[str]:
    """The words of a text, each once."""
    return [word for word in dict.fromkeys(_BETWEEN_WORDS.split(text.lower())) if word]

"""The figures of `hlta evaluate` about the words of topics; imported late, since it needs NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta.cli.printing import tell
from hlta.errors import OptionError
from hlta.evaluate.coherence import topic_coherence, topic_compactness, topic_npmi
from hlta.evaluate.distinctness import topic_diversity
from hlta.evaluate.factors import nmf_topics
from hlta.evaluate.hierarchies import hierarchy_measures
from hlta.evaluate.word_lists import Placed, WordList, Words, as_read, first_words
from hlta.reading.word_vectors import read_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from hlta._support.arrays import Floats, Ints
    from hlta.documents.corpus import Corpus

_SHOWN: Final = 10  # missing words in a message
_MOST_FACTORED: Final = 500_000  # documents times topics of NMF; more take over a minute


class TopicMeasures:
    """Scores of each topic, computed once; `of` summarizes those of some topics.

    Attributes
    ----------
    of_hierarchy : dict
        The figures of `hierarchy_measures`; empty without documents, and if no topic is above another.
    """

    def __init__(self, topics: Sequence[Placed], *, words: int, top_words: int) -> None:
        self._topics = topics
        self._words = words  # in coherence and compactness
        self._top_words = top_words  # in all other measures
        self.of_hierarchy: dict[str, float | None] = {}
        # Values, one entry or row per topic, and how to summarize them, in the order of the output.
        self._scores: dict[str, tuple[NDArray[Any], Callable[[NDArray[Any]], float | None]]] = {}
        self._factors: dict[int, tuple[Floats, Floats]] = {}

    def add_documents(self, corpus: Corpus, *, quiet: bool) -> None:
        """Measure coherence, NPMI and the hierarchy in these documents."""
        present = {corpus.words[k] for k in np.unique(corpus.documents.indices)}
        columns = {as_read(word): word for word in sorted(present)}
        topics = _respell(
            self._topics,
            lambda word: (word, as_read(word), columns.get(as_read(word), word)),
            present,
        )
        every = dict.fromkeys(word for topic in topics for word in topic.words)
        missing = [word for word in every if word not in present]
        if len(missing) == len(every):
            raise OptionError("none of the words of the topics is in any of the documents")
        if missing and not quiet:
            some = ", ".join(missing[:_SHOWN]) + (", …" if len(missing) > _SHOWN else "")
            what = f"{len(missing):,} of {len(every):,} words are in no document"
            tell(f"{what}: {some}")
        documents, names = corpus.documents, corpus.words
        coherence = topic_coherence(topics, documents, names, n_words=self._words)
        npmi = topic_npmi(topics, documents, names, n_words=self._top_words)
        known = _count_known(topics, present, max(self._words, self._top_words))
        self._scores |= {
            "coherence": (coherence, _mean),
            "topics_with_coherence": (coherence, _count),
            "npmi": (npmi, _mean),
            "topics_with_npmi": (npmi, _count),
            "words_in_documents": (known, _share),
        }
        if any(topic.parent is not None for topic in topics):
            found = hierarchy_measures(topics, documents, names, n_words=self._top_words)
            self.of_hierarchy = {
                name: None if np.isnan(value) else value for name, value in found._asdict().items()
            }

    def add_vectors(self, path: Path) -> None:
        """Measure compactness in these word vectors."""
        every = {form for topic in self._topics for word in topic.words for form in _forms(word)}
        vectors = read_vectors(path, every)
        topics = _respell(self._topics, _forms, vectors.number)
        compactness = topic_compactness(topics, vectors, n_words=self._words).scores
        self._scores |= {
            "compactness": (compactness, _mean),
            "words_with_vectors": (_count_known(topics, vectors.number, self._words), _share),
        }

    def add_factors(self, corpus: Corpus, numbers: Sequence[int]) -> None:
        """Compare topics with those of NMF on the same documents, for these numbers of topics."""
        documents, words = corpus.documents, corpus.words
        most = min(_MOST_FACTORED // max(1, len(documents)), len(documents), len(words))
        for number in {number for number in numbers if 2 <= number <= most}:
            topics, weights = nmf_topics(documents, words, number, n_words=self._top_words)
            npmi = topic_npmi(topics, documents, words, n_words=self._top_words)
            self._factors[number] = npmi, weights

    def weights_of_factors(self, number: int) -> Floats | None:
        """The weights of documents on so many topics of NMF; None if that number is not compared."""
        return self._factors[number][1] if number in self._factors else None

    def _beside_factors(self, rows: list[int]) -> dict[str, float | None]:
        """NPMI of as many topics of NMF, and the standard error of the difference of the means."""
        if len(rows) not in self._factors:
            return {}
        ours, theirs = (
            scores[np.isfinite(scores)]
            for scores in (self._scores["npmi"][0][rows], self._factors[len(rows)][0])
        )
        if 2 * min(len(ours), len(theirs)) <= len(rows) or len(rows) < 2:
            return {}  # too few are scored to compare them
        error = np.sqrt(sum(scores.var(ddof=1) / len(scores) for scores in (ours, theirs)))
        return {"npmi_of_nmf": float(theirs.mean()), "npmi_difference_error": float(error)}

    def of(self, chosen: Sequence[int]) -> dict[str, float | None]:
        """The figures of the topics with these numbers."""
        rows = list(chosen)
        topics = normalize_topics([self._topics[row] for row in rows])
        return {
            **{name: summary(scores[rows]) for name, (scores, summary) in self._scores.items()},
            "diversity": topic_diversity(topics, n_words=self._top_words),
            **self._beside_factors(rows),
        }


def normalize_topics(topics: Sequence[Words]) -> list[WordList]:
    """The topics in one spelling, so that those of different tools can be compared."""
    return [WordList([as_read(word) for word in topic.words]) for topic in topics]


def _forms(word: str) -> tuple[str, ...]:
    """The spellings under which word vectors may hold a word, the likeliest first."""
    return word, as_read(word), as_read(word).replace("-", "_")


def _respell(
    topics: Sequence[Placed], spellings: Callable[[str], Sequence[str]], known: Container[str]
) -> list[WordList]:
    """The topics, with each word in the first of its spellings that is known, or else unchanged."""
    lists: dict[int, WordList] = {}
    for topic in topics:  # parents first
        words = [next((s for s in spellings(word) if s in known), word) for word in topic.words]
        lists[id(topic)] = WordList(words, parent=lists.get(id(topic.parent)))
    return list(lists.values())


def _count_known(topics: Sequence[Words], known: Container[str], n_words: int) -> Ints:
    """The numbers of known first words, and of all first words, of each topic: int64 (topics, 2)."""
    firsts = [first_words(topic, n_words) for topic in topics]
    return np.array([[sum(word in known for word in words), len(words)] for words in firsts])


def _mean(scores: Floats) -> float | None:
    """The mean over the topics that have a score; None if there are none."""
    return float(np.nanmean(scores)) if np.isfinite(scores).any() else None


def _count(scores: Floats) -> int:
    """The number of topics that have a score."""
    return int(np.isfinite(scores).sum())


def _share(known: Ints) -> float:
    """The share of words that are known."""
    return float(known[:, 0].sum() / known[:, 1].sum())

"""The figures of `hlta evaluate` about the words of topics, of all of them or of some."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import typer

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.evaluate.occurrences import Words

_SHOWN: Final = 10  # missing words in a message


class TopicMeasures:
    """Scores of each topic, computed once; `of` summarizes those of some topics."""

    def __init__(self, topics: Sequence[Words], *, words: int, top_words: int) -> None:
        self._topics = topics
        self._words = words  # in coherence and compactness
        self._top_words = top_words  # in all other measures
        # Values, one entry or row per topic, and how to summarize them, in the order of the output.
        self._scores: dict[str, tuple[NDArray[Any], Callable[[NDArray[Any]], float | None]]] = {}

    def add_documents(self, corpus: Corpus, *, quiet: bool) -> None:
        """Measure coherence and NPMI in these documents."""
        from hlta.evaluate.coherence import topic_coherence, topic_npmi

        topics, present = _in_documents(self._topics, corpus, quiet=quiet)
        documents, names = corpus.documents, corpus.words
        coherence = topic_coherence(topics, documents, names, n_words=self._words)
        npmi = topic_npmi(topics, documents, names, n_words=self._top_words)
        known = _known_words(topics, present, max(self._words, self._top_words))
        self._scores |= {
            "coherence": (coherence, _mean),
            "topics_with_coherence": (coherence, _count),
            "npmi": (npmi, _mean),
            "topics_with_npmi": (npmi, _count),
            "words_in_documents": (known, _share),
        }

    def add_vectors(self, path: Path) -> None:
        """Measure compactness in these word vectors."""
        from hlta.evaluate.compactness import topic_compactness
        from hlta.reading.word_vectors import read_vectors

        every = {form for topic in self._topics for word in topic.words for form in _forms(word)}
        vectors = read_vectors(path, every)
        topics = _respelled(self._topics, _forms, vectors.number)
        compactness = topic_compactness(topics, vectors, n_words=self._words).scores
        self._scores |= {
            "compactness": (compactness, _mean),
            "words_with_vectors": (_known_words(topics, vectors.number, self._words), _share),
        }

    def of(self, chosen: Sequence[int]) -> dict[str, float | None]:
        """What the measures say of the topics with these numbers."""
        from hlta.evaluate.distinctness import topic_diversity, topic_redundancy

        rows = list(chosen)
        topics = normalized([self._topics[row] for row in rows])
        return {
            **{name: summary(scores[rows]) for name, (scores, summary) in self._scores.items()},
            "diversity": topic_diversity(topics, n_words=self._top_words),
            "redundancy": _mean(topic_redundancy(topics, n_words=self._top_words)),
        }


def normalized(topics: Sequence[Words]) -> list[Words]:
    """The topics in one spelling, so that those of different tools can be compared."""
    from hlta.evaluate.word_lists import WordList, as_read

    return [WordList([as_read(word) for word in topic.words]) for topic in topics]


def _forms(word: str) -> tuple[str, ...]:
    """The spellings under which word vectors may hold a word, the likeliest first."""
    from hlta.evaluate.word_lists import as_read

    return word, as_read(word), as_read(word).replace("-", "_")


def _respelled(
    topics: Sequence[Words], spellings: Callable[[str], Sequence[str]], known: Container[str]
) -> list[Words]:
    """The topics, each word in the first of its spellings that is known."""
    from hlta.evaluate.word_lists import WordList

    def respelled(word: str) -> str:
        return next((form for form in spellings(word) if form in known), word)

    return [WordList([respelled(word) for word in topic.words]) for topic in topics]


def _in_documents(
    topics: Sequence[Words], corpus: Corpus, *, quiet: bool
) -> tuple[list[Words], set[str]]:
    """The topics as the documents spell them, and the words that occur in any document."""
    import numpy as np

    from hlta.evaluate.word_lists import as_read

    present = {corpus.words[k] for k in np.unique(corpus.documents.indices)}
    columns = {as_read(word): word for word in sorted(present)}
    respelled = _respelled(
        topics, lambda word: (word, as_read(word), columns.get(as_read(word), word)), present
    )
    every = dict.fromkeys(word for topic in respelled for word in topic.words)
    missing = [word for word in every if word not in present]
    if len(missing) == len(every):
        raise OptionError("none of the words of the topics is in any of the documents")
    if missing and not quiet:
        some = ", ".join(missing[:_SHOWN]) + (", …" if len(missing) > _SHOWN else "")
        typer.echo(f"{len(missing):,} of {len(every):,} words are in no document: {some}", err=True)
    return respelled, present


def _known_words(topics: Sequence[Words], known: Container[str], n_words: int) -> NDArray[np.int64]:
    """Of the first words of each topic, how many are known, and how many there are."""
    import numpy as np

    from hlta.evaluate.occurrences import first_words

    firsts = [first_words(topic, n_words) for topic in topics]
    return np.array([[sum(word in known for word in words), len(words)] for words in firsts])


def _mean(scores: NDArray[np.float64]) -> float | None:
    """The mean over the topics that have a score; None if none has enough words for one."""
    import numpy as np

    return float(np.nanmean(scores)) if np.isfinite(scores).any() else None


def _count(scores: NDArray[np.float64]) -> int:
    """The number of topics that have a score."""
    import numpy as np

    return int(np.isfinite(scores).sum())


def _share(known: NDArray[np.int64]) -> float:
    """The share of words that are known."""
    return float(known[:, 0].sum() / known[:, 1].sum())

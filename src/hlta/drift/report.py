"""`Drift`: how new documents differ from those that a model was learned from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.messages import counted
from hlta.drift.changes import (
    Before,
    Misfit,
    TopicChange,
    WordChange,
    misfits,
    sums_over,
    topic_changes,
    word_changes,
)
from hlta.drift.themes import Theme, new_themes, risen
from hlta.tree.independence import evidence_against

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hlta._support.arrays import Floats, Ints
    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.topics.sizes import Sizes
    from hlta.topics.topic_tree import TopicTree

RATE: Final = 0.05
"""How often new documents are said to differ although they do not."""
_PARTS: Final = 4  # of the report, each with an equal part of the rate
# Words left out are taken to be in at most so many times as many documents as the rarest word.
_LEFT_OUT: Final = 2.0
_SHOWN_WORDS: Final = 8  # of a theme


@dataclass(frozen=True, eq=False, repr=False)
class Drift:
    """How new documents differ from those that a model was learned from; `print` shows it.

    All figures are those of the model before it learned from the new documents. The false-alarm rate
    is at most 5% of updates.

    Attributes
    ----------
    n_documents : int
        How many documents are new.
    topics : tuple of TopicChange
        The topics that grew or shrank, the surest first.
    words : tuple of WordChange
        The words that are in more or fewer of the documents on a topic than before, the surest first.
    misfits : tuple of Misfit
        The documents that fit the model badly, the worst first.
    themes : tuple of Theme
        Words that go together, more than the model says, and are more frequent than before; the
        largest theme first.
    unknown_words : dict of int
        The words of the new documents that the model lacks, and in how many they are; the most
        frequent first. Words in too many documents to be chosen are left out.
    new_words : tuple of str
        Those of them that are surely more frequent than before, the surest first; the others were too
        rare to be chosen.
    """

    n_documents: int
    topics: tuple[TopicChange, ...]
    words: tuple[WordChange, ...]
    misfits: tuple[Misfit, ...]
    themes: tuple[Theme, ...]
    unknown_words: dict[str, int]
    new_words: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether there is drift."""
        return bool(self.topics or self.words or self.misfits or self.themes)

    def __repr__(self) -> str:
        documents = counted(self.n_documents, "document")
        return (
            f"Drift({documents}: {len(self.topics)} topics, {len(self.words)} words, "
            f"{len(self.misfits)} misfits, {len(self.themes)} themes)"
        )

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, most: int = 10, *, ids: Sequence[str] | None = None) -> str:
        """The report as lines.

        Parameters
        ----------
        most
            The most entries in each part.
        ids
            Names of the new documents; None for their numbers, from 1.
        """
        return "\n".join(self._lines(most, ids))

    def renumbered(self, rows: Ints) -> Drift:
        """The report with these numbers for the new documents.

        Several sections of a document may have its number; then it is listed once.
        """
        misfits = {int(rows[misfit.row]): misfit for misfit in reversed(self.misfits)}
        order = dict.fromkeys(int(rows[misfit.row]) for misfit in self.misfits)
        themes = (
            replace(theme, rows=tuple(dict.fromkeys(rows[list(theme.rows)].tolist())))
            for theme in self.themes
        )
        return replace(
            self,
            misfits=tuple(replace(misfits[row], row=row) for row in order),
            themes=tuple(themes),
        )

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON can hold it."""
        parts = ("topics", "words", "misfits", "themes")
        return {
            "documents": self.n_documents,
            **{part: [asdict(entry) for entry in getattr(self, part)] for part in parts},
            "unknown_words": self.unknown_words,
            "new_words": list(self.new_words),
        }

    def _lines(self, most: int, ids: Sequence[str] | None) -> Iterator[str]:
        one = self.n_documents == 1
        count = counted(self.n_documents, "new document")
        differ = (
            ("differs" if one else "differ") if self else f"{'does' if one else 'do'} not differ"
        )
        yield f"{count} {differ} from the earlier ones."
        for name, rose in (("grew", True), ("shrank", False)):
            topics = [
                f"{t.before:.3f} to {t.after:.3f} ({t.low:.3f} to {t.high:.3f}) {t.title}"
                for t in self.topics
                if (t.after > t.before) == rose
            ]
            heading = f"Topics that {name}, with a 95% interval for the new share"
            yield from _part(heading, topics, most)
        for name, rose in (("more", True), ("less", False)):
            words = [w for w in self.words if (w.after > w.before) == rose]
            shares = [f"{w.before:.2f} to {w.after:.2f} {w.word}: {w.shown}" for w in words]
            yield from _part(f"Words that are {name} frequent in a topic", shares, most)
        themes = [f"{counted(len(t.rows), 'document')}: {_listed(t.words)}" for t in self.themes]
        yield from _part("New themes", themes, most)
        names = [str(m.row + 1) if ids is None else ids[m.row] for m in self.misfits]
        yield from _part("Documents that fit badly", names, most)
        in_documents = {w: counted(self.unknown_words[w], "document") for w in self.new_words}
        new = [f"{documents}: {word}" for word, documents in in_documents.items()]
        yield from _part("New words, which the model lacks", new, most)


def find_drift(
    before: Before, topics: TopicTree, corpus: Corpus, sizes: Sizes, n_documents: int
) -> Drift:
    """Compare new documents, in which topics have these sizes, with the earlier ones.

    `n_documents` is the number of new documents; each row of `corpus` is a section of one.

    A word that the model lacks was left out of it, or is new. One that was left out was too frequent,
    or it is known how frequent it was at most; of a model without texts, it is taken to have been
    hardly more frequent than the rarest word of the model.
    """
    tree, rate = before.tree, RATE / _PARTS
    documents = corpus.aligned(tree.words)
    words, every = _with_further_words(before, corpus)
    sections = len(documents) / max(1, n_documents)
    sums = sums_over(tree, documents)
    evidence = evidence_against(before.cautious, documents)
    unknown = every.document_frequency[tree.n_words :]
    order = tree.n_words + np.argsort(-unknown, kind="stable")
    more_frequent = risen(every, *_before(before, words), rate)
    return Drift(
        n_documents,
        tuple(topic_changes(before, topics, sizes, n_documents, sections, rate)),
        tuple(word_changes(before, topics, sums, rate)),
        tuple(misfits(evidence, before.most, rate)),
        tuple(new_themes(tree, every, words, more_frequent, rate)),
        {words[k]: int(every.document_frequency[k]) for k in order.tolist()},
        tuple(words[k] for k in more_frequent.tolist() if k >= tree.n_words),
    )


def _with_further_words(before: Before, corpus: Corpus) -> tuple[tuple[str, ...], Documents]:
    """The words of the tree, and then those of the new documents that are not too frequent for it.

    With them come the documents.
    """
    known, allowed = set(before.tree.words), before.allowed * len(corpus)
    frequency = corpus.documents.document_frequency.tolist()
    others = zip(corpus.words, frequency, strict=True)
    further = (word for word, count in others if word not in known and count <= allowed)
    words = (*before.tree.words, *further)
    return words, corpus.aligned(words)


def _before(before: Before, words: tuple[str, ...]) -> tuple[Floats, Floats]:
    """In which share of how many earlier documents each word was, or may have been at most.

    If it is not known which words were left out, their bound has no error.
    """
    n_known = before.tree.n_words
    known = before.tree.marginals[:n_known]
    counted = np.full(len(words), before.documents)
    others = before.others
    if others is None:
        others = min(_LEFT_OUT * float(known.min()), 1.0)
        counted[n_known:] = np.inf
    unknown = [before.left_out.get(word, others) for word in words[n_known:]]
    return np.concatenate((known, unknown)), counted


def _part(name: str, entries: Sequence[str], most: int) -> Iterator[str]:
    """A heading, and the first entries below it; nothing if there are none."""
    if entries:
        yield f"{name}:"
        yield from (f"    {entry}" for entry in entries[:most])
        if len(entries) > most:
            yield f"    and {len(entries) - most:,} more"


def _listed(words: Sequence[str]) -> str:
    return " ".join(words[:_SHOWN_WORDS]) + (" ..." if len(words) > _SHOWN_WORDS else "")

"""`Edits`: what a person changes in a fitted model, as `model.edit`, and the models that allow it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hlta._support.checks import check_whole
from hlta.documents.corpus import Corpus
from hlta.edits.elsewhere import matched
from hlta.edits.entries import (
    Entry,
    Hide,
    Merge,
    Move,
    Note,
    Pin,
    Remove,
    Rename,
    Show,
    Split,
    Unpin,
)
from hlta.edits.log import EditLog, Record, told
from hlta.errors import OptionError
from hlta.estimator.inputs import DocumentInputs
from hlta.topics.memberships import are_known, topic_nodes
from hlta.topics.shares import Sharing, sizes_of
from hlta.topics.topic import Topic
from hlta.topics.topic_tree import TopicTree
from hlta.tree.fingerprint import fingerprint
from hlta.tree.reshaping import unused_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.edits.edited import Edited
    from hlta.topics.sizes import Sizes

_LOWEST_COUNTED: Final = 2  # level of topics whose sizes are counted, unless lower ones are shown


class EditableModel(DocumentInputs):
    """The part of `HLTA` that shows a model as it was learned and then edited."""

    topics_: TopicTree
    stability_: NDArray[np.float64] | None
    coverage_: float | None
    lowest_level: int
    n_keywords: int | None
    n_topics: int | None
    _learned: Edited
    _edited: Edited
    _log: EditLog

    @property
    def edit(self) -> Edits:
        """What can be changed by hand: titles, the places of topics and words, what is shown."""
        check_is_fitted(self)
        return Edits(self)

    def _set_learned(self, model: Edited, log: EditLog | None = None) -> None:
        """Take over what was learned, and what edits made of it."""
        log = EditLog(fingerprint(model.tree)) if log is None else log
        self._show(log.applied(model), log)
        self._learned = model

    def _apply(self, log: EditLog) -> None:
        """Make these edits, from the model as it was learned."""
        model, now = log.applied(self._learned), self._edited
        if model.tree == now.tree:  # the documents on its topics have been counted already
            model = model._replace(known=model.known._replace(sizes=now.known.sizes))
        self._show(model, log)

    def _set_counted(self, sizes: Sizes) -> None:
        """Take over how large the topics are after the edits."""
        known = self._edited.known._replace(sizes=sizes)
        self._show(self._edited._replace(known=known), self._log)

    def _sizes(
        self,
        model: Edited,
        documents: Documents,
        coverage: NDArray[np.float64],
    ) -> Sizes:
        """How large the topics of a model are in documents, of which it knows so much.

        Those of a list share all words among themselves.
        """
        lowest = min(self.lowest_level, _LOWEST_COUNTED, int(model.tree.level.max()))
        sharings = [Sharing.of_tree(model.tree, model.known.counts, lowest)]
        if self.n_topics is not None:
            sharings.append(
                self._list_of(TopicTree.from_tree(model.tree, known=model.known)).shares().sharing
            )
        known = are_known(documents, coverage, self.coverage_)
        return sizes_of(model.tree, sharings, documents, known, n_jobs=self.n_jobs)

    def _list_of(self, topics: TopicTree) -> TopicTree:
        """The list of `n_topics` topics, pinned ones first."""
        cut = topics.cut(min(self.n_topics or 1, topics.most_in_cut))
        return topics.flat(sorted(cut, key=lambda topic: not topic.pinned))

    def _show(self, model: Edited, log: EditLog) -> None:
        """Let everything be that of this model, which has these edits."""
        topics = TopicTree.from_tree(
            model.tree,
            lowest_level=self.lowest_level,
            n_keywords=self.n_keywords,
            known=model.known,
            log=log.plain(),
        )
        if self.n_topics is not None:
            topics = self._list_of(topics)
        topics.usual_coverage = self.coverage_
        self._edited, self._log = model, log
        self.tree_, self.topics_ = model.tree, topics
        self.stability_ = model.known.stability
        self._columns = topic_nodes(model.tree, topics) - model.tree.n_words
        self._n_features_out = len(self._columns)
        self.n_features_in_ = model.tree.n_words
        if hasattr(self, "feature_names_in_"):
            self.feature_names_in_ = np.array(model.tree.words, dtype=object)


class Edits:
    """Edits of a fitted model, which is changed in place; `model.edit` gives them.

    Topics are given as such or by their ids, which no edit changes. Each edit is an entry in a log:
    `print(model.edit)` shows it, `undo` takes back what was done last, `save` writes the log to a
    file, and `replay` makes its edits again. Whatever the model shows or computes afterwards agrees
    with the edits; what they change in the tree follows by exact inference from the tree as it was,
    so no documents are needed except for `split`. How many documents are on each topic is not known
    after such a change until `recount` counts them.

    Examples
    --------
    >>> from hlta import HLTA
    >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
    >>> model = HLTA(samples=1).fit(texts * 20)
    >>> first, second, third = model.topics_.roots
    >>> model.edit.rename(first, "Cosmology")
    >>> model.edit.merge(third, into=second)
    >>> print(model.topics_)
    [0.33] Cosmology: dark galaxies matter
    [0.67] apples pears deep networks neural
    >>> print(model.edit)
    1 rename Z1-2 to 'Cosmology'
    2 merge Z1-1 into Z1-3
    >>> model.edit.undo()
    >>> len(model.topics_)
    3
    """

    def __init__(self, model: EditableModel) -> None:
        self._model = model

    def __len__(self) -> int:
        return len(self._model._log.history)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The entries of the log, as its file holds them."""
        return (record.plain() for record in self._model._log.history)

    def __str__(self) -> str:
        log = self._model._log
        settled = (f"{told(record.entry)} (settled)" for record in log.settled)
        entries = (*settled, *(told(record.entry) for record in log.records))
        return "\n".join(f"{number} {entry}" for number, entry in enumerate(entries, start=1))

    def __repr__(self) -> str:
        return f"Edits({len(self)} of {self._model.tree_!r})"

    # ---- edits -------------------------------------------------------------------------------

    def rename(self, topic: Topic | str, title: str) -> None:
        """Give a topic another title; see `HLTA.set_titles` for many."""
        self.make(Rename({_id(topic): title}))

    def note(self, topic: Topic | str, text: str) -> None:
        """Note something on a topic, in place of what was noted before; "" removes it."""
        self.make(Note(_id(topic), text))

    def hide(self, topic: Topic | str) -> None:
        """Hide a topic and all below it."""
        self.make(Hide(_id(topic)))

    def show(self, topic: Topic | str) -> None:
        """Show a hidden topic again."""
        self.make(Show(_id(topic)))

    def pin(self, topic: Topic | str) -> None:
        """Put a topic before its siblings, and never call it vague."""
        self.make(Pin(_id(topic)))

    def unpin(self, topic: Topic | str) -> None:
        """Treat a pinned topic like any other."""
        self.make(Unpin(_id(topic)))

    def merge(self, topic: Topic | str, into: Topic | str) -> None:
        """Make two topics one, which is on where either was.

        Parameters
        ----------
        topic
            The topic that ends; what was directly below it comes below the other one.
        into
            The topic that stays, with its id and its place; it must be as general or more so.
        """
        self.make(Merge(_id(topic), _id(into)))

    def move(self, name: Topic | str, below: Topic | str | None) -> None:
        """Move a topic, with all below it, or a word under another topic.

        Parameters
        ----------
        name
            The topic or the word.
        below
            The topic above it from now on, which rises to a higher level if it must; None to make a
            topic a root topic.
        """
        self.make(Move(_id(name), None if below is None else _id(below)))

    def remove(self, word: str) -> None:
        """Leave a word out of the model; a matrix of documents then has one column fewer."""
        self.make(Remove(word))

    def split(
        self, topic: Topic | str, X: Any, *, apart: Iterable[Topic | str] | None = None
    ) -> str:
        """Split a topic in two, as documents say.

        Parameters
        ----------
        topic
            The topic, which keeps its id; the other one comes beside it.
        X
            Documents, see `HLTA.fit`.
        apart
            Which of the words and topics directly below the topic go below the new one; None for
            those that go together in the documents on the topic, apart from the others.

        Returns
        -------
        str
            The id of the new topic.
        """
        if isinstance(apart, str) or not isinstance(apart, Iterable | None):
            raise OptionError(f"apart={apart!r:.60}: use a list of words and topics, or None")
        names = None if apart is None else [_id(name) for name in apart]
        model, corpus = self._model, self._corpus(X)
        entry = self._split(model._edited, _id(topic), names, corpus, model._log.records)
        self.make(entry)
        return entry.new

    def recount(self, X: Any) -> None:
        """Count how many documents are on each topic: `Topic.documents`.

        Parameters
        ----------
        X
            Documents, see `HLTA.fit`.
        """
        model = self._model
        documents, coverage = model._read(X)
        model._set_counted(model._sizes(model._edited, documents, coverage))

    # ---- the log -----------------------------------------------------------------------------

    def undo(self, n: int = 1) -> None:
        """Take back the last `n` edits."""
        model, log = self._model, self._model._log
        check_whole("n", n, least=1)
        if n > len(log.records):
            settled = (
                f"; the {len(log.settled):,} made before the model was updated cannot"
                if log.settled
                else ""
            )
            raise OptionError(
                f"n={n:,}: the model has {len(log.records):,} edits that can be undone{settled}"
            )
        model._apply(log.with_records(log.records[:-n]))

    def to_json(self) -> str:
        """The log as JSON, one line per edit."""
        return self._model._log.to_json()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the log to a file, one line per edit, which `replay` and `hlta edit` read."""
        self._model._log.save(path)

    def replay(
        self, log: str | PathLike[str] | Edits, X: Any = None, *, match: bool = False
    ) -> list[str]:
        """Make the edits of a log, from the model as it was learned; they replace its own edits.

        Parameters
        ----------
        log
            A file that `save` wrote, or the edits of another model.
        X
            With `match`: documents to split topics anew, see `HLTA.fit`; None to leave splits out. A
            matrix has the columns of the model as it was learned.
        match
            Whether the log may be of another model, such as one learned from other documents. Topics
            are then found again by their words, and what does not apply is left out.

        Returns
        -------
        list of str
            What was left out, and why.

        Raises
        ------
        OptionError
            If the log is of another model and `match` is not set, or an edit cannot be made. The
            model then stays as it was.
        FormatError
            If the file is not a log of edits.
        """
        model = self._model
        if not isinstance(log, str | os.PathLike | Edits):
            raise OptionError(f"log={log!r:.60}: use the path of a log, or the edits of a model")
        given = log._model._log if isinstance(log, Edits) else EditLog.load(log)
        if given.origin == model._log.origin:
            log_of_model = model._log.with_records(given.records)
            model._apply(log_of_model.completed(model._learned))
            return []
        if not match:
            raise OptionError(
                "the log is of another model; with match (--match), its topics are found again by "
                "their words"
            )

        before, edited = model._log, model._edited
        try:
            model._apply(before.with_records(()))  # documents have all words again
            corpus = None if X is None else self._corpus(X)

            def split(
                edited: Edited, topic: str, apart: list[str], made: Sequence[Record]
            ) -> Entry:
                if corpus is None:
                    raise OptionError("a split in another model needs documents")
                return self._split(edited, topic, apart, corpus, made)

            found = matched(given.history, model._learned, split)
            model._apply(before.with_records(found.records))
        except BaseException:
            model._show(edited, before)
            raise
        return found.refused

    @property
    def learned_words(self) -> tuple[str, ...]:
        """The words of the model as it was learned, including those that edits removed."""
        return self._model._learned.tree.words

    def make(self, entry: Entry) -> None:
        """Make an edit and put it down in the log; if it cannot be made, nothing changes."""
        model = self._model
        edited = entry.applied(model._edited)
        record = Record.of(entry, model._edited)
        model._show(edited, model._log.with_records((*model._log.records, record)))

    def _corpus(self, X: Any) -> Corpus:
        return Corpus(self._model._documents(X), self._model.tree_.words)

    def _split(
        self,
        edited: Edited,
        topic: str,
        apart: list[str] | None,
        corpus: Corpus,
        made: Sequence[Record],
    ) -> Split:
        """What documents say of a split, after the edits that were `made`."""
        documents, new = corpus.aligned(edited.tree.words), self._unused(edited, topic, made)
        jobs = self._model.n_jobs
        return Split.from_documents(edited, topic, apart, new, documents, n_jobs=jobs)

    def _unused(self, edited: Edited, topic: str, made: Sequence[Record]) -> str:
        """An id for a topic beside this one, which none has, and none had in the log."""
        level = edited.tree.level[edited.topic(topic)]
        used = {*edited.tree.names, *self._used((*self._model._log.settled, *made))}
        return unused_name(int(level), used)

    @property
    def ids_used(self) -> set[str]:
        """The ids that topics have, had as they were learned, or had in the log."""
        return self._used(self._model._log.history)

    def _used(self, records: Iterable[Record]) -> set[str]:
        split = {record.entry.new for record in records if isinstance(record.entry, Split)}
        return split.union(self._model._learned.tree.names)


def _id(topic: Topic | str) -> str:
    name = topic.id if isinstance(topic, Topic) else topic
    if not isinstance(name, str):
        raise OptionError(f"{name!r:.60} is not a topic, nor the id of one")
    return name

"""Changes that a person makes to a fitted model: edits, and titles of topics."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from hlta._support.messages import warn
from hlta._support.threads import on_threads
from hlta.edits.entries import Entry, Hide, Merge, Move, Note, Pin, Remove, Rename, Show, Unpin
from hlta.edits.log import EditLog, describe
from hlta.errors import OptionError
from hlta.estimator.face import Face
from hlta.model.editing import make, replay, split_by, undo
from hlta.model.inputs import read_documents
from hlta.topics.naming import Family, ask_titles
from hlta.topics.topic import Topic

if TYPE_CHECKING:
    from os import PathLike

    from hlta.model.value import Model

_CHANGING = RLock()  # no edit is lost if several threads edit a model


class Editable(Face):
    """The part of `HLTA` by which a person changes a model."""

    @property
    def edit(self) -> Edits:
        """Edits by hand: of titles, of the places of topics and words, and of what is shown."""
        check_is_fitted(self)
        return Edits(self)

    def set_titles(self, titles: Mapping[str, str]) -> Self:
        """Give topics other titles; nothing else changes.

        Parameters
        ----------
        titles
            Titles by the ids of topics of `topics_`; the others keep theirs.

        Returns
        -------
        HLTA
            The model itself.

        Raises
        ------
        OptionError
            If an id is unknown, or a title is empty, too long, or that of a topic beside or above.
        """
        check_is_fitted(self)
        if not isinstance(titles, Mapping):
            raise OptionError(f"titles={titles!r:.60}: give titles by the ids of topics, as a dict")
        now = {topic.id: topic.title for topic in self.topics_}
        changed = {name: title for name, title in titles.items() if title != now.get(name)}
        if changed:
            self.edit.make(Rename(changed))
        return self

    def name_topics(self, name: Callable[[Family], Mapping[str, str]]) -> Self:
        """Let a function give titles, to all topics below one parent at a time, parents first.

        Parameters
        ----------
        name
            A function from a `hlta.topics.Family` to titles by id, such as
            `hlta.topics.ChatNames`, which asks a language model. A topic that it leaves out keeps its
            title; so does one whose new title `set_titles` would refuse, and a warning says why.

        Returns
        -------
        HLTA
            The model itself; it stays as it was if the function fails.

        Raises
        ------
        OptionError
            If the function does not return a dictionary.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> named = model.name_topics(lambda family: {t.id: t.title.title() for t in family.topics})
        >>> named.topics_.roots[0].title
        'Apples And Pears'
        """
        check_is_fitted(self)
        titles, refused = ask_titles(self.topics_, name)
        if refused:
            shown = "; ".join(refused[:3])
            are = "title is" if len(refused) == 1 else "titles are"
            warn(f"{len(refused):,} {are} not used: {shown}")
        return self.set_titles(titles)


class Edits:
    """Edits of a fitted model, which is changed in place; `model.edit` gives them.

    A topic is given as a `Topic`, by its id, which no edit changes, or by its title. Each edit is an
    entry in a log: `print(model.edit)` shows it, `undo` takes back the last edits, `save` writes the
    log to a file, and `replay` makes its edits again. Whatever the model shows or computes afterwards
    agrees with the edits. The parameters of a changed tree follow by exact inference from the tree
    before, so no documents are needed except for `split`. After such a change, the number of documents
    on each topic is not known until `recount` counts them.

    Examples
    --------
    >>> from hlta import HLTA
    >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
    >>> model = HLTA(samples=1).fit(texts * 20)
    >>> first, second, third = model.topics_.roots
    >>> model.edit.rename(second, "Cosmology")
    >>> model.edit.merge(third, into=first)
    >>> print(model.topics_)
    [0.67] apples, pears: deep networks neural
    [0.33] Cosmology: dark galaxies matter
    >>> print(model.edit)
    1 rename Z1-2 to 'Cosmology'
    2 merge Z1-3 into Z1-1
    >>> model.edit.undo()
    >>> len(model.topics_)
    3
    """

    def __init__(self, estimator: Editable) -> None:
        self._estimator = estimator

    @property
    def _model(self) -> Model:
        return self._estimator._fitted

    def __len__(self) -> int:
        return len(self._model.log.history)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The entries of the log, as its file holds them."""
        return (record.plain() for record in self._model.log.history)

    def __str__(self) -> str:
        log = self._model.log
        settled = (f"{describe(record.entry)} (settled)" for record in log.settled)
        entries = (*settled, *(describe(record.entry) for record in log.records))
        return "\n".join(f"{number} {entry}" for number, entry in enumerate(entries, start=1))

    def __repr__(self) -> str:
        return f"Edits({len(self)} of {self._model.tree!r})"

    # ---- edits -------------------------------------------------------------------------------

    def rename(self, topic: Topic | str, title: str) -> None:
        """Give a topic another title; see `HLTA.set_titles` for many."""
        self.make(Rename({self._id(topic): title}))

    def note(self, topic: Topic | str, text: str) -> None:
        """Note something on a topic, in place of what was noted before; "" removes it."""
        self.make(Note(self._id(topic), text))

    def hide(self, topic: Topic | str) -> None:
        """Hide a topic and all below it."""
        self.make(Hide(self._id(topic)))

    def show(self, topic: Topic | str) -> None:
        """Show a hidden topic again."""
        self.make(Show(self._id(topic)))

    def pin(self, topic: Topic | str) -> None:
        """Put a topic before its siblings, and never call it vague."""
        self.make(Pin(self._id(topic)))

    def unpin(self, topic: Topic | str) -> None:
        """Treat a pinned topic like any other."""
        self.make(Unpin(self._id(topic)))

    def merge(self, topic: Topic | str, into: Topic | str) -> None:
        """Make two topics one, which is on where either was.

        Parameters
        ----------
        topic
            The topic that ends; what was directly below it comes below the other one.
        into
            The topic that stays, with its id and its place; it must be as general or more so.
        """
        self.make(Merge(self._id(topic), self._id(into)))

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
        self.make(Move(self._name(name), None if below is None else self._id(below)))

    def remove(self, word: str) -> None:
        """Leave a word out of the model; a matrix of documents then has one column fewer."""
        self.make(Remove(word))

    def split(
        self, topic: Topic | str, X: Any, *, apart: Iterable[Topic | str] | None = None
    ) -> str:
        """Split a topic in two, as learned from documents.

        Parameters
        ----------
        topic
            The topic, which keeps its id; the other one comes beside it.
        X
            Documents, see `HLTA.fit`.
        apart
            Which of the words and topics directly below the topic go below the new one; None for the
            group that is least correlated with the others in the documents on the topic.

        Returns
        -------
        str
            The id of the new topic.
        """
        if isinstance(apart, str) or not isinstance(apart, Iterable | None):
            raise OptionError(f"apart={apart!r:.60}: use a list of words and topics, or None")
        names = None if apart is None else [self._name(name) for name in apart]
        with on_threads(self._estimator.n_jobs):
            entry = split_by(self._model, self._id(topic), names, X)
        self.make(entry)
        return entry.new

    def recount(self, X: Any) -> None:
        """Count how many documents are on each topic: `Topic.documents`.

        Parameters
        ----------
        X
            Documents, see `HLTA.fit`.
        """
        estimator = self._estimator
        with _CHANGING:
            model = self._model
            with estimator._running():
                read = read_documents(model, X)
                sizes = estimator._view.sizes_of(model.edited, read, model.coverage)
            estimator._show(model.with_sizes(sizes))

    # ---- the log -----------------------------------------------------------------------------

    def undo(self, n: int = 1) -> None:
        """Take back the last `n` edits."""
        with _CHANGING:
            self._estimator._show(undo(self._model, n))

    def describe(self, n: int = 1) -> list[str]:
        """The last `n` edits that can be undone, a line each, with topics as called before that edit."""
        model = self._model
        return model.log.describe(model.learned)[-n:]

    def to_json(self) -> str:
        """The log as JSON, one line per edit."""
        return self._model.log.to_json()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the log to a file, one line per edit, which `replay` and `hlta edit` read."""
        self._model.log.save(path)

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
            are then found again by their words, and edits that cannot be made are left out.

        Returns
        -------
        list of str
            The edits that were left out, and why.

        Raises
        ------
        OptionError
            If the log is of another model and `match` is not set, or an edit cannot be made. The
            model then stays as it was.
        FormatError
            If the file is not a log of edits.
        """
        if not isinstance(log, str | os.PathLike | Edits):
            raise OptionError(f"log={log!r:.60}: use the path of a log, or the edits of a model")
        given = log._model.log if isinstance(log, Edits) else EditLog.load(log)
        with _CHANGING:
            with on_threads(self._estimator.n_jobs):
                changed, refused = replay(self._model, given, X, match=match)
            self._estimator._show(changed)
        return refused

    @property
    def learned_words(self) -> tuple[str, ...]:
        """The words of the model as it was learned, including those that edits removed."""
        return self._model.learned.tree.words

    def make(self, entry: Entry) -> None:
        """Make an edit and record it in the log; if it cannot be made, nothing changes."""
        with _CHANGING:
            self._estimator._show(make(self._model, entry))

    def _id(self, topic: Topic | str) -> str:
        """The id of a topic given as a `Topic`, by its id or, if it is shown, by its title."""
        if isinstance(topic, str) and topic not in self._model.tree.latent_names:
            topic = self._estimator.topics_[topic]
        name = topic.id if isinstance(topic, Topic) else topic
        if not isinstance(name, str):
            raise OptionError(f"{name!r:.60} is not a topic, nor the id or the title of one")
        return name

    def _name(self, name: Topic | str) -> str:
        """A word of the model, or the id of a topic."""
        return name if isinstance(name, str) and name in self._model.tree.words else self._id(name)

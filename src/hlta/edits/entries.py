"""The kinds of edits: the fields of each in a log, and what it does to a model.

`estimator.changes` resolves which topics a caller means and makes the edits; `model.editing` applies
them and keeps the log.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from hlta.edits.splitting import learn_split, less_telling_group, nodes_of_split
from hlta.errors import OptionError
from hlta.topics.naming import check_note, check_title
from hlta.tree.reshaping import (
    is_below,
    members,
    merge_latents,
    move_below,
    split_latent,
    table,
    topic_above,
    topics_over,
    with_tables,
    without_word,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hlta.documents.matrix import Documents
    from hlta.edits.annotated_tree import AnnotatedTree


KINDS: Final[dict[str, type[Entry]]] = {}
"""The kinds of edits by their names in a log."""
_ID: Final = re.compile(r"Z\d{1,9}-\d{1,9}", re.ASCII)


@dataclass(frozen=True, repr=False)
class Entry:
    """An edit. Its entry in a log has the same fields, and a field `edit` with its `kind`.

    The kind is the name of the class in lower case.
    """

    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.kind = cls.__name__.lower()
        KINDS[cls.kind] = cls

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        """The model after the edit; raises `OptionError` if it cannot be made."""
        raise NotImplementedError

    def in_words(self, call: Callable[[str], str]) -> str:
        """The edit in one line, in which `call` gives the name to show for each topic and word."""
        return f"{self.kind} {' '.join(map(call, self.names))}"

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the topics, and the words, that the edit refers to."""
        return tuple(value for value in vars(self).values() if isinstance(value, str))

    def rename(self, names: Mapping[str, str]) -> Entry:
        """The edit with its names replaced by those in `names`; raises KeyError if one is missing."""
        return type(self)(
            **{k: names[v] if isinstance(v, str) else v for k, v in vars(self).items()}
        )

    def plain(self) -> dict[str, Any]:
        """The entry of the edit as a dictionary that JSON can hold."""
        return {"edit": self.kind, **deepcopy(vars(self))}

    def __str__(self) -> str:
        return self.in_words(str)


@dataclass(frozen=True, repr=False)
class Rename(Entry):
    """Give topics other titles."""

    titles: Mapping[str, str]

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        for name in self.titles:
            model.topic(name)
        given = {name: check_title(title, name) for name, title in self.titles.items()}
        known = model.annotations
        titles = {**known.titles, **given}
        for name in given:
            _refuse_repeated(name, titles, model)
        return model.annotate(titles=titles, titled=known.titled | given.keys())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.titles)

    def rename(self, names: Mapping[str, str]) -> Rename:
        return Rename({names[name]: title for name, title in self.titles.items()})

    def in_words(self, call: Callable[[str], str]) -> str:
        titles = "; ".join(f"{call(name)} to {title!r}" for name, title in self.titles.items())
        return f"{self.kind} {titles}"


@dataclass(frozen=True, repr=False)
class Note(Entry):
    """Give a topic a note, in place of the one that it has; an empty text removes the note."""

    topic: str
    text: str

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        model.topic(self.topic)
        text = check_note(self.text, self.topic)
        notes = {
            name: other for name, other in model.annotations.notes.items() if name != self.topic
        }
        if text:
            notes[self.topic] = text
        return model.annotate(notes=notes)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.topic,)

    def rename(self, names: Mapping[str, str]) -> Note:
        return Note(names[self.topic], self.text)

    def in_words(self, call: Callable[[str], str]) -> str:
        return f"{self.kind} {call(self.topic)}: {' '.join(str(self.text).split())!r}"


@dataclass(frozen=True, repr=False)
class Hide(Entry):
    """Hide a topic and all below it."""

    topic: str

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        node = model.topic(self.topic)
        hidden = model.annotations.hidden | {self.topic}
        if hidden.issuperset(model.tree.names[v] for v in model.roots):
            raise OptionError(f"without {model.name_of(node)}, no topic would be left to show")
        return model.annotate(hidden=hidden)


@dataclass(frozen=True, repr=False)
class Show(Entry):
    """Show a hidden topic again."""

    topic: str

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        node = model.topic(self.topic)
        if self.topic not in model.annotations.hidden:
            model.refuse_hidden(node)
            raise OptionError(f"{model.name_of(node)} is not hidden")
        hidden = model.annotations.hidden - {self.topic}
        return model.annotate(hidden=hidden)


@dataclass(frozen=True, repr=False)
class Pin(Entry):
    """Put a topic before its siblings, and never call it vague."""

    topic: str

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        model.topic(self.topic)
        return model.annotate(pinned=model.annotations.pinned | {self.topic})


@dataclass(frozen=True, repr=False)
class Unpin(Entry):
    """Treat a pinned topic like any other."""

    topic: str

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        node = model.topic(self.topic)
        if self.topic not in model.annotations.pinned:
            raise OptionError(f"{model.name_of(node)} is not pinned")
        return model.annotate(pinned=model.annotations.pinned - {self.topic})


@dataclass(frozen=True, repr=False)
class Merge(Entry):
    """Make two topics one, which is on where either was, and keeps the id of `into`."""

    topic: str
    into: str

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        tree = model.tree
        other, into = model.topic(self.topic), model.topic(self.into)
        if other == into:
            raise OptionError(
                f"{model.name_of(other)} cannot be merged into itself; give two topics"
            )
        if tree.level[other] > tree.level[into] or is_below(tree, into, other):
            raise OptionError(
                f"{model.name_of(other)} is more general than {model.name_of(into)}; merge {self.into} "
                f"into {self.topic} instead"
            )
        model.refuse_hidden(into)
        if topic_above(tree, other) != into:
            model.refuse_to_empty(other, into)
        changed = {self.into}
        retitled = changed | model.topics_named_after(other)
        after = model.reshape(merge_latents(tree, into, other), changed, retitled)
        return after.with_absorbed(after.topic(self.into), model, other)

    def in_words(self, call: Callable[[str], str]) -> str:
        return f"{self.kind} {call(self.topic)} into {call(self.into)}"


@dataclass(frozen=True, repr=False)
class Move(Entry):
    """Move a topic, with all below it, or a word under another topic; None makes it a root topic."""

    name: str
    below: str | None

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        tree, node = model.tree, model.node(self.name)
        above = topic_above(tree, node)
        if self.below is None:
            if node < tree.n_words:
                raise OptionError(f"{self.name!r} is a word, which cannot be a root topic")
            if above < 0:
                raise OptionError(f"{model.name_of(node)} is a root topic already")
            below = None
        else:
            below = model.topic(self.below)
            model.refuse_hidden(below)
            if is_below(tree, below, node):
                raise OptionError(f"{model.name_of(node)} cannot hang below itself")
            if above == below:
                raise OptionError(
                    f"{model.name_of(node)} is directly below {model.name_of(below)} already"
                )
        model.refuse_to_empty(node)
        return model.reshape(move_below(tree, node, below), (), model.topics_named_after(node))

    def in_words(self, call: Callable[[str], str]) -> str:
        where = "to the top" if self.below is None else f"below {call(self.below)}"
        return f"{self.kind} {call(self.name)} {where}"


@dataclass(frozen=True, repr=False)
class Remove(Entry):
    """Leave a word out of the model."""

    word: str

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        node = model.word(self.word)
        model.refuse_to_empty(node)
        tree = without_word(model.tree, node)
        return model.reshape(tree, (), model.topics_named_after(node))


@dataclass(frozen=True, repr=False)
class Split(Entry):
    """Move some members of a topic under a new topic beside it, with parameters learned from documents.

    Documents are needed only once: the entry keeps what was `learned` from them, which is
    P(node | parent) of the two topics and of the nodes directly below them.
    """

    topic: str
    apart: tuple[str, ...]
    new: str
    learned: Mapping[str, Any]

    @classmethod
    def from_documents(
        cls,
        model: AnnotatedTree,
        topic: str,
        apart: Iterable[str] | None,
        new: str,
        documents: Documents,
    ) -> Split:
        """Learn a split from documents; `apart` are the members of the new topic, None to choose them."""
        node = model.topic(topic)
        if apart is None:
            chosen = less_telling_group(model.tree, node, documents)
        else:
            chosen = _members_of(model, topic, apart)
        tree = learn_split(model.tree, node, new, chosen, documents)
        learned = {tree.names[v]: table(tree, v).tolist() for v in nodes_of_split(tree, node)}
        return cls(topic, tuple(model.tree.names[v] for v in chosen), new, learned)

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        node = model.topic(self.topic)
        if not _ID.fullmatch(self.new) or self.new in model.tree.names:
            raise OptionError(
                f"{self.new!r:.60} cannot be the id of a new topic; use one like Z1-99 that none has"
            )
        chosen = _members_of(model, self.topic, self.apart)
        tree = split_latent(model.tree, node, self.new, chosen)
        if self.learned.keys() != {tree.names[v] for v in nodes_of_split(tree, node)}:
            raise OptionError(
                f"what the split of {self.topic} learned is damaged: it does not cover exactly the two "
                "topics and what is directly below them"
            )
        try:
            tree = tree.with_probability(with_tables(tree, self.learned))
        except (ValueError, TypeError, OverflowError) as error:
            raise OptionError(
                f"what the split of {self.topic} learned is damaged: {error!s:.200}"
            ) from None
        changed = {self.topic, self.new}
        after = model.reshape(tree, changed, changed)
        return after.with_halves(after.topic(self.topic), after.topic(self.new))

    @property
    def names(self) -> tuple[str, ...]:
        return (self.topic, *self.apart)

    def in_words(self, call: Callable[[str], str]) -> str:
        return (
            f"{self.kind} {call(self.topic)}, with {' '.join(map(call, self.apart))} in {self.new}"
        )


def _refuse_repeated(name: str, titles: Mapping[str, str], model: AnnotatedTree) -> None:
    """Raise `OptionError` if a topic that is shown above or beside a topic has the same title."""
    tree, node = model.tree, model.topic(name)
    title, names = titles[name].casefold(), tree.names
    up = topic_above(tree, node)
    beside = model.roots if up < 0 else members(tree, up)
    places = [(v, "beside") for v in beside if v >= tree.n_words and v != node]
    for other, where in places + [(v, "above") for v in topics_over(tree, node)]:
        if titles.get(names[other], "").casefold() == title and model.hidden_by(other) is None:
            raise OptionError(
                f"the title of {name}, {titles[name]!r}, is also that of a topic {where} it; give "
                "another"
            )


def _members_of(model: AnnotatedTree, topic: str, apart: Iterable[str]) -> list[int]:
    """The nodes of the members `apart`; raises `OptionError` unless at least two go and two stay."""
    node, chosen = model.topic(topic), sorted({model.node(name) for name in apart})
    below = members(model.tree, node)
    stray = [v for v in chosen if v not in below]
    if stray:
        raise OptionError(f"{model.name_of(stray[0])} is not directly below {model.name_of(node)}")
    if min(len(chosen), len(below) - len(chosen)) < 2:
        raise OptionError(
            f"a split of {model.name_of(node)} must leave at least 2 of its {len(below)} members on each "
            f"side, but moves {len(chosen)} of them"
        )
    return chosen

"""`Topic`: a latent variable, read through its keywords."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LABEL_WORDS: Final = 5
TITLE_WORDS: Final = 2
_BETWEEN_WORDS: Final = re.compile(r"\W+")
WEAK: Final = 0.15
"""A topic with less stability is weak: much of it is chance."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word that characterises a topic.

    Attributes
    ----------
    word : str
        The word.
    p_topic : float
        P(word | topic).
    p_background : float
        P(word | background).
    mutual_information : float
        Mutual information of word and topic, in nats.
    """

    word: str
    p_topic: float
    p_background: float
    mutual_information: float


@dataclass(frozen=True, slots=True)
class Facet:
    """A part of a topic with words of its own: one of several states in which it is on.

    Attributes
    ----------
    size : float
        P(facet): the expected share of all documents that are in it.
    keywords : list of Keyword
        The words that set it apart, inflections of others last. Their `p_background` and
        `mutual_information` are those within the topic: what is not in the facet is in the rest of
        the topic.
    """

    size: float
    keywords: list[Keyword]

    @property
    def words(self) -> list[str]:
        """The keywords as plain strings."""
        return [keyword.word for keyword in self.keywords]


@dataclass(slots=True, eq=False)
class Topic:
    """A latent variable that is on, in any state but its background, read through its keywords.

    Iteration visits the topic itself and then all topics below it, parents first.

    Attributes
    ----------
    id : str
        The name of the latent variable, such as "Z2-14".
    level : int
        The level of the latent variable: the higher, the more general the topic.
    size : float
        The expected share: P(topic), the mean of P(topic | document) over all documents.
    keywords : list of Keyword
        Words below it by mutual information; those rarer in the topic than elsewhere come last.
    documents : int or None
        How many of the documents learned from are on the topic: P(topic | document) exceeds 0.5. None
        if that is not known.
    stability : float or None
        How much of the topic comes back if other documents are drawn, from 0 to 1: in structures
        learned from samples of the documents, the mean overlap of its words with those of the topic
        most like it (Jaccard index). None if the structure was learned only once, or the topic was
        merged or split since.
    pinned : bool
        Whether a person pinned it: it comes before its siblings and is never called weak.
    parent : Topic or None
        The topic above, None for a root topic.
    title : str
        A name: a phrase of the documents that tells what the topic is about; without one, its first
        two keywords. It differs from those of the topics above and beside it.
    children : list of Topic
        The topics directly below, the most telling first, see `TopicTree`.
    facets : list of Facet
        Parts of the topic that differ in kind, largest first; none with two states per latent
        variable.

    Examples
    --------
    >>> from hlta import Keyword, Topic
    >>> words = ["images", "image", "pixel"]
    >>> keywords = [Keyword(word, 0.6, 0.1, 0.2) for word in words]
    >>> topic = Topic("Z2-1", level=2, size=0.25, keywords=keywords, parent=None)
    >>> print(topic)
    [0.25] images pixel image
    >>> topic.label_words(2)
    ['images', 'pixel']
    """

    id: str
    level: int
    size: float
    keywords: list[Keyword]
    parent: Topic | None = field(repr=False)
    title: str = ""
    documents: int | None = None
    stability: float | None = None
    pinned: bool = False
    children: list[Topic] = field(default_factory=list, repr=False)
    facets: list[Facet] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        if not self.title:
            self.title = ", ".join(self.label_words(TITLE_WORDS))

    @property
    def words(self) -> list[str]:
        """The keywords as plain strings."""
        return [keyword.word for keyword in self.keywords]

    @property
    def is_weak(self) -> bool:
        """Whether little of the topic comes back if other documents are drawn, and none pinned it."""
        return not self.pinned and self.stability is not None and self.stability < WEAK

    @property
    def label(self) -> str:
        """The first keywords as one string, skipping inflections of earlier ones."""
        return " ".join(self.label_words(LABEL_WORDS))

    def label_words(self, count: int) -> list[str]:
        """The first `count` keywords, skipping inflections of earlier ones unless no others are left.

        Parameters
        ----------
        count
            The most words.

        Returns
        -------
        list of str
            All words if there are fewer.
        """
        return inflections_last(self.words)[:count]

    def named(self, count: int = LABEL_WORDS) -> tuple[str, str]:
        """The topic in two pieces: its title, and what its first keywords add to that.

        Parameters
        ----------
        count
            The most keywords.

        Returns
        -------
        title : str
            The title with a colon, if something follows; or without marks, if it is made of these
            keywords alone.
        rest : str
            The keywords that are not in the title.
        """
        words, parts = self.label_words(count), self.title.split(", ")
        told = set(_BETWEEN_WORDS.split(self.title.lower()))
        others = (word for word in words if not told.issuperset(word.lower().split("-")))
        rest = " ".join(word for word in others if word not in parts)
        if set(parts) <= set(words):
            return " ".join(parts), rest
        return (f"{self.title}:" if rest else self.title), rest

    @property
    def mark(self) -> str:
        """A question mark behind the size of a weak topic, otherwise nothing."""
        return "?" if self.is_weak else ""

    def __iter__(self) -> Iterator[Topic]:
        """The topic itself and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child

    def __str__(self) -> str:
        return f"[{self.size:.2f}]{self.mark} {' '.join(self.named()).rstrip()}"

    def to_dict(self) -> dict[str, Any]:
        """The topic and all below it as plain dictionaries and lists, as in `topics.json`."""
        return {
            "id": self.id,
            "level": self.level,
            "title": self.title,
            "size": self.size,
            **({} if self.documents is None else {"documents": self.documents}),
            **({} if self.stability is None else {"stability": self.stability}),
            **({"pinned": True} if self.pinned else {}),
            "keywords": [asdict(keyword) for keyword in self.keywords],
            **({"facets": [asdict(facet) for facet in self.facets]} if self.facets else {}),
            "children": [child.to_dict() for child in self.children],
        }


def inflections_last(words: Iterable[str]) -> list[str]:
    """The words, those that are inflections of earlier ones moved behind all others."""
    chosen: list[str] = []
    skipped: list[str] = []
    for word in words:
        same = any(same_word(word, other) for other in chosen)
        (skipped if same else chosen).append(word)
    return chosen + skipped


def same_word(a: str, b: str) -> bool:
    """Whether one is the other with an ending: image and images, study and studies."""
    short, long = sorted((a, b), key=len)
    stem = short[:-1] if short[-1] in "ey" and not long.startswith(short) else short
    ending = len(long) - len(stem)
    return long.startswith(stem) and ending <= (3 if len(stem) > 3 else 1 if len(stem) == 3 else 0)

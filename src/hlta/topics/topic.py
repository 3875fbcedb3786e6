"""`Topic`: a latent variable, read through its keywords."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hlta.options import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LABEL_WORDS: Final = 5  # keywords in a label
TITLE_WORDS: Final = 2  # keywords in a title without phrases
_KNOWN: Final = ("main_documents", "documents", "stability", "contrast")  # None if not known
_BETWEEN_WORDS: Final = re.compile(r"\W+")


def as_share(size: float) -> str:
    """A size with two digits, or "<.01" where they would be 0."""
    return f"{size:.2f}" if size >= 0.005 else "<.01"


def as_percent(size: float) -> str:
    """A size as a percentage, or "<0.1%" where it would be 0."""
    return f"{size:.1%}" if size >= 0.0005 else "<0.1%"


@dataclass(frozen=True)
class Keyword:
    """A word that characterises a topic.

    Attributes
    ----------
    word : str
        The word.
    p_topic : float
        P(word | topic), counted in the documents with the tree as a prior; by the tree alone for topics
        that were not counted.
    p_background : float
        P(word | background), where the topic is off.
    mutual_information : float
        Mutual information of the word and the topic, in nats.
    stability : float or None
        The share of the samples of documents in which the word is in the topic most like this one.
        None if that is not known.
    """

    word: str
    p_topic: float
    p_background: float
    mutual_information: float
    stability: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The keyword as plain values, as in `topics.json`."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Facet:
    """A part of a topic with words of its own: one of several states in which it is on.

    Attributes
    ----------
    size : float
        P(facet | topic): the expected part of the topic's documents that are in it.
    keywords : list of Keyword
        The words that set it apart, inflections of others last. Their `p_background` and
        `mutual_information` are computed within the topic: the background is the rest of the topic.
    """

    size: float
    keywords: list[Keyword]

    @property
    def words(self) -> list[str]:
        """The keywords as plain strings."""
        return [keyword.word for keyword in self.keywords]

    def to_dict(self) -> dict[str, Any]:
        """The facet as plain values, as in `topics.json`."""
        return {"size": self.size, "keywords": [keyword.to_dict() for keyword in self.keywords]}


@dataclass(eq=False)
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
        The topic's mean share of the words of a document. The sizes of the topics of a level, and the
        share that is about none of them, add up to 1. Without documents, P(topic).
    keywords : list of Keyword
        The words below it by mutual information; those rarer in the topic than elsewhere come last.
    documents : int or None
        How many of the documents learned from are on the topic: at least a fifth of their words is
        about it. None if that is not known.
    main_documents : int or None
        Of how many of these it is the main topic: it has the largest share among its siblings, and the
        topic above, if there is one, is a main topic, too. None if that is not known.
    stability : float or None
        How much of the topic recurs if other documents are drawn, from 0 to 1: the mean Jaccard index
        of its words and those of the topic most like it, over structures learned from samples of the
        documents. None if the structure was learned only once, or an edit merged or split the topic.
    contrast : float or None
        How much the documents with its keywords differ from documents at large; the median word has 1.
        None if there were no documents to compute it from.
    pinned : bool
        Whether a person pinned it: it comes before its siblings and is never vague.
    is_vague : bool
        Whether it and all topics below it are likely due to chance and name no subject: they have a
        stability below 0.15 and a contrast below 1. It comes after its siblings, and printed trees
        leave it out. False for all topics if all would be vague, and in flat lists.
    note : str
        What a person noted on it.
    parent : Topic or None
        The topic above, None for a root topic.
    title : str
        A name: one or two phrases of the documents, or keywords, that tell what the topic is about. It
        differs from those of the topics above and beside it.
    children : list of Topic
        The topics directly below, in the order that `TopicTree` describes.
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
    [0.25] images, pixel: image
    >>> topic
    <Topic Z2-1 [0.25] images, pixel: image>
    >>> topic.label_words(2)
    ['images', 'pixel']
    >>> words = ["pixel", "image", "camera", "lens"]
    >>> keywords = [Keyword(word, 0.6, 0.1, 0.2) for word in words]
    >>> Topic("Z1-1", level=1, size=0.1, keywords=keywords, parent=topic).distinct_words
    ['camera', 'lens']
    """

    id: str
    level: int
    size: float
    keywords: list[Keyword]
    parent: Topic | None
    title: str = ""
    documents: int | None = None
    main_documents: int | None = None
    stability: float | None = None
    contrast: float | None = None
    pinned: bool = False
    is_vague: bool = False
    note: str = ""
    children: list[Topic] = field(default_factory=list)
    facets: list[Facet] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.title:
            self.title = ", ".join(self.label_words(TITLE_WORDS))

    @property
    def words(self) -> list[str]:
        """The keywords as plain strings."""
        return [keyword.word for keyword in self.keywords]

    @property
    def distinct_words(self) -> list[str]:
        """The words that the topic adds to those above it: its keywords without theirs.

        A keyword is left out if it is one of the first ten keywords of a topic above, at any level, or
        an inflection of one. The others keep their order. Root topics have all of their keywords, and a
        topic whose keywords are all among those above has none.
        """
        above = [word for topic in ancestors(self) for word in topic.words[:KEYWORDS]]
        return [word for word in self.words if not any(same_word(word, one) for one in above)]

    def label_words(self, count: int) -> list[str]:
        """The first `count` keywords, skipping inflections of earlier ones unless no others are left.

        Parameters
        ----------
        count
            The largest number of words.

        Returns
        -------
        list of str
            All words if there are fewer.
        """
        return inflections_last(self.words)[:count]

    def named(self, count: int = LABEL_WORDS) -> tuple[str, str]:
        """The title, and the first keywords that neither it nor the topic above has.

        Parameters
        ----------
        count
            The largest number of keywords, those of the title included.

        Returns
        -------
        title : str
            The title, with a colon if `rest` is not empty.
        rest : str
            The first keywords that are neither in the title nor, unless all are, among the first
            `count` of the topic above.
        """
        words, parts = self.label_words(len(self.keywords)), self.title.split(", ")
        above = [] if self.parent is None else self.parent.label_words(count)
        in_title = set(_BETWEEN_WORDS.split(self.title.lower()))
        others = [
            word
            for word in words
            if word not in parts and not in_title.issuperset(word.lower().split("-"))
        ]
        of_title = len(words) - len(others)
        new = [word for word in others if word not in above] or others
        rest = " ".join(new[: max(0, count - of_title)])
        return (f"{self.title}:" if rest else self.title), rest

    @property
    def mark(self) -> str:
        """The mark after its size: `?` for a vague topic, nothing for others."""
        return "?" * self.is_vague

    def __iter__(self) -> Iterator[Topic]:
        """The topic itself and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child

    def __repr__(self) -> str:
        return f"<Topic {self.id} {self}>"

    def __str__(self) -> str:
        return f"[{as_share(self.size)}]{self.mark} {' '.join(self.named()).rstrip()}"

    def to_dict(self) -> dict[str, Any]:
        """The topic and all below it as plain dictionaries and lists, as in `topics.json`."""
        marks = {"vague": self.is_vague, "pinned": self.pinned, "note": self.note}
        return {
            "id": self.id,
            "level": self.level,
            "title": self.title,
            "size": self.size,
            **{name: value for name in _KNOWN if (value := getattr(self, name)) is not None},
            **{name: value for name, value in marks.items() if value},
            "keywords": [keyword.to_dict() for keyword in self.keywords],
            **({"facets": [facet.to_dict() for facet in self.facets]} if self.facets else {}),
            "children": [child.to_dict() for child in self.children],
        }


def ancestors(topic: Topic) -> Iterator[Topic]:
    """The topics above one, the nearest first."""
    above = topic.parent
    while above is not None:
        yield above
        above = above.parent


def inflections_last(words: Iterable[str]) -> list[str]:
    """The words, those that are inflections of earlier ones moved behind all others."""
    chosen: list[str] = []
    skipped: list[str] = []
    for word in words:
        same = any(same_word(word, other) for other in chosen)
        (skipped if same else chosen).append(word)
    return chosen + skipped


def same_word(a: str, b: str) -> bool:
    """Whether one word is the other with an ending: image and images, study and studies."""
    short, long = sorted((a, b), key=len)
    stem = short[:-1] if short[-1] in "ey" and not long.startswith(short) else short
    ending = len(long) - len(stem)
    return long.startswith(stem) and ending <= (3 if len(stem) > 3 else 1 if len(stem) == 3 else 0)

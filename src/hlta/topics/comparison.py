"""`Comparison`: which topics of two models correspond, which are in one only, and what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hlta._support.checks import check_whole
from hlta._support.messages import plural
from hlta._support.writing import write_text
from hlta.topics.tables import DIGITS, SHARE_DIGITS, csv_text
from hlta.topics.topic import LABEL_WORDS, Topic, as_share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    import polars as pl


ROUNDING: Final = 1e-9
"""Similarities that differ by less are equal, and sizes decide; a smaller standard deviation is 0."""
_NAMES: Final = ("the first", "the second")
_COLUMNS: Final = {
    **dict.fromkeys(("in", "first", "second", "first_title", "second_title"), str),
    **dict.fromkeys(("first_size", "second_size", "similarity", "by_words", "by_documents"), float),
    "moved": bool,
    **dict.fromkeys(("gained", "lost"), str),
}


@dataclass(frozen=True, eq=False)
class Pair:
    """Two topics that correspond, one of each model.

    Attributes
    ----------
    first, second : Topic
        The topics.
    similarity : float
        How alike they are, from 0 to 1: by words, or if documents are given, the geometric mean of
        that by words and that by documents.
    by_words : float
        The overlap of their words: each word has a share of the mutual information of words and topic,
        and the smaller shares of the two topics are summed up. A word that only one model knows has
        the share 0 in the other.
    by_documents : float or None
        The squared correlation of their shares over the documents; None without documents.
    gained, lost : tuple of str
        Words that are among the first ten keywords of the second topic, but not of the first; and
        the reverse.
    moved : bool
        Whether the topic is elsewhere in the tree: the nearest topics above the two that correspond
        to any do not correspond to each other.
    """

    first: Topic
    second: Topic
    similarity: float
    by_words: float
    by_documents: float | None
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    moved: bool

    @property
    def is_same(self) -> bool:
        """Whether nothing changed: the similarity is 1, and the title and the place are the same."""
        alike = self.similarity > 1.0 - ROUNDING
        return alike and not self.moved and self.first.title == self.second.title


@dataclass(frozen=True, eq=False)
class Unpaired:
    """A topic that is in no pair.

    Attributes
    ----------
    topic : Topic
        The topic.
    nearest : Topic or None
        The topic of the other model that is most like it, which may be in a pair; None if every
        similarity is below 0.01.
    similarity : float
        The greatest similarity to a topic of the other model, see `Pair`.
    """

    topic: Topic
    nearest: Topic | None
    similarity: float


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Which topics of two models correspond; `print` shows what differs.

    Attributes
    ----------
    pairs : list of Pair
        The topics that correspond, one to one, those that changed most first.
    only_first, only_second : list of Unpaired
        The topics that are in one model only, parents first: none of the other is similar enough.
    joined, split : list of Unpaired
        Topics of the first model, and of the second, that are in no pair although they are similar
        enough to their `nearest` topic of the other model, because that is in a pair with another.
    words_only_first, words_only_second : frozenset of str
        The words that only one model knows.
    """

    pairs: list[Pair]
    only_first: list[Unpaired]
    only_second: list[Unpaired]
    joined: list[Unpaired]
    split: list[Unpaired]
    words_only_first: frozenset[str]
    words_only_second: frozenset[str]

    def __repr__(self) -> str:
        return (
            f"Comparison({plural(len(self.pairs), 'pair')}, {len(self.joined):,} joined, "
            f"{len(self.split):,} split, {plural(len(self.only_first), 'topic')} only in the first, "
            f"{len(self.only_second):,} only in the second)"
        )

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, most: int = 20, names: tuple[str, str] = _NAMES) -> str:
        """What is in both models, what is in one only, what was joined or split, and what changed.

        A line of a pair has the similarity, both sizes and titles, and the first words gained (+) and
        lost (-). A star marks a word that the other model does not know.

        Parameters
        ----------
        most
            How many topics, or pairs, each part shows at most, at least 1.
        names
            What the two models are called.

        Returns
        -------
        str
        """
        check_whole("most", most, least=1)
        changed = [pair for pair in self.pairs if not pair.is_same]
        parts = [
            (f"Only in {names[0]}", [_line_of_unpaired(one) for one in self.only_first]),
            (f"Only in {names[1]}", [_line_of_unpaired(one) for one in self.only_second]),
            *(
                (
                    f"{what}: each of these topics of {one} is like a topic of {other} that is paired "
                    f"with another topic of {one}",
                    [_line_of_unpaired(topic) for topic in topics],
                )
                for what, (one, other), topics in (
                    ("Joined", names, self.joined),
                    ("Split", names[::-1], self.split),
                )
            ),
            (
                "Changed, most changed first (similarity [mean share in "
                f"{names[0]} -> mean share in {names[1]}] titles + words gained - words lost)",
                [self._line_of_pair(pair) for pair in changed],
            ),
        ]
        lines = [self._summary(names, len(self.pairs) - len(changed))]
        for heading, entries in parts:
            if entries:
                lines += ["", heading, *(f"  {entry}" for entry in entries[:most])]
            if len(entries) > most:
                lines.append(f"  and {len(entries) - most:,} more")
        return "\n".join(lines)

    def _summary(self, names: tuple[str, str], same: int) -> str:
        one, other = names
        shared = "".join(
            f"{len(topics):,} {name}, "
            for name, topics in (("joined", self.joined), ("split", self.split))
            if topics
        )
        topics = (
            f"Topics: {len(self.pairs):,} in both ({same:,} unchanged), {shared}"
            f"{len(self.only_first):,} only in {one}, {len(self.only_second):,} only in {other}"
        )
        if not self.words_only_first | self.words_only_second:
            return topics
        return (
            f"{topics}\nWords: {len(self.words_only_first):,} only in {one}, "
            f"{len(self.words_only_second):,} only in {other}, marked with a star"
        )

    def _line_of_pair(self, pair: Pair) -> str:
        titles = dict.fromkeys((pair.first.title, pair.second.title))
        pieces = [
            f"{pair.similarity:.2f} [{as_share(pair.first.size)} -> {as_share(pair.second.size)}]",
            " -> ".join(titles) + (" (moved)" if pair.moved else ""),
            *_sign_words("+", pair.gained, self.words_only_second),
            *_sign_words("-", pair.lost, self.words_only_first),
        ]
        return " ".join(pieces)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One row per pair and per topic that is in no pair, as in the data frames.

        Returns
        -------
        list of dict
            `in` is "both", "first" or "second", "joined" for a topic of the first model, or "split"
            for one of the second. In a row for a topic that is in no pair, the topic of the other
            model is the nearest one.
        """
        rows = [
            {
                **_of_topics("both", pair.first, pair.second, pair.similarity),
                "by_words": pair.by_words,
                "by_documents": pair.by_documents,
                "moved": pair.moved,
                "gained": " ".join(pair.gained),
                "lost": " ".join(pair.lost),
            }
            for pair in self.pairs
        ]
        alone = dict.fromkeys(_COLUMNS)
        for which, part in (("joined", self.joined), ("first", self.only_first)):
            rows += [alone | _of_topics(which, k.topic, k.nearest, k.similarity) for k in part]
        for which, part in (("split", self.split), ("second", self.only_second)):
            rows += [alone | _of_topics(which, k.nearest, k.topic, k.similarity) for k in part]
        return rows

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """The rows of `to_dicts` as CSV.

        Parameters
        ----------
        path
            A file to write as well; it is replaced as a whole or not at all.

        Returns
        -------
        str
            The CSV text.
        """
        digits = dict.fromkeys(("similarity", "by_words", "by_documents"), DIGITS)
        digits |= dict.fromkeys(("first_size", "second_size"), SHARE_DIGITS)
        return write_text(path, csv_text(_COLUMNS, self.to_dicts(), digits), "replace")

    def to_polars(self) -> pl.DataFrame:
        """The rows of `to_dicts` as a Polars data frame."""
        import polars as pl

        return pl.DataFrame(self.to_dicts(), schema=_COLUMNS)


def _of_topics(
    which: str, first: Topic | None, second: Topic | None, similarity: float
) -> dict[str, Any]:
    """The columns that rows of all kinds have."""
    row: dict[str, Any] = {"in": which}
    for ending, attribute in (("", "id"), ("_title", "title"), ("_size", "size")):
        row[f"first{ending}"] = getattr(first, attribute, None)
        row[f"second{ending}"] = getattr(second, attribute, None)
    return row | {"similarity": similarity}


def _line_of_unpaired(one: Unpaired) -> str:
    if one.nearest is None:
        return f"{one.topic}; like no other"
    return f"{one.topic}; nearest, {one.similarity:.2f}: {one.nearest.title}"


def _sign_words(sign: str, words: Sequence[str], unknown: frozenset[str]) -> Iterator[str]:
    """A sign and the first of the words, with a star after those that the other model does not know."""
    if words:
        yield f" {sign}"
    for word in words[:LABEL_WORDS]:
        yield f"{word}*" if word in unknown else word

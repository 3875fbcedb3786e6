"""Topic trees written as lines of text, JSON and tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hlta._support.checks import check_whole
from hlta._support.writing import write_text
from hlta.errors import OptionError
from hlta.topics.tables import COLUMNS, DIGITS, SHARE_DIGITS, csv_text, topic_rows
from hlta.topics.topic import LABEL_WORDS, Topic, as_share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    import pandas as pd
    import polars as pl

_FACET_WORDS: Final = 3  # words of a facet in a line


class TopicExports:
    """The part of `TopicTree` that writes topics as text, JSON and tables."""

    roots: list[Topic]

    def __iter__(self) -> Iterator[Topic]:
        for root in self.roots:
            yield from root

    def __str__(self) -> str:
        vague = count_vague(self.roots)
        return self.to_text() + (f"\n({vague}; to_text(whole=True) shows all)" if vague else "")

    def to_text(
        self,
        *,
        n_words: int = LABEL_WORDS,
        depth: int | None = None,
        ids: bool = False,
        whole: bool = False,
    ) -> str:
        """The tree as indented lines: size, title and first keywords, see `Topic.named`.

        A question mark follows the size of a vague topic. The first words of facets, if there are any,
        end a line in brackets.

        Parameters
        ----------
        n_words
            Keywords per topic, at least 1.
        depth
            Show so many layers, from the root topics downwards, at least 1; None for all.
        ids
            Whether to show the ids of the topics.
        whole
            Whether to show vague topics, too, and those below them, see `Topic.is_vague`.

        Returns
        -------
        str
            A line per topic, parents first.
        """
        check_whole("n_words", n_words, least=1)
        check_whole("depth", depth, least=1, none="all layers")
        layers = with_layers(self.roots, whole=whole)
        shown = ((layer, topic) for layer, topic in layers if depth is None or layer < depth)
        return as_lines(shown, n_words=n_words, ids=ids)

    def to_dict(self) -> dict[str, Any]:
        """The whole tree as plain dictionaries and lists, as in `topics.json`."""
        topics = [root.to_dict() for root in self.roots]
        return {"format": "hlta-topics", "version": 1, "topics": topics}

    def to_json(self, path: str | PathLike[str] | None = None, *, indent: int | None = None) -> str:
        """The whole tree as JSON.

        Parameters
        ----------
        path
            A file to write as well; it is replaced as a whole or not at all.
        indent
            Spaces per layer; None for a single line.

        Returns
        -------
        str
            The JSON text.
        """
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)
        write_text(path, text + "\n")
        return text

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """The topics as CSV, one row per topic, parents first, as in `topics.csv`.

        Parameters
        ----------
        path
            A file to write as well; it is replaced as a whole or not at all.

        Returns
        -------
        str
            The CSV text.
        """
        digits = {"size": SHARE_DIGITS, "stability": DIGITS, "contrast": DIGITS}
        return write_text(path, csv_text(COLUMNS, topic_rows(self), digits), "replace")

    def to_polars(self) -> pl.DataFrame:
        """The topics as a Polars data frame, one row per topic, with the columns of `topics.csv`."""
        import polars as pl

        return pl.DataFrame(topic_rows(self), schema=COLUMNS)

    def to_pandas(self) -> pd.DataFrame:
        """The topics as a pandas data frame, one row per topic, with the columns of `topics.csv`."""
        try:
            import pandas as pd
        except ImportError:
            raise OptionError(
                "to_pandas needs pandas; install it with pip install pandas"
            ) from None
        return pd.DataFrame(topic_rows(self), columns=list(COLUMNS))


def as_lines(
    topics: Iterable[tuple[int, Topic]],
    *,
    n_words: int = LABEL_WORDS,
    ids: bool = False,
    documents: bool = False,
) -> str:
    """An indented line per topic, each given with its layer, see `TopicExports.to_text`.

    With `documents`, the numbers of documents end each line.
    """
    return "\n".join(
        f"{'    ' * layer}{f'{topic.id} ' if ids else ''}[{as_share(topic.size)}]{topic.mark} "
        + " ".join(topic.named(n_words)).rstrip()
        + in_brackets(topic)
        + (in_documents(topic) if documents else "")
        for layer, topic in topics
    )


def in_brackets(topic: Topic) -> str:
    """The first words of the facets of a topic, in brackets, to follow its keywords in a line."""
    words = "; ".join(" ".join(facet.words[:_FACET_WORDS]) for facet in topic.facets)
    return f" ({words})" if words else ""


def in_documents(topic: Topic) -> str:
    """How many documents are on a topic, to end a line; empty if that is not known."""
    if topic.documents is None or topic.main_documents is None:
        return ""
    return f" · {topic.main_documents:,} mainly, {topic.documents:,} in part"


def with_layers(
    topics: Iterable[Topic], layer: int = 0, *, whole: bool = True
) -> Iterator[tuple[int, Topic]]:
    """The topics and all below them, parents first, each with its layer: 0 for the topics given.

    Vague topics, and those below them, are left out unless `whole`.
    """
    for topic in topics:
        if topic.is_vague and not whole:
            continue
        yield layer, topic
        yield from with_layers(topic.children, layer + 1, whole=whole)


def count_vague(topics: Iterable[Topic], depth: int | None = None) -> str:
    """A sentence on how many topics are vague, in the first `depth` layers; empty if none is."""
    layers = [layer for layer, topic in with_layers(topics) if topic.is_vague]
    count = len(layers) if depth is None else sum(layer < depth for layer in layers)
    if not count:
        return ""
    if count == 1:
        return "1 vague topic names no subject and is set aside"
    return f"{count:,} vague topics name no subject and are set aside"

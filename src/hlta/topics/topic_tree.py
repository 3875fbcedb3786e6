"""`TopicTree`: the topics of a model as a hierarchy to read, walk and export."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.checks import check_choice, check_whole
from hlta._support.files import replacing
from hlta.errors import OptionError
from hlta.topics.cuts import level_cut, telling_cut
from hlta.topics.divisions import UNITS
from hlta.topics.facets import facets
from hlta.topics.searching import found_topics
from hlta.topics.tables import COLUMNS, share_frame, topic_csv, topic_frame, topic_rows
from hlta.topics.titles import find_titles
from hlta.topics.topic import LABEL_WORDS, Keyword, Topic
from hlta.tree.marginals import word_marginals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from os import PathLike

    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.marginals import WordMarginals


_FACET_WORDS: Final = 3  # in a line
_TELLING_WORDS: Final = 10  # the keywords that decide on the order of topics


class TopicTree:
    """The topics of a model, general ones above specific ones.

    `for topic in topics` visits parents first, `topics["Z2-14"]` looks up a topic by its id,
    `len(topics)` counts them, and `print(topics)` shows the tree.

    Siblings are in the order of what they tell: the mutual information between a topic and its first
    ten keywords, summed up. So themes come before topics of style, however many documents are on these.

    Attributes
    ----------
    roots : list of Topic
        The root topics, the most telling first.
    model : LatentTree or None
        The model that the topics were read from; `to_html` needs it.
    """

    def __init__(self, roots: list[Topic], model: LatentTree | None = None) -> None:
        self.roots = roots
        self.model = model
        self._with_lower_levels: Callable[[], TopicTree] | None = None
        self._by_id = {topic.id: topic for root in roots for topic in root}

    @classmethod
    def from_tree(
        cls,
        tree: LatentTree,
        *,
        lowest_level: int = 2,
        n_keywords: int | None = 10,
        documents: NDArray[np.int64] | None = None,
        stability: NDArray[np.float64] | None = None,
        titles: Mapping[str, str] | None = None,
    ) -> TopicTree:
        """Read the topics off a model.

        Parameters
        ----------
        tree
            The model. The first states of each latent variable must be its background, see
            `Parameters.background`.
        lowest_level
            Level of the most specific topics, or the tree's highest; at level 1, each has few words.
        n_keywords
            Keywords per topic; None for every word below it.
        documents
            `Topic.documents` of each latent variable; None if they are not known.
        stability
            `Topic.stability` of each latent variable; None if it is not known.
        titles
            `Topic.title` of each topic, by its id; None to make them of keywords.

        Returns
        -------
        TopicTree
            The topics, with the tree as their `model`.

        Raises
        ------
        OptionError
            If `lowest_level` or `n_keywords` is less than 1.

        Examples
        --------
        >>> from hlta import LatentTree, TopicTree
        >>> probability = [[0.1, 0.6], [0.1, 0.8], [0.1, 0.7], [0.3, 0.3]]
        >>> tree = LatentTree(("deep", "neural", "net"), [3, 3, 3, -1], [0, 0, 0, 1], probability)
        >>> topics = TopicTree.from_tree(tree)
        >>> print(topics)
        [0.30] neural net deep
        >>> topics["Z1-1"].keywords[0].word
        'neural'
        """
        check_whole("lowest_level", lowest_level, least=1)
        check_whole("n_keywords", n_keywords, least=1, none="every word")
        table = word_marginals(tree)
        lowest = min(lowest_level, int(tree.level.max()))
        latents = np.flatnonzero(tree.level >= lowest)
        first = [table.of_topic(v - tree.n_words)[:_TELLING_WORDS] for v in latents.tolist()]
        told = np.array([table.information[entries].sum() for entries in first])
        # By level, then the most telling first: parents come before their children.
        order = np.lexsort((latents, -told, -tree.level[latents]))
        topics: dict[int, Topic] = {}
        roots: list[Topic] = []
        for v in latents[order].tolist():
            up = int(tree.parent[v])
            linked = up < 0 or tree.level[up] == tree.level[v]
            parent = None if linked else topics[up]
            topics[v] = Topic(
                id=tree.names[v],
                level=int(tree.level[v]),
                size=float(tree.marginals[v]),
                keywords=_keywords(tree, table, v - tree.n_words, n_keywords),
                parent=parent,
                documents=None if documents is None else int(documents[v - tree.n_words]),
                stability=None if stability is None else float(stability[v - tree.n_words]),
                facets=facets(tree, table, v - tree.n_words, n_keywords or tree.n_words),
            )
            (roots if parent is None else parent.children).append(topics[v])
        known = find_titles(tree, roots) if titles is None else titles
        for topic in topics.values():
            topic.title = known.get(topic.id, topic.title)
        found = cls(roots, tree)
        if lowest > 1:
            found._with_lower_levels = partial(
                cls.from_tree,
                tree,
                lowest_level=1,
                n_keywords=n_keywords,
                documents=documents,
                stability=stability,
                titles=known,
            )
        return found

    def __iter__(self) -> Iterator[Topic]:
        for root in self.roots:
            yield from root

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, topic: object) -> bool:
        return (topic.id if isinstance(topic, Topic) else topic) in self._by_id

    def __getitem__(self, topic_id: str) -> Topic:
        try:
            return self._by_id[topic_id]
        except KeyError:
            raise KeyError(
                f"there is no topic {topic_id!r}; ids look like {next(iter(self._by_id))!r}"
            ) from None

    def __repr__(self) -> str:
        widths = Counter(topic.level for topic in self)
        shown = "/".join(str(widths[level]) for level in sorted(widths))
        return f"TopicTree({len(self):,} topics, per level {shown})"

    def __str__(self) -> str:
        return self.to_text()

    def level(self, level: int) -> list[Topic]:
        """The topics of one level, as a flat list; every word is below exactly one of them.

        Where a branch has no topic at the level, the lowest one above stands for it.

        Parameters
        ----------
        level
            From 1, where the most specific topics of the model are, to the level of the roots.

        Returns
        -------
        list of Topic

        Raises
        ------
        OptionError
            If there is no such level.
        """
        every = self._all_levels()
        check_whole("level", level, least=1, most=max(root.level for root in every.roots))
        return [self._by_id.get(topic.id, topic) for topic in level_cut(every.roots, level)]

    def cut(self, n: int) -> list[Topic]:
        """The `n` topics that tell most about documents, as a flat list, the most telling first.

        No topic of the list is below another. Topics are chosen one by one, each as the one that adds
        most to what the main topics of documents tell, see `HLTA.predict`: so the list has general
        topics where `n` is small, specific ones where it is large, and no two for the same documents.
        The documents are drawn from the model, always the same. Nothing is learned anew.

        Parameters
        ----------
        n
            How many topics, from 1 to the number of the most specific ones, those of level 1.

        Returns
        -------
        list of Topic

        Raises
        ------
        OptionError
            If `n` is out of range, or the topics have no model.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> topics = HLTA(samples=1).fit(texts * 20).topics_
        >>> for topic in topics.cut(2):
        ...     print(topic)
        [0.33] apples and pears
        [0.33] deep neural networks
        """
        model, every = attached_model(self), self._all_levels()
        check_whole("n", n, least=1, most=every.most_in_cut)
        chosen = telling_cut(model, every.roots, n)
        return [self._by_id.get(topic.id, topic) for topic in chosen]

    def _all_levels(self) -> TopicTree:
        return self if self._with_lower_levels is None else self._with_lower_levels()

    @property
    def most_in_cut(self) -> int:
        """How many topics `cut` can give at most: the most specific ones of the model."""
        return sum(not topic.children for topic in self._all_levels())

    def flat(self, topics: Iterable[Topic]) -> TopicTree:
        """A tree of some of the topics, in this order, in which each is a root.

        Parameters
        ----------
        topics
            Topics of this tree, such as those of a `cut`.

        Returns
        -------
        TopicTree
        """
        alone = [replace(topic, parent=None, children=[]) for topic in topics]
        return TopicTree(alone, self.model)

    def to_text(
        self, *, n_words: int = LABEL_WORDS, depth: int | None = None, ids: bool = False
    ) -> str:
        """The tree as indented lines: size, title and first keywords, see `Topic.named`.

        A question mark stands behind the size of a weak topic, see `Topic.stability`; in brackets
        follow the first words of its facets, if there are any.

        Parameters
        ----------
        n_words
            Keywords per topic, at least 1.
        depth
            Layers to show, from the root topics downwards, at least 1; None for all.
        ids
            Whether to show the ids of the topics.

        Returns
        -------
        str
            A line per topic, parents first.
        """
        check_whole("n_words", n_words, least=1)
        check_whole("depth", depth, least=1, none="all layers")
        return "\n".join(
            f"{'    ' * layer}{f'{topic.id} ' if ids else ''}[{topic.size:.2f}]{topic.mark} "
            + " ".join(topic.named(n_words)).rstrip()
            + in_brackets(topic)
            for layer, topic in with_layers(self.roots)
            if depth is None or layer < depth
        )

    def to_dict(self) -> dict[str, Any]:
        """The whole tree as plain dictionaries and lists, as in `topics.json`."""
        return {
            "format": "hlta-topics",
            "version": 1,
            "topics": [root.to_dict() for root in self.roots],
        }

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
        if path is not None:
            with replacing(path) as file:
                file.write(text.encode() + b"\n")
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
        text = topic_csv(self)
        if path is not None:
            with replacing(path) as file:
                file.write(text.encode("utf-8", "replace"))
        return text

    def to_polars(self) -> pl.DataFrame:
        """The topics as a Polars data frame, one row per topic, with the columns of `topics.csv`."""
        return topic_frame(self)

    def to_pandas(self) -> pd.DataFrame:
        """The topics as a pandas data frame, one row per topic, with the columns of `topics.csv`."""
        try:
            import pandas as pd
        except ImportError:
            raise OptionError(
                "to_pandas needs pandas; install it with pip install pandas"
            ) from None
        return pd.DataFrame(topic_rows(self), columns=list(COLUMNS))

    def search(self, query: str) -> list[Topic]:
        """The topics that a query is about, the best first.

        Parameters
        ----------
        query
            One or more words. Those count that are in a topic's title or below it in the tree, or
            inflections of such words, by what they tell of the topic. Topics that have all of them
            are found, or if there are none, those that have the most.

        Returns
        -------
        list of Topic

        Raises
        ------
        OptionError
            If the topics have no model.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> topics = HLTA(samples=1).fit(texts * 20).topics_
        >>> [topic.title for topic in topics.search("neural network")]
        ['deep neural networks']
        """
        return found_topics(attached_model(self), self, query)

    def over_time(
        self,
        corpus: Corpus,
        *,
        topics: Iterable[Topic] | None = None,
        unit: str | None = None,
        by_group: bool = False,
        n_jobs: int | None = None,
    ) -> pl.DataFrame:
        """How the topics' shares change over time.

        Parameters
        ----------
        corpus
            Documents with dates.
        topics
            Topics of this tree; None for all.
        unit
            "year", "month" or "day"; None for the finest that all dates have, if it gives few periods.
        by_group
            Whether to divide each period by the groups of the documents.
        n_jobs
            Threads; None for all processors.

        Returns
        -------
        polars.DataFrame
            One row per period, and group, and topic: `period`, perhaps `group`, `topic` (its id),
            `title`, `share` (the expected share of the part's documents), `low` and `high` (a 95%
            interval for that), and `documents` (how many there are in the part).

        Raises
        ------
        DocumentsError
            If there are fewer than two periods, or groups, or some dates lack the unit.
        OptionError
            If the unit is unknown, or the topics have no model.
        """
        if unit is not None:
            check_choice("unit", unit, UNITS)
        return self._shares(corpus, topics, n_jobs, periods=True, groups=by_group, unit=unit)

    def by_group(
        self,
        corpus: Corpus,
        *,
        topics: Iterable[Topic] | None = None,
        n_jobs: int | None = None,
    ) -> pl.DataFrame:
        """How the topics' shares differ between groups of documents.

        Parameters
        ----------
        corpus
            Documents with groups.
        topics, n_jobs
            See `over_time`.

        Returns
        -------
        polars.DataFrame
            As from `over_time`, with a `group` instead of a `period`, the largest group first.

        Raises
        ------
        DocumentsError
            If there are fewer than two groups.
        OptionError
            If the topics have no model.
        """
        return self._shares(corpus, topics, n_jobs, periods=False, groups=True)

    def _shares(
        self,
        corpus: Corpus,
        topics: Iterable[Topic] | None,
        n_jobs: int | None,
        **parts: Any,
    ) -> pl.DataFrame:
        chosen = list(self if topics is None else topics)
        return share_frame(attached_model(self), chosen, corpus, n_jobs=n_jobs, **parts)

    def to_html(
        self,
        path: str | PathLike[str] | None = None,
        *,
        corpus: Corpus | None = None,
        title: str = "Topics",
        source: str | PathLike[str] | None = None,
        most_documents: int | None = None,
        n_jobs: int | None = None,
    ) -> str:
        """A page to explore the topics in a browser, in one file that works offline.

        Parameters
        ----------
        path
            A file to write as well; it is replaced as a whole or not at all.
        corpus
            Documents to show with the topics: those that the model was learned from, or others.
        title
            The title of the page.
        source
            The folder that the documents were read from, for links to their files.
        most_documents
            The most documents that the page shows: of more, the most probable ones of each topic and
            a random sample, while sizes and shares still count all. None for 20,000, or fewer if
            they have more than 3 million words and topics.
        n_jobs
            Threads; None for all processors.

        Returns
        -------
        str
            The page.

        Raises
        ------
        OptionError
            If the topics have no model, or `most_documents` is less than 1.
        """
        from hlta.explorer.page import explorer_page

        check_whole("most_documents", most_documents, least=1, none="as many as fit well")
        page = explorer_page(
            attached_model(self),
            self,
            corpus,
            title=title,
            most_documents=most_documents,
            source=source,
            page=None if path is None else Path(path),
            n_jobs=n_jobs,
        )
        if path is not None:
            with replacing(path) as file:
                file.write(page.encode())
        return page

    def _repr_html_(self) -> str:
        from hlta.topics.outline import outline

        return "".join(outline(self.roots))


def in_brackets(topic: Topic) -> str:
    """The facets of a topic, to follow its keywords in a line."""
    words = "; ".join(" ".join(facet.words[:_FACET_WORDS]) for facet in topic.facets)
    return f" ({words})" if words else ""


def with_layers(topics: Iterable[Topic], layer: int = 0) -> Iterator[tuple[int, Topic]]:
    """The topics and all below them, parents first, each with its layer: 0 for the topics given."""
    for topic in topics:
        yield layer, topic
        yield from with_layers(topic.children, layer + 1)


def attached_model(topics: TopicTree) -> LatentTree:
    """The model that topics were read from; refuses topics without one."""
    if topics.model is None:
        raise OptionError(
            "these topics have no model attached; take them from HLTA.topics_ or TopicTree.from_tree"
        )
    return topics.model


def _keywords(
    tree: LatentTree, table: WordMarginals, latent: int, count: int | None
) -> list[Keyword]:
    """The first `count` words below a latent variable."""
    entries = table.of_topic(latent)[:count]
    columns = (column[entries].tolist() for column in (table.word, table.given, table.information))
    return [
        Keyword(tree.words[word], p_topic, p_background, information)
        for word, (p_background, p_topic), information in zip(*columns, strict=True)
    ]

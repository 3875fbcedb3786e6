"""`TopicTree`: the topics of a model as a hierarchy to read, walk and export."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hlta._support.checks import check_choice, check_whole
from hlta._support.threads import on_threads
from hlta._support.writing import write_text
from hlta.documents.corpus import Corpus, check_corpus
from hlta.documents.fields import GROUP
from hlta.documents.periods import UNITS
from hlta.errors import OptionError, UnknownTopicError
from hlta.options import KEYWORDS, LEAST_SIMILARITY
from hlta.topics.annotations import Annotations
from hlta.topics.correspondence import match_topics
from hlta.topics.cuts import level_cut, telling_cut
from hlta.topics.exports import TopicExports
from hlta.topics.nodes import topic_nodes
from hlta.topics.searching import search_topics, words_in
from hlta.topics.shares import ListShares, Sharing
from hlta.topics.tables import share_frame
from hlta.topics.topic import Topic, ancestors, same_word
from hlta.topics.topics_of_tree import topics_of_tree
from hlta.tree.reshaping import topics_over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike

    import polars as pl

    from hlta.topics.comparison import Comparison
    from hlta.topics.word_counts import WordCounts
    from hlta.tree.latent_tree import LatentTree


NOTHING: Final = Annotations()
"""No annotations: only the tree is known."""
_NEAR: Final = 3  # suggestions for an unknown name, at most
_LONGEST_NAME: Final = 200  # characters of it whose words are looked up


class TopicTree(TopicExports):
    """The topics of a model, general ones above specific ones.

    `for topic in topics` visits parents first, `topics["Z2-14"]` looks up a topic by its id,
    `len(topics)` counts them, and `print(topics)` shows the tree.

    Siblings are ordered by the mutual information between a topic and its first ten keywords, summed
    up, the largest first. Pinned topics come before all others, and vague ones after them, see
    `Topic.is_vague`.

    Attributes
    ----------
    roots : list of Topic
        The root topics, in the same order.
    model : LatentTree or None
        The model that the topics were read from; `to_html` needs it.
    log : dict
        The edits of the model, in the form of their file; the page of `to_html` starts from them.
    usual_coverage : float or None
        `HLTA.coverage_` of the model: documents with less than a fifth of it are unknown.
    counts : WordCounts or None
        The words of the topics, as counted in documents.
    """

    def __init__(
        self,
        roots: list[Topic],
        model: LatentTree | None = None,
        log: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.roots = roots
        self.model = model
        self.log = dict(log)  # a copy that can be pickled
        self.usual_coverage: float | None = None
        self.counts: WordCounts | None = None
        self._with_lower_levels: Callable[[], TopicTree] | None = None
        self._every: TopicTree | None = None  # what `_with_lower_levels` returned
        self._whole: TopicTree | None = None
        self._sharings: dict[tuple[int, ...], Sharing] = {}
        self._by_id = {topic.id: topic for root in roots for topic in root}

    @classmethod
    def from_tree(
        cls,
        tree: LatentTree,
        *,
        lowest_level: int = 2,
        n_keywords: int | None = KEYWORDS,
        annotations: Annotations = NOTHING,
        log: Mapping[str, Any] = MappingProxyType({}),
        fold: bool = True,
    ) -> TopicTree:
        """Read the topics off a model.

        Parameters
        ----------
        tree
            The model. The first states of each latent variable must be its background, see
            `Parameters.background`.
        lowest_level
            Level of the most specific topics, or the tree's highest; topics of level 1 have few words.
        n_keywords
            Keywords per topic; None for every word below it.
        annotations
            What is known of the topics besides the tree: titles, sizes, which are hidden, ...
        log
            The edits of the model, in the form of their file.
        fold
            Whether to leave out topics with nearly all documents of the topic above, or with hardly any,
            unless a person named or pinned them.

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
        [0.30] neural, net: deep
        >>> topics["Z1-1"].keywords[0].word
        'neural'
        """
        check_whole("lowest_level", lowest_level, least=1)
        check_whole("n_keywords", n_keywords, least=1, none="every word")
        lowest = min(lowest_level, int(tree.level.max()))
        roots = topics_of_tree(
            tree, annotations, lowest_level=lowest, n_keywords=n_keywords, fold=fold
        )
        found = cls(roots, tree, log)
        found.counts = annotations.counts
        if lowest > 1 or fold:
            titles = {**annotations.titles, **{topic.id: topic.title for topic in found}}
            found._with_lower_levels = partial(
                cls.from_tree,
                tree,
                lowest_level=1,
                n_keywords=n_keywords,
                annotations=annotations._replace(titles=titles),
                log=found.log,
                fold=False,
            )
        return found

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, topic: object) -> bool:
        return (topic.id if isinstance(topic, Topic) else topic) in self._by_id

    def __getitem__(self, name: str) -> Topic:
        """The topic with an id, or the only one with a title, in any case and punctuation."""
        if name in self._by_id:
            return self._by_id[name]
        wanted = words_in(name) if isinstance(name, str) else []
        titled = [t for t in self if isinstance(name, str) and t.title.lower() == name.lower()]
        titled = titled or [t for t in self if wanted and words_in(t.title) == wanted]
        if len(titled) == 1:
            return titled[0]
        if titled:
            ids = ", ".join(topic.id for topic in titled)
            raise UnknownTopicError(
                f"{len(titled)} topics are called {name!r:.60}; give one of the ids {ids}"
            )
        if any(topic.id == name for topic in self.unlisted):
            raise UnknownTopicError(
                f"the topic {name!r} is not listed, because it has nearly all documents of the topic "
                f"above, or hardly any; to list it, use `hlta edit MODEL pin {name}`"
            )
        near = " or ".join(f"{topic.title!r} ({topic.id})" for topic in self._like(str(name)))
        hint = f"did you mean {near}?" if near else f"ids look like {next(iter(self._by_id))!r}"
        raise UnknownTopicError(f"there is no topic {name!r:.60}; {hint}")

    def _like(self, name: str) -> list[Topic]:
        """Up to three topics that an unknown name may mean, the likeliest first.

        They have its words in their title or among their keywords, or a title or an id spelled like it.
        """
        wanted = words_in(name[:_LONGEST_NAME])

        def held(topic: Topic) -> list[int]:
            return [
                sum(any(same_word(part, word) for part in words_in(text)) for word in wanted)
                for text in (topic.title, " ".join(topic.words))
            ]

        holding = sorted(filter(lambda topic: any(held(topic)), self), key=held, reverse=True)
        spelled = {shown: topic for topic in self for shown in (topic.title.lower(), topic.id)}
        near = get_close_matches(name.lower(), spelled) + get_close_matches(name, spelled)
        return list(dict.fromkeys([*holding[:_NEAR], *(spelled[one] for one in near)]))[:_NEAR]

    def __repr__(self) -> str:
        widths = Counter(topic.level for topic in self)
        shown = "/".join(str(widths[level]) for level in sorted(widths))
        return f"TopicTree({len(self):,} topics, per level {shown})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """Show in notebooks what `print` shows."""
        printer.text(str(self))

    def level(self, level: int) -> list[Topic]:
        """The topics of one level, as a flat list; every word is below one of them.

        Where a branch has no topic at the level, the list has the lowest topic above it.
        A word that an edit moved directly below a more general topic may be below none.

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

    @property
    def partitions(self) -> dict[str, tuple[ListShares, list[Topic]]]:
        """Lists of topics, in each of which a document has at most one main topic, general ones first.

        They are the levels, named such as "_3", or all topics of a flat tree, named "", each with the
        `ListShares` for it. In the list, not in the shares, the lowest topic above replaces a topic
        that this tree leaves out.
        """
        if self._whole is not None:
            return {"": (self.shares(), list(self))}
        levels = sorted({topic.level for topic in self}, reverse=True)
        lists = {f"_{level}": self.level(level) for level in levels}
        return {
            name: (self.shares(some), list(map(self._find_shown, some)))
            for name, some in lists.items()
        }

    def _find_shown(self, topic: Topic) -> Topic:
        """The topic itself or, if this tree leaves it out, the lowest topic above that it has."""
        return next((self[t.id] for t in (topic, *ancestors(topic)) if t.id in self), topic)

    def cut(self, n: int) -> list[Topic]:
        """The `n` topics that explain documents best, as a flat list.

        No topic of the list is below another. The list grows by one topic per step: by a further one,
        or by two in place of one above them, whichever adds more to the evidence of each document for
        the topic that it has most evidence for. So the list has general topics where `n` is small,
        specific ones where it is large, and no two for the same documents; each topic of a longer list
        is in a shorter one, below one of its topics, or new. Topics come in the order in which they
        were chosen, two in the place of the one that they replace. The documents are drawn from the
        model, always the same ones. Nothing is learned.

        Parameters
        ----------
        n
            How many topics, from 1 to the number of topics without others below them.

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
        [0.34] apples and pears
        [0.33] deep neural networks
        """
        model, every = attached_model(self), self._all_levels()
        check_whole("n", n, least=1, most=every.most_in_cut)
        chosen = telling_cut(model, self.counts, every.roots, n)
        return [self._by_id.get(topic.id, topic) for topic in chosen]

    @property
    def unlisted(self) -> list[Topic]:
        """Topics with nearly all documents of the topic above, or hardly any, which are left out."""
        lowest = min((topic.level for topic in self), default=1)
        return [t for t in self._all_levels() if t.level >= lowest and t.id not in self]

    def _all_levels(self) -> TopicTree:
        if self._with_lower_levels is None:
            return self
        if self._every is None:
            self._every = self._with_lower_levels()
        return self._every

    @property
    def most_in_cut(self) -> int:
        """The largest `n` of `cut`: how many topics of the model have no others below them."""
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
        alone = [replace(topic, parent=None, children=[], is_vague=False) for topic in topics]
        flat = TopicTree(alone, self.model, self.log)
        flat.usual_coverage, flat.counts = self.usual_coverage, self.counts
        flat._whole = self if self._whole is None else self._whole
        return flat

    @property
    def goes_by_vectors(self) -> bool:
        """Whether the vectors of documents count, because the model was learned with some."""
        return self.counts is not None and self.counts.vectors is not None

    def shares(self, topics: Iterable[Topic] | None = None) -> ListShares:
        """The `ListShares` that computes the shares of topics in documents.

        Two topics or more, of which none is below another, divide all words of a document among
        themselves, unless they cover the whole tree. Those of a flat tree do so with all of its
        topics. All others have the shares that they have in the tree.

        Parameters
        ----------
        topics
            Topics of the model; None for all topics of this tree.

        Returns
        -------
        ListShares
            `HLTA.transform` is easier to use.
        """
        model = attached_model(self)
        chosen = list(self if topics is None else topics)
        nodes = topic_nodes(model, chosen)
        self._refuse_foreign(chosen)
        is_flat = self._whole is not None and all(topic in self for topic in chosen)
        beside = list(self) if is_flat else chosen
        key = tuple(dict.fromkeys((topic_nodes(model, beside) - model.n_words).tolist()))
        if len(key) > 1 and self.overlap(beside) is None and not self._are_covering(beside):
            if key not in self._sharings:
                self._sharings[key] = Sharing(model, self.counts, [key])
        else:
            lowest = int(model.level[nodes].min(initial=model.level.max()))
            key = (lowest,)
            if key not in self._sharings:
                self._sharings[key] = Sharing.of_tree(model, self.counts, lowest)
        return ListShares(self._sharings[key], (nodes - model.n_words).tolist())

    def _refuse_foreign(self, topics: Sequence[Topic]) -> None:
        """Refuse topics that have the id of a topic of this model, but none of its keywords."""
        known = self._by_id
        if any(topic.id not in known for topic in topics):
            known = self._all_levels()._by_id
        for topic in topics:
            own = known.get(topic.id)
            if own and own.words and set(own.words).isdisjoint(topic.words):
                raise OptionError(
                    f"topics: {topic.id} is {topic.title!r:.50}, but {own.title!r:.50} in this model; "
                    "take topics from the topics_ of the model"
                )

    def overlap(self, topics: Iterable[Topic]) -> tuple[Topic, Topic] | None:
        """Two of the topics of which the first is above the second; None if there are no such topics.

        Parameters
        ----------
        topics
            Topics of the model.

        Returns
        -------
        tuple of Topic, or None
        """
        model, chosen = attached_model(self), list(topics)
        node = dict(zip(topic_nodes(model, chosen).tolist(), chosen, strict=True))
        for below, topic in node.items():
            for above in topics_over(model, below):
                if above in node:
                    return node[above], topic
        return None

    def _are_covering(self, topics: Iterable[Topic]) -> bool:
        """Whether each of the most specific topics is one of these, or below one."""
        ids = {topic.id for topic in topics}

        def is_covered(topic: Topic) -> bool:
            return topic.id in ids or (
                bool(topic.children) and all(map(is_covered, topic.children))
            )

        whole = self if self._whole is None else self._whole
        return all(map(is_covered, whole._all_levels().roots))

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_sharings": {}, "_every": None}  # quickly computed again

    def search(self, query: str) -> list[Topic]:
        """The topics that a query is about, the best first.

        Parameters
        ----------
        query
            One or more words. A topic has a word if it, or an inflection of it, is in the topic's title
            or below the topic in the tree, and it counts by its mutual information with the topic.
            Topics with all words are found or, if there are none, those with the most.

        Returns
        -------
        list of Topic

        Raises
        ------
        OptionError
            If the query is not a string, or the topics have no model.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> topics = HLTA(samples=1).fit(texts * 20).topics_
        >>> [topic.title for topic in topics.search("neural network")]
        ['deep neural networks']
        """
        if not isinstance(query, str):
            raise OptionError(f"query={query!r:.60}: use words, such as 'neural networks'")
        return search_topics(attached_model(self), self.counts, self, query)

    def compare(
        self,
        other: TopicTree,
        *,
        memberships: tuple[Any, Any] | None = None,
        least: float = LEAST_SIMILARITY,
    ) -> Comparison:
        """Which topics of this model and of another one correspond, and which are in one only.

        Topics are paired one to one, whatever their levels, so that the sum of the similarities of
        the pairs is as large as possible.

        Parameters
        ----------
        other
            The topics of the other model.
        memberships
            The shares of topics in the same documents, for both models, as `HLTA.transform` gives
            them, to compare topics by documents, too; None to compare them by their words alone.
        least
            The least similarity, from 0 to 1, with which topics correspond.

        Returns
        -------
        Comparison
            It has the `pairs`, the topics `only_first` (in this model) and `only_second` (in the other
            one), and those that were `joined` or `split`.

        Raises
        ------
        OptionError
            If `other` is no `TopicTree`, there are no topics or no model, `least` is out of range, or
            the models have no word in common and no memberships are given.
        DocumentsError
            If the memberships do not fit the topics, or are the same for all documents.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> before = HLTA(samples=1).fit(texts * 20).topics_
        >>> later = ["deep neural nets", "dark matter in galaxies", "boats and ships"]
        >>> found = before.compare(HLTA(samples=1).fit(later * 20).topics_)
        >>> found.pairs[0].lost, found.pairs[0].gained
        (('networks',), ('nets',))
        >>> [one.topic.title for one in found.only_first]
        ['apples and pears']
        """
        if not isinstance(other, TopicTree):
            raise OptionError(
                f"other is of type {type(other).__name__}; give topics, such as HLTA.topics_ or "
                "TopicTree.from_tree(tree)"
            )
        first, second = (
            (attached_model(topics), topics.counts, list(topics)) for topics in (self, other)
        )
        return match_topics(first, second, memberships, least)

    def over_time(
        self,
        corpus: Corpus,
        *,
        topics: Iterable[Topic] | None = None,
        unit: str | None = None,
        by_group: bool | str = False,
        n_jobs: int | None = None,
    ) -> pl.DataFrame:
        """How the topics' shares change over time.

        Parameters
        ----------
        corpus
            Documents with dates.
        topics
            Topics of this tree, with shares as in `HLTA.transform`; None for all.
        unit
            "decade", "year", "quarter", "month", "week" or "day"; None for the finest that nearly all
            dates have, that gives at most 100 periods and, if it is finer than a year, at least 100
            documents per period on average; if none does, the coarsest that gives two periods.
            Documents with coarser dates are left out.
        by_group
            Whether to divide each period by the groups of the documents; or the name of the field that
            gives the groups, see `by_group`.
        n_jobs
            Threads; None for all processors.

        Returns
        -------
        polars.DataFrame
            One row per part (a period, or a group in a period) and topic: `period`, `group` if asked
            for, `topic` (its id), `title`, `share` (its mean share of the words of the part's documents),
            `low` and `high` (the 95% confidence interval of the share), `on_topic` (how many of the
            documents are on the topic), and `documents` (how many the part has). As a prior gives
            documents a little of each topic, a share is not 0 even where none is on it.

        Raises
        ------
        DocumentsError
            If there are fewer than two periods, or groups, or more than 5% of the dates lack the unit.
        OptionError
            If the unit is unknown, or the topics have no model.
        """
        if unit is not None:
            check_choice("unit", unit, tuple(UNITS))
        with on_threads(n_jobs):
            field = by_group if isinstance(by_group, str) else GROUP if by_group else None
            return self._shares(corpus, topics, periods=True, field=field, unit=unit)

    def by_group(
        self,
        corpus: Corpus,
        *,
        field: str = GROUP,
        topics: Iterable[Topic] | None = None,
        n_jobs: int | None = None,
    ) -> pl.DataFrame:
        """How the topics' shares differ between groups of documents.

        Parameters
        ----------
        corpus
            Documents with groups.
        field
            The field whose values divide the documents into groups, such as "country", see `Corpus`;
            "group" for their groups.
        topics, n_jobs
            See `over_time`.

        Returns
        -------
        polars.DataFrame
            As from `over_time`, with a `group` instead of a `period`, the largest group first.

        Raises
        ------
        DocumentsError
            If there is no such field, or fewer than two groups.
        OptionError
            If the topics have no model.
        """
        with on_threads(n_jobs):
            return self._shares(corpus, topics, periods=False, field=field)

    def _shares(self, corpus: Corpus, topics: Iterable[Topic] | None, **parts: Any) -> pl.DataFrame:
        chosen = list(self if topics is None else topics)
        usual = self.usual_coverage
        return share_frame(self.shares(chosen), chosen, corpus, usual, **parts)

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
            How many documents the page shows at most; if there are more, it shows those with the
            largest shares of each topic and a random sample, while the figures of topics still count
            all. None for 50,000, or fewer if these have more than 10 million words and topics in total.
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

        if corpus is not None:
            check_corpus(corpus)
        check_whole("most_documents", most_documents, least=1, none="as many as fit well")
        with on_threads(n_jobs):
            page = explorer_page(
                attached_model(self),
                self,
                corpus,
                title=title,
                most_documents=most_documents,
                source=source,
                page=None if path is None else Path(path),
            )
        return write_text(path, page)


def attached_model(topics: TopicTree) -> LatentTree:
    """The model that topics were read from; raises `OptionError` for topics without one."""
    if topics.model is None:
        raise OptionError(
            "these topics have no model attached; take them from HLTA.topics_ or TopicTree.from_tree"
        )
    return topics.model

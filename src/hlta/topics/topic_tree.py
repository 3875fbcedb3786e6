"""`TopicTree`: the topics of a model as a hierarchy to read, walk and export."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.checks import check_whole
from hlta.errors import OptionError
from hlta.tree.marginals import word_marginals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from hlta.documents.corpus import Corpus
    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.marginals import WordMarginals

LABEL_WORDS: Final = 5


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word of a topic.

    word                the word
    p_topic             P(word | topic)
    p_background        P(word | not the topic)
    mutual_information  how much word and topic tell about each other, in nats
    """

    word: str
    p_topic: float
    p_background: float
    mutual_information: float


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A latent variable read as a topic.

    id        name of the latent variable, such as "Z2-14"
    level     2 for the most specific ones shown by default, higher for more general ones
    size      P(topic): the expected share of the documents
    keywords  the words of its subtree that tell most about it, best first; those that are rarer
              in it than elsewhere come last
    parent    the topic above, None for a root
    children  the topics below, largest first
    """

    id: str
    level: int
    size: float
    keywords: list[Keyword]
    parent: Topic | None = field(repr=False)
    children: list[Topic] = field(default_factory=list, repr=False)

    @property
    def words(self) -> list[str]:
        """The keywords alone."""
        return [keyword.word for keyword in self.keywords]

    @property
    def label(self) -> str:
        """The first keywords, to print, but for other forms of the same word."""
        return " ".join(self.label_words(LABEL_WORDS))

    def label_words(self, count: int) -> list[str]:
        """So many of the first keywords, of the forms of one word the first; the rest if they run out."""
        chosen: list[str] = []
        passed: list[str] = []
        for word in self.words:
            same = any(_same_word(word, other) for other in chosen)
            (passed if same else chosen).append(word)
        return (chosen + passed)[:count]

    def __iter__(self) -> Iterator[Topic]:
        """The topic itself and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child

    def __str__(self) -> str:
        return f"[{self.size:.2f}] {self.label}"

    def to_dict(self) -> dict[str, Any]:
        """The topic and all below it as plain dictionaries and lists."""
        return {
            "id": self.id,
            "level": self.level,
            "size": self.size,
            "keywords": [
                {
                    "word": keyword.word,
                    "p_topic": keyword.p_topic,
                    "p_background": keyword.p_background,
                    "mutual_information": keyword.mutual_information,
                }
                for keyword in self.keywords
            ],
            "children": [child.to_dict() for child in self.children],
        }


class TopicTree:
    """The topics of a model, general ones above specific ones.

    `for topic in topics` walks parents first; `topics["Z2-14"]` is one topic; `print(topics)` shows
    the tree; `model` is what the topics were read from.
    """

    def __init__(self, roots: list[Topic], model: LatentTree | None = None) -> None:
        self.roots = roots
        self.model = model
        self._by_id = {topic.id: topic for root in roots for topic in root}

    @classmethod
    def from_tree(
        cls, tree: LatentTree, *, lowest_level: int = 2, n_keywords: int | None = 10
    ) -> TopicTree:
        """Read the topics off a model.

        Parameters
        ----------
        tree
            The model, its states in order: 1 is the topic, 0 the background.
        lowest_level
            Levels below this are left out; level 1 groups a few words each. A tree that is not as
            high shows its top level.
        n_keywords
            Keywords a topic; None for every word of its subtree.
        """
        check_whole("lowest_level", lowest_level, least=1)
        if n_keywords is not None:
            check_whole("n_keywords", n_keywords, least=1, none="every word")
        table = word_marginals(tree)
        lowest = min(lowest_level, int(tree.level.max()))
        # By level and size: parents come before their children, siblings with the largest first.
        latents = np.arange(tree.n_words, tree.n_nodes)
        latents = latents[tree.level[latents] >= lowest]
        size = tree.marginals[latents]
        latents = latents[np.lexsort((latents, -size, -tree.level[latents]))]
        topics: dict[int, Topic] = {}
        roots: list[Topic] = []
        for v in latents.tolist():
            up = int(tree.parent[v])
            linked = up < 0 or tree.level[up] == tree.level[v]
            parent = None if linked else topics[up]
            topics[v] = Topic(
                id=tree.names[v],
                level=int(tree.level[v]),
                size=float(tree.marginals[v]),
                keywords=_keywords(tree, table, v - tree.n_words, n_keywords),
                parent=parent,
            )
            (roots if parent is None else parent.children).append(topics[v])
        return cls(roots, tree)

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
        widths = [0] * (1 + max(topic.level for topic in self))
        for topic in self:
            widths[topic.level] += 1
        shown = "/".join(str(width) for width in widths if width)
        return f"TopicTree({len(self):,} topics, per level {shown})"

    def __str__(self) -> str:
        return self.to_text()

    def to_text(
        self, *, n_words: int = LABEL_WORDS, depth: int | None = None, ids: bool = False
    ) -> str:
        """The tree as indented lines: size and first words, as in the tables of the paper.

        Parameters
        ----------
        n_words
            Words a topic.
        depth
            Layers shown, from the roots downwards; None for all.
        ids
            Whether to print the ids too.
        """
        check_whole("n_words", n_words, least=1)
        if depth is not None:
            check_whole("depth", depth, least=1, none="all layers")
        lines: list[str] = []

        def write(topic: Topic, layer: int) -> None:
            name = f"{topic.id} " if ids else ""
            words = " ".join(topic.label_words(n_words))
            lines.append(f"{'    ' * layer}{name}[{topic.size:.2f}] {words}")
            if depth is None or layer + 1 < depth:
                for child in topic.children:
                    write(child, layer + 1)

        for root in self.roots:
            write(root, 0)
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The whole tree as plain dictionaries and lists."""
        return {
            "format": "hlta-topics",
            "version": 1,
            "topics": [root.to_dict() for root in self.roots],
        }

    def to_json(self, path: str | PathLike[str] | None = None, *, indent: int | None = None) -> str:
        """The whole tree as JSON: the text, also written to `path` when one is given."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)
        if path is not None:
            from hlta._support.files import replacing

            with replacing(path) as file:
                file.write(text.encode() + b"\n")
        return text

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
        """A page to explore the topics in a browser: the text, also written to `path` if given.

        Parameters
        ----------
        path
            File to write.
        corpus
            Documents to show with the topics: those that the model was learned from, or others.
        title
            What stands above it.
        source
            The folder that the documents were read from; the page then links to their files.
        most_documents
            How many documents the page holds; of more it holds the likeliest of each topic and a
            random sample, and says so. Sizes and shares count all of them. By default 20,000, fewer
            if their words and topics are more than 3 million.
        n_jobs
            Threads; None for all processors.
        """
        from hlta.explorer.page import explorer_page

        if self.model is None:
            raise OptionError(
                "these topics know of no model; take them from HLTA.topics_ or TopicTree.from_tree"
            )
        if most_documents is not None:
            check_whole("most_documents", most_documents, least=1, none="as many as go well")
        page = explorer_page(
            self.model,
            self,
            corpus,
            title=title,
            most_documents=most_documents,
            source=source,
            page=None if path is None else Path(path),
            n_jobs=n_jobs,
        )
        if path is not None:
            from hlta._support.files import replacing

            with replacing(path) as file:
                file.write(page.encode())
        return page

    def _repr_html_(self) -> str:
        from hlta.topics.outline import outline

        return outline(self)


def _same_word(a: str, b: str) -> bool:
    """Whether one is the other with an ending: image and images, study and studies."""
    short, long = sorted((a, b), key=len)
    stem = short[:-1] if short[-1] in "ey" and not long.startswith(short) else short
    ending = len(long) - len(stem)
    return long.startswith(stem) and ending <= (3 if len(stem) > 3 else 1 if len(stem) == 3 else 0)


def _keywords(
    tree: LatentTree, table: WordMarginals, latent: int, count: int | None
) -> list[Keyword]:
    entries = np.arange(table.start[latent], table.start[latent + 1])
    # A word that avoids the topic tells of the background, however much it tells.
    avoids = table.given[entries, 1] <= table.given[entries, 0]
    entries = entries[np.argsort(avoids, kind="stable")][:count]
    return [
        Keyword(tree.words[word], p_topic, p_background, information)
        for word, (p_background, p_topic), information in zip(
            table.word[entries].tolist(),
            table.given[entries].tolist(),
            table.information[entries].tolist(),
            strict=True,
        )
    ]

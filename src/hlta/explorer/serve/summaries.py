"""Topics and documents as a guide lists them: in a few fields each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hlta.documents.dates import iso_date
from hlta.documents.fields import GROUP
from hlta.documents.strings import beginning
from hlta.explorer.serve.terms import OnTopic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta.documents.corpus import Corpus
    from hlta.explorer.serve.archive import Archive, Found
    from hlta.explorer.serve.terms import Clause
    from hlta.topics.topic import Topic
    from hlta.topics.topic_tree import TopicTree

WORDS: Final = 5  # of a topic
_SNIPPET: Final = 200  # characters of a document
_RAISED: Final = 10  # topics that are overrepresented in a set of documents

Answer = dict[str, Any]


class Summaries:
    """Describes topics and documents; `archive` is over the documents of `corpus`."""

    def __init__(self, topics: TopicTree, corpus: Corpus, archive: Archive) -> None:
        self._topics, self._corpus, self._archive = topics, corpus, archive
        every = archive.found(())
        self._counts = self.on(every)
        self._main = dict(zip(archive.topic_ids, every.main.tolist(), strict=True))

    def line(self, topic: Topic) -> Answer:
        """A topic in a list."""
        return {
            "id": topic.id,
            "title": topic.title,
            **({"is_vague": True} if topic.is_vague else {}),
            "words": ", ".join(topic.label_words(WORDS)),
            "documents": self._counts[topic.id],
            "documents_mainly_about_it": self._main[topic.id],
            "mean_share_of_documents": short(topic.size),
        }

    def branches(self, topics: Iterable[Topic], depth: int) -> list[Answer]:
        """Topics with those below them, and at the last level, how many are directly below each."""
        lines = []
        for topic in topics:
            line = self.line(topic)
            if topic.children and depth > 1:
                line["below"] = self.branches(topic.children, depth - 1)
            elif topic.children:
                line["topics_below"] = len(topic.children)
            lines.append(line)
        return lines

    def documents(
        self, clauses: tuple[Clause, ...], order: str, by: Topic | None, offset: int, limit: int
    ) -> list[Answer]:
        term = None if by is None else OnTopic(by.id)
        rows = self._archive.listed(clauses, order, term)[offset : offset + limit].tolist()
        entries = [self.entry(row) for row in rows]
        if term is not None:
            shares = self._archive.shares(term)
            for row, entry in zip(rows, entries, strict=True):
                entry["share"] = short(float(shares[row]))
        return entries

    def entry(self, row: int) -> Answer:
        """A document in a list."""
        corpus, entry = self._corpus, Answer(number=row + 1)
        for field, values in (("id", corpus.ids), ("title", corpus.titles)):
            if values is not None and values[row]:
                entry[field] = values[row]
        if corpus.dates is not None and corpus.dates[row]:
            entry["date"] = iso_date(corpus.dates[row], corpus.day_first)
        if corpus.groups is not None and corpus.groups[row]:
            entry[GROUP] = corpus.groups[row]
        if kept := {name: values[row] for name, values in corpus.fields.items() if values[row]}:
            entry["fields"] = kept
        if corpus.texts is not None:
            entry["text"] = beginning(corpus.texts[row], _SNIPPET)
        return entry

    def on(self, found: Found) -> dict[str, int]:
        """How many documents of a set are on each topic."""
        return dict(zip(self._archive.topic_ids, found.on.tolist(), strict=True))

    def find_overrepresented(self, found: Found) -> list[Answer]:
        """The topics that are most overrepresented in a set of documents."""
        if found.size in (0, len(self._corpus)):
            return []
        inside = self.on(found)

        def excess(topic: Topic) -> float:
            return inside[topic.id] - self._counts[topic.id] * found.size / len(self._corpus)

        raised = sorted(self._topics, key=lambda topic: -excess(topic))[:_RAISED]
        return [
            name(topic) | {"documents": inside[topic.id]} for topic in raised if excess(topic) > 0
        ]


def name(topic: Topic) -> Answer:
    """The id and the title of a topic."""
    return {"id": topic.id, "title": topic.title}


def short(value: float) -> float:
    """A number rounded to three significant digits."""
    return float(f"{value:.3g}")

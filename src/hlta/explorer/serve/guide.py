"""`Guide`: short answers to the questions of agents about a corpus, with ids for further questions.

Agents read the docstrings of its public methods, and pass arguments by name.

Documents are given by their numbers, from 1, and topics by their ids. Sets of documents, counts and
orders are those of the page, see `Archive`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hlta.documents.dates import is_reversed, iso_date, parse_date
from hlta.documents.fields import GROUP, find_field
from hlta.documents.periods import period_bounds
from hlta.errors import OptionError
from hlta.explorer.serve.summaries import WORDS, Answer, Summaries, name, short
from hlta.explorer.serve.terms import (
    Clause,
    InGroup,
    InTime,
    OnTopic,
    WithText,
    WithWord,
    clauses_of_query,
)
from hlta.options import IN_PART, LISTED
from hlta.text.patterns import patterns
from hlta.topics.divisions import by_group
from hlta.topics.topic import ancestors

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.explorer.serve.archive import Archive
    from hlta.explorer.serve.terms import Term
    from hlta.topics.topic import Topic
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

_KEYWORDS: Final = 30  # of a topic that is described alone
_REASONS: Final = 15
_TYPICAL: Final = 3  # documents with a topic
_MOST_TOPICS: Final = 60  # in an outline
_FOUND: Final = 10  # topics of a search
_TEXT: Final = 4_000  # characters of a document that is read, at a time
_MOST_ROWS: Final = 50
_MOST_PARTS: Final = 80  # periods, the last ones, or groups, the largest


class Guide:
    """Answers questions about a model and the documents that it is shown with.

    Parameters
    ----------
    tree, topics
        The model and its topics.
    corpus
        The documents.
    archive
        The same documents, prepared for questions.
    """

    def __init__(
        self, tree: LatentTree, topics: TopicTree, corpus: Corpus, archive: Archive
    ) -> None:
        self._tree, self._topics, self._corpus, self._archive = tree, topics, corpus, archive
        self._summaries = Summaries(topics, corpus, archive)
        self._shares = lru_cache(2)(self._all_shares)

    # ---- topics ----------------------------------------------------------------------------------

    def outline(self, below: str | None = None, depth: int = 2) -> Answer:
        """The tree of topics, general ones first: ids, titles, words, and how many documents are on each.

        `fields` in the answer, if documents have any, can be used besides groups to choose and compare
        them.
        `below`: the id of a topic, to see only what is below it. `depth`: how many levels.
        """
        if depth < 1:
            raise OptionError(f"depth={depth}: give at least 1")
        top = self._topics.roots if below is None else self._topics[below].children
        levels, deepest = [top], 1
        while deepest < depth and levels[-1]:
            levels.append([child for topic in levels[-1] for child in topic.children])
            deepest += 1
        while len(levels) > 1 and sum(map(len, levels)) > _MOST_TOPICS:
            levels.pop()
        return {
            "documents": len(self._corpus),
            "topics_in_all": len(self._topics),
            **({"fields": fields} if (fields := list(self._corpus.fields)) else {}),
            "topics": self._summaries.branches(top[:_MOST_TOPICS], len(levels)),
            "left_out": max(0, len(top) - _MOST_TOPICS),
        }

    def topic(self, topic: str) -> Answer:
        """A topic by its id: keywords, how stable it is, topics above and below, typical documents.

        A keyword has the shares of the documents on the topic, and of the others, in which the model
        expects it; a facet has the part of the topic that it is expected to make up.
        """
        chosen = self._topics[topic]
        described = self._summaries.line(chosen)
        described |= {"level": chosen.level}
        if chosen.stability is not None:
            described["stability"] = short(chosen.stability)
        if chosen.note:
            described["note"] = chosen.note
        described["keywords"] = [
            {
                "word": word.word,
                "expected_on_topic": short(word.p_topic),
                "expected_elsewhere": short(word.p_background),
            }
            for word in chosen.keywords[:_KEYWORDS]
        ]
        if chosen.facets:
            described["facets"] = [
                {"part": short(facet.size), "words": ", ".join(facet.words[:WORDS])}
                for facet in chosen.facets
            ]
        described["above"] = [name(up) for up in reversed([*ancestors(chosen)])]
        described["below"] = self._summaries.branches(chosen.children, 1)
        clauses = (_clause(OnTopic(chosen.id)),)
        described["typical_documents"] = self._summaries.documents(
            clauses, "typical", chosen, 0, _TYPICAL
        )
        return described

    def search(self, query: str) -> Answer:
        """Topics and documents about some words: the first ten of each, and how many documents there are.

        `query` may hold "phrases", prefixes such as neur*, and words, as they are spelled;
        a document must have all of them. OR, NOT and parentheses are understood.
        """
        if not patterns(query):
            raise OptionError(f"query={query[:80]!r} has no words; give one or more")
        clauses = clauses_of_query(query, self._corpus)
        asked = (term for clause in clauses for term in clause.terms)
        words = " ".join(term.query for term in asked if isinstance(term, WithText))
        return {
            "topics": [
                self._summaries.line(topic) for topic in self._topics.search(words)[:_FOUND]
            ],
            "documents_found": self._archive.found(clauses).size,
            "documents": self._summaries.documents(clauses, "relevant", None, 0, _FOUND),
        }

    # ---- documents -------------------------------------------------------------------------------

    def documents(
        self,
        topic: str | None = None,
        text: str | None = None,
        word: str | None = None,
        group: str | None = None,
        field: str | None = None,
        since: str | None = None,
        until: str | None = None,
        order: str | None = None,
        offset: int = 0,
        limit: int = 10,
    ) -> Answer:
        """Documents that meet all conditions, how many there are, and the topics frequent among them.

        `topic`: an id. `text`: as the query of `search`. `word`: a keyword. `group`: a name;
        with `field`, one of those that `outline` lists, a value of it instead.
        `since`, `until`: dates such as 2019, 2019-05 or 2019-05-01, or periods such as 2019-Q2, both
        included. `order`: typical (the default), share (of the topic), relevant (by `text`), newest,
        oldest or corpus. `offset` and `limit`, at most 50, choose a part of the list.
        """
        if field is not None and group is None:
            raise OptionError(f"field={field[:80]!r} says what group is of; give a group, too")
        order = order or "typical"
        if offset < 0 or not 1 <= limit <= _MOST_ROWS:
            raise OptionError(f"give an offset of at least 0 and a limit from 1 to {_MOST_ROWS}")
        begin = None if since is None else _date("since", since, period_bounds(since)[0])
        end = None if until is None else _date("until", until, period_bounds(until)[1])
        terms: list[Term | None] = [
            None if topic is None else OnTopic(topic),
            None if word is None else WithWord(word),
            None if group is None else InGroup(group, self._field("field", field or GROUP)),
            None if begin is end is None else InTime(begin or "0000", end or "9999"),
        ]
        by = None if topic is None else self._topics[topic]
        chosen = tuple(_clause(term) for term in terms if term is not None)
        if text is not None:
            chosen += clauses_of_query(text, self._corpus)
        self._check(chosen, order, by)
        found = self._archive.found(chosen)
        listed = self._summaries.documents(chosen, order, by, offset, limit)
        rest = found.size - offset - len(listed)
        answer = {"documents_found": found.size, "documents": listed}
        if rest > 0:
            answer["next_offset"] = offset + len(listed)
        return answer | {"more_frequent_topics": self._summaries.find_overrepresented(found)}

    def document(self, number: int, offset: int = 0) -> Answer:
        """A document: its text, the words of it that the model knows, and the topics that it is on.

        `offset`: the character to begin at, for long texts.
        """
        row = self._row(number)
        answer = self._summaries.entry(row)
        answer.pop("text", None)
        text = "" if self._corpus.texts is None else self._corpus.texts[row]
        if not 0 <= offset <= len(text):
            raise OptionError(f"offset={offset}: give at most {len(text)}, the length of the text")
        answer["text"] = text[offset : offset + _TEXT]
        if offset + _TEXT < len(text):
            answer["next_offset"] = offset + _TEXT
        words = self._archive.documents[row : row + 1].indices.tolist()
        answer["words"] = [self._tree.words[word] for word in words]
        answer["topics"] = [
            name(self._topics[on]) | {"share": short(share)}
            for on, share in self._archive.topics_of(row).items()
        ]
        return answer

    def why(self, topic: str, document: int) -> Answer:
        """Why a document, by its number, is on a topic, or is not.

        For each word, the answer says how much of it is about the topic, from 0 to 1. The topic's share
        is the mean over all words of the document that the model knows; in a long document, a word counts
        once for each section that has it.
        """
        chosen, row = self._topics[topic], self._row(document)
        found = self._topics.shares([chosen]).why(self._archive.documents[row : row + 1], 0)
        answer = {
            "topic": name(chosen),
            "share": short(found.share),
            "on_topic": chosen.id in self._archive.topics_of(row),
            "words_known": len(found.words),
            "words": [
                {"word": word, "part_about_topic": short(part)}
                for word, part in found.words[:_REASONS]
                if part >= LISTED
            ],
        }
        if found.share >= IN_PART and not answer["on_topic"]:
            answer["note"] = (
                "The model knows too few words of this document to say what it is about."
            )
        return answer

    # ---- comparisons -----------------------------------------------------------------------------

    def trends(self, topic: str, by: str = "time", unit: str | None = None) -> Answer:
        """A topic's mean share per period or per group, with 95% intervals.

        `by`: time, group, or one of the fields that `outline` lists, whose values are groups, too.
        `unit`: of time: decade, year, quarter, month, week or day; if it is left out, one that gives few
        periods with enough documents.
        """
        chosen = self._topics[topic]
        of, part = ("period", by) if by == "time" else ("group", self._field("by", by, "time"))
        if unit is not None and by != "time":
            raise OptionError(f"unit={unit!r:.40} applies to by='time'; leave one out")
        shares, further = self._shares(part, unit)
        rows = shares[chosen.id]
        some = slice(-_MOST_PARTS, None) if by == "time" else slice(_MOST_PARTS)
        return {
            "topic": name(chosen),
            "by": by,
            "left_out": max(0, len(rows) - _MOST_PARTS) + further,
            "shares": [
                {
                    of: part,
                    "share": short(share),
                    "interval": [short(low), short(high)],
                    "on_topic": on,
                    "documents": documents,
                }
                for part, share, low, high, on, documents in rows[some]
            ],
        }

    def compare(self, first: str, second: str) -> Answer:
        """Two topics: how many documents are on both and on one only, and the words that they share."""
        one, other = self._topics[first], self._topics[second]
        on = [_clause(OnTopic(topic.id)) for topic in (one, other)]
        sizes = [self._archive.found((clause,)).size for clause in on]
        both = self._archive.found(tuple(on)).size
        expected = sizes[0] * sizes[1] / max(1, len(self._corpus))
        alike = set(one.words) & set(other.words)
        return {
            "first": self._summaries.line(one),
            "second": self._summaries.line(other),
            "documents": {
                "on_both": both,
                "on_first_only": sizes[0] - both,
                "on_second_only": sizes[1] - both,
                "on_both_if_independent": round(expected, 1),
            },
            "words_in_both": [word for word in one.words if word in alike][:_KEYWORDS],
            "words_of_first_only": [word for word in one.words if word not in alike][:WORDS],
            "words_of_second_only": [word for word in other.words if word not in alike][:WORDS],
            "typical_of_both": self._summaries.documents(tuple(on), "typical", None, 0, _TYPICAL),
        }

    # ---- arguments -----------------------------------------------------------------------------

    def _all_shares(
        self, by: str, unit: str | None
    ) -> tuple[dict[str, list[tuple[str, float, float, float, int, int]]], int]:
        """By topic, a row per part: name, share, interval, and numbers of documents on it and in all.

        And the number of groups that are not compared, see `Division.further`.
        """
        topics, corpus, timed = self._topics, self._corpus, by == "time"
        frame = topics.over_time(corpus, unit=unit) if timed else topics.by_group(corpus, field=by)
        found: dict[str, list[tuple[str, float, float, float, int, int]]] = {}
        for part, topic, _, *figures in frame.iter_rows():
            found.setdefault(topic, []).append((part, *figures))
        division = None if timed else by_group(corpus.field(by).values)
        return found, division.further if division else 0

    def _check(self, clauses: tuple[Clause, ...], order: str, topic: Topic | None) -> None:
        """Refuse conditions that no document can meet, and orders that lack what they sort by."""
        asked = [term for clause in clauses for term in clause.terms]
        for term in asked:
            match term:
                case WithWord(word) if word not in self._tree.words:
                    raise OptionError(
                        f"word={word[:80]!r} is not a word of the model; use text to find any other"
                    )
                case WithText(query) if not query:
                    raise OptionError("text has no words; give one or more, or leave it out")
                case InTime(since, until) if is_reversed(since, until):
                    raise OptionError(f"since={since!r} is later than until={until!r}; swap them")
                case InGroup(group) if not self._archive.found((_clause(term),)).size:
                    raise OptionError(
                        f"group={group[:80]!r}: no document is in it; give a group of the documents"
                    )
        by_date = order in ("newest", "oldest") or any(isinstance(term, InTime) for term in asked)
        if by_date and self._corpus.dates is None:
            raise OptionError(
                "the documents have no dates; leave out since and until, and use another order"
            )
        if order == "share" and topic is None:
            raise OptionError("order='share' goes by a topic; give one, or another order")
        if order == "relevant" and not any(isinstance(term, WithText) for term in asked):
            raise OptionError("order='relevant' goes by a text; give one, or another order")

    def _field(self, argument: str, name: str, *others: str) -> str:
        """The key of the field with this name; the error also lists `others` as possible values."""
        fields = self._corpus.all_fields
        if (found := find_field(fields, name)) is not None:
            return found.key
        if name == GROUP:
            return GROUP
        known = dict.fromkeys((*others, GROUP, *(field.name for field in fields)))
        raise OptionError(f"{argument}={name[:80]!r}: use one of {', '.join(known):.400}")

    def _row(self, number: int) -> int:
        if not 1 <= number <= len(self._corpus):
            raise OptionError(f"document {number}: give a number from 1 to {len(self._corpus)}")
        return number - 1


def _clause(term: Term) -> Clause:
    return Clause(without=False, terms=(term,))


def _date(argument: str, given: str, day: str) -> str:
    """The `day` with which a `given` period begins or ends; raises `OptionError` if it is not a date."""
    if iso_date(day) != day or parse_date(day) is None:
        raise OptionError(
            f"{argument}={given[:80]!r}: use a date such as 2019, 2019-05 or 2019-05-01, or a period "
            "such as 2019-Q2"
        )
    return day

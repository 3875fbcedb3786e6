"""Topics as tables: one row per topic, or per topic and part of the documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.cells import cell, line
from hlta._support.messages import plural, warn
from hlta.documents.corpus import Corpus, check_corpus
from hlta.documents.fields import GROUP
from hlta.errors import DocumentsError
from hlta.topics.aligned_documents import AlignedDocuments
from hlta.topics.divisions import Division, ShareSums, by_group, by_period, cross, wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl
    from scipy.sparse import csr_array

    from hlta._support.arrays import Bools
    from hlta.documents.matrix import Documents
    from hlta.topics.shares import ListShares
    from hlta.topics.topic import Topic

DIGITS: Final = 4  # digits of figures in tables
SHARE_DIGITS: Final = 6  # digits of shares of all documents
COLUMNS: Final = {
    "id": str,
    "level": int,
    **dict.fromkeys(("parent", "title"), str),
    "size": float,
    **dict.fromkeys(("documents", "main_documents"), int),
    **dict.fromkeys(("stability", "contrast"), float),
    **dict.fromkeys(("mark", "words", "word_stability", "distinct_words"), str),
}
"""The columns of `topics.csv`, and the types of their values, which are None if not known."""
MAIN: Final = ("topic", "title", "share")
"""The columns of `main_rows` for each list of topics."""
_BETWEEN: Final = "\x00"  # stands between a period and a group in a name


def topic_rows(topics: Iterable[Topic]) -> list[dict[str, Any]]:
    """One row per topic, parents first, with the columns of `topics.csv`."""
    return [
        {name: getattr(topic, name, None) for name in COLUMNS}
        | {
            "parent": None if topic.parent is None else topic.parent.id,
            "words": " ".join(topic.words),
            "word_stability": _word_stability(topic),
            "distinct_words": " ".join(topic.distinct_words),
        }
        for topic in topics
    ]


def _word_stability(topic: Topic) -> str | None:
    """The stability of each word of a topic, in their order; None if one is not known."""
    known = [keyword.stability for keyword in topic.keywords if keyword.stability is not None]
    return " ".join(f"{value:.2f}" for value in known) if len(known) == len(topic.words) else None


def csv_text(
    columns: Iterable[str], rows: Iterable[Mapping[str, Any]], digits: Mapping[str, int]
) -> str:
    """Rows as CSV, with fixed `digits` in some columns; None is empty, and `cell` disarms formulas."""
    names = list(columns)

    def text(name: str, value: Any) -> str:
        if value is None:
            return ""
        if isinstance(value, str):
            return cell(value)
        return f"{value:.{digits[name]}f}" if name in digits else str(value)

    return line(names) + "".join(line(text(name, row[name]) for name in names) for row in rows)


def share_rows(
    topics: Sequence[Topic], documents: Sequence[Any], shares: csr_array
) -> pl.DataFrame:
    """One row per document and topic with a share in it; `documents` are the names of the rows."""
    import polars as pl

    number = shares.indices
    return pl.DataFrame(
        {
            "document": pl.Series(documents)[shares.tocoo().row],
            "topic": pl.Series([topic.id for topic in topics], dtype=pl.String)[number],
            "title": pl.Series([topic.title for topic in topics], dtype=pl.String)[number],
            "level": pl.Series([topic.level for topic in topics], dtype=pl.Int64)[number],
            "share": shares.data,
        }
    )


def main_rows(
    lists: Mapping[str, tuple[ListShares, Sequence[Topic]]],
    documents: Documents,
    known: Bools,
    names: Sequence[Any],
) -> pl.DataFrame:
    """One row per document, with its main topic of each list; those that are not `known` have none.

    The lists are those of `TopicTree.partitions`, general topics first. A topic that replaces one below
    it, which is left out, has its own share at that level, too.
    """
    import polars as pl

    columns: dict[str, Any] = {"document": pl.Series(names)}
    above, whole = np.full(len(documents), ""), np.full(len(documents), np.nan)
    for name, (dividing, topics) in lists.items():
        place, share = np.full(len(documents), -1), np.full(len(documents), np.nan)
        for begin, part in dividing.chunks(documents):
            rows = slice(begin, begin + len(part))
            shares, main = dividing.with_main(part)
            place[rows] = np.where(known[rows], main, -1)
            share[rows] = np.where(place[rows] < 0, np.nan, shares[np.arange(len(part)), main])
        ids, titles = [topic.id for topic in topics], [topic.title for topic in topics]
        chosen = np.array([*ids, ""])[place]
        share = np.where(chosen == above, whole, share)
        above, whole = chosen, share
        found = (
            pl.Series([*ids, None], dtype=pl.String)[place],
            pl.Series([*titles, None], dtype=pl.String)[place],
            pl.Series(share).fill_nan(None),
        )
        columns |= {f"{column}{name}": values for column, values in zip(MAIN, found, strict=True)}
    return pl.DataFrame(columns)


def share_frame(
    dividing: ListShares,
    chosen: Sequence[Topic],
    corpus: Corpus,
    usual_coverage: float | None,
    *,
    periods: bool,
    field: str | None,
    unit: str | None = None,
) -> pl.DataFrame:
    """Topics over time, by the groups of a field, or both: one row per part and topic.

    Repeats of a text count in shares, but do not narrow confidence intervals.
    """
    import polars as pl

    check_corpus(corpus)
    division = _division(corpus, periods=periods, field=field, unit=unit)
    read = AlignedDocuments.of(corpus, dividing.sharing.words)
    sums = ShareSums([division], dividing.n_topics)
    known = read.are_known(usual_coverage, by_vectors=dividing.sharing.goes_by_vectors)
    for _, shares in dividing.of_known(read.documents, known):
        sums.add(shares)
    (found,) = sums.shares(distinct_share(corpus))
    parts = np.flatnonzero(division.counts)
    share, counts, on = found.mean[parts], division.counts[parts], found.on[parts]
    low, high = wilson(share, counts[:, None] * found.effective_size)
    labels = [division.names[part] for part in parts.tolist()]
    split = [name.split(_BETWEEN, 1) for name in labels]
    columns = [*(["period"] if periods else []), *(["group"] if field is not None else [])]
    n = len(chosen)
    of_parts = ([one[k] for one in split for _ in chosen] for k in range(len(columns)))
    return pl.DataFrame(
        {
            **dict(zip(columns, of_parts, strict=True)),
            "topic": [topic.id for topic in chosen] * len(parts),
            "title": [topic.title for topic in chosen] * len(parts),
            "share": share.ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
            "on_topic": on.ravel(),
            "documents": np.repeat(counts, n),
        },
        schema_overrides=dict.fromkeys(columns, pl.String),
    )


def distinct_share(corpus: Corpus) -> float:
    """The share of the documents that do not repeat another."""
    return 1.0 - corpus.n_repeats / max(1, len(corpus))


def _division(corpus: Corpus, *, periods: bool, field: str | None, unit: str | None) -> Division:
    found = []
    if periods:
        found.append(by_period(corpus.dates, unit))
        if found[-1] is None:
            raise DocumentsError(
                "shares over time need documents of two periods or more; give documents with dates, and "
                "name their column if need be (date=..., --date)"
            )
    if field is not None:
        no_groups = field == GROUP and corpus.groups is None
        found.append(None if no_groups else by_group(corpus.field(field).values))
        if found[-1] is None:
            option = "group" if field == GROUP else "keep"
            raise DocumentsError(
                f"shares by {field:.60} need documents of two groups or more; give documents with "
                f"groups, and name their column if need be ({option}=..., --{option})"
            )
    one, *other = [division for division in found if division is not None]
    last = other[0] if other else one
    if last.further:
        warn(
            f"only the {len(last.names):,} largest of {len(last.names) + last.further:,} groups are "
            "compared"
        )
    division = cross(one, other[0], _BETWEEN) if other else one
    if left := len(corpus) - len(np.unique(division.rows)):
        compared = " that is compared" if last.further else ""
        lacking = [f"no date that gives the {one.unit}"] if periods else []
        lacking += [] if field is None else [f"no {field}{compared}"]
        warn(
            f"left out: {left:,} of {plural(len(corpus), 'document')}, with {' or '.join(lacking)}"
        )
    return division

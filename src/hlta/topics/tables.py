"""Topics as tables: one row per topic, or per topic and part of the documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.cells import cell, line
from hlta.documents.corpus import check_corpus
from hlta.errors import DocumentsError, OptionError
from hlta.topics.divisions import Division, by_group, by_period, crossed, shares
from hlta.topics.memberships import topic_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.corpus import Corpus
    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree

COLUMNS: Final = {
    "id": str,
    "level": int,
    "parent": str,
    "title": str,
    "size": float,
    "documents": int,
    "stability": float,
    "contrast": float,
    "mark": str,
    "words": str,
    "word_stability": str,
}
"""The columns of `topics.csv`, and what is in them if it is known."""
_BETWEEN: Final = "\x00"  # a period and a group
_NORMAL: Final = 1.959964  # 95% of a normal distribution are within so many standard deviations


def topic_rows(topics: Iterable[Topic]) -> list[dict[str, Any]]:
    """One row per topic, parents first, with the columns of `topics.csv`."""
    return [
        {
            "id": topic.id,
            "level": topic.level,
            "parent": None if topic.parent is None else topic.parent.id,
            "title": topic.title,
            "size": topic.size,
            "documents": topic.documents,
            "stability": topic.stability,
            "contrast": topic.contrast,
            "mark": topic.mark,
            "words": " ".join(topic.words),
            "word_stability": _word_stability(topic),
        }
        for topic in topics
    ]


def _word_stability(topic: Topic) -> str | None:
    """The stability of each of its words, in their order, if it is known."""
    known = [keyword.stability for keyword in topic.keywords if keyword.stability is not None]
    return " ".join(f"{value:.2f}" for value in known) if len(known) == len(topic.words) else None


def topic_frame(topics: Iterable[Topic]) -> pl.DataFrame:
    """The same as a data frame."""
    import polars as pl

    types = {str: pl.String, int: pl.Int64, float: pl.Float64}
    schema = {name: types[kind] for name, kind in COLUMNS.items()}
    return pl.DataFrame(topic_rows(topics), schema=schema)


def topic_csv(topics: Iterable[Topic]) -> str:
    """The same as CSV: sizes with six digits, stability and contrast with four."""
    return csv_text(COLUMNS, topic_rows(topics), {"size": 6, "stability": 4, "contrast": 4})


def csv_text(
    columns: Iterable[str], rows: Iterable[Mapping[str, Any]], digits: Mapping[str, int]
) -> str:
    """Rows as CSV, with a fixed precision in some columns; None is empty, and no text is a formula."""
    names = list(columns)
    lines = [line(names)]
    for row in rows:
        rounded = {
            name: f"{row[name]:.{count}f}"
            for name, count in digits.items()
            if row[name] is not None
        }
        texts = {name: cell(value) for name, value in row.items() if isinstance(value, str)}
        cells = {**row, **texts, **rounded}
        lines.append(line("" if cells[name] is None else str(cells[name]) for name in names))
    return "".join(lines)


def pandas_frame(columns: Iterable[str], rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows as a pandas data frame."""
    try:
        import pandas as pd
    except ImportError:
        raise OptionError("to_pandas needs pandas; install it with pip install pandas") from None
    return pd.DataFrame(rows, columns=list(columns))


def membership_frame(
    topics: Sequence[Topic], documents: Sequence[Any], memberships: csr_array
) -> pl.DataFrame:
    """One row per document and topic that it is on; `documents` are the names of the rows."""
    import polars as pl

    number = memberships.indices
    return pl.DataFrame(
        {
            "document": pl.Series(documents)[memberships.tocoo().row],
            "topic": pl.Series([topic.id for topic in topics], dtype=pl.String)[number],
            "title": pl.Series([topic.title for topic in topics], dtype=pl.String)[number],
            "level": pl.Series([topic.level for topic in topics], dtype=pl.Int64)[number],
            "probability": memberships.data,
        }
    )


def share_frame(
    tree: LatentTree,
    topics: list[Topic],
    corpus: Corpus,
    *,
    periods: bool,
    groups: bool,
    unit: str | None = None,
    n_jobs: int | None = None,
) -> pl.DataFrame:
    """Topics over time, by group, or both: one row per part and topic.

    The interval is Wilson's, 95%, for a share of the documents of the part.
    """
    import polars as pl

    check_corpus(corpus)
    division = _division(corpus, periods=periods, groups=groups, unit=unit)
    nodes = topic_nodes(tree, topics)
    (values,) = shares(tree, nodes, corpus.aligned(tree.words), [division], n_jobs=n_jobs)
    parts = np.flatnonzero(division.counts)
    share, counts = values[parts], division.counts[parts]
    low, high = wilson(share, counts[:, None])
    labels = [division.names[part] for part in parts.tolist()]
    split = [name.split(_BETWEEN, 1) for name in labels]
    columns = [*(["period"] if periods else []), *(["group"] if groups else [])]
    per_part = {name: [one[k] for one in split] for k, name in enumerate(columns)}
    n = len(topics)
    return pl.DataFrame(
        {
            **{
                name: np.repeat(np.array(column, dtype=object), n)
                for name, column in per_part.items()
            },
            "topic": [topic.id for topic in topics] * len(parts),
            "title": [topic.title for topic in topics] * len(parts),
            "share": share.ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
            "documents": np.repeat(counts, n),
        },
        schema_overrides=dict.fromkeys(columns, pl.String),
    )


def _division(corpus: Corpus, *, periods: bool, groups: bool, unit: str | None) -> Division:
    found = []
    if periods:
        found.append(by_period(corpus.dates, unit))
        if found[-1] is None:
            raise DocumentsError(
                "shares over time need documents of two periods or more; give documents with dates, and "
                "name their column if need be (date=..., --date)"
            )
    if groups:
        found.append(by_group(corpus.groups))
        if found[-1] is None:
            raise DocumentsError(
                "shares by group need documents of two groups or more; give documents with groups, and "
                "name their column if need be (group=..., --group)"
            )
    one, *other = [division for division in found if division is not None]
    return crossed(one, other[0], _BETWEEN) if other else one


def wilson(
    share: NDArray[np.float64], count: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The interval that holds the true share in 95 of 100 samples of `count` documents.

    It is Wilson's interval, which is meant for documents that are on a topic or not; for
    probabilities in between it is wider than need be.
    """
    z = _NORMAL**2 / count
    centre = (share + z / 2.0) / (1.0 + z)
    half = np.sqrt(np.maximum(share * (1.0 - share) * z + z**2 / 4.0, 0.0)) / (1.0 + z)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)

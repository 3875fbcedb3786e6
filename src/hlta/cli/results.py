"""What `hlta fit` leaves: the files of its folder."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Final

from hlta._support.files import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scipy.sparse import csr_array

    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA

LEAST: Final = 0.5
_AT_ONCE: Final = 10_000


def write_topics(path: Path, model: HLTA) -> None:
    """A row a topic, parents first."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["id", "level", "parent", "size", "words"])
        for topic in model.topics_:
            parent = topic.parent.id if topic.parent else ""
            words = " ".join(topic.words)
            table.writerow([topic.id, topic.level, parent, f"{topic.size:.6f}", words])


def memberships(model: HLTA, corpus: Corpus, least: float = LEAST) -> Iterator[str]:
    """Rows of document, topic, level and probability, some thousand documents at a time."""
    import polars as pl

    yield "document,topic,level,probability\n"
    topics = list(model.topics_)
    names = pl.Series([topic.id for topic in topics])
    levels = pl.Series([topic.level for topic in topics])
    for documents, found in _assigned(model, corpus, least):
        rows = pl.DataFrame(
            {
                "document": pl.Series(documents)[found.tocoo().row],
                "topic": names[found.indices],
                "level": levels[found.indices],
                "probability": found.data,
            }
        )
        yield rows.write_csv(include_header=False, float_precision=4)


def write_memberships(path: Path, model: HLTA, corpus: Corpus, least: float = LEAST) -> None:
    """The same as a file, which is complete or not there."""
    with replacing(path) as file:
        for part in memberships(model, corpus, least):
            file.write(part.encode("utf-8", "surrogatepass"))


def json_memberships(model: HLTA, corpus: Corpus, least: float = LEAST) -> Iterator[str]:
    """A JSON object a document, with its topics."""
    topics = [(topic.id, topic.level) for topic in model.topics_]
    for documents, found in _assigned(model, corpus, least):
        for document, begin, end in zip(
            documents, found.indptr[:-1], found.indptr[1:], strict=True
        ):
            entries = [
                {"topic": topics[t][0], "level": topics[t][1], "probability": round(p, 4)}
                for t, p in zip(
                    found.indices[begin:end].tolist(), found.data[begin:end].tolist(), strict=True
                )
            ]
            yield json.dumps({"document": document, "topics": entries}, ensure_ascii=False) + "\n"


def _assigned(model: HLTA, corpus: Corpus, least: float) -> Iterator[tuple[list[str], csr_array]]:
    """Ids of some documents at a time, and what topics they are on."""
    import numpy as np

    for begin in range(0, len(corpus), _AT_ONCE):
        end = min(begin + _AT_ONCE, len(corpus))
        rows = range(begin, end)
        ids = [str(row + 1) for row in rows] if corpus.ids is None else corpus.ids[begin:end]
        ids = [name.encode("utf-8", "replace").decode() for name in ids]
        yield ids, model.assign(corpus.take(np.arange(begin, end)), least=least)

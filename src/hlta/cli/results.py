"""What `hlta fit` leaves: the files of its folder."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from hlta.files import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hlta.corpus.corpus import Corpus
    from hlta.estimator import HLTA

LEAST: Final = 0.5
_AT_ONCE: Final = 10_000


def write_topics(path: Path, model: HLTA) -> None:
    """A row a topic, parents first."""
    rows = [["id", "level", "parent", "size", "words"]]
    for topic in model.topics_:
        parent = topic.parent.id if topic.parent else ""
        words = " ".join(topic.words)
        rows.append([topic.id, str(topic.level), parent, f"{topic.size:.6f}", words])
    path.write_text(_csv(rows), encoding="utf-8")


def memberships(model: HLTA, corpus: Corpus, least: float = LEAST) -> Iterator[str]:
    """Rows of document, topic, level and probability, some thousand documents at a time."""
    yield _csv([["document", "topic", "level", "probability"]])
    for document, topic, level, p in _memberships(model, corpus, least):
        yield _csv([[document, topic, level, p]])


def write_memberships(path: Path, model: HLTA, corpus: Corpus, least: float = LEAST) -> None:
    """The same as a file, which is complete or not there."""
    with replacing(path) as file:
        for part in memberships(model, corpus, least):
            file.write(part.encode("utf-8", "surrogatepass"))


def json_memberships(model: HLTA, corpus: Corpus, least: float = LEAST) -> Iterator[str]:
    """A JSON object a document, with its topics."""
    for document, found in _by_document(model, corpus, least):
        topics = [{"topic": t, "level": level, "probability": p} for t, level, p in found]
        yield json.dumps({"document": document, "topics": topics}, ensure_ascii=False) + "\n"


def _memberships(
    model: HLTA, corpus: Corpus, least: float
) -> Iterator[tuple[str, str, int, float]]:
    for document, found in _by_document(model, corpus, least):
        for topic, level, p in found:
            yield document, topic, level, p


def _by_document(
    model: HLTA, corpus: Corpus, least: float
) -> Iterator[tuple[str, list[tuple[str, int, float]]]]:
    import numpy as np

    topics = [(topic.id, topic.level) for topic in model.topics_]
    for begin in range(0, len(corpus), _AT_ONCE):
        rows = range(begin, min(begin + _AT_ONCE, len(corpus)))
        found = model.assign(corpus.take(np.arange(rows.start, rows.stop)), least=least)
        for k, document in enumerate(rows):
            name = corpus.ids[document] if corpus.ids is not None else str(document + 1)
            entries = slice(found.indptr[k], found.indptr[k + 1])
            yield (
                name,
                [
                    (*topics[t], round(p, 4))
                    for t, p in zip(
                        found.indices[entries].tolist(), found.data[entries].tolist(), strict=True
                    )
                ],
            )


def _csv(rows: list[list[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()

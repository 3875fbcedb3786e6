"""What is computed once from a model and documents, and kept for `hlta serve` and `hlta mcp`."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import digest_of
from hlta._support.version import __version__
from hlta.documents.dates import iso_date
from hlta.documents.strings import Strings
from hlta.explorer.container import pack
from hlta.explorer.page_data import about_documents, about_topics
from hlta.explorer.page_documents import listed, select_page_documents
from hlta.explorer.serve.store import Kept
from hlta.tree.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.monitor import Monitor
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

    Arrays = dict[str, NDArray[Any]]

_VERSION: Final = 10  # of what is kept: files of other versions are made again


def key_of(tree: LatentTree, topics: TopicTree, corpus: Corpus, most: int | None) -> str:
    """A digest that identifies a model, its titles and a corpus; `most` documents are on the page."""
    arrays: Arrays = {"indptr": corpus.documents.indptr, "indices": corpus.documents.indices}
    if corpus.documents.vectors is not None:
        arrays["vectors"] = corpus.documents.vectors
    if topics.counts is not None and topics.counts.vectors is not None:
        arrays["topics"] = topics.counts.vectors.own
    compared = {f"field {name}": values for _, name, values in corpus.all_fields}
    if corpus.dates is not None:
        compared["dates"] = corpus.dates
    for name, values in compared.items():
        arrays |= {name: values.data, f"{name}.ends": values.ends}
    digest = blake2b(f"{_VERSION} {__version__} {most} {fingerprint(tree)} ".encode())
    for text in (topics.to_json(), "\n".join(corpus.words)):
        digest.update(text.encode("utf-8", "surrogatepass"))
    digest.update(corpus.digest_of_texts + digest_of(arrays))
    return digest.hexdigest()[:32]


def make(
    tree: LatentTree, topics: TopicTree, corpus: Corpus, most: int | None, monitor: Monitor
) -> Kept:
    """The blocks of the page, and the arrays of an `Archive`."""
    with monitor.stage("finding the topics of all documents"):
        selected = select_page_documents(tree, topics, corpus, most)
        members = listed(selected.shares).tocsc()
        members.sort_indices()
    with monitor.stage("drawing up the page"):
        of_page = about_documents(selected, None, None)
        of_topics = about_topics(tree, topics, selected)
        blocks = {"topics": pack(*of_topics), "documents": pack(*of_page)}
    with monitor.stage("ordering documents"):
        first = corpus.day_first
        dates = None if corpus.dates is None else (iso_date(day, first) for day in corpus.dates)
        arrays: Arrays = {
            "map.rows": selected.shown,
            "map.x": of_page.arrays["map.x"],
            "map.y": of_page.arrays["map.y"],
            "members.start": members.indptr.astype(np.int64),
            "members": members.indices.astype(np.int32),
            "members.share": members.data,
            **_number_strings("dates", dates, len(corpus)),
        }
        for field in corpus.all_fields:
            arrays |= _number_strings(f"field.{field.key}", field.values, len(corpus))
    return Kept(blocks, arrays)


def _number_strings(name: str, values: Iterable[str] | None, count: int) -> Arrays:
    """The distinct strings, ascending, and the place of each document's in them."""
    every = [""] * count if values is None else list(values)
    distinct = sorted(set(every))
    number = {value: k for k, value in enumerate(distinct)}
    numbers = np.fromiter((number[value] for value in every), dtype=np.uint32, count=count)
    found = Strings.of(distinct)
    return {name: found.data, f"{name}.ends": found.ends, f"{name}.number": numbers}

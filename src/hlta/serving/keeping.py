"""What is computed once so that documents are found quickly, in a folder beside the model.

The folder holds plain arrays, mapped into memory when it is read, and the blocks of the page. It goes
with one model and one corpus; for any other, or if it is damaged, it is made again.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.formats import SERVED
from hlta._support.version import __version__
from hlta._support.writing import replacing, replacing_folder, write_text
from hlta.documents.dates import iso_date
from hlta.documents.strings import Strings
from hlta.explorer.container import pack
from hlta.explorer.page_data import (
    MAIN,
    about_documents,
    about_topics,
    decoded,
    select_page_documents,
)
from hlta.options import IN_PART
from hlta.serving.postings import by_word
from hlta.serving.text_index import index_texts
from hlta.tree.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

_FORMAT: Final = "hlta-served"
_VERSION: Final = 3
_BASE64: Final = np.frombuffer(f"{ascii_letters}{digits}+/=".encode(), dtype=np.uint8)
Arrays = dict[str, "NDArray[Any]"]


def key_of(tree: LatentTree, topics: TopicTree, corpus: Corpus, most: int | None) -> str:
    """What tells a model, its titles and a corpus from any others; `most` documents are on the page."""
    digest = blake2b(f"{_VERSION} {__version__} {most} {fingerprint(tree)} ".encode())
    digest.update(topics.to_json().encode("utf-8", "surrogatepass"))
    digest.update("\n".join(corpus.words).encode("utf-8", "surrogatepass"))
    arrays: Arrays = {"indptr": corpus.documents.indptr, "indices": corpus.documents.indices}
    for name, values in corpus.metadata.items():
        arrays |= {name: values.data, f"{name}.ends": values.ends}
    for name, array in arrays.items():
        digest.update(f" {name} {len(array)} ".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:32]


def make(
    tree: LatentTree,
    topics: TopicTree,
    corpus: Corpus,
    most: int | None,
    monitor: Monitor,
) -> Arrays:
    """All arrays of an `Archive`; and `page.topics` and `page.documents`, the blocks of the page."""
    with monitor.stage("finding the topics of all documents"):
        selected = select_page_documents(tree, topics, corpus, most)
    with monitor.stage("drawing up the page"):
        of_topics = about_topics(tree, topics, selected)
        of_page = about_documents(selected, None, None)
        arrays: Arrays = {
            "page.topics": _bytes(pack(*of_topics)),
            "page.documents": _bytes(pack(*of_page)),
            "map.rows": selected.shown,
            "map.x": of_page.arrays["map.x"],
            "map.y": of_page.arrays["map.y"],
        }
    with monitor.stage("ordering documents"):
        arrays |= _of_documents(selected.documents) | _of_topics(selected.shares)
        first = corpus.day_first
        dates = None if corpus.dates is None else (iso_date(day, first) for day in corpus.dates)
        arrays |= _numbered("dates", dates, len(corpus))
        arrays |= _numbered("groups", corpus.groups, len(corpus))
    return arrays | index_texts(corpus, monitor)


def write(folder: Path, key: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a folder, which is replaced as a whole or not at all."""
    about = {name: [array.dtype.str, len(array)] for name, array in arrays.items()}
    header = {"format": _FORMAT, "version": _VERSION, "key": key, "arrays": about}
    with replacing_folder(folder, overwrite=True) as new:
        write_text(new / SERVED, json.dumps(header, indent=1))
        for name, array in arrays.items():
            with replacing(new / f"served.{name}.npy") as file:
                np.save(file, np.ascontiguousarray(array), allow_pickle=False)


def read(folder: Path, key: str) -> Arrays | None:
    """The arrays in a folder, mapped; None if they are of something else, damaged, or not there."""
    try:
        header = json.loads((folder / SERVED).read_text(encoding="utf-8"))
        if (header["format"], header["version"], header["key"]) != (_FORMAT, _VERSION, key):
            return None
        arrays = {}
        for name, (dtype, length) in header["arrays"].items():
            array = np.lib.format.open_memmap(folder / f"served.{name}.npy", mode="r")
            if (array.dtype.str, array.shape) != (dtype, (length,)):
                return None
            arrays[name] = array.view(np.ndarray)
            if name.startswith("page.") and not np.isin(arrays[name], _BASE64).all():
                return None  # it would stand in the page as it is
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return arrays


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode("ascii"), dtype=np.uint8)


def _of_documents(documents: Documents) -> Arrays:
    """The words of each document, and the documents with each word."""
    having, sections = by_word(documents), documents.sections
    of_sections: Arrays = {}
    if sections is not None:
        of_sections = {
            "sections.start": sections.starts,
            "sections.words.start": sections.documents.indptr,
            "sections.words": sections.documents.indices,
        }
    return of_sections | {
        "words.start": documents.indptr,
        "words": documents.indices,
        "having.start": having.starts,
        "having": having.documents,
    }


def _of_topics(codes: csr_array) -> Arrays:
    """The documents of each topic with its shares in them, those on it, and those that it is main for."""
    members = codes.tocsc()
    members.sort_indices()
    found: Arrays = {
        "topics.start": members.indptr.astype(np.int64),
        "topics": members.indices.astype(np.uint32),
        "topics.share": members.data,
    }
    chosen = {"on": decoded(members.data) >= IN_PART, "main": members.data >= MAIN}
    for name, some in chosen.items():
        places = np.flatnonzero(some)
        found[f"{name}.start"] = np.searchsorted(places, members.indptr)
        found[name] = members.indices[places].astype(np.uint32)
    return found


def _numbered(name: str, values: Iterable[str] | None, count: int) -> Arrays:
    """The distinct strings, ascending, and the number of each document's."""
    every = [""] * count if values is None else list(values)
    distinct = sorted(set(every))
    number = {value: k for k, value in enumerate(distinct)}
    numbers = np.fromiter((number[value] for value in every), dtype=np.uint32, count=count)
    found = Strings.of(distinct)
    return {name: found.data, f"{name}.ends": found.ends, f"{name}.number": numbers}

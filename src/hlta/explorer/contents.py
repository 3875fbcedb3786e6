"""What the page tells: topics and the model they come from, and documents."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import numpy as np
from scipy.sparse import csr_array

from hlta.documents.strings import beginning
from hlta.explorer.container import steps, strings
from hlta.topics.narrow import narrow_topics
from hlta.topics.related import (
    pair_information,
    related_topics,
    together_in_documents,
    together_in_model,
)
from hlta.topics.shares import by_group, by_period, shares
from hlta.topics.topic_tree import LABEL_WORDS
from hlta.tree.posteriors import likely_posteriors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.topics.topic_tree import Topic, TopicTree
    from hlta.tree.latent_tree import LatentTree

    Part = tuple[dict[str, Any], dict[str, NDArray[Any]]]

MOST_DOCUMENTS: Final = 20_000
"""Documents that a page holds; of more it holds a sample."""
MOST_ENTRIES: Final = 3_000_000
"""Words of documents, and their topics, that it holds: fewer documents if they have more."""
LEAST: Final = 0.1
"""Documents on a topic with less are not listed under it."""
_OF_EACH_TOPIC: Final = 20  # its likeliest documents are in every sample
_CHARACTERS: Final = 14_000_000  # of texts, together
_LEAST_CHARACTERS: Final = 200
_RELATED: Final = 6
_FOR_RELATED: Final = 50_000  # documents that tell well enough which topics are related
_CHANCE: Final = 10.83  # chi-square with one degree of freedom exceeds it once in a thousand times
_PRECISION: Final = 6
# Log-odds from -4 to 40 in 16 bits: P(topic | document) to 0.0002, and the order far beyond 0.999.
_LOWEST_ODDS: Final = -4.0
_ODDS_STEP: Final = 44.0 / 65535


@dataclass(frozen=True, eq=False)
class Read:
    """The documents of a page: all that count, and those of them that are shown.

    corpus      as it was given
    documents   all of it, columns in the order of the model's words
    shown       which of them the page holds, ascending
    memberships P(topic | document) above `LEAST` of all of them, documents by topics
    """

    corpus: Corpus
    documents: Documents
    shown: NDArray[np.int64]
    memberships: csr_array


def read_documents(
    tree: LatentTree, topics: Sequence[Topic], corpus: Corpus, most: int | None, n_jobs: int | None
) -> Read:
    """Who is on what, and whom the page shows: `most` of them, or as many as make no large page."""
    documents = corpus.aligned(tree.words)
    column = np.full(tree.n_latents, -1)
    column[_latents(tree, topics) - tree.n_words] = np.arange(len(topics))
    indptr, latents, values = likely_posteriors(tree, documents, LEAST, n_jobs=n_jobs)
    found = column[latents]
    kept = found >= 0
    before = np.concatenate(([0], np.cumsum(kept)))
    members = csr_array(
        (values[kept], found[kept], before[indptr]), shape=(len(documents), len(topics))
    )
    if most is None:
        entries = (len(documents.indices) + members.nnz) / max(1, len(documents))
        most = min(MOST_DOCUMENTS, max(1, int(MOST_ENTRIES / max(1.0, entries))))
    return Read(corpus, documents, sample(members, most), members)


def sample(memberships: csr_array, most: int) -> NDArray[np.int64]:
    """All documents, or the likeliest of each topic and others drawn at random."""
    total, topics = memberships.shape
    if total <= most:
        return np.arange(total)
    each = min(_OF_EACH_TOPIC, most // (2 * topics))
    by_topic = memberships.tocsc()
    chosen = np.zeros(total, dtype=bool)
    for begin, end in zip(by_topic.indptr[:-1], by_topic.indptr[1:], strict=True):
        best = np.argsort(-by_topic.data[begin:end], kind="stable")[:each]
        chosen[by_topic.indices[begin:end][best]] = True
    others = np.flatnonzero(~chosen)
    drawn = np.random.default_rng(0).choice(others, most - int(chosen.sum()), replace=False)
    chosen[drawn] = True
    return np.flatnonzero(chosen)


# ---- topics --------------------------------------------------------------------------------------


def about_topics(
    tree: LatentTree, topics: TopicTree, read: Read | None, n_jobs: int | None
) -> Part:
    """The topics, the whole model, and how they do over time and by group."""
    every = list(topics)
    place = {topic.id: number for number, topic in enumerate(every)}
    parent = [-1 if topic.parent is None else place[topic.parent.id] for topic in every]
    latents = _latents(tree, every)
    if read is None:
        both, chance = together_in_model(tree, latents), 0.0
    else:
        some = read.memberships[:: max(1, -(-len(read.documents) // _FOR_RELATED))]
        both, chance = together_in_documents(some), _CHANCE / (2 * some.shape[0])
    related = related_topics(both, parent, _RELATED, least=chance)
    narrow = None
    if read is not None:
        narrow = narrow_topics(tree, topics, read.documents).sizes
    number = {word: k for k, word in enumerate(tree.words)}
    entries = [
        {
            "id": topic.id,
            "level": topic.level,
            "parent": up,
            "node": int(node),
            "size": _short(topic.size),
            "narrow": None if narrow is None else _short(narrow[k]),
            "label": topic.label_words(LABEL_WORDS),
            "words": [
                [number[w.word], *map(_short, (w.p_topic, w.p_background, w.mutual_information))]
                for w in topic.keywords
            ],
            "related": [[other, _short(shared)] for other, shared in related[k]],
        }
        for k, (topic, up, node) in enumerate(zip(every, parent, latents, strict=True))
    ]
    header: dict[str, Any] = {
        "words": list(tree.words),
        "topics": entries,
        "links": [[a, b, _short(shared)] for a, b, shared in _links(tree, latents)],
    }
    arrays: dict[str, NDArray[Any]] = {
        "parent": tree.parent,
        "probability": tree.probability.ravel(),
    }
    if read is not None:
        more, shared = _divided(tree, read, latents, n_jobs)
        header |= more
        arrays |= shared
    return header, arrays


def _latents(tree: LatentTree, topics: Sequence[Topic]) -> NDArray[np.intp]:
    node = {name: tree.n_words + k for k, name in enumerate(tree.latent_names)}
    return np.array([node[topic.id] for topic in topics])


def _links(tree: LatentTree, latents: NDArray[np.intp]) -> list[tuple[int, int, float]]:
    """The edges of the model among the topics, and the information that the two share, in nats."""
    place = {int(node): k for k, node in enumerate(latents)}
    found = []
    for child, k in place.items():
        up = place.get(int(tree.parent[child]))
        if up is not None:
            p, q = tree.marginals[child], tree.marginals[latents[up]]
            on = tree.probability[child, 1] * q
            pair = np.array([[p, on], [on, q]])
            # The edge may tell of avoidance, too: then one of the two is turned round.
            turned = np.array([[1.0 - p, q - on], [q - on, q]])
            shared = max(pair_information(pair)[0, 1], pair_information(turned)[0, 1])
            found.append((up, k, float(shared)))
    return found


def _divided(tree: LatentTree, read: Read, latents: NDArray[np.intp], n_jobs: int | None) -> Part:
    """Shares of the topics over time and by group, as far as the corpus knows."""
    known = {"periods": by_period(read.corpus), "groups": by_group(read.corpus)}
    divisions = {name: division for name, division in known.items() if division is not None}
    found = shares(tree, read.documents, latents, list(divisions.values()), n_jobs=n_jobs)
    header = {
        name: {
            "unit": division.unit,
            "names": division.names,
            "documents": division.documents.tolist(),
        }
        for name, division in divisions.items()
    }
    arrays = {
        f"{name}.shares": values.astype(np.float32).ravel()
        for name, values in zip(divisions, found, strict=True)
    }
    return header, arrays


# ---- documents -----------------------------------------------------------------------------------


def about_documents(read: Read, source: str | PathLike[str] | None, page: Path | None) -> Part:
    """Words, titles, texts and topics of the documents that are shown."""
    shown, corpus = read.shown, read.corpus
    documents = read.documents.take(shown)
    starts = documents.indptr
    members = read.memberships[shown].tocsc()
    members.sort_indices()
    odds = np.log(members.data) - np.log1p(-np.minimum(members.data, 1.0 - 1e-16))
    arrays: dict[str, NDArray[Any]] = {
        "words.start": starts.astype(np.uint32),
        "words": steps(starts, documents.indices),
        "topics.start": members.indptr.astype(np.uint32),
        "topics": steps(members.indptr.astype(np.int64), members.indices),
        "topics.odds": np.clip(
            np.rint((odds - _LOWEST_ODDS) / _ODDS_STEP), 0, np.iinfo(np.uint16).max
        ).astype(np.uint16),
    }
    characters = max(_LEAST_CHARACTERS, _CHARACTERS // len(shown))
    for name, values in corpus.metadata.items():
        chosen = _taken(values, shown)
        if name == "texts":
            chosen = [beginning(text, characters) for text in chosen]
        arrays |= strings(name, chosen)
    links = _links_to_sources(corpus, shown, source, page)
    if any(links):
        arrays |= strings("links", links)
    header = {
        "documents": len(corpus),
        "odds": [_LOWEST_ODDS, _ODDS_STEP],
        "least": LEAST,
        "rows": None if len(shown) == len(corpus) else (shown + 1).tolist(),
    }
    return header, arrays


def _links_to_sources(
    corpus: Corpus, shown: NDArray[np.int64], source: str | PathLike[str] | None, page: Path | None
) -> list[str]:
    """Addresses of the documents: ids that are web addresses, and files below `source`."""
    if corpus.ids is None:
        return []
    folder = Path(source).resolve() if source is not None else None
    if folder is not None and not folder.is_dir():
        folder = None
    return [_link(name, folder, page) for name in _taken(corpus.ids, shown)]


def _taken(values: Sequence[str], shown: NDArray[np.int64]) -> list[str]:
    """Those that are shown: all are read at once if they are most of them."""
    if 4 * len(shown) < len(values):
        return [values[int(row)] for row in shown]
    every = list(values)
    return [every[row] for row in shown.tolist()]


def _link(name: str, folder: Path | None, page: Path | None) -> str:
    if name[:8].lower().startswith(("http://", "https://")):
        return name
    if folder is None or page is None or "\0" in name:
        return ""
    file = folder / name
    if Path(name).is_absolute() or not file.is_file():
        return ""
    relative = Path(os.path.relpath(file.resolve(), page.resolve().parent))
    return quote(relative.as_posix(), errors="replace")


def _short(value: float) -> float:
    return float(f"{value:.{_PRECISION}g}")

"""The two blocks of the page's data: its topics with the whole model, and its documents."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import numpy as np

from hlta.documents.dates import iso_date
from hlta.documents.strings import beginning
from hlta.explorer.container import Part, steps, strings
from hlta.explorer.layout.document_map import document_places
from hlta.explorer.layout.names import topic_places
from hlta.explorer.layout.square import in_square
from hlta.topics.divisions import (
    Division,
    by_group,
    by_period,
    shares,
    with_none,
)
from hlta.topics.memberships import (
    NARROW_WORDS,
    are_known,
    coverage_of,
    memberships,
    narrow_sizes,
    rows_at_once,
    topic_nodes,
    without_rows,
)
from hlta.topics.related import joint_in_documents, joint_in_model, linked_topics, related_topics
from hlta.topics.topic import LABEL_WORDS
from hlta.tree.fingerprint import fingerprint
from hlta.tree.parameters import latent_parents
from hlta.tree.reshaping import members, topic_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.topics.topic import Keyword
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

MOST_DOCUMENTS: Final = 20_000
"""A page shows a sample of larger corpora, unless told otherwise."""
MOST_ENTRIES: Final = 3_000_000
"""A page shows fewer documents if their words and topics together exceed this."""
LEAST_MEMBERSHIP: Final = 0.1
"""A topic lists the documents whose membership exceeds this."""
_OF_EACH_TOPIC: Final = 20  # its likeliest documents are in every sample
_CHARACTERS: Final = 14_000_000  # of all texts together
_LEAST_CHARACTERS: Final = 200  # of each text
# Log-odds from -4 to 60 in 16 bits, rounded down: P(topic | document) to 0.0003, and the order far
# beyond 0.999. No odds that are not on a topic are rounded to those that are, as 0 is a step.
LOWEST_ODDS: Final = -4.0
"""The log-odds that the page holds as 0."""
ODDS_STEP: Final = 1.0 / 1024
"""How much more each further number stands for."""
_RELATED: Final = 6
_FOR_RELATED: Final = 50_000  # documents that suffice to see which topics are related
_CHANCE: Final = 10.83  # chi-square with one degree of freedom exceeds it once in a thousand times
_PRECISION: Final = 6


@dataclass(frozen=True, eq=False)
class PageDocuments:
    """The documents of a page: all of them, and which ones it shows.

    Attributes
    ----------
    corpus : Corpus
        The corpus as it was given.
    documents : Documents
        All documents, columns in the order of the model's words.
    shown : int64 (shown,)
        The documents that the page shows, ascending.
    memberships : csr_array of float64 (documents, topics)
        P(topic | document) above `LEAST_MEMBERSHIP`, for all documents with words enough of the model.
    """

    corpus: Corpus
    documents: Documents
    shown: NDArray[np.int64]
    memberships: csr_array


def select_page_documents(
    tree: LatentTree, topics: TopicTree, corpus: Corpus, most: int | None, n_jobs: int | None
) -> PageDocuments:
    """Select the documents of the page: `most`, or if that is None as many as fit well."""
    documents = corpus.aligned(tree.words)
    members = memberships(tree, topics, documents, LEAST_MEMBERSHIP, n_jobs=n_jobs)
    known = are_known(documents, coverage_of(corpus, documents), topics.usual_coverage)
    members = without_rows(members, ~known)
    if most is None:
        most = documents_that_fit(len(documents), documents.n_presences + members.nnz)
    return PageDocuments(corpus, documents, sample(members, most), members)


def documents_that_fit(documents: int, entries: int) -> int:
    """How many documents make a page of moderate size, if all have this many words and topics."""
    per_document = entries / max(1, documents)
    return min(MOST_DOCUMENTS, max(1, int(MOST_ENTRIES / max(1.0, per_document))))


def sample(memberships: csr_array, most: int) -> NDArray[np.int64]:
    """All documents, or the most probable ones of each topic and others drawn at random."""
    total, topics = memberships.shape
    if total <= most:
        return np.arange(total)
    each = min(_OF_EACH_TOPIC, most // (2 * topics))
    best = [(np.empty(0), np.empty(0, dtype=np.int64))] * topics
    for first, last in rows_at_once(memberships):
        part = memberships[first:last].tocsc()
        for topic, (begin, end) in enumerate(pairwise(part.indptr.tolist())):
            values = np.concatenate((best[topic][0], part.data[begin:end]))
            rows = np.concatenate((best[topic][1], first + part.indices[begin:end]))
            order = np.argsort(-values, kind="stable")[:each]
            best[topic] = values[order], rows[order]
    chosen = np.zeros(total, dtype=bool)
    for _, rows in best:
        chosen[rows] = True
    others = np.flatnonzero(~chosen)
    drawn = np.random.default_rng(0).choice(others, most - int(chosen.sum()), replace=False)
    chosen[drawn] = True
    return np.flatnonzero(chosen)


def about_documents(
    selected: PageDocuments,
    source: str | PathLike[str] | None,
    page: Path | None,
    n_jobs: int | None = None,
) -> Part:
    """Words, titles, texts and topics of the documents that are shown, and their map."""
    by_document = selected.memberships[selected.shown]
    place = in_square(document_places(by_document, n_jobs))
    header, arrays = described(
        selected.corpus, selected.documents, selected.shown, by_document, source, page
    )
    header["places"] = topic_places(place, by_document)
    return Part(header, {**arrays, "map.x": place[:, 0], "map.y": place[:, 1]})


def described(
    corpus: Corpus,
    documents: Documents,
    rows: NDArray[np.int64],
    memberships: csr_array,
    source: str | PathLike[str] | None = None,
    page: Path | None = None,
) -> Part:
    """Words, titles, texts and topics of some documents; `memberships` are theirs alone."""
    words = documents.take(rows)
    members = memberships.tocsc()
    members.sort_indices()
    arrays: dict[str, NDArray[Any]] = {
        "words.start": words.indptr.astype(np.uint32),
        "words": steps(words.indptr, words.indices),
        "topics.start": members.indptr.astype(np.uint32),
        "topics": steps(members.indptr.astype(np.int64), members.indices),
        "topics.odds": coded_odds(members.data),
    }
    characters = max(_LEAST_CHARACTERS, _CHARACTERS // max(1, len(rows)))
    for name, values in corpus.metadata.items():
        chosen = _taken(values, rows)
        if name == "texts":
            chosen = [beginning(text, characters) for text in chosen]
        elif name == "dates":
            chosen = [iso_date(text, corpus.day_first) for text in chosen]
        arrays |= strings(name, chosen)
    if corpus.ids is not None:
        folder = None if source is None or not Path(source).is_dir() else Path(source).resolve()
        links = [_link(name, folder, page) for name in _taken(corpus.ids, rows)]
        arrays |= strings("links", links) if any(links) else {}
    every = np.array_equal(rows, np.arange(len(corpus)))
    header = {
        "documents": len(corpus),
        "odds": [LOWEST_ODDS, ODDS_STEP],
        "least": LEAST_MEMBERSHIP,
        "narrow_words": NARROW_WORDS,
        "rows": None if every else (rows + 1).tolist(),
    }
    return Part(header, arrays)


def coded_odds(probabilities: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Probabilities as the page holds them: steps of log-odds from the lowest, rounded down."""
    odds = np.log(probabilities) - np.log1p(-np.minimum(probabilities, 1.0 - 1e-16))
    steps_up = np.floor((odds - LOWEST_ODDS) / ODDS_STEP)
    coded: NDArray[np.uint16] = np.clip(steps_up, 0, np.iinfo(np.uint16).max).astype(np.uint16)
    return coded


def _link(name: str, folder: Path | None, page: Path | None) -> str:
    """The link to a document: an id that is a web address or, from the page, a file in the folder."""
    if name[:8].lower().startswith(("http://", "https://")):
        return name
    if folder is None or page is None or "\0" in name:
        return ""
    file = folder / name
    if Path(name).is_absolute() or not file.is_file():
        return ""
    relative = Path(os.path.relpath(file.resolve(), page.resolve().parent))
    return quote(relative.as_posix(), errors="replace")


def _taken(values: Sequence[str], shown: NDArray[np.int64]) -> list[str]:
    """The strings of the documents that are shown; it is faster to read all than many one by one."""
    if 4 * len(shown) < len(values):
        return [values[int(row)] for row in shown]
    every = list(values)
    return [every[row] for row in shown.tolist()]


def about_topics(
    tree: LatentTree, topics: TopicTree, selected: PageDocuments | None, n_jobs: int | None
) -> Part:
    """The topics, the whole model, and, with documents that have dates or groups, shares of those."""
    every = list(topics)
    place = {topic.id: number for number, topic in enumerate(every)}
    parent = [-1 if topic.parent is None else place[topic.parent.id] for topic in every]
    nodes = topic_nodes(tree, every)
    if selected is None:
        narrow = None
        joint, chance = joint_in_model(tree, nodes), 0.0
    else:
        narrow = narrow_sizes(tree, every, selected.documents)
        some = selected.memberships[:: max(1, -(-len(selected.documents) // _FOR_RELATED))]
        joint, chance = joint_in_documents(some), _CHANCE / (2 * some.shape[0])
    related = related_topics(joint, parent, _RELATED, least=chance)
    number = {word: k for k, word in enumerate(tree.words)}

    def rows(keywords: Iterable[Keyword]) -> list[list[float]]:
        return [
            [number[w.word], *map(_short, (w.p_topic, w.p_background, w.mutual_information))]
            for w in keywords
        ]

    entries = [
        {
            "id": topic.id,
            "level": topic.level,
            "parent": up,
            "node": int(node),
            "size": _short(topic.size),
            "documents": topic.documents,
            "stability": None if topic.stability is None else _short(topic.stability),
            "contrast": None if topic.contrast is None else _short(topic.contrast),
            "weak": topic.is_weak,
            "style": topic.is_style,
            "vague": topic.is_vague,
            "pinned": topic.pinned,
            "note": topic.note,
            "members": len(members(tree, int(node))),
            "narrow": None if narrow is None else _short(narrow[k]),
            "title": topic.title,
            "label": topic.label_words(LABEL_WORDS),
            "words": rows(topic.keywords),
            "sure": [
                None if word.stability is None else _short(word.stability)
                for word in topic.keywords
            ],
            "facets": [
                {"size": _short(facet.size), "words": rows(facet.keywords)}
                for facet in topic.facets
            ],
            "related": [[other, _short(shared)] for other, shared in related[k]],
        }
        for k, (topic, up, node) in enumerate(zip(every, parent, nodes, strict=True))
    ]
    header: dict[str, Any] = {
        "words": list(tree.words),
        "topics": entries,
        "log": topics.log or {"model": fingerprint(tree), "edits": []},
        "cut": any(
            topic.parent is None and topic_above(tree, int(node)) >= 0
            for topic, node in zip(every, nodes, strict=True)
        ),
        "links": [[up, k, _short(shared)] for up, k, shared in linked_topics(tree, nodes)],
    }
    arrays: dict[str, NDArray[Any]] = {"parent": tree.parent, **model_arrays(tree)}
    if selected is not None:
        corpus, documents = selected.corpus, selected.documents
        divisions = _divisions(corpus)
        values = shares(tree, nodes, documents, list(divisions.values()), n_jobs=n_jobs)
        for (name, division), part in zip(divisions.items(), values, strict=True):
            counts = division.counts.tolist()
            header[name] = {"unit": division.unit, "names": division.names, "documents": counts}
            arrays[f"{name}.shares"] = part.astype(np.float32).ravel()
        if "groups" in divisions:
            known = set(filter(None, corpus.groups or ()))
            header["groups"]["further"] = len(known.difference(divisions["groups"].names))
    return Part(header, arrays)


def _divisions(corpus: Corpus) -> dict[str, Division]:
    """The periods and groups of the documents, as far as they have some."""
    found = {"periods": by_period(corpus.dates), "groups": by_group(corpus.groups)}
    divisions = {name: division for name, division in found.items() if division is not None}
    if "groups" in divisions:
        divisions["groups"] = with_none(divisions["groups"], corpus.groups or ())
    return divisions


def model_arrays(tree: LatentTree) -> dict[str, NDArray[Any]]:
    """The model's parameters as odds, without padding.

    Odds against state 0 leave out one probability of each row, and keep both those near 0 and those
    near 1; dividing by their sum gives the probabilities back.

    Returns
    -------
    dict
        `states`, how many each latent variable has; `background`, how many of them, the first ones,
        are its background; `word`, P(present | parent = j) / P(absent | parent = j), word by word;
        and `latent`, P(k | parent = j) / P(0 | parent = j) for k from 1, the rows of one latent
        variable after those of another. The root has one row.
    """
    states, word, latent, background = tree.parameters
    has_state, n = tree.parameters.has_state, tree.n_words
    above = latent_parents(tree.parent, n)
    present = word[has_state[above[:n]]]
    exists = has_state[above[n:], :, None] & has_state[:, None, 1:]
    exists[tree.root - n, 1:] = False
    of_state_0 = np.broadcast_to(latent[:, :, :1], exists.shape)[exists]
    return {
        "states": states.astype(np.uint8),
        "background": background.astype(np.uint8),
        "word": present / (1.0 - present),
        "latent": latent[:, :, 1:][exists] / of_state_0,
    }


def _short(value: float) -> float:
    return float(f"{value:.{_PRECISION}g}")

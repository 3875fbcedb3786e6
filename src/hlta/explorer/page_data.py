"""The two blocks of the page's data: its topics with the whole model, and its documents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import numpy as np
from scipy.sparse import csr_array, vstack

from hlta.documents.dates import iso_date
from hlta.documents.strings import beginning
from hlta.explorer.container import Part, steps, strings
from hlta.explorer.layout.document_map import document_places, in_square
from hlta.explorer.layout.names import topic_places
from hlta.explorer.page_documents import MAIN, as_shares, listed
from hlta.options import IN_PART, LISTED
from hlta.topics.nodes import topic_nodes
from hlta.topics.related import joint_in_documents, joint_in_model, linked_topics, related_topics
from hlta.topics.topic import LABEL_WORDS
from hlta.tree.fingerprint import fingerprint
from hlta.tree.reshaping import members, topic_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from hlta._support.arrays import Ints
    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.explorer.page_documents import PageDocuments
    from hlta.topics.shares import Sharing
    from hlta.topics.topic import Keyword
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

MOST_TEXT: Final = 60_000_000
"""If the texts of a page exceed this many bytes in all, about 30 MB of the file, the longest are cut."""
ZERO: Final = 128
"""What is added to `Sharing.codes`, so that the page can hold them as unsigned bytes."""
_RELATED: Final = 6
_FOR_RELATED: Final = 50_000  # documents that suffice to see which topics are related
_CHANCE: Final = 10.83  # chi-square with one degree of freedom exceeds it once in a thousand times
_PRECISION: Final = 6


def about_documents(
    selected: PageDocuments, source: str | PathLike[str] | None, page: Path | None
) -> Part:
    """Words, titles, texts and topics of the documents that are shown, and their map."""
    codes = selected.shares[selected.shown]
    place = in_square(document_places(as_shares(codes)))
    codes = listed(codes)
    header, arrays = describe_documents(
        selected.corpus, selected.documents, selected.shown, codes, source, page
    )
    arrays |= vectors_of(selected.sharing, selected.documents.take(selected.shown))
    header["places"] = topic_places(place, as_shares(codes))
    return Part(header, {**arrays, "map.x": place[:, 0], "map.y": place[:, 1]})


def describe_documents(
    corpus: Corpus,
    documents: Documents,
    rows: Ints,
    codes: csr_array,
    source: str | PathLike[str] | None = None,
    page: Path | None = None,
) -> Part:
    """Words, titles, texts and topics of the documents in `rows`; `codes` are their coded shares."""
    words = documents.take(rows)
    members = codes.tocsc()
    members.sort_indices()
    arrays: dict[str, NDArray[Any]] = {
        "words.start": words.indptr.astype(np.uint32),
        "words": steps(words.indptr, words.indices),
        "topics.start": members.indptr.astype(np.uint32),
        "topics": steps(members.indptr.astype(np.int64), members.indices),
        "topics.share": members.data.astype(np.uint16),
    }
    if words.sections is not None:
        within = words.units
        arrays |= {
            "sections.start": words.sections.starts.astype(np.uint32),
            "sections.words.start": within.indptr.astype(np.uint32),
            "sections.words": steps(within.indptr, within.indices),
        }
    for k, field in enumerate(corpus.all_fields):
        arrays |= strings(f"fields.{k}", _take_strings(field.values, rows))
    for name, values in corpus.metadata.items():
        if name == "groups":
            continue
        chosen = _take_strings(values, rows)
        if name == "texts":
            chosen, cut = cut_longest(chosen)
            arrays |= {"cut": cut.astype(np.uint32)} if len(cut) else {}
        elif name == "dates":
            chosen = [iso_date(text, corpus.day_first) for text in chosen]
        arrays |= strings(name, chosen)
    if corpus.ids is not None:
        folder = None if source is None or not Path(source).is_dir() else Path(source).resolve()
        links = [_link(name, folder, page) for name in _take_strings(corpus.ids, rows)]
        arrays |= strings("links", links) if any(links) else {}
    every = np.array_equal(rows, np.arange(len(corpus)))
    numbers = None if every else (rows + 1).tolist()
    fields = [{"key": field.key, "name": field.name} for field in corpus.all_fields]
    header = {"documents": len(corpus), "least": LISTED, "rows": numbers, "fields": fields}
    return Part(header, arrays)


def vectors_of(sharing: Sharing, documents: Documents) -> dict[str, NDArray[Any]]:
    """P(topic | vector) of documents, if they have vectors: a sparse matrix, with documents as rows."""
    parts = [
        csr_array(codes)
        for _, part in sharing.chunks(documents)
        if (codes := sharing.vector_codes(part)) is not None
    ]
    if not parts:
        return {}
    codes = csr_array(vstack(parts, format="csr"))
    return {
        "vectors.start": codes.indptr.astype(np.uint32),
        "vectors": steps(codes.indptr.astype(np.int64), codes.indices),
        "vectors.code": codes.data,
    }


def cut_longest(texts: list[str]) -> tuple[list[str], Ints]:
    """The texts, the longest cut to one length if all together exceed `MOST_TEXT`, and which are cut."""
    sizes = np.array([len(text.encode("utf-8", "replace")) for text in texts], dtype=np.int64)
    if sizes.sum() <= MOST_TEXT:
        return texts, np.zeros(0, dtype=np.int64)
    ordered = np.sort(sizes)
    left = MOST_TEXT - np.cumsum(ordered) + ordered  # if all shorter ones are whole
    lengths = left // np.arange(len(texts), 0, -1)
    length = int(lengths[np.argmax(lengths < ordered)])
    cut = np.flatnonzero(sizes > length)
    found = texts.copy()
    for row in cut.tolist():
        held = texts[row].encode("utf-8", "replace")[:length].decode("utf-8", "ignore")
        found[row] = beginning(texts[row], len(held))
    return found, cut


def _link(name: str, folder: Path | None, page: Path | None) -> str:
    """The link to a document: its id, if it is a web address, or a file in the folder; "" if neither."""
    if name[:8].lower().startswith(("http://", "https://")):
        return name
    if folder is None or page is None or "\0" in name:
        return ""
    file = folder / name
    if Path(name).is_absolute() or not file.is_file():
        return ""
    relative = Path(os.path.relpath(file.resolve(), page.resolve().parent))
    return quote(relative.as_posix(), errors="replace")


def _take_strings(values: Sequence[str], shown: Ints) -> list[str]:
    """The strings of the documents that are shown; reading all is faster than reading many one by one."""
    if 4 * len(shown) < len(values):
        return [values[int(row)] for row in shown]
    every = list(values)
    return [every[row] for row in shown.tolist()]


def about_topics(tree: LatentTree, topics: TopicTree, selected: PageDocuments | None) -> Part:
    """The topics, the whole model, and the shares of topics in the parts of the `selected` documents."""
    every = list(topics)
    place = {topic.id: number for number, topic in enumerate(every)}
    parent = [-1 if topic.parent is None else place[topic.parent.id] for topic in every]
    nodes = topic_nodes(tree, every)
    none = None  # the number of documents on no topic
    if selected is None:
        joint, chance = joint_in_model(tree, nodes), 0.0
        sizes = [(topic.size, topic.documents, topic.main_documents) for topic in every]
    else:
        is_on = as_shares(selected.shares) >= IN_PART
        counts = [flags.sum(axis=0).tolist() for flags in (is_on, selected.shares >= MAIN)]
        none = int(np.count_nonzero(np.diff(csr_array(is_on).indptr) == 0))
        sizes = list(zip(selected.sizes.tolist(), *counts, strict=True))
        some = selected.shares[:: max(1, -(-len(selected.documents) // _FOR_RELATED))]
        on = as_shares(some) >= IN_PART
        joint, chance = joint_in_documents(on), _CHANCE / (2 * on.shape[0])
    related = related_topics(joint, parent, _RELATED, least=chance)
    number = {word: k for k, word in enumerate(tree.words)}

    def rows(keywords: Iterable[Keyword]) -> list[list[float | None]]:
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
            "size": _short(size),
            "documents": documents,
            "mainly": mainly,
            "stability": _short(topic.stability),
            "contrast": _short(topic.contrast),
            "vague": topic.is_vague,
            "pinned": topic.pinned,
            "note": topic.note,
            "members": len(members(tree, int(node))),
            "title": topic.title,
            "label": topic.label_words(LABEL_WORDS),
            "words": rows(topic.keywords),
            "sure": [_short(word.stability) for word in topic.keywords],
            "facets": [
                {"size": _short(facet.size), "words": rows(facet.keywords)}
                for facet in topic.facets
            ],
            "related": [[other, _short(shared)] for other, shared in related[k]],
        }
        for k, (topic, up, node, (size, documents, mainly)) in enumerate(
            zip(every, parent, nodes, sizes, strict=True)
        )
    ]
    header: dict[str, Any] = {
        "words": list(tree.words),
        "topics": entries,
        "none": none,
        "log": topics.log or {"model": fingerprint(tree), "edits": []},
        "cut": any(
            topic.parent is None and topic_above(tree, int(node)) >= 0
            for topic, node in zip(every, nodes, strict=True)
        ),
        "links": [[up, k, _short(shared)] for up, k, shared in linked_topics(tree, nodes)],
    }
    dividing = topics.shares()
    header["dividing"] = dividing.plain()
    codes = (dividing.sharing.codes.T.astype(np.int16) + ZERO).astype(np.uint8)
    arrays: dict[str, NDArray[Any]] = {"parent": tree.parent, "dividing.codes": codes.ravel()}
    parts = [] if selected is None else selected.parts
    for k, (_, _, shares) in enumerate(parts):
        header["effectiveSize"] = shares.effective_size.round(2).tolist()  # the same in all
        arrays[f"divisions.{k}.shares"] = shares.mean.astype(np.float32).ravel()
        arrays[f"divisions.{k}.on"] = shares.on.astype(np.uint32).ravel()
    header["divisions"] = [
        {**about, "names": division.names, "documents": division.counts.tolist()}
        for division, about, _ in parts
    ]
    return Part(header, arrays)


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{_PRECISION}g}")

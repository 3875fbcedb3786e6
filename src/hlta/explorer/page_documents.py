"""The documents of a page: which ones it shows, and their shares, coded in 16 bits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from hlta.options import LISTED
from hlta.topics.aligned_documents import AlignedDocuments
from hlta.topics.divisions import ShareSums, by_group, by_period, with_none
from hlta.topics.tables import distinct_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta._support.arrays import Bools, Floats, Ints
    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.topics.divisions import Division, Shares
    from hlta.topics.shares import ListShares, Sharing
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

MOST_DOCUMENTS: Final = 50_000
"""A page shows a sample of larger corpora by default."""
MOST_ENTRIES: Final = 10_000_000
"""A page shows fewer documents if their words and topics together exceed this."""
_OF_EACH_TOPIC: Final = 20  # the documents with its largest shares are in every sample
_LEAST: Final = 0.01  # a smaller share does not count in where a document lies on the map
WHOLE: Final = 10_000
"""The code of a share of 1."""
MAIN: Final = 1 << 15
"""What is added to the code of a share if the topic is a main topic of the document."""

DATE: Final = "date"
"""The key of the division by periods."""


class Divided(NamedTuple):
    """Documents divided into parts, the page's description of these, and the shares of topics in them."""

    division: Division
    about: dict[str, Any]
    shares: Shares


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
    shares : csr_array of uint16 (documents, topics)
        The shares of topics, as `encode_shares` codes them; unknown documents have none. The page has
        those that are `listed`, and the map depends on all.
    sizes : float64 (topics,)
        The mean shares of topics in all documents.
    parts : list of Divided
        The periods and the groups of each field, and shares of topics in them, in all documents.
    sharing : Sharing
        Divides the words of documents among topics.
    """

    corpus: Corpus
    documents: Documents
    shown: Ints
    shares: csr_array
    sizes: Floats
    parts: list[Divided]
    sharing: Sharing


def select_page_documents(
    tree: LatentTree, topics: TopicTree, corpus: Corpus, most: int | None
) -> PageDocuments:
    """Select the documents of the page: `most`, or if that is None, `documents_that_fit`."""
    read, of_topics = AlignedDocuments.of(corpus, tree.words), topics.shares()
    documents = read.documents
    known = read.are_known(topics.usual_coverage, by_vectors=of_topics.sharing.goes_by_vectors)
    divided = _divisions(corpus)
    sums = ShareSums([division for division, _ in divided], of_topics.n_topics)
    shares = encode_shares(of_topics, documents, known, sums)
    in_parts = sums.shares(distinct_share(corpus))
    parts = [Divided(*one, found) for one, found in zip(divided, in_parts, strict=True)]
    if most is None:
        words = documents.n_presences
        if documents.sections is not None:  # the page has the words of sections, too
            words += documents.units.n_presences
        most = documents_that_fit(len(documents), words + listed(shares).nnz)
    shown = sample(shares, most)
    return PageDocuments(corpus, documents, shown, shares, sums.mean(), parts, of_topics.sharing)


def _divisions(corpus: Corpus) -> list[tuple[Division, dict[str, Any]]]:
    """The divisions by period and by each field, if documents have dates or values, with descriptions."""
    periods = by_period(corpus.dates)
    found: list[tuple[Division, dict[str, Any]]] = []
    if periods is not None:
        about = {"key": DATE, "name": periods.unit, "further": 0}
        found.append((periods, {**about, "unit": periods.unit}))
    for field in corpus.all_fields:
        division = by_group(field.values)
        if division is not None:
            about = {"key": field.key, "name": field.name, "further": division.further}
            found.append((with_none(division, field.values), {**about, "unit": "group"}))
    return found


def encode_shares(
    shares: ListShares, documents: Documents, known: Bools, sums: ShareSums
) -> csr_array:
    """The shares of topics of `_LEAST` or more in the `known` documents, coded in 16 bits.

    A code is a share times `WHOLE`, rounded down, so that no share below `IN_PART` is decoded as one of
    that size; `MAIN` is added where the topic is a main topic. Shares of any size are added to `sums`.
    """
    parts = [csr_array((0, shares.n_topics), dtype=np.uint16)]
    for begin, part in shares.chunks(documents):
        found, flags = shares.with_flags(part)
        found[~known[begin : begin + len(part)]] = 0.0
        sums.add(found)
        codes = np.floor(found * WHOLE).astype(np.uint16) + MAIN * flags.astype(np.uint16)
        parts.append(csr_array(np.where(found >= _LEAST, codes, 0).astype(np.uint16)))
    return csr_array(vstack(parts, format="csr"))


def listed(codes: csr_array) -> csr_array:
    """The codes of shares of `LISTED` or more."""
    kept = csr_array((codes.data, codes.indices, codes.indptr), codes.shape, copy=True)
    kept.data[decode_shares(kept.data) < LISTED] = 0
    kept.eliminate_zeros()
    return kept


def as_shares(codes: csr_array) -> csr_array:
    """The shares with these codes, float64."""
    return csr_array((decode_shares(codes.data), codes.indices, codes.indptr), codes.shape)


def decode_shares(codes: NDArray[np.uint16]) -> Floats:
    """The shares with these codes."""
    return np.asarray((codes & (MAIN - 1)) / WHOLE)


def documents_that_fit(documents: int, entries: int) -> int:
    """How many documents make a page of moderate size, if all `documents` have `entries` in total."""
    per_document = entries / max(1, documents)
    return min(MOST_DOCUMENTS, max(1, int(MOST_ENTRIES / max(1.0, per_document))))


def sample(codes: csr_array, most: int) -> Ints:
    """All documents, or `most`: those with the largest shares of each topic, and others at random."""
    total, topics = codes.shape
    if total <= most:
        return np.arange(total)
    each = min(_OF_EACH_TOPIC, most // (2 * topics))
    by_topic = codes.tocsc()
    share = decode_shares(by_topic.data)
    chosen = np.zeros(total, dtype=bool)
    for begin, end in pairwise(by_topic.indptr.tolist()):
        order = np.argsort(-share[begin:end], kind="stable")[:each]
        chosen[by_topic.indices[begin:end][order]] = True
    others = np.flatnonzero(~chosen)
    drawn = np.random.default_rng(0).choice(others, most - int(chosen.sum()), replace=False)
    chosen[drawn] = True
    return np.flatnonzero(chosen)

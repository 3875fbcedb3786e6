"""Shares: how much of a document is about each topic.

The words of a document are divided among the root topics, those of a root topic among the topics
below it, and so on. Each topic has a distribution of words, and the division maximises the likelihood of
the words, times a prior: a few added words, divided by how frequent topics are, and, if documents have
vectors, further ones, divided by P(topic | vector). So the shares of the root topics add up to 1, and
those of the topics below a topic to its own.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._kernels.division import Desk, Families, divide_words
from hlta._support.arrays import SURE_DIGITS, ranges, read_only
from hlta._support.passes import Collecting, run_pass
from hlta.documents.vectors import check_dimensions, cosines
from hlta.options import IN_PART
from hlta.topics.annotations import Sizes
from hlta.topics.reasons import Parts
from hlta.topics.word_counts import WordCounts, shares_of_words
from hlta.tree.counts import GRAIN
from hlta.tree.given_on import words_given_on
from hlta.tree.reshaping import members, topic_above, topics_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta._support.arrays import Bools, Floats, Indices, Ints
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

PRIOR_WORDS: Final = 3.0
"""How many words the prior adds to those of a document, in each family of topics."""
VECTOR_WORDS: Final = 10.0
"""The number of words that the vector of a document counts as."""
VECTOR_STEPS: Final = 255
"""P(topic | vector) is rounded to multiples of 1 / 255: precise enough, and one byte on a page."""
_CLOSE: Final = 1e-4  # EM stops at a step that moves a smaller share of a document's words
_MOST_SHARES: Final = 1 << 22  # shares in memory at a time, unless one document has more
_LEAST: Final = np.float32(1e-30)  # probability of a word
_FARTHEST: Final = 127  # `Sharing.codes` are at most this, up and down
STEP: Final = 1.0 / 12.0
"""The unit of `Sharing.codes`, in nats."""
# In double precision: in single, exp depends on the processor.
_OF_CODE: Final = read_only(np.exp(STEP * np.arange(-_FARTHEST, _FARTHEST + 1)).astype(np.float32))


class Sharing:
    """Divides the words of documents among topics.

    Parameters
    ----------
    tree
        The model.
    counts
        The words of its topics, as counted; None to use the tree alone.
    families
        Latent variables, counted from 0: families of topics with the same topic above, each after
        the family of that topic; the first has the topics that are below no other, or any others if
        there is no second.
    least
        The smallest share of a document's words that EM divides among the topics of a family; smaller
        ones are divided in proportion to the prior.

    Attributes
    ----------
    words : tuple of str
        The words of the model, of which documents have columns.
    latents : intp (topics,)
        The topics in the order of the columns of `shares`: those of the families, one after the other.
    above : intp (topics,)
        The column of the topic above each, -1 without one.
    codes : int8 (n_words, topics)
        How much more frequent each word is in each topic than in all documents: the logarithm in
        units of `STEP`. This is precise enough, and one byte on a page.
    prior : float64 (topics,)
        How many words the prior adds to each topic in every document, apart from its vector.
    """

    def __init__(
        self,
        tree: LatentTree,
        counts: WordCounts | None,
        families: Sequence[Sequence[int]],
        least: float = _CLOSE,
    ) -> None:
        self.words, self._least = tree.words, least
        self.latents = np.array([v for family in families for v in family], dtype=np.intp)
        column = {v: k for k, v in enumerate(self.latents.tolist())}
        first = np.cumsum([0, *map(len, families)])
        below, top = np.full(len(self.latents), -1), np.full(len(families), -1)
        self.above = np.full(len(self.latents), -1, dtype=np.intp)
        for f, family in enumerate(families[1:], start=1):
            up = topic_above(tree, family[0] + tree.n_words) - tree.n_words
            below[column[up]], top[f] = f, column[up]
            self.above[first[f] : first[f + 1]] = column[up]
        topics = _WordsOfTopics(tree, counts)
        codes = np.empty((tree.n_words, len(self.latents)), dtype=np.int8)
        for begin, end in ranges(len(self.latents), max(1, _MOST_SHARES // tree.n_words)):
            steps = np.rint(topics.log_ratios(self.latents[begin:end]) / STEP)
            codes[:, begin:end] = np.clip(steps, -_FARTHEST, _FARTHEST)
        self.codes = read_only(codes)
        columns = first[:-1], first[1:], top, below
        self._families = Families(self.codes, _OF_CODE, *map(read_only, columns))
        prior = topics.frequency[self.latents]
        for begin, end in pairwise(first):
            prior[begin:end] *= PRIOR_WORDS / prior[begin:end].sum()
        self.prior = read_only(prior)
        vectors = None if counts is None else counts.vectors
        self._centres, self._concentration = None, 0.0
        if vectors is not None:
            self._centres = read_only(vectors.centres(tree, self.latents))
            self._concentration = vectors.concentration
        self._depth = 1
        at = self.above
        while len(at := at[at >= 0]):
            self._depth, at = self._depth + 1, self.above[at]

    @classmethod
    def of_tree(
        cls, tree: LatentTree, counts: WordCounts | None, lowest: int, least: float = _CLOSE
    ) -> Sharing:
        """Divide words among all topics of a tree, down to those of level `lowest` and their siblings.

        Edits may have put topics of several levels beside each other; all of them share the words of
        the topic above.
        """
        n_words = tree.n_words
        every = range(n_words, tree.n_nodes)
        families = [[v - n_words for v in every if topic_above(tree, v) < 0]]
        for family in families:  # which grows meanwhile
            for v in family:
                below = [u for u in members(tree, v + n_words) if u >= n_words]
                if any(tree.level[u] >= lowest for u in below):
                    families.append([u - n_words for u in below])
        return cls(tree, counts, families, least)

    @property
    def families(self) -> tuple[Ints, Ints, Ints]:
        """The first column of each family, the end of its columns, and the topic above it, or -1."""
        return self._families.first, self._families.last, self._families.above

    def likely(self, near: Floats, concentration: float) -> Floats:
        """P(topic | vector, topic above), (documents, topics), from cosines of vectors and topics."""
        found = concentration * near + np.log(self.prior)
        for begin, end in zip(self._families.first, self._families.last, strict=True):
            some = found[:, begin:end]
            some -= some.max(axis=1, keepdims=True)
            np.exp(some, out=some)
            some /= some.sum(axis=1, keepdims=True)
        return found

    def of_vectors(self, documents: Documents) -> Floats | None:
        """P(topic | vector), float64 (documents, topics); None without vectors."""
        codes = self.vector_codes(documents)
        return None if codes is None else codes / float(VECTOR_STEPS)

    def vector_codes(self, documents: Documents) -> NDArray[np.uint8] | None:
        """P(topic | vector) times `VECTOR_STEPS`, (documents, topics); None without vectors.

        The numbers of a family add up to that of the topic above.
        """
        if documents.vectors is None or self._centres is None:
            return None
        check_dimensions(documents.vectors.shape[1], self._centres.shape[1])
        likely = self.likely(cosines(documents.vectors, self._centres), self._concentration)
        likely = likely.astype(np.float32).astype(np.float64)  # for the same bits on all processors
        codes = np.empty(likely.shape, dtype=np.uint8)
        for begin, end, above in zip(*self.families, strict=True):
            up_to = likely[:, begin:end].cumsum(axis=1)
            whole = codes[:, above : above + 1] if above >= 0 else VECTOR_STEPS
            up_to = np.rint(whole * (up_to / up_to[:, -1:]))
            codes[:, begin:end] = np.diff(up_to, axis=1, prepend=0.0)
        return codes

    def shares(self, documents: Documents) -> Floats:
        """The share of each topic, float64 (documents, topics).

        It is 0 in documents with neither a word nor a vector.
        """
        work = Collecting(self._divide)
        parts = run_pass(work, documents.units.shards(GRAIN))
        shares = np.concatenate([np.empty((0, len(self.latents))), *parts])
        shares = documents.mean_over_sections(shares)
        likely = self.of_vectors(documents)
        if likely is None:
            return shares
        present = documents.sums_over_sections(documents.units.lengths.astype(np.float64))[:, None]
        return np.asarray((present * shares + VECTOR_WORDS * likely) / (present + VECTOR_WORDS))

    def chunks(self, documents: Documents) -> Iterator[tuple[int, Documents]]:
        """A few documents at a time, so that all their shares fit into memory."""
        per_document = len(self.latents) * len(documents.units) / max(1, len(documents))
        return documents.chunks(int(_MOST_SHARES / max(1.0, per_document)))

    def _divide(self, shard: Documents) -> Floats:
        """The shares of topics in words alone, for which vectors are only a prior; 0 without words."""
        shares = np.empty((len(shard), len(self.latents)))
        shape = self._depth, max(1, int(shard.lengths.max(initial=1)))
        n_topics, n_families = len(self.latents), len(self._families.first)
        widest = (self._families.last - self._families.first).max()
        desk = Desk(
            mass=np.empty(shape),
            chance=np.empty(shape),
            given=np.empty((shape[1], widest), dtype=np.float32),
            part=np.empty(n_topics),
            seen=np.empty(n_topics),
            family=np.empty(self._depth, dtype=np.int64),
            next=np.empty(self._depth, dtype=np.int64),
            is_small=np.empty(n_families, dtype=np.uint8),
        )
        likely, prior = self.of_vectors(shard), self.prior[None]
        if likely is not None:
            prior = read_only(prior + VECTOR_WORDS * likely)
        divide_words(shard.rows, self._families, prior, _CLOSE, self._least, desk, shares)
        return shares

    @property
    def goes_by_vectors(self) -> bool:
        """Whether shares depend on the vectors of documents."""
        return self._centres is not None

    def parts(self, document: Documents, shares: Floats) -> Floats:
        """How much of each word of a document each topic gets, by its shares: float64 (words, topics)."""
        total: float = len(document.indices)
        if self.goes_by_vectors and document.vectors is not None:
            total += VECTOR_WORDS
        words = given_topics(self.codes[document.indices])
        parts = np.empty_like(words)
        whole = np.ones(len(words))
        for begin, end in zip(self._families.first, self._families.last, strict=True):
            up = self.above[begin]
            mass = whole if up < 0 else parts[:, up]
            weight = words[:, begin:end] * (shares[begin:end] * total + self.prior[begin:end])
            parts[:, begin:end] = mass[:, None] * weight / weight.sum(axis=1, keepdims=True)
        return parts

    def are_main(self, shares: Floats) -> Bools:
        """Where a topic is the main one of its level, (documents, topics).

        It is the one with the largest share among those with the same topic above, which is a main
        topic itself; and it has a share of at least `IN_PART`.
        """
        main = np.zeros(shares.shape, dtype=np.bool_)
        for begin, end in zip(self._families.first, self._families.last, strict=True):
            up = self.above[begin]
            rows = np.arange(len(shares)) if up < 0 else np.flatnonzero(main[:, up])
            best = begin + shares[rows, begin:end].argmax(axis=1)
            main[rows, best] = shares[rows, best] >= IN_PART
        return main


class ListShares:
    """Computes the shares of the topics of a list, which are columns of a `sharing`.

    Parameters
    ----------
    sharing
        How words are divided: among all topics of a tree, or among those of the list.
    latents
        The topics, as latent variables counted from 0.
    """

    def __init__(self, sharing: Sharing, latents: Sequence[int]) -> None:
        column = {v: k for k, v in enumerate(sharing.latents.tolist())}
        self.sharing = sharing
        self._columns = np.array([column[v] for v in latents], dtype=np.intp)

    @property
    def n_topics(self) -> int:
        """How many topics the list has."""
        return len(self._columns)

    def chunks(self, documents: Documents) -> Iterator[tuple[int, Documents]]:
        """See `Sharing.chunks`."""
        return self.sharing.chunks(documents)

    def of(self, documents: Documents) -> Floats:
        """The shares, float64 (documents, topics)."""
        return self.sharing.shares(documents)[:, self._columns]

    def of_known(self, documents: Documents, known: Bools) -> Iterator[tuple[int, Floats]]:
        """The shares in a few documents at a time; they are 0 in documents that are not known."""
        for begin, part in self.chunks(documents):
            shares = self.of(part)
            shares[~known[begin : begin + len(part)]] = 0.0
            yield begin, shares

    def with_flags(self, documents: Documents) -> tuple[Floats, Bools]:
        """The shares, and where a topic is a main topic, both (documents, topics)."""
        shares = self.sharing.shares(documents)
        return shares[:, self._columns], self.sharing.are_main(shares)[:, self._columns]

    def with_main(self, documents: Documents) -> tuple[Floats, Indices]:
        """The shares, and the place of each document's main topic in the list, -1 if it has none.

        Of topics above and below each other, the main topic is the first in the list.
        """
        shares, flags = self.with_flags(documents)
        first = flags.argmax(axis=1) if flags.shape[1] else -1
        return shares, np.where(flags.any(axis=1), first, -1)

    def plain(self) -> dict[str, Any]:
        """The parameters of the division, apart from `Sharing.codes`, as JSON values."""
        families = zip(*self.sharing.families, strict=True)
        return {
            "families": [list(map(int, family)) for family in families],
            "prior": self.sharing.prior.tolist(),
            "columns": self._columns.tolist(),
            "step": STEP,
            "vector": VECTOR_WORDS,
            "close": _CLOSE,
        }

    def why(self, document: Documents, topic: int) -> Parts:
        """How much of each word of a document is about a topic, given by its place in the list.

        A word that is in several sections counts in each.
        """
        found: dict[str, list[float]] = {}
        likely = self.sharing.of_vectors(document)
        vector = None if likely is None else float(likely[0, self._columns[topic]])
        for _, unit in document.units.chunks(1):
            parts = self.sharing.parts(unit, self.sharing.shares(unit)[0])
            for word, part in zip(unit.indices, parts[:, self._columns[topic]], strict=True):
                found.setdefault(self.sharing.words[word], []).append(float(part))
        return Parts.of(found, vector, VECTOR_WORDS)


class Evidence(NamedTuple):
    """The evidence of words for topics, in nats.

    words  float64 (n_words, topics): log P(word | topic) / P(word), for a word drawn from those of the
           documents about the topic, or of all documents; words below other topics count, too
    size   float64 (topics,): log of the share of documents that are about the topic
    """

    words: Floats
    size: Floats


def evidence_for(tree: LatentTree, counts: WordCounts | None, latents: Indices) -> Evidence:
    """The evidence for topics, by the documents that were counted or by the tree alone."""
    topics = _WordsOfTopics(tree, counts)
    total = 1.0 if counts is None else counts.documents.sum() + 1.0
    size = np.log(np.maximum(topics.frequency[latents] / total, _LEAST))
    return Evidence(topics.log_ratios(latents), size)


def sizes_of(
    tree: LatentTree, sharings: Iterable[Sharing], documents: Documents, known: Bools
) -> Sizes:
    """The sizes of topics in documents, of which those that are not `known` have no topics.

    A topic of several sharings has its size in the last of them.
    """
    sizes = Sizes.unknown(tree.n_latents)
    for sharing in sharings:
        sums = np.zeros((2, len(sharing.latents)))
        counts = np.zeros(sums.shape, dtype=np.int64)
        for begin, part in sharing.chunks(documents):
            shares = sharing.shares(part)
            shares[~known[begin : begin + len(part)]] = 0.0
            sums += shares.sum(axis=0), (shares**2).sum(axis=0)
            counts += (shares >= IN_PART).sum(axis=0), sharing.are_main(shares).sum(axis=0)
        mean, squares = sums / max(1, len(documents))
        spread = np.maximum(squares - mean**2, 0.0)
        found = mean.round(SURE_DIGITS), spread.round(SURE_DIGITS), *counts
        for column, values in zip(sizes.columns, found, strict=True):
            column[sharing.latents] = values
    return sizes._replace(weight=float(len(documents)))


def sparse_shares(parts: Iterable[Floats], n_topics: int, least: float) -> csr_array:
    """The entries of `least` or more, and not 0, of a matrix that is given in parts of its rows."""
    from scipy.sparse import csr_array, vstack

    found = [csr_array(np.where(part >= least, part, 0.0)) for part in parts]
    return csr_array(vstack([csr_array((0, n_topics)), *found], format="csr"))


def given_topics(codes: NDArray[np.int8]) -> Floats:
    """P(word | topic), up to a factor that depends on the word alone."""
    return np.asarray(_OF_CODE[codes + np.intp(_FARTHEST)], dtype=np.float64)


class _WordsOfTopics:
    """The word distributions of topics.

    A topic that was not counted has the words that the tree expects, each scaled by the ratio of counts
    and expectation in the nearest topic above that was counted.

    Attributes
    ----------
    frequency : float64 (n_latents,)
        How frequent topics are: a number of documents or, without counts, a probability.
    """

    def __init__(self, tree: LatentTree, counts: WordCounts | None) -> None:
        self._tree, self._counts = tree, counts
        self.frequency = size = tree.marginals[tree.n_words :]
        if counts is not None:
            self._totals, number = counts.totals(tree)
            above, every = topics_above(tree), np.arange(tree.n_latents)
            counted = every.copy()
            while (missing := (number[counted] == 0.0) & (above[counted] >= 0)).any():
                counted[missing] = above[counted[missing]]
            of_above = (number[above] + 1.0) * size / np.bincount(above + 1, size)[above + 1]
            self.frequency = np.where(counted == every, number + 1.0, of_above)
            self._by = counted  # the topic whose counts each uses: itself, or one above

    def log_ratios(self, latents: Indices) -> Floats:
        """The logarithm of how much more frequent words are in topics than in all documents.

        It is float64 (n_words, topics).
        """
        given = shares_of_words(words_given_on(self._tree, latents))
        if (counts := self._counts) is not None:
            by = self._by[latents]
            expected = shares_of_words(words_given_on(self._tree, by))
            given *= (self._totals[by].toarray() + counts.worth * expected) / expected
        words = np.maximum(shares_of_words(given).T, _LEAST).astype(np.float32)
        usual = self._tree.marginals[: self._tree.n_words]
        return np.asarray(np.log(words / (usual / usual.sum())[:, None]))

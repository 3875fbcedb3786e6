"""Learning the structure: by the paper's search, or as the consensus of searches on many samples."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.threads import map_in_order, on_threads, threads_now
from hlta.documents.sampling import draw_rows
from hlta.errors import OptionError
from hlta.learning.checkpoint import are_floats, is_tree_of
from hlta.learning.consensus import find_partitions, usual_roots
from hlta.learning.embedding import embed_words
from hlta.learning.free_moves import make_free_moves
from hlta.learning.given_structure import fit_tree
from hlta.learning.paper.association import includes_negative
from hlta.learning.paper.hierarchy import build_hierarchy
from hlta.learning.paper.mutual_information import keeps_matrix
from hlta.learning.seeds import NO_SEEDS, Seeds
from hlta.learning.votes import Vote, are_topics, stability, togetherness, word_stability
from hlta.monitor import Monitor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta._support.arrays import Floats, Indices
    from hlta.documents.matrix import Documents
    from hlta.learning.checkpoint import Checkpoint
    from hlta.options import StructureOptions
    from hlta.tree.latent_tree import LatentTree

_VOTING_FACTOR: Final = 4  # times `structure_sample`: a vote has half as many documents
_FEWEST_VOTES, _USUAL_VOTES, _MOST_VOTES = 12, 50, 200  # votes with samples="auto"
_DOCUMENTS_PER_VOTE: Final = 8_000  # documents of a vote above which votes are fewer than usual
_STEADINESS: Final = 1.5  # a vote on four times as many documents is worth eight votes
_LITTLE_TEXT: Final = 1e5  # presences in the documents of a vote below which its islands stay small
_SMALL_ISLAND: Final = 8  # words per island in a vote on little text, at most
_MOST_AT_ONCE: Final = 2e9  # bytes that concurrent votes may take for pairs of words


class Structure(NamedTuple):
    """A tree to run EM on.

    stability       float64 (n_latents,): of each topic; None unless several samples voted
    word_stability  float64 (levels, n_words): of each word in its topics, likewise
    together        for each seed, and then each list of words apart, see `togetherness`
    """

    tree: LatentTree
    stability: Floats | None = None
    word_stability: Floats | None = None
    together: tuple[float, ...] = ()

    @classmethod
    def fits(cls, words: Sequence[str], value: Any) -> bool:
        """Whether a value from a checkpoint, a tuple, is a structure of these words."""
        whole = isinstance(value, tuple) and len(value) == len(cls._fields)
        if not (whole and is_tree_of(words, value[0])):
            return False
        tree, stability, word_stability, together = value
        return (
            (stability is None or are_floats((tree.n_latents,), stability))
            and (
                word_stability is None
                or are_floats((int(tree.level.max()), tree.n_words), word_stability)
            )
            and isinstance(together, tuple)
            and all(isinstance(share, float) for share in together)
        )


def refuse_seeds_without_votes(options: StructureOptions) -> None:
    """Refuse seeds if no samples vote on the structure: they would be ignored."""
    if not options.refine:
        raise OptionError(
            "seeds guide the structure on which samples vote, and with refine=False there is no vote; "
            "use refine=True"
        )


def learn_structure(
    documents: Documents,
    words: Sequence[str],
    marks: NDArray[np.uint64],
    options: StructureOptions,
    seed: np.random.SeedSequence,
    checkpoint: Checkpoint,
    *,
    monitor: Monitor,
    seeds: Seeds = NO_SEEDS,
) -> Structure:
    """Learn the structure by the votes of samples, guided by seeds, or by a single search.

    `marks` are the fingerprints of the documents, by which samples are drawn. A single vote has as
    many documents as a single search; each of several votes has half of all documents, but at most
    twice as many as a single search.
    """
    for_sample, for_votes = seed.spawn(2)
    fewest = options.structure_sample or len(documents)
    few = _take(documents, draw_rows(marks, fewest, for_sample))
    if not options.refine:
        negative = includes_negative(few, options, monitor)
        search = partial(build_hierarchy, checkpoint=checkpoint, monitor=monitor)
        return Structure(search(few, words, options, negative))
    sample = _take(documents, draw_rows(marks, fewest * _VOTING_FACTOR, for_sample))
    negative = includes_negative(sample, options, monitor)
    count = _n_votes(options, sample)
    half = max(1, len(sample) // 2)
    samples = [draw_rows(marks, half, part) for part in for_votes.spawn(count)]
    if count == 1:
        samples = [draw_rows(marks, fewest, for_sample)]
    votes = _votes(documents, words, samples, options, negative, checkpoint, monitor)

    def agreed() -> LatentTree:
        partitions = find_partitions(
            votes,
            n_top=max(2, options.max_top_topics),
            n_roots=usual_roots(len(sample)),
            embedding=embed_words(sample, monitor=Monitor()),
            seeds=seeds,
        )
        _refuse_lonely(partitions[-1], words)
        return fit_tree(partitions, few, words)

    with monitor.stage("joining these trees into one"):
        tree = checkpoint.step("agreed tree", agreed, partial(is_tree_of, words))
    together = togetherness(votes, seeds.together + seeds.apart)
    if count == 1:
        return Structure(tree, together=together)
    return Structure(tree, stability(tree, votes), word_stability(tree, votes), together)


def _take(documents: Documents, chosen: Indices) -> Documents:
    """The chosen documents, without a copy if all are chosen."""
    return documents if len(chosen) == len(documents) else documents.take(chosen)


def _n_votes(options: StructureOptions, sample: Documents) -> int:
    """The number of votes, each on half as many documents as `sample`.

    "auto" gives more votes if there is little text, so that a vote is quick, and fewer if each is
    learned from many documents, which make it reliable.
    """
    if options.samples != "auto":
        return int(options.samples)
    by_text = _USUAL_VOTES * _LITTLE_TEXT / max(sample.n_presences / 2.0, 1.0)
    share = _DOCUMENTS_PER_VOTE / max(len(sample) / 2.0, 1.0)
    usual = np.clip(_USUAL_VOTES * share**_STEADINESS, _FEWEST_VOTES, _USUAL_VOTES)
    return int(min(max(by_text, usual), _MOST_VOTES))


def _refuse_lonely(parts: Indices, words: Sequence[str]) -> None:
    """Raise `OptionError` if a word is alone in a part, because it must be apart from all others."""
    lonely = np.flatnonzero(np.bincount(parts)[parts] == 1)
    if len(lonely):
        raise OptionError(
            f"apart leaves {words[lonely[0]]!r} no other word to share a topic with; keep fewer words "
            "apart"
        )


def _votes(
    documents: Documents,
    words: Sequence[str],
    samples: Sequence[Indices],
    options: StructureOptions,
    negative: bool,
    checkpoint: Checkpoint,
    monitor: Monitor,
) -> list[Vote]:
    """The vote of each sample; votes run concurrently as far as memory allows."""
    side_by_side, first = min(threads_now(), len(samples)), documents.take(samples[0])
    if keeps_matrix(first, negative):
        side_by_side = min(side_by_side, int(_MOST_AT_ONCE / (4.0 * len(words) ** 2)))
    within = 1 if side_by_side > 1 else threads_now()  # threads per vote
    if first.n_presences < _LITTLE_TEXT:  # votes agree more if their islands are small
        smaller = min(options.max_island_size, _SMALL_ISLAND)
        options = replace(options, max_island_size=smaller)
    silent = Monitor()

    def cast(sample: Indices) -> Vote:
        drawn_documents = documents.take(sample)
        with on_threads(within):
            tree = build_hierarchy(drawn_documents, words, options, negative, monitor=silent)
            return Vote.of(make_free_moves(tree, drawn_documents))

    def collect(number: int) -> Vote:
        topics = checkpoint.step(
            f"vote {number}", lambda: cast(samples[number]).topics, partial(are_topics, len(words))
        )
        monitor.advance()
        return Vote(topics)

    with (
        monitor.stage("learning trees from samples of the documents", len(samples)),
        on_threads(max(1, side_by_side)),
    ):
        return map_in_order(collect, range(len(samples)))

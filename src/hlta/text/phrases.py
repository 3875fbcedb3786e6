"""Phrases that become words, as `neural-network` (Section 8.2.2), and are found again in new texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from hlta._kernels import streams as kernels
from hlta._kernels.tokens import END
from hlta.text.scanner import count_stream
from hlta.text.selection import average_tf_idf, document_bounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from hlta.options import TextOptions
    from hlta.text.scanner import WordStream

Pair: TypeAlias = tuple[str, str]


class Pairs(NamedTuple):
    """Pairs of words that stand next to each other.

    keys                int64 (pairs,): first * words + second, ascending
    occurrences         int64 (pairs,): how often each pair occurs
    document_frequency  int64 (pairs,): in how many documents each pair is
    """

    keys: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    document_frequency: NDArray[np.int64]


def best_pairs(
    stream: WordStream, chosen: NDArray[np.intp], options: TextOptions, longest: int
) -> list[Pair]:
    """The pairs of chosen words that would be among the best words, were they one word.

    As phrases they have up to `longest` words.
    """
    words, n_documents = stream.words, stream.n_documents
    keys, occurrences, document_frequency = count_pairs(stream, chosen)
    if not len(keys):
        return []
    first, second = np.divmod(keys, len(words))
    lengths = np.array([word.count("-") + 1 for word in words])
    low, high = document_bounds(n_documents, options)
    eligible = (document_frequency >= low) & (document_frequency <= high)
    eligible &= lengths[first] + lengths[second] <= longest
    score = average_tf_idf(occurrences, document_frequency, n_documents)
    # As good as the last of the words that would be kept if pairs competed with them.
    rivals = average_tf_idf(stream.occurrences, stream.document_frequency, n_documents)[chosen]
    rivals = np.concatenate((rivals, score[eligible]))
    wanted = min(len(chosen), len(rivals))
    kept = eligible & (score >= np.partition(rivals, -wanted)[-wanted])
    pairs = zip(first[kept].tolist(), second[kept].tolist(), strict=True)
    return sorted((words[a], words[b]) for a, b in pairs)


def join_pairs(stream: WordStream, pairs: Iterable[Pair]) -> WordStream:
    """The stream in which each of these pairs, from the left, is one word; others are not in it.

    Words are known by their names: a phrase that is a word of the stream already becomes that word.
    """
    number = {word: k for k, word in enumerate(stream.words)}
    numbers = number.copy()
    phrases: dict[int, int] = {}
    for first, second in pairs:
        if first in number and second in number:
            key = number[first] * len(stream.words) + number[second]
            phrases[key] = numbers.setdefault(f"{first}-{second}", len(numbers))
    if not phrases:
        return stream
    keys = np.array(sorted(phrases), dtype=np.int64)
    become = np.array([phrases[key] for key in keys.tolist()], dtype=np.int32)

    def joined_parts() -> Iterator[NDArray[np.int32]]:
        for part in stream.parts:
            copy = part.copy()
            yield copy[: kernels.join_pairs(copy, keys, become, len(stream.words))]

    return count_stream(joined_parts(), list(numbers))


def pairs_within(words: Iterable[str], length: int) -> Iterator[Pair]:
    """The pairs that may have become the phrases of a vocabulary with up to `length` words."""
    for word in words:
        parts = word.split("-")
        if len(parts) <= length:
            for cut in range(1, len(parts)):
                yield "-".join(parts[:cut]), "-".join(parts[cut:])


def count_pairs(stream: WordStream, chosen: NDArray[np.intp]) -> Pairs:
    """Count the neighbours that are both among the chosen words."""
    is_chosen = np.zeros(len(stream.words), dtype=bool)
    is_chosen[chosen] = True
    counted = [_count_pairs_of_part(part, is_chosen) for part in stream.parts]
    keys, occurrences, document_frequency = map(np.concatenate, zip(*counted, strict=True))
    distinct, place = np.unique(keys, return_inverse=True)
    totals = (np.bincount(place, weights=counts) for counts in (occurrences, document_frequency))
    return Pairs(distinct, *(total.astype(np.int64) for total in totals))


def _count_pairs_of_part(part: NDArray[np.int32], is_chosen: NDArray[np.bool_]) -> Pairs:
    first, second = part[:-1], part[1:]
    both = (first >= 0) & (second >= 0)
    both[both] = is_chosen[first[both]] & is_chosen[second[both]]
    at = np.flatnonzero(both)
    keys = first[at].astype(np.int64) * len(is_chosen) + second[at]
    document = np.cumsum(part == END, dtype=np.int32)[at]
    # The order is stable: documents ascend within a pair, so each is counted where it is new.
    order = np.argsort(keys, kind="stable")
    keys, document = keys[order], document[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    new = np.diff(document, prepend=-1) != 0
    new[starts] = True
    document_frequency = np.add.reduceat(new.astype(np.int64), starts) if len(starts) else starts
    return Pairs(keys[starts], np.diff(starts, append=len(keys)), document_frequency)

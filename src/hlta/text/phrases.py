"""Phrases that become words, as `neural-network` (Section 8.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta._kernels.streams import join_pairs
from hlta._kernels.tokens import END
from hlta.text.scanner import WordStream, count_stream
from hlta.text.selection import average_tf_idf, document_bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hlta.options import TextOptions


class Pairs(NamedTuple):
    """Pairs of words that stand next to each other.

    keys                int64 (pairs,): first * words + second, ascending
    occurrences         int64 (pairs,): how often each pair occurs
    document_frequency  int64 (pairs,): in how many documents each pair is
    """

    keys: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    document_frequency: NDArray[np.int64]


def join_best_pairs(
    stream: WordStream, chosen: NDArray[np.intp], options: TextOptions, longest: int
) -> WordStream:
    """Make words of the pairs of chosen words that would be among the best words.

    A phrase has up to `longest` words. Without such a pair the stream itself comes back.
    """
    words, n_documents = stream.words, stream.n_documents
    keys, occurrences, document_frequency = count_pairs(stream, chosen)
    if not len(keys):
        return stream
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
    if not kept.any():
        return stream
    pairs = zip(first[kept].tolist(), second[kept].tolist(), strict=True)
    return _joined(stream, keys[kept], [f"{words[a]}-{words[b]}" for a, b in pairs])


def join_known_phrases(stream: WordStream, words: tuple[str, ...], length: int) -> WordStream:
    """Make words of the phrases of a given vocabulary that have up to `length` words.

    Each is joined from two parts, in the order in which the vocabulary was built.
    """
    number = {word: k for k, word in enumerate(stream.words)}
    phrases: dict[int, str] = {}
    for word in words:
        parts = word.split("-")
        for cut in range(1, len(parts)):
            a, b = "-".join(parts[:cut]), "-".join(parts[cut:])
            if len(parts) <= length and a in number and b in number:
                phrases[number[a] * len(stream.words) + number[b]] = word
    if not phrases:
        return stream
    keys = np.array(sorted(phrases), dtype=np.int64)
    return _joined(stream, keys, [phrases[key] for key in keys.tolist()])


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


def _joined(stream: WordStream, keys: NDArray[np.int64], phrases: list[str]) -> WordStream:
    """The stream in which each of these pairs, from the left, is one word."""
    base = len(stream.words)

    def joined_parts() -> Iterator[NDArray[np.int32]]:
        for part in stream.parts:
            copy = part.copy()
            yield copy[: join_pairs(copy, keys, base)]

    return count_stream(joined_parts(), stream.words + phrases)

"""Phrases that become words, such as `neural-network` (Section 8.2.2), and are found in new texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from hlta._kernels.tokens import END
from hlta.text.scanner import WordStream, count_stream
from hlta.text.selection import as_read, average_tf_idf, document_bounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hlta._support.arrays import Bools, Indices, Ints, Ints32
    from hlta.options import TextOptions

Phrase: TypeAlias = tuple[str, ...]


class Pairs(NamedTuple):
    """Pairs of words that stand next to each other.

    keys                int64 (pairs,): first * words + second, ascending
    occurrences         int64 (pairs,): how often each pair occurs
    document_frequency  int64 (pairs,): in how many documents each pair is
    """

    keys: Ints
    occurrences: Ints
    document_frequency: Ints


def best_pairs(
    stream: WordStream, chosen: Indices, options: TextOptions, longest: int
) -> list[Phrase]:
    """The pairs of chosen words that would be among the best words if each were one word.

    The phrase that a pair becomes has at most `longest` words.
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
    # A pair must score as high as the last word that would be kept if pairs competed with words.
    rivals = average_tf_idf(stream.occurrences, stream.document_frequency, n_documents)[chosen]
    rivals = np.concatenate((rivals, score[eligible]))
    wanted = min(len(chosen), len(rivals))
    kept = eligible & (score >= np.partition(rivals, -wanted)[-wanted])
    pairs = zip(first[kept].tolist(), second[kept].tolist(), strict=True)
    return sorted((words[a], words[b]) for a, b in pairs)


def included_phrases(stream: WordStream, options: TextOptions) -> list[Phrase]:
    """The phrases of `include` that occur in the stream, each as a tuple of its words."""
    wanted = set[Phrase]()
    for word in as_read(options.include, options):
        wanted |= {tuple(word.split()), tuple(word.replace("-", " ").split())}
    phrases = sorted(phrase for phrase in wanted if len(phrase) > 1)
    if not phrases:
        return []
    present = _present(join_phrases(stream, phrases))
    return [phrase for phrase in phrases if "-".join(phrase) in present]


def sparing_included(stream: WordStream, pairs: list[Phrase], options: TextOptions) -> list[Phrase]:
    """The pairs without those that together would take all occurrences of a word of `include`."""
    if not options.include:
        return pairs
    included = _present(stream).intersection(as_read(options.include, options))
    while gone := included - _present(join_phrases(stream, pairs)):
        pairs = [pair for pair in pairs if gone.isdisjoint(pair)]
    return pairs


def _present(stream: WordStream) -> set[str]:
    """The words that occur in the stream."""
    return {stream.words[k] for k in np.flatnonzero(stream.occurrences)}


def join_phrases(stream: WordStream, phrases: Iterable[Phrase]) -> WordStream:
    """The stream with each occurrence of these phrases, from the left, joined into one word.

    Where several phrases begin, the longest is joined. Phrases with words that are not in the stream are
    ignored. A phrase whose name is already that of a word becomes this word.
    """
    number = {word: k for k, word in enumerate(stream.words)}
    numbers = number.copy()
    become: dict[tuple[int, ...], int] = {}
    for phrase in phrases:
        if all(word in number for word in phrase):
            parts = tuple(number[word] for word in phrase)
            become[parts] = numbers.setdefault("-".join(phrase), len(numbers))
    if not become:
        return stream
    joined = _pairs_joined if all(len(parts) == 2 for parts in become) else _phrases_joined
    return count_stream(joined(stream, become), list(numbers))


def _pairs_joined(stream: WordStream, become: Mapping[tuple[int, ...], int]) -> Iterator[Ints32]:
    base = len(stream.words)
    numbers = {first * base + second: phrase for (first, second), phrase in become.items()}
    keys = np.array(sorted(numbers), dtype=np.int64)
    phrases = np.array([numbers[key] for key in keys.tolist()], dtype=np.int32)
    is_first, is_second = np.zeros((2, base + 2), dtype=bool)  # and of GAP and END
    is_first[keys // base] = is_second[keys % base] = True
    for part in stream.parts:
        at = np.flatnonzero(is_first[part[:-1]] & is_second[part[1:]])
        pairs = part[at].astype(np.int64) * base + part[at + 1]
        place = np.searchsorted(keys, pairs)
        found = keys.take(place, mode="clip") == pairs
        at, place = at[found], place[found]
        # Of pairs that overlap, each second one is joined, from the left.
        begins = np.flatnonzero(np.diff(at, prepend=-2) > 1)
        joins = (np.arange(len(at)) - np.repeat(begins, np.diff(begins, append=len(at)))) % 2 == 0
        copy = part.copy()
        copy[at[joins]] = phrases[place[joins]]
        yield np.delete(copy, at[joins] + 1)


def _phrases_joined(stream: WordStream, become: Mapping[tuple[int, ...], int]) -> Iterator[Ints32]:
    """Join phrases of any length: they are few, so Python visits only where their first two words are."""
    lengths = sorted({len(parts) for parts in become}, reverse=True)
    is_first, is_second = np.zeros((2, len(stream.words) + 2), dtype=bool)  # and of GAP and END
    is_first[[parts[0] for parts in become]] = True
    is_second[[parts[1] for parts in become]] = True
    for part in stream.parts:
        copy, kept, free = part.copy(), np.ones(len(part), dtype=bool), 0
        for at in np.flatnonzero(is_first[part[:-1]] & is_second[part[1:]]).tolist():
            for length in lengths if at >= free else ():
                phrase = become.get(tuple(part[at : at + length].tolist()))
                if phrase is not None:
                    free = at + length
                    copy[at], kept[at + 1 : free] = phrase, False
                    break
        yield copy[kept]


def pairs_within(words: Iterable[str], length: int) -> Iterator[Phrase]:
    """The pairs that may have been joined into the phrases of up to `length` words in a vocabulary."""
    for word in words:
        parts = word.split("-")
        if len(parts) <= length:
            for cut in range(1, len(parts)):
                yield "-".join(parts[:cut]), "-".join(parts[cut:])


def count_pairs(stream: WordStream, chosen: Indices) -> Pairs:
    """Count the pairs of adjacent words that are both chosen."""
    is_chosen = np.zeros(len(stream.words), dtype=bool)
    is_chosen[chosen] = True
    counted = [_count_pairs_of_part(part, is_chosen) for part in stream.parts]
    keys, occurrences, document_frequency = map(np.concatenate, zip(*counted, strict=True))
    distinct, place = np.unique(keys, return_inverse=True)
    totals = (np.bincount(place, weights=counts) for counts in (occurrences, document_frequency))
    return Pairs(distinct, *(total.astype(np.int64) for total in totals))


def _count_pairs_of_part(part: Ints32, is_chosen: Bools) -> Pairs:
    first, second = part[:-1], part[1:]
    both = (first >= 0) & (second >= 0)
    both[both] = is_chosen[first[both]] & is_chosen[second[both]]
    at = np.flatnonzero(both)
    keys = first[at].astype(np.int64) * len(is_chosen) + second[at]
    document = np.cumsum(part == END, dtype=np.int32)[at]
    # The sort is stable: documents ascend within a pair, so each is counted where it comes first.
    order = np.argsort(keys, kind="stable")
    keys, document = keys[order], document[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    new = np.diff(document, prepend=-1) != 0
    new[starts] = True
    document_frequency = np.add.reduceat(new.astype(np.int64), starts) if len(starts) else starts
    return Pairs(keys[starts], np.diff(starts, append=len(keys)), document_frequency)

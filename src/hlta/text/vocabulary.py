"""The vocabulary: words by average TF-IDF, and phrases that become words (Sections 8.1 and 8.2.2)."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.streams import BIT_PLACE, collect_rows, join_pairs
from hlta._kernels.tokens import END
from hlta._support.spool import Spool
from hlta.documents.matrix import Documents
from hlta.errors import DocumentsError
from hlta.text.scanner import WordStream, counted, scan
from hlta.text.stop_words import stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from hlta.options import TextOptions


def build_vocabulary(
    texts: Iterable[str], options: TextOptions, *, n_jobs: int | None = None
) -> tuple[Documents, tuple[str, ...]]:
    """Read texts, choose words, and note which document contains which."""
    stream = scan(texts, options, n_jobs=n_jobs)
    length = 1
    chosen = choose_words(stream, options)
    while length < options.ngrams:
        length += 1
        longer = join_phrases(stream, chosen, options, length)
        if longer is stream:
            break
        stream = longer
        chosen = choose_words(stream, options)
    return _documents(stream, chosen), tuple(stream.words[word] for word in chosen)


def with_vocabulary(
    texts: Iterable[str],
    words: tuple[str, ...],
    options: TextOptions,
    *,
    n_jobs: int | None = None,
) -> Documents:
    """Which of the given words each text contains; phrases are those joined by a hyphen."""
    stream = scan(texts, options, n_jobs=n_jobs)
    for length in range(2, options.ngrams + 1):
        stream = _join_known(stream, words, length)
    place = {word: number for number, word in enumerate(words)}
    column = np.array([place.get(word, -1) for word in stream.words], dtype=np.int32)
    return _rows(stream, column, len(words))


def average_tf_idf(stream: WordStream) -> NDArray[np.float64]:
    """The mean over documents of tf * log(N / df), of every word."""
    frequency = np.maximum(stream.documents, 1)
    return stream.occurrences / stream.n_documents * np.log(stream.n_documents / frequency)


def choose_words(stream: WordStream, options: TextOptions) -> NDArray[np.intp]:
    """The words to keep, by falling average TF-IDF; ties in the order of the alphabet."""
    names = stream.words
    low, high = _bounds(stream.n_documents, options)
    eligible = (stream.documents >= low) & (stream.documents <= high)
    stop = _stop_words(stream, options)
    eligible[_numbers(names, {*stop, *_listed(options.exclude, options)})] = False
    forced = _numbers(names, set(_listed(options.include, options)))
    eligible[forced] = True
    wanted = options.n_words or _usual_size(stream.n_documents)
    score = average_tf_idf(stream)
    score[forced] = np.inf
    candidates = np.flatnonzero(eligible)
    if len(candidates) < 2:
        raise DocumentsError(
            f"{len(candidates)} of {len(names):,} words are left: min_df={low} to max_df={high} "
            f"documents of {stream.n_documents:,}, {len(stop):,} stop words, "
            f"min_length={options.shortest}; loosen one of them"
        )
    if len(candidates) > wanted:  # only those as good as the last one are worth sorting
        last = np.partition(score[candidates], -wanted)[-wanted]
        candidates = candidates[score[candidates] >= last]
    order = sorted(candidates.tolist(), key=lambda word: (-score[word], names[word]))
    return np.array(order[:wanted])


def _stop_words(stream: WordStream, options: TextOptions) -> set[str]:
    wanted = options.stop_words
    if wanted == "auto" and isinstance(options.tokenizer, str):
        wanted = options.tokenizer  # the language is known
    occurrences: dict[str, int] = {}
    if isinstance(wanted, str) and wanted == "auto":
        occurrences = dict(zip(stream.words, stream.occurrences.tolist(), strict=True))
    return stop_words(wanted, occurrences)


def _numbers(names: list[str], wanted: set[str]) -> list[int]:
    """Where the wanted ones stand."""
    return [k for k, name in enumerate(names) if name in wanted] if wanted else []


def _listed(words: tuple[str, ...], options: TextOptions) -> list[str]:
    """Words as they are written in the texts that were read."""
    return [word.lower() for word in words] if options.lowercase else list(words)


def _usual_size(n_documents: int) -> int:
    return int(np.clip(40.0 * np.sqrt(n_documents), 500, 10_000))


def _bounds(n_documents: int, options: TextOptions) -> tuple[int, int]:
    """In how many documents a word has to be at least, and may be at most."""
    low, high = options.min_df, options.max_df
    if low is None:
        low = 5 if n_documents >= 1000 else 2 if n_documents >= 20 else 1
    if high is None:
        high = 0.25 if n_documents >= 1000 else 0.5 if n_documents >= 100 else 1.0
    least = low if isinstance(low, Integral) else np.ceil(low * n_documents)
    most = high if isinstance(high, Integral) else np.floor(high * n_documents)
    return max(1, int(least)), int(most)


def join_phrases(
    stream: WordStream, chosen: NDArray[np.intp], options: TextOptions, longest: int
) -> WordStream:
    """Make the pairs that are among the best words words themselves, as `neural-network`."""
    selected = np.zeros(len(stream.words), dtype=bool)
    selected[chosen] = True
    base = len(stream.words)
    pairs, occurrences, documents = _count_pairs(stream, selected)
    if not len(pairs):
        return stream
    parts = np.array([word.count("-") + 1 for word in stream.words])
    low, high = _bounds(stream.n_documents, options)
    fits = (documents >= low) & (documents <= high)
    fits &= parts[pairs // base] + parts[pairs % base] <= longest
    score = occurrences / stream.n_documents
    score = score * np.log(stream.n_documents / np.maximum(documents, 1))
    # As good as the last of the words that would be kept if pairs competed with them.
    rivals = np.concatenate((average_tf_idf(stream)[chosen], score[fits]))
    wanted = min(len(chosen), len(rivals))
    bar = np.partition(rivals, len(rivals) - wanted)[len(rivals) - wanted]
    kept = fits & (score >= bar)
    if not kept.any():
        return stream
    names = [f"{stream.words[k // base]}-{stream.words[k % base]}" for k in pairs[kept].tolist()]
    return _joined(stream, pairs[kept], names)


def _count_pairs(
    stream: WordStream, selected: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Neighbours that are both selected: first * words + second, how often, in how many documents."""
    base = len(stream.words)
    found = []
    for part in stream.parts:
        first, second = part[:-1], part[1:]
        both = (first >= 0) & (second >= 0)
        both[both] = selected[first[both]] & selected[second[both]]
        at = np.flatnonzero(both)
        keys = first[at].astype(np.int64) * base + second[at]
        document = np.cumsum(part == END, dtype=np.int32)[at]
        # Stable: within a pair documents ascend, so each is counted where it is new.
        order = np.argsort(keys, kind="stable")
        keys, document = keys[order], document[order]
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        new = np.diff(document, prepend=-1) != 0
        new[starts] = True
        counts = (np.add.reduceat(new.astype(np.int64), starts) if len(starts) else starts,)
        found.append((keys[starts], np.diff(starts, append=len(keys)), *counts))
    keys, occurrences, documents = (np.concatenate(column) for column in zip(*found, strict=True))
    pairs, place = np.unique(keys, return_inverse=True)
    totals = (np.bincount(place, weights=counts) for counts in (occurrences, documents))
    often, wide = (total.astype(np.int64) for total in totals)
    return pairs, often, wide


def _join_known(stream: WordStream, words: tuple[str, ...], length: int) -> WordStream:
    """Join the phrases of a given vocabulary, and their beginnings, as they were joined to make it."""
    number = {word: k for k, word in enumerate(stream.words)}
    base = len(stream.words)
    pairs: dict[int, str] = {}
    for word in words:
        parts = word.split("-")
        for cut in range(1, len(parts)):
            a, b = "-".join(parts[:cut]), "-".join(parts[cut:])
            if len(parts) <= length and a in number and b in number:
                pairs[number[a] * base + number[b]] = word
    if not pairs:
        return stream
    keys = np.array(sorted(pairs), dtype=np.int64)
    return _joined(stream, keys, [pairs[key] for key in keys.tolist()])


def _joined(stream: WordStream, pairs: NDArray[np.int64], names: list[str]) -> WordStream:
    base = len(stream.words)

    def joined() -> Iterator[NDArray[np.int32]]:
        for part in stream.parts:
            copy = part.copy()
            yield copy[: join_pairs(copy, pairs, base)]

    return counted(joined(), stream.words + names)


def _documents(stream: WordStream, chosen: NDArray[np.intp]) -> Documents:
    column = np.full(len(stream.words), -1, dtype=np.int32)
    column[chosen] = np.arange(len(chosen), dtype=np.int32)
    return _rows(stream, column, len(chosen))


def _rows(stream: WordStream, column: NDArray[np.int32], n_columns: int) -> Documents:
    """The words of each document as columns, part by part."""
    blocks = -(-n_columns // 4096)
    bits, heads = np.zeros(64 * blocks, dtype=np.uint64), np.zeros(blocks, dtype=np.uint64)
    indptr = np.zeros(stream.n_documents + 1, dtype=np.int64)
    document = 0
    with Spool(np.uint32) as spool:
        for part in stream.parts:
            ends = np.empty(np.count_nonzero(part == END) + 1, dtype=np.int64)
            indices = np.empty(len(part), dtype=np.uint32)
            filled = collect_rows(part, column, bits, heads, BIT_PLACE, ends, indices)
            spool.write(indices[:filled].copy())
            indptr[document + 1 : document + len(ends)] = indptr[document] + ends[1:]
            document += len(ends) - 1
        return Documents(indptr, spool.read(), n_columns)

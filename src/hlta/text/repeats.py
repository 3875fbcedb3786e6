"""Texts that repeat earlier ones."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.documents.sampling import STRIDE, mix_bits
from hlta.text.scanner import bounds_of_documents, sums_of_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta._support.arrays import Ints, Ints32
    from hlta.text.scanner import WordStream

LEAST: Final = 10
"""The least number of words of a repeat: shorter texts are often the same though nobody copied them."""


def find_originals(stream: WordStream) -> Ints:
    """The number of the first document with the same words, for each document, int64.

    A document of fewer than `LEAST` words has its own number. Documents are compared by hashes of 64
    bits. These depend on a secret, so nobody can write a text whose hash collides with another. By
    chance, two of ten million documents collide in one corpus of 300,000.
    """
    secret = np.uint64(secrets.randbits(64))
    originals = np.arange(stream.n_documents, dtype=np.int64)
    sums, lengths = np.empty(len(originals), dtype=np.uint64), np.empty_like(originals)
    begin = 0
    for part in stream.parts:
        starts, sizes = bounds_of_documents(part)
        is_word = part >= 0
        before: Ints = np.cumsum(is_word) - is_word  # words in the part
        place = (before - np.repeat(before[starts], sizes)).astype(np.uint64)
        here = slice(begin, begin + len(starts))
        hashes = mix_bits(part.astype(np.uint64) ^ (place * STRIDE + secret))
        sums[here] = np.add.reduceat(np.where(is_word, hashes, np.uint64(0)), starts)
        lengths[here] = sums_of_documents(is_word, part)
        begin += len(starts)
    long = np.flatnonzero(lengths >= LEAST)
    _, first, group = np.unique(sums[long], return_index=True, return_inverse=True)
    originals[long] = long[first[group]]
    return originals


def without_repeats(stream: WordStream, originals: Ints) -> WordStream:
    """The stream without documents that repeat earlier ones; itself if there are none."""
    is_original = originals == np.arange(len(originals))
    if is_original.all():
        return stream

    def kept_parts() -> Iterator[Ints32]:
        begin = 0
        for part in stream.parts:
            starts, sizes = bounds_of_documents(part)
            yield part[np.repeat(is_original[begin : begin + len(starts)], sizes)]
            begin += len(starts)

    return stream.with_parts(kept_parts())

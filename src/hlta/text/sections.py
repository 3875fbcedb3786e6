"""Texts in sections, see `hlta.documents.sections`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.tokens import END
from hlta._support.arrays import offsets
from hlta.documents.sections import number_of_sections
from hlta.text.scanner import sums_of_documents

if TYPE_CHECKING:
    from hlta._support.arrays import Ints, Ints32
    from hlta.text.scanner import WordStream


def in_sections(stream: WordStream) -> tuple[WordStream, Ints]:
    """The stream cut into sections, and the first section of each document, then their number.

    Sections of a document are equally long. Most documents are a single section.
    """
    lengths = (sums_of_documents(part >= 0, part) for part in stream.parts)
    counts = [np.empty(0, dtype=np.int64), *map(number_of_sections, lengths)]
    starts = offsets(np.concatenate(counts))
    if starts[-1] == stream.n_documents:
        return stream, starts
    return stream.with_parts(map(_cut, stream.parts)), starts


def _cut(part: Ints32) -> Ints32:
    """A part of a stream with an end after each section."""
    lengths = sums_of_documents(part >= 0, part)
    counts = number_of_sections(lengths)
    words = np.flatnonzero(part >= 0)
    number = np.arange(len(words)) - np.repeat(offsets(lengths)[:-1], lengths)  # in its document
    section = number * np.repeat(counts, lengths) // np.repeat(np.maximum(lengths, 1), lengths)
    begins = (number > 0) & (np.diff(section, prepend=0) > 0)
    return np.insert(part, words[begins], END)

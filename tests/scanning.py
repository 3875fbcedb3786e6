"""Texts to read, and what a scan read as lists of words."""

from typing import Any

import numpy as np

from hlta import TextOptions
from hlta._kernels.tokens import END, GAP
from hlta.text.scanner import WordStream, scan

TEXTS = [
    "neural network training of a neural network",
    "the social network of friends and the social media",
    "training a deep neural network with data",
    "social network analysis: friends of friends",
    "data analysis with the neural network",
    "the social network",
] * 5
THEMES = ["deep neural networks", "dark matter in galaxies", "apples and pears"] * 20


def numbers_in(stream: WordStream) -> list[int]:
    """The numbers of all words and the marks between them."""
    return [int(number) for number in np.concatenate(list(stream.parts))]


def words_of(texts: list[str], **options: Any) -> list[list[str]]:
    """The words of each text."""
    return words_in(scan(texts, TextOptions(**options)))


def words_in(stream: WordStream) -> list[list[str]]:
    """The words of each document."""
    rows: list[list[str]] = [[]]
    for number in numbers_in(stream):
        if number == END:
            rows.append([])
        elif number != GAP:
            rows[-1].append(stream.words[number])
    return rows[:-1]
